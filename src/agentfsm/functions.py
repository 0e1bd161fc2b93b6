"""Function stages: a stage made of plain functions, whose annotations are its header."""

from __future__ import annotations

import types
import typing
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Any, Literal, Never, TypeVar, Union, cast, get_args, get_origin

from agentfsm.errors import DefinitionError
from agentfsm.places import names_in_sight, place
from agentfsm.records import Business, Maybe, Record, WriteSet
from agentfsm.stage import Retry, Stage
from agentfsm.state import StatePatch
from agentfsm.view import View
from agentfsm.world import Context

__all__ = ("argument_of", "result_of", "stage", "stage_of")

R = TypeVar("R", bound=Record | Maybe[Record])
W = TypeVar("W", bound=Business)
N = TypeVar("N", bound=Enum)


def stage(
    run: Callable[[View[R], Context], Awaitable[StatePatch[W]]],
    *,
    enters: Enum | None,
    next: Callable[[View[R | W]], N] | N,
    check: Callable[[View[R]], str | None] | None = None,
    ensure: Callable[[View[R | W]], str | None] | None = None,
    optional: tuple[type[Business], ...] = (),
    retry: Retry | None = None,
    timeout: float | None = None,
    name: str = "",
) -> Stage[R, W, N]:
    """
    Return a stage made of functions: ``look = stage(look_at, enters=Phase.LOOK, next=after)``.

    *next* is a function that returns ``Literal[...]``, or the only exit. *optional* names the records of the patch that
    may be left out. It is called *name* in logs, or else as *run* is. Raises `DefinitionError` where an annotation does
    not say what is read, written or led to.
    """
    names = names_in_sight()
    reads, writes = argument_of(run, View, names), result_of(run, StatePatch, names)
    exits = Literal[next] if isinstance(next, Enum) else result_of(next, Literal, names)
    hooks = {"run": run, "check": check, "ensure": ensure, "next": None if isinstance(next, Enum) else next}
    header = (reads, _with_optional(run.__name__, writes, optional), exits)
    given = {hook: function for hook, function in hooks.items() if function is not None}
    made = stage_of(name or run.__name__, header, enters, given)
    made.retry, made.timeout = retry or Retry(), timeout
    return cast("Stage[R, W, N]", made)


def stage_of(
    name: str, header: tuple[object, object, object], enters: Enum | None, hooks: Mapping[str, Callable[..., Any]]
) -> Stage[Any, Any, Any]:
    """Return an instance of a new stage class with that header, its methods being *hooks*."""
    base: Any = Stage
    body = {hook: staticmethod(function) for hook, function in hooks.items()}
    made = types.new_class(name, (base[header],), {"enters": enters}, lambda space: space.update(body))
    return cast("Stage[Any, Any, Any]", made())


def argument_of(function: Callable[..., object], kind: object, names: Mapping[str, object]) -> object:
    """Return R of a function's first parameter, annotated ``kind[R]``."""
    hints = list(_hints(function, names).items())
    first = next((hint for name, hint in hints if name != "return"), None)
    return _inside(function, first, kind)


def result_of(function: Callable[..., object], kind: object, names: Mapping[str, object]) -> object:
    """Return W of a function annotated to return ``kind[W]``; of a ``Literal``, the whole of it."""
    return _inside(function, _hints(function, names).get("return"), kind)


def _inside(function: Callable[..., object], hint: object, kind: object) -> object:
    if get_origin(hint) is not kind:
        said = getattr(kind, "__name__", None) or getattr(kind, "_name", kind)
        named = getattr(function, "__name__", repr(function))
        raise DefinitionError(f"{named} has to say {said}[...] in its annotations; it says {hint!r}").at(place())
    return hint if kind is Literal else get_args(hint)[0]


def _hints(function: Callable[..., object], names: Mapping[str, object]) -> Mapping[str, object]:
    scope = {**getattr(function, "__globals__", {}), **names}
    try:
        return typing.get_type_hints(function, globalns=scope)
    except (NameError, TypeError) as error:
        raise DefinitionError(f"{getattr(function, '__name__', function)}: {error}").at(place()) from error


def _with_optional(name: str, writes: object, optional: tuple[type[Business], ...]) -> object:
    """Return the write side of a header in which *optional* may be left out."""
    if not optional:
        return writes
    written = WriteSet.parse(writes).all
    if strange := [kind.__name__ for kind in optional if kind not in written]:
        raise DefinitionError(f"{name} does not write {strange[0]}, so it cannot be optional").at(place())
    surely = [kind for kind in written if kind not in optional]
    maybe: Any = Maybe
    sides = (*surely, *(maybe[kind] for kind in optional))
    return Union[sides] if sides else Never  # noqa: UP007  built at run time
