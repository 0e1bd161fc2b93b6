"""Following the states of something else."""

from __future__ import annotations

import pytest

from agentfsm.statewright import unfollowable
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import machine, sent

STATES: dict[str, dict[str, Json]] = {
    "fix": {"allowed_tools": ["Edit"], "on": {"DONE": "test", "SHIP": {"target": "ship", "requires_approval": True}}},
    "test": {
        "safe_next": "fix",
        "on": {"OK": {"target": "ship", "guard": "green"}, "RUN": {"invoke": "kid", "on_complete": "done"}},
    },
    "ship": {"on": {"A": {"target": "done", "requires_approval": True}, "B": "done"}},
    "done": {"type": "final"},
}
GREEN: Json = {"green": {"field": "green", "op": "eq", "value": True}}


def test_moves_that_no_edge_allows_are_found_before_any_run() -> None:
    """Each is told with both states; an invoke is no edge to follow, staying needs none."""
    of = machine(STATES, guards=GREEN)
    moves = [("fix", "test"), ("fix", "fix"), ("test", "fix"), ("fix", "done"), ("test", "done"), ("tset", "fix")]

    assert [("no_edge", ("fix", "done")), ("no_edge", ("test", "done")), ("unknown_state", ())] == [
        (fault.code, fault.witness) for fault in unfollowable(of.definition, moves)
    ]


def test_following() -> None:
    """An open edge is taken, also over safe_next, and an edge that asks nobody is preferred."""
    of = machine(STATES, guards=GREEN, context={"green": True})
    there = of.follow(of.start("r"), "test").session

    assert ["test", "fix", "ship"] == [
        there.state,
        of.follow(there, "fix").session.state,
        of.follow(there, "ship").session.state,
    ]
    assert "done" == of.follow(of.follow(there, "ship").session, "done").session.state
    assert there == of.follow(there, "test").session


@pytest.mark.parametrize(
    ("path", "state", "code"),
    [((), "done", "no_edge"), (("DONE",), "ship", "no_edge"), ((), "nowhere", "no_edge")],
)
def test_what_cannot_be_followed_changes_nothing(path: tuple[str, ...], state: str, code: str) -> None:
    """No edge, or none whose guards hold."""
    of = machine(STATES, guards=GREEN, context={"green": False})
    session = sent(of, of.start(), *path)
    step = of.follow(session, state)

    assert (code, session) == (step.refused and step.refused.code, step.session)


def test_an_edge_that_asks_parks() -> None:
    """Following is no way round an approval either."""
    of = machine(STATES, guards=GREEN, context={})
    step = of.follow(of.start("r"), "ship", now=1)

    assert step.pending is not None
    assert "fix" == step.session.state
    assert "ship" == of.approve(step.session, step.pending.id, by="ada", now=2).session.state
    assert "awaiting_approval" == getattr(of.follow(step.session, "test").refused, "code", None)
