"""Parsed JSON taken apart strictly: exact keys, arrays, the text of a trail; and instances filled from their fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any, NoReturn, TypeAlias

import attrs

from agentfsm.annotations import said
from agentfsm.errors import AgentFSMError, DecodeError
from agentfsm.unions import JSON_NAMES

__all__ = ("NAMES", "Read", "added", "expected", "fill", "found", "items_of", "keyed", "under")

Read: TypeAlias = Callable[[object, object], object]
"""From parsed JSON and the annotation (which the reader knows already) to the value."""


# What a validator may well raise on a value that it does not like.
REFUSALS = (
    AgentFSMError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
TRAIL: Mapping[str, None] = {"start": None, "before": None, "items": None}  # a set that keeps its order
DIGEST = re.compile(r"[0-9a-f]{32}")
NAMES: Mapping[type, str] = {**JSON_NAMES, list: "array", dict: "object"}

_set = object.__setattr__


def under(error: DecodeError, place: str) -> DecodeError:
    """Return *error* as it is seen from one level up."""
    return DecodeError(error.reason, path=f"${place}{error.path[1:]}")


def keyed(raw: object, names: AbstractSet[str]) -> Mapping[str, object]:
    """Return *raw*, an object with exactly the keys *names*; raises `DecodeError` for anything else."""
    if type(raw) is dict and raw.keys() == names:
        return raw
    if not isinstance(raw, dict):
        raise DecodeError(f"found {found(raw)}, expected an object with {', '.join(names) or 'no keys'}")
    if missing := [name for name in names if name not in raw]:
        raise DecodeError(f"{', '.join(missing)} missing")
    if unknown := sorted(str(key) for key in raw if key not in names):
        raise DecodeError(f"{', '.join(unknown):.80} unknown; the keys are {', '.join(names) or 'none'}")
    return raw


def fill(kind: Any, values: Mapping[str, object]) -> object:
    """Return an instance of *kind* with these fields; raises `DecodeError` when its validators refuse them."""
    made = object.__new__(kind)
    for name, value in values.items():
        _set(made, name, value)
    if _remembers_hash(kind):
        _set(made, "_attrs_cached_hash", None)
    try:
        for validate, attribute in _validators(kind):
            validate(made, attribute, values[attribute.name])
    except REFUSALS as error:
        raise DecodeError(f"{kind.__name__} refuses it: {error}") from error
    return made


@cache
def _remembers_hash(kind: type) -> bool:
    return attrs.has(kind) and attrs.inspect(kind).hashability is attrs.ClassProps.Hashability.HASHABLE_CACHED


@cache
def _validators(kind: type) -> tuple[tuple[Callable[..., object], Any], ...]:
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    return tuple((field.validator, field) for field in fields if field.validator is not None)


def added(raw: object, read: Read) -> tuple[int, bytes, tuple[object, ...]]:
    """Return what the text of a trail says: how many items came before, with which digest, and the items added."""
    entry = keyed(raw, TRAIL.keys())
    start, before = entry["start"], entry["before"]
    if type(start) is not int or start < 0:
        raise DecodeError("no length of a trail", path="$.start")
    if type(before) is not str or not DIGEST.fullmatch(before) or (not start and before.strip("0")):
        raise DecodeError("no digest of a trail of that length", path="$.before")
    try:
        items = items_of(entry["items"], read)
    except DecodeError as error:
        raise under(error, ".items") from None
    return start, bytes.fromhex(before), items


def found(raw: object) -> str:
    """Return what *raw* is, in the words of JSON."""
    return f"a JSON {NAMES[type(raw)]}" if type(raw) in NAMES else type(raw).__qualname__


def expected(raw: object, hint: object) -> NoReturn:
    """Refuse *raw* for not being what *hint* says."""
    raise DecodeError(f"found {found(raw)}, expected {said(hint)}")


def items_of(raw: object, read: Read) -> tuple[object, ...]:
    """Return the items of *raw*, an array, each as *read* has it; an error says at which place it is."""
    if not isinstance(raw, list):
        raise DecodeError(f"found {found(raw)}, expected an array")
    made: list[object] = []
    try:
        for item in raw:
            made.append(read(item, None))  # noqa: PERF401  # how many there are already says where the fault is
    except DecodeError as error:
        raise under(error, f"[{len(made)}]") from None
    return tuple(made)
