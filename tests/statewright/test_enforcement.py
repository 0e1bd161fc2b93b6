"""Enforcement: the small demo, and what the vectors leave open."""

from __future__ import annotations

import json

import pytest

from agentfsm.statewright import Machine, Refused
from agentfsm.statewright.enforcement import Enforcement
from tests.statewright.law_sample import DEMO, machine


@pytest.mark.parametrize(
    ("state", "asked", "allowed", "blocked", "suggested"),
    [
        ("planning", ["write_file", "deploy", "read_file"], ("read_file",), ("write_file", "deploy"), "PLAN_READY"),
        ("implementing", ["read_file", "run_test", "deploy"], ("read_file", "run_test"), ("deploy",), None),
        ("completed", ["read_file"], (), ("read_file",), None),
    ],
)
def test_the_small_demo(
    state: str, asked: list[str], allowed: tuple[str, ...], blocked: tuple[str, ...], suggested: str | None
) -> None:
    """The well-known demo gives the same answers here."""
    told = Machine.parse(json.dumps(DEMO)).enforce(state, asked)

    assert isinstance(told, Enforcement)
    assert (allowed, blocked, suggested) == (told.allowed, told.blocked, told.implicit_transition)


def test_a_final_state_suggests_nothing() -> None:
    """Left open by the standard: a final state that has events is the end all the same."""
    of = machine(
        {"a": {"on": {"GO": "b"}}, "b": {"type": "final", "on": {"AGAIN": "c"}}, "c": {"allowed_tools": ["Read"]}}
    )
    told = of.enforce("b", ["Read"])

    assert isinstance(told, Enforcement)
    assert (None, None) == (told.implicit_transition, told.requires_approval)


def test_an_unknown_state_is_refused() -> None:
    """Never "everything allowed" (R60)."""
    told = machine({"a": {}}).enforce("b", [])

    assert isinstance(told, Refused)
    assert ("unknown_state", ("b",)) == (told.code, told.about)
