"""Shapes: what an annotation says its values look like, seen through aliases, `NewType`, `Annotated` and generics."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Final, ForwardRef, Literal, NewType, TypeAlias, TypeVar, get_args, get_origin
from uuid import UUID

import attrs
from attrs import frozen

from agentfsm.errors import DefinitionError
from agentfsm.frozen import FrozenMap, hints_of, unalias
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
    "bare",
    "fields_of",
    "inner",
    "reach",
    "said",
    "see_through",
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


def see_through(hint: object) -> object:
    """Return what *hint* stands for, where it is an alias, a `NewType` or annotated; else itself."""
    while True:
        seen = unalias(hint)
        if seen is not hint:
            seen = bare(seen)
        if get_origin(seen) in (Annotated, Final):
            seen = get_args(seen)[0]
        if isinstance(seen, NewType):
            seen = seen.__supertype__
        if seen is hint:
            return hint
        hint = seen


def fields_of(kind: object) -> Mapping[str, object]:
    """
    Return the annotations of the fields of a class, or of a generic class with its arguments, as types.

    Raises `DefinitionError` naming class and field when one cannot be resolved.
    """
    owner = typing.cast("type", get_origin(kind) or kind)
    given = dict(zip(getattr(owner, "__parameters__", ()), get_args(kind), strict=False))
    hints = _hints(owner)
    return MappingProxyType({name: _bound(owner, name, hints.get(name), given) for name in _names(owner)})


def bare(hint: object) -> object:
    """Return *hint* with every `Annotated` taken off; what annotates need not be hashable, a type is."""
    holder: Any = SimpleNamespace(__annotations__={"hint": hint})
    found: object = typing.get_type_hints(holder)["hint"]
    return found


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


def said(hint: object) -> str:
    """Return *hint* as a person would write it."""
    if hint is None or hint is NoneType:
        return "None"
    if hint is object or hint is Any:
        return "frozen JSON"
    if isinstance(hint, type) and not get_args(hint):
        return hint.__name__
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"Literal[{', '.join(str(a) if isinstance(a, Enum) else repr(a) for a in args)}]"
    if origin is typing.Union or isinstance(hint, UnionType):
        return " | ".join(map(said, args))
    if isinstance(origin, type):
        return f"{origin.__name__}[{', '.join('...' if a is ... else said(a) for a in args)}]"
    return getattr(hint, "__name__", None) or repr(hint)


@cache
def _shape(hint: object) -> Shape:
    origin, args = get_origin(hint), get_args(hint)
    if hint is None or hint in PLAIN:
        return Plain(NoneType if hint is None else typing.cast("type", hint))
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
        if hint is tuple or hint is typing.Tuple:
            return Many(object)
        return Many(args[0]) if args[-1:] == (...,) else Fixed(args)
    if kind is frozenset or kind is Set:
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


def _names(kind: type) -> tuple[str, ...]:
    if attrs.has(kind):
        return tuple(field.name for field in attrs.fields(kind))
    return tuple(field.name for field in dataclasses.fields(kind))


def _hints(kind: type) -> Mapping[str, object]:
    known: Mapping[str, object] | None = kind.__dict__.get("field_types")
    now = hints_of(kind, {kind.__name__: kind})
    # What was text when the class statement ran may be found by now: a class further down, or the class itself.
    return now if known is None else {n: h if _open_part(h) is None else now.get(n, h) for n, h in known.items()}


def _bound(owner: type, name: str, hint: object, given: Mapping[object, object]) -> object:
    where = f"{owner.__name__}.{name}"
    if hint is None and name not in _hints(owner):
        raise DefinitionError(f"{where} has no annotation")
    if isinstance(hint, TypeVar):
        hint = given.get(hint, hint)
    elif free := getattr(hint, "__parameters__", ()):
        hint = typing.cast("Any", hint)[tuple(given.get(variable, variable) for variable in free)]
    if (part := _open_part(hint)) is not None:
        way = "give it an argument" if isinstance(part, TypeVar) else "define it at module level, before its first use"
        raise DefinitionError(f"{where}: {part} in its annotation stands for no type; {way}")
    return bare(hint)


def _open_part(hint: object) -> object | None:
    """Return the text or type variable in *hint* that is not resolved, or None."""
    if isinstance(hint, str | ForwardRef):
        return hint if isinstance(hint, str) else hint.__forward_arg__
    if isinstance(hint, TypeVar):
        return hint
    if get_origin(hint) is Literal:
        return None
    parts = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return next((found for part in parts if (found := _open_part(part)) is not None), None)
