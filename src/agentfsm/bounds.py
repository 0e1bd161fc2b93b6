"""Bounds of what a caller gives: attrs validators whose refusal names class, field and bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from agentfsm.errors import UsageError

__all__ = ("above", "at_least", "one_of", "whole")

# What attrs asks: the instance, the attribute and its value. An attribute whose default is None admits None too.
Validator: TypeAlias = Callable[[Any, Any, Any], None]


def whole(least: int) -> Validator:
    """Return a validator of whole numbers from *least* up; it raises `UsageError`."""
    return _holding(f"a whole number from {least} up", lambda number: type(number) is int and number >= least)


def at_least(least: float) -> Validator:
    """Return a validator of numbers from *least* up; it raises `UsageError`."""
    return _holding(f"a number from {least:g} up", lambda number: type(number) in {int, float} and number >= least)


def above(bound: float) -> Validator:
    """Return a validator of numbers above *bound*; it raises `UsageError`."""
    return _holding(f"a number above {bound:g}", lambda number: type(number) in {int, float} and number > bound)


def one_of(*words: str) -> Validator:
    """Return a validator of one of *words*; it raises `UsageError`."""
    return _holding(f"one of {', '.join(words)}", lambda word: word in words)


def _holding(what: str, holds: Callable[[Any], bool]) -> Validator:
    def validate(made: object, attribute: Any, value: object) -> None:
        may_be_none = attribute.default is None
        if not (value is None and may_be_none) and not holds(value):
            says = f"{what}, or None" if may_be_none else what
            raise UsageError(f"{type(made).__name__}: {attribute.name} is {says}, not {value!r:.80}")

    return validate
