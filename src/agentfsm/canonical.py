"""
Canonical JSON: one text for each value, written as its annotations say.

Two values have one text exactly when they are equal, of equal types and spelled alike (the sign of a zero, the digits
of a Decimal, the zone of a datetime); the order of a mapping's keys and of a set is no part of a value. Text is ASCII
without blanks. What could not be read back equal raises `EncodeError` with the JSON path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import accumulate
from typing import Any

from agentfsm.annotations import bare
from agentfsm.errors import EncodeError, TrailError, UsageError
from agentfsm.forms import Writer, as_object, expression, mark_of_item, text_of, trail_text
from agentfsm.records import Record
from agentfsm.shapes import Fields, Growing, reach, shape_of
from agentfsm.source import Source
from agentfsm.trail import Trail
from agentfsm.values import DEPTH, TOO_DEEP, parts

__all__ = ("LEVELS", "SIZE", "delta_text", "levels", "mark_of", "record_text", "writer")

LEVELS = 2 * DEPTH
"""How many arrays and objects of one text may lie within each other."""

SIZE = 16 * 2**20
"""How many characters one text may have."""

FAULTS = (EncodeError, RecursionError, ValueError)  # ValueError: an integer of more digits than Python converts
SHORT = 2 * LEVELS  # no text of this length nests too deeply
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
NO_BRACKET = re.compile(r"[^\[\]{}]+")
STEP: Mapping[str, int] = {"[": 1, "{": 1, "]": -1, "}": -1}


def record_text(record: Record) -> str:
    """
    Return the canonical text of *record*: an object of its fields in their order.

    A field that is a `Trail` is written as its length and digest, so the text of a conversation costs what was added.
    """
    kind: type = type(record)
    return _record_writer(kind)(record)


def delta_text(record: Record, earlier: Record | None) -> str:
    """
    Return the text of what is new in *record*: `record_text`, but each `Trail` with the items added since *earlier*.

    Raises `TrailError` for a trail that does not extend the one in *earlier*, and `UsageError` when *earlier* is of
    another class.
    """
    if earlier is not None and type(earlier) is not type(record):
        raise UsageError(f"{type(record).__name__} is no later {type(earlier).__name__}")
    kind: type = type(record)
    return _delta_writer(kind)(record, earlier)


def writer(hint: object) -> Writer:
    """
    Return what writes a value of *hint*; a `Trail` in it is written with all its items.

    Raises `EncodeError` when *hint* leads to a union whose members look alike in JSON or to a class that cannot be
    rebuilt from its fields, and `DefinitionError` when an annotation cannot be resolved.
    """
    return _writer(bare(hint))


def mark_of(hint: object) -> Callable[[object], bytes]:
    """Return what gives the canonical bytes of an item of a ``Trail[hint]``, for `Trail.digest`."""
    return mark_of_item(bare(hint))


def levels(text: str) -> int:
    """Return how many arrays and objects of a JSON text lie within each other at most."""
    brackets = NO_BRACKET.sub("", STRING.sub("", text))
    return max(accumulate(map(STEP.__getitem__, brackets)), default=0)


@cache
def _writer(hint: object) -> Writer:
    source = Source()
    _compile(hint)
    return _located(source, hint, "v", [f"{source.bind(text_of(hint))}(v)"])


@cache
def _record_writer(kind: type) -> Writer:
    return _fields_writer(kind, "v", lambda name, trail: partial(_digested, mark_of_item(trail.item)), "@")


@cache
def _delta_writer(kind: type) -> Callable[[Record, Record | None], str]:
    def added(name: str, trail: Growing) -> Callable[..., str]:
        return partial(_added, f"{kind.__name__}.{name}", mark_of_item(trail.item), text_of(trail.item))

    return _fields_writer(kind, "v, e", added, "@, None if e is None else e.{name}")


def _fields_writer(
    kind: type, parameters: str, trail: Callable[[str, Growing], Callable[..., str]], arguments: str
) -> Callable[..., str]:
    """Return what writes a record whose fields that are trails are written by what *trail* makes for them."""
    _compile(kind)
    source, shape = Source(), shape_of(kind)
    if not isinstance(shape, Fields):
        raise UsageError(f"{kind.__name__} is no record")
    fields: dict[str, Callable[[str], str]] = {}
    for name, hint in shape.hints.items():
        fields[name] = partial(expression, hint, source)
        if isinstance(growing := shape_of(hint), Growing):
            call = f"{source.bind(trail(name, growing))}({arguments.format(name=name)})"
            fields[name] = partial(_trail_expression, f"{call} if type(@) is {source.bind(Trail)} else ", fields[name])
    return _located(source, kind, parameters, as_object(shape, source, fields))


def _trail_expression(special: str, otherwise: Callable[[str], str], variable: str) -> str:
    return special.replace("@", variable) + otherwise(variable)


def _compile(hint: object) -> None:
    for reached in reach(hint):
        text_of(reached)


def _located(source: Source, hint: object, parameters: str, lines: list[str]) -> Callable[..., str]:
    """Return the function of *lines* whose errors say where in the value the fault is."""
    *statements, last = lines
    return source.function(
        "text",
        parameters,
        "try:",
        *(f"    {line}" for line in statements),
        f"    text = {last}",
        f"except {source.bind(FAULTS)} as error:",
        f"    raise {source.bind(_fault)}({source.bind(hint)}, v, error) from error",
        f"if len(text) > {SHORT}:",
        f"    {source.bind(_hold)}(text)",
        "return text",
    )


def _hold(text: str) -> None:
    if len(text) > SIZE:
        raise EncodeError(f"{len(text)} characters are more than the {SIZE} that one text may have")
    if text.count("[") + text.count("{") > LEVELS and levels(text) > LEVELS:
        raise EncodeError(f"nested deeper than {LEVELS} levels")


def _fault(hint: object, value: object, error: Exception, path: str = "$") -> EncodeError:
    if isinstance(error, RecursionError):
        return EncodeError(TOO_DEEP)
    for step, part_hint, part in parts(hint, value):
        try:
            text_of(part_hint)(part)
        except FAULTS as inner:
            return _fault(part_hint, part, inner, path + step)
    return EncodeError(error.reason if isinstance(error, EncodeError) else str(error), path=path)


def _digested(mark: Callable[[object], bytes], trail: Trail[Any]) -> str:
    return f'{{"length":{len(trail)},"digest":"{trail.digest(mark).hex()}"}}'


def _added(
    path: str,
    mark: Callable[[object], bytes],
    write: Writer,
    trail: Trail[Any],
    earlier: Trail[Any] | None,
) -> str:
    if earlier is None:
        return trail_text(trail.start, trail.before, [write(item) for item in trail.since(trail.start)])
    if not trail.extends(earlier):
        raise TrailError(f"a trail of {len(trail)} does not extend the one of {len(earlier)} before it", path=path)
    return trail_text(len(earlier), earlier.digest(mark), [write(item) for item in trail.since(len(earlier))])
