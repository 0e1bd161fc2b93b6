"""Guards, where the vectors leave room."""

from __future__ import annotations

import pytest

from agentfsm.statewright.definition import Guard
from agentfsm.statewright.guard_check import holds, protected_fields
from agentfsm.statewright.plain import Json


@pytest.mark.parametrize(
    ("field", "op", "value", "context", "passes"),
    [
        ("a.b", "eq", 1, {"a": {"b": 1}}, True),
        # a key that holds the dot wins over the path
        ("a.b", "eq", 1, {"a.b": 2, "a": {"b": 1}}, False),
        ("a.0", "exists", None, {"a": [1]}, False),
        ("a..b", "eq", 1, {"a": {"": {"b": 1}}}, True),
        ("a", "neq", 1, {}, False),
        ("a", "not_exists", None, {}, True),
        ("a", "not_exists", None, {"a": None}, True),
        ("a", "neq", 1, {"a": None}, True),
        ("a", "in", [[1.0]], {"a": [1]}, True),
        ("a", "gt", 10**400, {"a": 10**401}, False),
        ("a", "lt", 10**400, {"a": 1}, True),
        ("a", "gt", -(10**400), {"a": 1}, True),
        ("a", "contains", "", {"a": ""}, True),
        ("a", "contains", "b", {"a": ["b"]}, False),
    ],
)
def test_holds(field: str, op: str, value: Json, context: Json, passes: bool) -> None:
    """A missing field fails every operator but not_exists; integers past 64 bits compare as floats do."""
    assert passes == holds(Guard(field, op, value), context)


def test_protected_fields() -> None:
    """A guard protects its field and the root of its path; agent_context opens a key, never the reserved slots."""
    guards = {"g": Guard("a.b", "exists", None), "h": Guard("c", "exists", None)}

    assert {"a", "a.b", "c", "_interrupt_return", "_fork"} == protected_fields(guards, frozenset())
    assert {"a.b", "_interrupt_return", "_fork"} == protected_fields(guards, frozenset({"a", "c", "_fork"}))
