"""
YAML as a tree of text with lines, and nothing more: the only module that knows yaml.

Only the events of the parser are used: no object is ever built from a tag, no alias is followed, and `NO` stays text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import yaml
from attrs import frozen

from agentfsm.errors import DefinitionError, Finding

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
        return _document(yaml.parse(text, Loader=yaml.SafeLoader), name)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = error.problem or error.context or "no YAML"
        hint = HINT if problem.endswith(QUESTIONED) else ""
        raise _wrong("bad_yaml", problem + hint, name, line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _wrong("bad_yaml", f"{error.reason} (character {error.character!r})", name, line) from error


def _document(events: Iterator[yaml.Event], name: str) -> Tree:
    found: Tree | None = None
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            if found is not None:
                raise _wrong("bad_yaml", "a second document begins here; one file is one table", name, _line(event))
            found = _tree(next(events), events, name, 0)
    if found is None:
        raise _wrong("bad_yaml", "the file is empty", name, 1)
    return found


def _tree(event: yaml.Event, events: Iterator[yaml.Event], name: str, depth: int) -> Tree:
    if depth > MOST_DEPTH:
        raise _wrong("bad_yaml", f"nested deeper than {MOST_DEPTH}", name, _line(event))
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise _wrong("bad_yaml", "anchors and aliases are not used here: write it out", name, _line(event))
    if tag := getattr(event, "tag", None):
        raise _wrong("bad_yaml", f"tags are not used here: {tag}", name, _line(event))
    if isinstance(event, yaml.SequenceStartEvent):
        return List(tuple(_items(events, name, depth)), _line(event))
    if isinstance(event, yaml.MappingStartEvent):
        return _branch(tuple(_items(events, name, depth)), name, _line(event))
    assert isinstance(event, yaml.ScalarEvent), "nothing else is left"
    return Leaf(event.value, _line(event))


def _items(events: Iterator[yaml.Event], name: str, depth: int) -> Iterator[Tree]:
    while not isinstance(event := next(events), yaml.CollectionEndEvent):
        yield _tree(event, events, name, depth + 1)


def _branch(items: tuple[Tree, ...], name: str, line: int) -> Branch:
    seen: dict[str, int] = {}
    pairs = []
    for key, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(key, Leaf):
            raise _wrong("bad_yaml", "a key is text", name, key.line)
        if key.text in seen:
            raise _wrong("twice", f"{key.text} is said twice, first in line {seen[key.text]}", name, key.line)
        seen[key.text] = key.line
        pairs.append((key, value))
    return Branch(tuple(pairs), line)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _wrong(code: str, message: str, name: str, line: int) -> DefinitionError:
    return DefinitionError(Finding(code, message, place=f"{name}:{line}"))
