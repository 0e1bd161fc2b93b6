"""Answers in the vectors' form, where the vectors leave room."""

from __future__ import annotations

import pytest

from agentfsm.statewright.answers import answer
from agentfsm.statewright.plain import Json

STATES: Json = {"a": {"on": {"BACK": "$return"}}, "h": {"on": {"OK": "$return"}}, "end": {"type": "final"}}


def interrupted(context: Json, *, target: str = "h", state: str = "a") -> dict[str, Json]:
    interrupts: Json = {"i": {"trigger": {"file_pattern": "*.env"}, "target": target}}
    machine: Json = {"id": "m", "initial": "a", "states": STATES, "interrupts": interrupts, "context": {"own": 1}}
    request: dict[str, Json] = {"machine": machine, "path": "x.env", "state": state, "context": context}
    said = answer("interrupts", request)
    return {key: value for key, value in said.items() if key != "matches"}


@pytest.mark.parametrize(
    ("context", "said"),
    [
        # left open by the standard: where the stack is kept when there is no object yet
        (None, {"fires": "i", "state": "h", "context": {"_interrupt_return": ["a"]}}),
        ("text", {"error": "context_not_object"}),
        ([1], {"error": "context_not_object"}),
        ({"_interrupt_return": "b"}, {"fires": "i", "state": "h", "context": {"_interrupt_return": ["b", "a"]}}),
        ({"_interrupt_return": [1]}, {"fires": "i", "state": "h", "context": {"_interrupt_return": ["a"]}}),
    ],
)
def test_where_the_stack_is_kept(context: Json, said: dict[str, Json]) -> None:
    """An object holds it, null becomes one, anything else is refused."""
    assert said == interrupted(context)


def test_states_that_are_not_there() -> None:
    """Neither the state asked about nor the handler may be unknown (rule 3)."""
    assert {"error": "unknown_state", "state": "z"} == interrupted({}, state="z")
    assert {"error": "unknown_state", "state": "gone"} == interrupted({}, target="gone")


def test_an_interrupt_into_the_present_state() -> None:
    """Left open by the standard: it does not fire."""
    assert {"fires": None, "state": "h", "context": {}} == interrupted({}, state="h")


def test_without_a_context_it_is_the_machines_own() -> None:
    """As for transitions."""
    machine: Json = {"id": "m", "initial": "a", "context": {"own": 1}, "states": STATES}
    request: dict[str, Json] = {"machine": machine, "path": "x", "state": "a"}

    assert {"own": 1} == answer("interrupts", request)["context"]


def test_the_empty_event_fires_nothing() -> None:
    """Not even a declared one of that name (rule 8)."""
    machine: Json = {"id": "m", "initial": "a", "states": {"a": {"safe_next": "b", "on": {"": "b"}}, "b": {}}}

    assert {"error": "no_transition", "event": ""} == answer(
        "transition", {"machine": machine, "state": "a", "event": ""}
    )
