"""Unions in JSON: which JSON types each member is written as, and whether members can be told apart by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType

from agentfsm.annotations import said, see_through
from agentfsm.shapes import (
    Bag,
    Either,
    Fields,
    Fixed,
    Foreign,
    Growing,
    Json,
    Many,
    Member,
    OneOf,
    Plain,
    Shape,
    Table,
    Text,
    shape_of,
)
from agentfsm.values import ALSO

__all__ = ("JSON_NAMES", "claims", "clashes", "is_text", "tagged")

ITSELF = "itself"
JSON_NAMES: Mapping[type, str] = {NoneType: "null", bool: "boolean", int: "integer", float: "number", str: "string"}


def tagged(options: tuple[object, ...]) -> bool:
    """Tell whether the classes of a union are told apart by their names."""
    return sum(isinstance(shape_of(option), Fields) for option in options) > 1


def is_text(hint: object) -> bool:
    """Tell whether a mapping with such keys is a JSON object."""
    return shape_of(hint) == Plain(str)


def claims(hint: object) -> frozenset[tuple[str, object]]:
    """Return the JSON types that values of *hint* are written as, each with what reads it: itself or an annotation."""
    match shape_of(hint):
        case Plain(kind=kind):
            return frozenset((JSON_NAMES[k], ITSELF) for k in (kind, *ALSO.get(kind, ())))
        case OneOf(values=values):
            return frozenset((JSON_NAMES.get(type(v), "string"), _reader(type(v))) for v in values)
        case Either(options=options):
            return frozenset().union(*map(claims, options))
        case Json():
            return frozenset({(name, ITSELF) for name in JSON_NAMES.values()} | {("array", hint), ("object", hint)})
        case Text() | Member():
            return frozenset({("string", see_through(hint))})
        case Many() | Fixed() | Bag():
            return frozenset({("array", see_through(hint))})
        case Table(key=key):
            return frozenset({("object" if is_text(key) else "array", see_through(hint))})
        case Fields() | Growing():
            return frozenset({("object", see_through(hint))})
        case Foreign():
            return frozenset()


def clashes(*options: object) -> Iterator[str]:
    """Give for each JSON type that members of a union are written as, and are not told apart, what they are."""
    found = frozenset().union(*map(claims, options))
    for name in sorted({name for name, _ in found}):
        readers = [reader for claimed, reader in found if claimed == name]
        classes = {shape.kind.__name__ for shape in map(_shape_or_none, readers) if isinstance(shape, Fields)}
        if len(readers) > max(1, len(classes)):
            members = sorted(said(reader) if reader is not ITSELF else f"a plain {name}" for reader in readers)
            yield f"{' and '.join(members)} are both written as a JSON {name}"


def _reader(kind: type) -> object:
    return ITSELF if kind in JSON_NAMES else kind


def _shape_or_none(reader: object) -> Shape | None:
    return None if reader is ITSELF else shape_of(reader)
