"""Guards: evaluating a predicate against a context."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from attrs import frozen

from agentfsm.statewright.definition import Guard
from agentfsm.statewright.plain import Json, equal, is_number, is_object

__all__ = ("holds", "protected_fields")


@frozen
class _Absent:
    """Says that a field is not there, which null does not."""


_ABSENT = _Absent()


def _look_up(field: str, context: Json) -> Json | _Absent:
    """Find *field* among the top-level keys as it is, else walk it as a dotted path through objects."""
    if not is_object(context):
        return _ABSENT
    if field in context or "." not in field:
        return context.get(field, _ABSENT)
    found: Json = context
    for step in field.split("."):
        if not is_object(found) or step not in found:
            return _ABSENT
        found = found[step]
    return found


def _as_float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _ordering(compare: Callable[[float, float], bool]) -> Callable[[Json, Json], bool]:
    """Two numbers, compared as 64-bit floats, which is what the original engine does."""

    def test(found: Json, wanted: Json) -> bool:
        return is_number(found) and is_number(wanted) and compare(_as_float(found), _as_float(wanted))

    return test


def _is_in(found: Json, wanted: Json) -> bool:
    return isinstance(wanted, list | tuple) and any(equal(found, each) for each in wanted)


def _contains(found: Json, wanted: Json) -> bool:
    return isinstance(found, str) and isinstance(wanted, str) and wanted in found


_TESTS: Mapping[str, Callable[[Json, Json], bool]] = {
    "eq": equal,
    "neq": lambda found, wanted: not equal(found, wanted),
    "gt": _ordering(operator.gt),
    "gte": _ordering(operator.ge),
    "lt": _ordering(operator.lt),
    "lte": _ordering(operator.le),
    "exists": lambda found, _: found is not None,
    "not_exists": lambda found, _: found is None,
    "in": _is_in,
    "contains": _contains,
}


def holds(guard: Guard, context: Json) -> bool:
    """Whether *guard* holds; a missing field fails every operator but `not_exists`."""
    found = _look_up(guard.field, context)
    if isinstance(found, _Absent):
        return guard.op == "not_exists"
    return _TESTS[guard.op](found, guard.value)


def protected_fields(guards: Mapping[str, Guard], opened: frozenset[str]) -> frozenset[str]:
    """The context keys that data from an agent may not set: what guards read, and the two reserved slots."""
    read = {key for guard in guards.values() for key in (guard.field, guard.field.partition(".")[0])}
    return frozenset(read - opened) | {"_interrupt_return", "_fork"}
