"""Parsing: the shape of a definition, every fault at once."""

from __future__ import annotations

import pytest
from hypothesis import given

from agentfsm.statewright.building import build
from agentfsm.statewright.parsing import parse, parse_guard
from agentfsm.statewright.plain import Json
from tests.statewright.law_strategies import machines


def faults(transition: Json) -> list[tuple[str, str]]:
    states: Json = {"a": {"on": {"GO": transition}}, "b": {"type": "final"}}
    _, found = parse({"id": "m", "initial": "a", "states": states})
    return [(each.code, each.path.removeprefix("$.states.a.on.GO")) for each in found]


@pytest.mark.parametrize(
    ("transition", "found"),
    [
        ("b", []),
        ([], []),
        ({"target": "b", "guard": None, "approval_reviewer": {"x": [1]}}, []),
        (None, [("wrong_shape", "")]),
        (5, [("wrong_shape", "")]),
        ({}, [("wrong_shape", "")]),
        ({"guard": "g"}, [("wrong_shape", "")]),
        ({"target": None}, [("wrong_type", ".target")]),
        ({"target": 5, "gaurd": "g"}, [("unknown_key", ".gaurd"), ("wrong_type", ".target")]),
        ({"target": "b", "invoke": None, "nonsense": 1}, [("conflicting_keys", "")]),
        ([{"target": "b"}, "b"], [("wrong_type", "[1]")]),
        ([{"guard": "g"}], [("missing_key", "[0].target")]),
        ([{"target": "b", "requires_approval": True}], [("unknown_key", "[0].requires_approval")]),
        ([{"target": "b", "fork": {}}], [("conflicting_keys", "[0]")]),
        ({"invoke": "c"}, [("missing_key", ".on_complete")]),
        ({"invoke": "c", "on_complete": "b", "guard": "g"}, [("unknown_key", ".guard")]),
        ({"fork": None}, [("wrong_type", ".fork")]),
        ({"fork": {"branches": None, "on_complete": "b"}}, [("wrong_type", ".fork.branches")]),
        ({"fork": {"branches": {}, "on_complete": "b", "join": "most"}}, [("wrong_value", ".fork.join")]),
        ({"fork": {"branches": {}, "on_complete": "b", "join": None}}, [("wrong_type", ".fork.join")]),
        ({"target": "b", "guards": ["g", 1, None]}, [("wrong_type", ".guards[1]"), ("wrong_type", ".guards[2]")]),
        ({"target": "b", "requires_approval": 1}, [("wrong_type", ".requires_approval")]),
    ],
)
def test_transitions(transition: Json, found: list[tuple[str, str]]) -> None:
    """A transition has one of five shapes, and what a shape lacks it cannot have."""
    assert found == faults(transition)


@pytest.mark.parametrize(
    ("state", "found"),
    [
        ({"max_iterations": 2**32 - 1, "context_budget_bytes": 2**64 - 1}, []),
        ({"max_iterations": 2**32}, [("wrong_value", ".max_iterations")]),
        ({"max_iterations": -1}, [("wrong_value", ".max_iterations")]),
        ({"max_iterations": 5.0}, [("wrong_type", ".max_iterations")]),
        ({"max_iterations": True}, [("wrong_type", ".max_iterations")]),
        ({"on": None}, [("wrong_type", ".on")]),
        ({"type": "Final"}, [("wrong_value", ".type")]),
        ({"allowed_tools": None, "safe_next": None}, []),
        ({"deny_env": ["A"], "blocked_env": None}, [("conflicting_keys", ".blocked_env")]),
        ({"deny_env": [1]}, [("wrong_type", ".deny_env[0]")]),
        ({"env": {"A": None}}, [("wrong_type", ".env.A")]),
        ({"model_ladder": [1, None, {}]}, []),
    ],
)
def test_states(state: Json, found: list[tuple[str, str]]) -> None:
    """Types are strict, ranges are held, aliases never stand beside the name."""
    _, told = parse({"id": "m", "initial": "a", "states": {"a": state}})

    assert found == [(each.code, each.path.removeprefix("$.states.a")) for each in told]


def test_every_fault_at_once_and_in_order() -> None:
    """Faults come sorted by path, then code, each once."""
    _, found = parse({"initial": 1, "states": {"b": {"x": 1}, "a": {"allowed_tols": []}}, "meta": {"preview": {}}})

    assert [
        "$.id",
        "$.initial",
        "$.meta.preview.deploy_state",
        "$.meta.preview.mode",
        "$.meta.preview.prepare_state",
        "$.meta.preview.validate_state",
        "$.meta.preview.version",
        "$.states.a.allowed_tols",
        "$.states.b.x",
    ] == [each.path for each in found]
    assert "did you mean 'allowed_tools'?" in found[7].message


def test_own_keys_of_meta_are_kept() -> None:
    """Unknown keys of meta are free JSON; those of a policy inside it are not."""
    meta: Json = {"autonomous": True, "outputs": ["a"], "danger_level": None}
    normal, found = parse({"id": "m", "initial": "a", "states": {}, "meta": meta})

    assert () == found
    assert {"autonomous": True, "outputs": ["a"]} == normal["meta"]


def test_a_guard_alone() -> None:
    """Paths of a single guard start at the guard."""
    _, found = parse_guard({"field": "x", "op": "EQ", "Value": 1})

    assert [("unknown_key", "$.Value"), ("wrong_value", "$.op")] == [(each.code, each.path) for each in found]


@given(machines())
def test_normalising_is_a_round_trip(value: dict[str, Json]) -> None:
    """What is normalised parses without a fault to the very same definition."""
    normal, found = parse(value)
    first = build(normal)
    again, none = parse(first.normalised)

    assert () == found == none
    assert first.text == build(again).text
    assert first.digest == build(again).digest
