"""Annotations as types: resolved, seen through, bound to the arguments of generics, and said in words."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType, NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Final, ForwardRef, Literal, NewType, TypeVar, get_args, get_origin

import attrs

from agentfsm.errors import DefinitionError
from agentfsm.frozen import hints_of, unalias

__all__ = ("bare", "fields_of", "said", "see_through")


def fields_of(kind: object) -> Mapping[str, object]:
    """
    Return the annotations of the fields of a class, or of a generic class with its arguments, as types.

    Raises `DefinitionError` naming class and field when one cannot be resolved.
    """
    owner: Any = get_origin(kind) or kind
    given = dict(zip(getattr(owner, "__parameters__", ()), get_args(kind), strict=False))
    hints = _hints(owner)
    return MappingProxyType({name: _bound(owner, name, hints.get(name), given) for name in _names(owner)})


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


def bare(hint: object) -> object:
    """Return *hint* with every `Annotated` taken off; what annotates need not be hashable, a type is."""
    holder: Any = SimpleNamespace(__annotations__={"hint": hint})
    found: object = typing.get_type_hints(holder)["hint"]
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
