"""Headers: what ``Stage[Reads, Writes, Exits]`` says, read from the class itself at run time."""

from __future__ import annotations

import typing
from enum import Enum
from types import UnionType
from typing import Any, Literal, cast, get_args, get_origin

from agentfsm.errors import DefinitionError
from agentfsm.records import unalias

__all__ = ("exits_of", "header_of", "parameters_of")


def exits_of(hint: object) -> tuple[Enum, ...]:
    """Return the members that ``Literal[Phase.A, Phase.B]`` names; raises `DefinitionError` for anything else."""
    hint = unalias(hint)
    if get_origin(hint) is typing.Union or isinstance(hint, UnionType):
        return tuple(dict.fromkeys(target for arg in get_args(hint) for target in exits_of(arg)))
    if get_origin(hint) is not Literal or not all(isinstance(arg, Enum) for arg in get_args(hint)):
        raise DefinitionError(f"name each exit: Literal[Phase.A, Phase.B], not {hint!r}")
    return get_args(hint)


def header_of(cls: type, root: type) -> Any:
    """
    Return ``root[...]`` as *cls* means it, through generic and concrete parents.

    Raises `DefinitionError` where there is none.
    """
    # `cls.__orig_bases__` would find the parent's; a subclass without subscripted bases has none of its own.
    for base in cls.__dict__.get("__orig_bases__", cls.__bases__):
        parent: Any = get_origin(base) or base
        if parent is root and get_args(base):
            return base
        header: Any = getattr(parent, "header", None)
        if header is not None:
            given: dict[object, object] = dict(zip(parameters_of(parent), get_args(base), strict=False))
            params = parameters_of(header)
            return header[tuple(given.get(p, p) for p in params)] if params else header
    raise DefinitionError(f"{cls.__name__} needs a header: {root.__name__}[Reads, Writes, Exits]")


def parameters_of(generic: Any) -> tuple[object, ...]:
    """Return the type variables that *generic* still leaves open."""
    return cast("tuple[object, ...]", generic.__parameters__)
