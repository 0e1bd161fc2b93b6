"""Shapes: what an annotation says its values look like, seen through aliases, `NewType` and `Annotated`."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, get_args, get_origin
from uuid import UUID

import attrs
from attrs import frozen

from agentfsm.annotations import bare, fields_of, said, see_through
from agentfsm.errors import DefinitionError
from agentfsm.frozen import FrozenMap
from agentfsm.trail import Trail

__all__ = (
    "Bag",
    "Either",
    "Fields",
    "Fixed",
    "Foreign",
    "Growing",
    "Json",
    "Many",
    "Member",
    "OneOf",
    "Plain",
    "Shape",
    "Table",
    "Text",
    "inner",
    "reach",
    "shape_of",
)

PLAIN = frozenset({NoneType, bool, int, float, str})
TEXT = frozenset({bytes, Decimal, datetime, date, time, timedelta, UUID})


@frozen
class Plain:
    """A value that JSON has itself: None, bool, int, float or str."""

    kind: type


@frozen
class Text:
    """A value that has an exact text: bytes, a number, a time or an id; see `agentfsm.texts`."""

    kind: type


@frozen
class Member:
    """A member of an enum."""

    kind: type[Enum]


@frozen
class OneOf:
    """One of the values of a `Literal`."""

    values: tuple[object, ...]


@frozen
class Either:
    """A value of one of several annotations, none of them a union itself."""

    options: tuple[object, ...]


@frozen
class Many:
    """A tuple of any length; *item* is an annotation, as in the shapes below."""

    item: object


@frozen
class Fixed:
    """A tuple with a given annotation at each place."""

    items: tuple[object, ...]


@frozen
class Bag:
    """A frozenset."""

    item: object


@frozen
class Table:
    """A `FrozenMap`."""

    key: object
    value: object


@frozen
class Growing:
    """A `Trail`."""

    item: object


@frozen
class Fields:
    """A record, a frozen attrs class or a frozen dataclass, with the annotations of its fields in their order."""

    kind: type
    hints: Mapping[str, object]


@frozen
class Json:
    """Frozen JSON, however deep: None, bool, int, float, str, tuples and mappings from str to those."""


@frozen
class Foreign:
    """A class that nothing is known about."""

    kind: type


Shape: TypeAlias = (
    Plain | Text | Member | OneOf | Either | Many | Fixed | Bag | Table | Growing | Fields | Json | Foreign
)


def shape_of(hint: object) -> Shape:
    """
    Return what *hint* says.

    Raises `DefinitionError` for text that could not be resolved, a free type variable, and what is no annotation.
    """
    return _shape(see_through(hint))


def inner(shape: Shape) -> tuple[object, ...]:
    """Return the annotations that *shape* is made of."""
    match shape:
        case Either(options=hints) | Fixed(items=hints):
            return hints
        case Many(item=hint) | Bag(item=hint) | Growing(item=hint):
            return (hint,)
        case Table(key=key, value=value):
            return key, value
        case Fields(hints=fields):
            return tuple(fields.values())
        case _:
            return ()


def reach(*hints: object) -> Mapping[object, Shape]:
    """Return every annotation that *hints* lead to, themselves included, with its shape."""
    found: dict[object, Shape] = {}
    todo = [bare(hint) for hint in reversed(hints)]
    while todo:
        hint = todo.pop()
        if hint not in found:
            found[hint] = shape_of(hint)
            todo.extend(reversed(inner(found[hint])))
    return found


@cache
def _shape(hint: object) -> Shape:
    origin, args = get_origin(hint), get_args(hint)
    if hint is None or hint in PLAIN:
        return Plain(NoneType if hint is None else hint)
    if hint is object or hint is Any:
        return Json()
    if origin is Literal:
        return OneOf(args)
    if origin is typing.Union or isinstance(hint, UnionType):
        return Either(tuple(dict.fromkeys(_flat(args))))
    kind = origin or hint
    if not isinstance(kind, type):
        raise DefinitionError(f"{said(hint)} is no type that a value could be held to")
    return _container(hint, kind, args) or _class(kind, hint)


def _container(hint: object, kind: type, args: tuple[object, ...]) -> Shape | None:
    if kind is tuple:
        if hint is tuple or hint is typing.Tuple:  # noqa: UP006  # this one too
            return Many(object)
        return Many(args[0]) if args[-1:] == (...,) else Fixed(args)
    if kind is frozenset or kind is AbstractSet:
        return Bag(args[0] if args else object)
    if kind is Sequence:
        return Many(args[0] if args else object)
    if kind is Mapping or kind is FrozenMap:
        return Table(*(args or (str, object)))
    if kind is Trail:
        return Growing(args[0] if args else object)
    return None


def _class(kind: type, hint: object) -> Shape:
    if kind in TEXT:
        return Text(kind)
    if issubclass(kind, Enum):
        return Member(kind)
    if attrs.has(kind) or dataclasses.is_dataclass(kind):
        return Fields(kind, fields_of(hint))
    try:
        isinstance(None, kind)
    except TypeError as error:
        raise DefinitionError(f"{said(hint)} cannot be told from other values: {error}") from error
    return Foreign(kind)


def _flat(options: tuple[object, ...]) -> Iterator[object]:
    for option in options:
        seen = see_through(option)
        if get_origin(seen) is typing.Union or isinstance(seen, UnionType):
            yield from _flat(get_args(seen))
        else:
            yield seen
