"""Loading a graph document: every fault of its shape at once, with file and line; nothing is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from attrs import frozen

from agentfsm.errors import DefinitionError, Finding, UsageError
from agentfsm.workflow.document import MACHINE, RECOVERY, STAGE, Document, Entry, Key, Said
from agentfsm.workflow.yamltree import Branch, Leaf, List, Tree, parse

__all__ = ("load", "loads", "near")


def load(path: str | Path) -> Document:
    """
    Read a graph document from a file; nothing it names is imported.

    Raises `UsageError` for a file that cannot be read, and `DefinitionError` with every fault of its shape.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DefinitionError(Finding("bad_yaml", f"no UTF-8 at byte {error.start}", place=f"{path}:1")) from error
    return loads(text, name=str(path))


def loads(text: str, *, name: str = "graph.yaml") -> Document:
    """Read a graph document from *text*, as `load` does; *name* stands for the file in messages."""
    tree = parse(text, name)
    found = list(_wrong(tree, MACHINE, name))
    DefinitionError.raise_any(found)
    top = _Fields.of(tree)
    recovery = top.trees.get("recovery")
    return Document(
        file=name,
        machine=top.text("machine"),
        enum=top.text("enum"),
        start=top.text("start"),
        final=top.texts("final"),
        failed=top.text("failed"),
        iterates=top.text("iterates") if "iterates" in top.trees else None,
        stages=tuple(_entry(stage) for stage in top.items("stages")),
        recovery=_entry(recovery) if recovery else None,
        line=tree.line,
    )


def near(text: str, known: Iterable[str]) -> str:
    """Return a question about the *known* word that *text* is closest to, or all of them."""
    words = sorted(known)
    close = get_close_matches(text, words, n=1)
    return f"did you mean {close[0]}?" if close else f"there is {', '.join(words) or 'none'}"


@frozen
class _Fields:
    """The values of a mapping whose shape was found right."""

    trees: Mapping[str, Tree]

    @classmethod
    def of(cls, tree: Tree) -> _Fields:
        return cls({key.text: value for key, value in tree.pairs} if isinstance(tree, Branch) else {})

    def text(self, name: str) -> Said:
        tree = self.trees[name]
        return Said(tree.text if isinstance(tree, Leaf) else "", tree.line)

    def items(self, name: str) -> tuple[Tree, ...]:
        tree = self.trees.get(name)
        return tree.items if isinstance(tree, List) else ()

    def texts(self, name: str) -> tuple[Said, ...]:
        return tuple(Said(item.text, item.line) for item in self.items(name) if isinstance(item, Leaf))


def _entry(tree: Tree) -> Entry:
    fields = _Fields.of(tree)
    return Entry(
        name=fields.text("name"),
        path=fields.text("class"),
        enters=fields.text("enters") if "enters" in fields.trees else None,
        exits=fields.texts("exits"),
        reads=fields.texts("reads"),
        writes=fields.texts("writes"),
        line=tree.line,
    )


def _wrong(tree: Tree, keys: tuple[Key, ...], name: str) -> Iterator[Finding]:
    """Yield what is wrong with a mapping that should have *keys*."""
    if not isinstance(tree, Branch):
        yield Finding("bad_value", f"this is {_what(tree)}, not a mapping", place=f"{name}:{tree.line}")
        return
    known = {key.name: key for key in keys}
    for said, _ in tree.pairs:
        if said.text not in known:
            yield Finding("unknown_key", f"no key {said.text}: {near(said.text, known)}", place=f"{name}:{said.line}")
    given = {said.text: value for said, value in tree.pairs}
    for key in keys:
        if key.name in given:
            yield from _wrong_value(given[key.name], key, name)
        elif key.needed:
            yield Finding("missing_key", f"{key.name} is missing: {key.says}", place=f"{name}:{tree.line}")


def _wrong_value(tree: Tree, key: Key, name: str) -> Iterator[Finding]:
    if key.kind == "recovery":
        yield from _wrong(tree, RECOVERY, name)
    elif key.kind == "text":
        yield from _wrong_text(tree, key, name)
    elif not isinstance(tree, List):
        yield Finding("bad_value", f"{key.name} is {_what(tree)}, not a list", place=f"{name}:{tree.line}")
    elif not tree.items and key.needed:
        yield Finding("bad_value", f"{key.name} is empty: {key.says}", place=f"{name}:{tree.line}")
    elif key.kind == "stages":
        for item in tree.items:
            yield from _wrong(item, STAGE, name)
    else:
        yield from _wrong_texts(tree, key, name)


def _wrong_text(tree: Tree, key: Key, name: str) -> Iterator[Finding]:
    place = f"{name}:{tree.line}"
    if not isinstance(tree, Leaf):
        yield Finding("bad_value", f"{key.name} is {_what(tree)}, not text", place=place)
    elif not re.fullmatch(key.pattern, tree.text):
        yield Finding("bad_value", f"{key.name} cannot be {tree.text!r}: {key.says}", place=place)


def _wrong_texts(tree: List, key: Key, name: str) -> Iterator[Finding]:
    seen: set[str] = set()
    for item in tree.items:
        yield from _wrong_text(item, key, name)
        if isinstance(item, Leaf):
            bare = item.text.removesuffix("?")
            if bare in seen:
                yield Finding("twice", f"{key.name} has {bare} twice", place=f"{name}:{item.line}")
            seen.add(bare)


def _what(tree: Tree) -> str:
    return {Leaf: "text", List: "a list", Branch: "a mapping"}[type(tree)]
