"""Strict JSON: parsing that refuses what two readers could understand differently, and what could exhaust one."""

from __future__ import annotations

import re
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from math import isfinite

from attrs import frozen

from agentfsm.canonical import LEVELS, SIZE, levels
from agentfsm.errors import DecodeError

__all__ = ("DEEPEST", "LONGEST", "loads", "step")

LONGEST = 16 * SIZE
"""How many characters are parsed at most, unless the caller says otherwise."""

DEEPEST = LEVELS + 50
"""How many arrays and objects may lie within each other: a written value's, and those around it in a log."""

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def loads(text: str | bytes, *, longest: int = LONGEST) -> object:
    """
    Return what *text* says, as `json.loads` would, at most *longest* characters of it.

    Raises `DecodeError` with the JSON path for a key that stands twice in an object, NaN and infinities (also as a
    number too large), nesting deeper than `DEEPEST`, and text that is no JSON or no Unicode.
    """
    text = _unicode(text)
    if len(text) > longest:
        raise DecodeError(f"{len(text)} characters are more than the {longest} that are read")
    if text.count("[") + text.count("{") > DEEPEST and levels(text) > DEEPEST:
        raise DecodeError(f"nested deeper than {DEEPEST} levels")
    try:
        return _parsed(STRICT, text)
    except _SecondLook as error:
        raise _first_fault(_parsed(MARKING, text), error) from None


def step(key: str) -> str:
    """Return the step of a JSON path that leads to *key*."""
    return f".{key}" if NAME.fullmatch(key) else f"[{key!r:.60}]"


class _SecondLook(Exception):
    """No error for anybody: the text is parsed again, to find the path."""


@frozen
class _Fault:
    reason: str


def _parsed(decoder: JSONDecoder, text: str) -> object:
    try:
        found: object = decoder.decode(text)
    except JSONDecodeError as error:
        raise DecodeError(f"no JSON: {error}") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise DecodeError(str(error)) from None
    except RecursionError:
        raise DecodeError("nested too deeply") from None
    return found


def _unicode(text: str | bytes) -> str:
    try:
        if isinstance(text, bytes):
            return text.decode()
        text.encode()
    except UnicodeError as error:
        raise DecodeError(
            f"no UTF-8: {error.reason if isinstance(error, UnicodeDecodeError) else 'a bare surrogate'}"
        ) from None
    return text


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _SecondLook("a key stands twice in an object")
    return found


def _finite(text: str) -> float:
    if not isfinite(number := float(text)):
        raise _SecondLook(f"{text:.40} is larger than any float")
    return number


def _no_constant(text: str) -> object:
    raise _SecondLook(f"{text} is no JSON")


def _marking_pairs(pairs: list[tuple[str, object]]) -> object:
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = _Fault("this key stands twice in its object") if key in found else value
    return found


def _marking(refuse: Callable[[str], object]) -> Callable[[str], object]:
    def mark(text: str) -> object:
        try:
            return refuse(text)
        except _SecondLook as error:
            return _Fault(str(error))

    return mark


STRICT = JSONDecoder(object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant)
MARKING = JSONDecoder(
    object_pairs_hook=_marking_pairs,
    parse_float=_marking(_finite),
    parse_constant=_marking(_no_constant),
)


def _first_fault(value: object, error: _SecondLook) -> DecodeError:
    todo = [("$", value)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, _Fault):
            return DecodeError(value.reason, path=path)
        if isinstance(value, dict):
            todo.extend((path + step(key), item) for key, item in reversed(value.items()))
        elif isinstance(value, list):
            todo.extend((f"{path}[{place}]", value[place]) for place in reversed(range(len(value))))
    return DecodeError(str(error))
