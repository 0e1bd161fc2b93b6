"""The tree of a graph document: text with lines, in which nothing is implied and nothing is said twice."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from agentfsm import yamltext
from agentfsm.errors import DefinitionError, Finding
from agentfsm.yamltext import YamlError, tree_of

__all__ = ("Branch", "Leaf", "List", "Tree", "parse")

MOST_CHARACTERS = 500_000
MOST_DEPTH = 16
# What this parser says of ``[diff?]``, which others accept.
QUESTIONED, HINT = "but got '?'", '; inside [ ] quote a name that ends in ?, as in ["diff?"]'


@frozen
class Leaf:
    """One scalar as it is written, and its line, counted from 1."""

    text: str
    line: int


@frozen
class List:
    """A sequence."""

    items: tuple[Tree, ...]
    line: int


@frozen
class Branch:
    """A mapping, in the order of the file; its keys are text and differ."""

    pairs: tuple[tuple[Leaf, Tree], ...]
    line: int


Tree: TypeAlias = Leaf | List | Branch


def parse(text: str, name: str) -> Tree:
    """
    Return the one document in *text*; *name* is the file's in messages.

    Raises `DefinitionError` for text that is no YAML, is longer than half a million characters or deeper than 16, or
    holds no or several documents, tags, anchors, aliases, keys that are not text, or one key twice.
    """
    if len(text) > MOST_CHARACTERS:
        raise _wrong("too_long", f"more than {MOST_CHARACTERS} characters are no table of stages", name, 1)
    try:
        found = tree_of(text)
    except YamlError as error:
        hint = HINT if error.reason.endswith(QUESTIONED) else ""
        raise _wrong("bad_yaml", error.reason + hint, name, error.line) from error
    if found is None:
        raise _wrong("bad_yaml", "the file is empty", name, 1)
    return _tree(found, name, 0)


def _tree(found: yamltext.Tree, name: str, depth: int) -> Tree:
    if depth > MOST_DEPTH:
        raise _wrong("bad_yaml", f"nested deeper than {MOST_DEPTH}", name, found.line)
    if found.anchor:
        raise _wrong("bad_yaml", "anchors and aliases are not used here: write it out", name, found.line)
    if found.tag:
        raise _wrong("bad_yaml", f"tags are not used here: {found.tag}", name, found.line)
    if isinstance(found, yamltext.List):
        return List(tuple(_tree(item, name, depth + 1) for item in found.items), found.line)
    if isinstance(found, yamltext.Pairs):
        return _branch(found, name, depth)
    return Leaf(found.text, found.line)


def _branch(found: yamltext.Pairs, name: str, depth: int) -> Branch:
    seen: dict[str, int] = {}
    pairs = []
    for key_tree, value_tree in found.pairs:
        key, value = _tree(key_tree, name, depth + 1), _tree(value_tree, name, depth + 1)
        if not isinstance(key, Leaf):
            raise _wrong("bad_yaml", "a key is text", name, key.line)
        if key.text in seen:
            raise _wrong("twice", f"{key.text} is said twice, first in line {seen[key.text]}", name, key.line)
        seen[key.text] = key.line
        pairs.append((key, value))
    return Branch(tuple(pairs), found.line)


def _wrong(code: str, message: str, name: str, line: int) -> DefinitionError:
    return DefinitionError(Finding(code, message, place=f"{name}:{line}"))
