"""
YAML as a tree of text with lines, and nothing more: the only module that knows yaml.

Only the events of the parser are used: no object is ever built from a tag, and what a text means is for whoever reads
the tree to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import yaml
from attrs import frozen

__all__ = ("Leaf", "List", "Pairs", "Tree", "YamlError", "tree_of")

MOST_DEPTH = 100


class YamlError(ValueError):
    """Raised when a text is no YAML that can be read here: what is wrong, and in which line, from 1."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


@frozen
class Leaf:
    """One scalar as it is written; *plain* where it has no quotes. *tag* and *anchor* are empty where it has none."""

    text: str
    line: int
    plain: bool = False
    tag: str = ""
    anchor: str = ""


@frozen
class List:
    """A sequence."""

    items: tuple[Tree, ...]
    line: int
    tag: str = ""
    anchor: str = ""


@frozen
class Pairs:
    """A mapping, in the order of the file; a key may be anything, and may be there twice."""

    pairs: tuple[tuple[Tree, Tree], ...]
    line: int
    tag: str = ""
    anchor: str = ""


Tree: TypeAlias = Leaf | List | Pairs


def tree_of(text: str) -> Tree | None:
    """
    Return the one document in *text*, None where there is none. An alias is the very tree that its anchor names.

    Raises `YamlError` for broken text, a second document, more than 100 levels, and an alias that no anchor precedes.
    """
    try:
        return _Building(yaml.parse(text, Loader=yaml.SafeLoader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context or "no YAML"
        raise YamlError(reason, mark.line + 1 if mark else 1) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(f"{error.reason} (character {error.character!r})", line) from error
    except RecursionError as error:
        raise YamlError(f"nested deeper than {MOST_DEPTH}", 1) from error


class _Building:
    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self._events = events
        self._named: dict[str, Tree] = {}

    def document(self) -> Tree | None:
        found: Tree | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found is not None:
                    raise YamlError("a second document begins here; one file holds one", _line(event))
                found = self._tree(next(self._events), 0)
        return found

    def _tree(self, event: yaml.Event, depth: int) -> Tree:
        line = _line(event)
        if depth > MOST_DEPTH:
            raise YamlError(f"nested deeper than {MOST_DEPTH}", line)
        anchor = getattr(event, "anchor", None) or ""
        if isinstance(event, yaml.AliasEvent):
            if anchor not in self._named:
                raise YamlError(f"*{anchor} stands before the end of what it names, or nothing has that name", line)
            return self._named[anchor]
        built = self._built(event, getattr(event, "tag", None) or "", anchor, depth)
        if anchor:
            self._named[anchor] = built
        return built

    def _built(self, event: yaml.Event, tag: str, anchor: str, depth: int) -> Tree:
        if isinstance(event, yaml.SequenceStartEvent):
            return List(tuple(self._items(depth)), _line(event), tag, anchor)
        if isinstance(event, yaml.MappingStartEvent):
            items = tuple(self._items(depth))
            return Pairs(tuple(zip(items[::2], items[1::2], strict=True)), _line(event), tag, anchor)
        assert isinstance(event, yaml.ScalarEvent), "nothing else is left"
        return Leaf(event.value, _line(event), event.style is None, tag, anchor)

    def _items(self, depth: int) -> Iterator[Tree]:
        while not isinstance(event := next(self._events), yaml.CollectionEndEvent):
            yield self._tree(event, depth + 1)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
