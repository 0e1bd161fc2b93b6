"""Approvals: every way a request can end (R62)."""

from __future__ import annotations

import pytest
from attrs import evolve

from agentfsm.statewright import Answer, ApprovalRequest, Bounds, Machine, Session
from agentfsm.statewright.explain import request_text
from agentfsm.statewright.moving import Step
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import decide, machine, sent

ASKING: dict[str, dict[str, Json]] = {
    "a": {
        "allowed_tools": ["Read"],
        "on": {
            "UP": {
                "target": "b",
                "requires_approval": True,
                "approval_message": "Go up?",
                "approval_reviewer": {"role": "lead"},
            },
            "DOWN": "failed",
        },
    },
    "b": {"allowed_tools": ["Deploy"], "on": {"AGAIN": "a", "END": "completed"}},
}


@pytest.fixture
def of() -> Machine:
    return machine(ASKING, context={}, bounds=Bounds(approval_seconds=60))


def asked(of: Machine, data: dict[str, int] | None = None) -> tuple[Session, ApprovalRequest]:
    step = of.send(of.start("run-1"), "UP", data or {}, now=100)
    assert step.pending is not None
    assert step.moved is None
    return step.session, step.pending


def code(step: Step) -> str | None:
    return None if step.refused is None else step.refused.code


def test_a_request_binds_everything(of: Machine) -> None:
    """The move is parked, and the request tells run, both states, event, data, message, reviewer and times."""
    session, request = asked(of, {"n": 1})

    assert "a" == session.state
    assert ("run-1", "a", "b", "UP", '{"n":1}') == (
        request.run,
        request.source,
        request.target,
        request.event,
        request.data,
    )
    assert ("Go up?", '{"role":"lead"}', 100, 160) == (
        request.message,
        request.reviewer,
        request.asked_at,
        request.expires_at,
    )
    assert (request,) == of.waiting(session)
    assert "a -> b on UP" in request_text(request)
    assert "Go up?" in request_text(request)


def test_nothing_moves_while_it_waits(of: Machine) -> None:
    """No tool and no event passes a parked session."""
    session, _ = asked(of)

    assert "awaiting_approval" == decide(of, session, "Read").code
    assert "awaiting_approval" == code(of.send(session, "DOWN", now=101))
    assert () == of.offered(session, ["Read"])


def test_approval_moves_and_merges_the_data(of: Machine) -> None:
    """The move happens with the data it was asked with."""
    session, request = asked(of, {"n": 1})
    after = of.approve(session, request.id, by="ada", now=101).session

    assert ("b", {"n": 1}) == (after.state, after.data)
    assert (Answer(request.id, "approved", "ada", 101),) == after.answers
    assert "allow" == decide(of, after, "Deploy").action


def test_approve_before_pending_changes_nothing(of: Machine) -> None:
    """An answer cannot be given in advance, however often: the move has to be asked and answered after it (R62)."""
    start = of.start("run-1")
    _, request = asked(of)
    step = of.approve(start, request.id, by="ada", now=100)

    assert "not_pending" == code(step)
    assert start == step.session == of.approve(step.session, request.id, by="ada", now=100).session
    assert of.send(step.session, "UP", {}, now=100).pending is not None


def test_an_answer_serves_once(of: Machine) -> None:
    """Approving twice, and approving again when the same move is asked again, is refused."""
    session, request = asked(of)
    after = of.approve(session, request.id, by="ada", now=101).session
    again = of.send(sent(of, after, "AGAIN"), "UP", {}, now=100)

    assert "already_answered" == code(of.approve(after, request.id, by="ada", now=102))
    assert again.pending is not None
    assert request.id != again.pending.id
    assert "already_answered" == code(of.approve(again.session, request.id, by="ada", now=102))
    assert "b" != again.session.state


def test_rejection_leaves_the_state_and_keeps_the_reason(of: Machine) -> None:
    """The session goes on where it was; a rejected request cannot be approved later."""
    session, request = asked(of)
    step = of.reject(session, request.id, by="ada", now=101, reason="not on a Friday")

    assert ("a", "rejected") == (step.session.state, code(step))
    assert "not on a Friday" == step.session.answers[-1].reason
    assert "already_answered" == code(of.approve(step.session, request.id, by="ada", now=102))
    assert "allow" == decide(of, step.session, "Read").action
    anew = of.send(step.session, "UP", {}, now=100)
    assert anew.pending is not None
    assert request.id != anew.pending.id


@pytest.mark.parametrize(("now", "verdict"), [(159, None), (160, "expired"), (10**9, "expired")])
def test_a_request_expires(of: Machine, now: int, verdict: str | None) -> None:
    """It lives for its seconds exactly; after them it is taken back, and the move can be asked again."""
    session, request = asked(of)
    step = of.approve(session, request.id, by="ada", now=now)

    assert verdict == code(step)
    assert step.session.pending is None
    if verdict:
        assert ("a", "expired") == (step.session.state, step.session.answers[-1].verdict)
        assert of.send(step.session, "UP", now=now).pending is not None


@pytest.mark.parametrize(
    "change",
    [
        {"context": '{"n":2}'},
        {"state": "b"},
        {"moves": 9},
        {"run": "run-2"},
        {"calls": 3},
        {"depth": 1},
    ],
    ids=lambda change: next(iter(change)),
)
def test_approval_after_a_change_is_refused(of: Machine, change: dict[str, str | int]) -> None:
    """A request fits the very state that asked, and no other session (R62)."""
    session, request = asked(of)
    step = of.approve(evolve(session, **change), request.id, by="ada", now=101)  # type: ignore[arg-type]  # names and types match

    assert "stale" == code(step)
    assert "b" != step.session.state or change == {"state": "b"}
    assert step.session.pending is None


@pytest.mark.parametrize(
    "forged",
    [{"target": "completed"}, {"data": '{"n":9}'}, {"event": "DOWN"}, {"expires_at": 999}, {"message": "Nothing."}],
)
def test_a_request_that_was_tampered_with_is_refused(of: Machine, forged: dict[str, str | int]) -> None:
    """The id is a digest of all that is bound, so a changed request no longer bears its own."""
    session, request = asked(of)
    tampered = evolve(session, pending=evolve(request, **forged))  # type: ignore[arg-type]  # names and types match
    step = of.approve(tampered, request.id, by="ada", now=101)

    assert ("stale", "a") == (code(step), step.session.state)


def test_an_answer_for_another_request_changes_nothing(of: Machine) -> None:
    """A made-up id leaves the request waiting."""
    session, request = asked(of)
    step = of.approve(session, "0" * 64, by="eve", now=101)

    assert ("not_pending", session) == (code(step), step.session)
    assert (request,) == of.waiting(step.session)


def test_safe_next_asks_when_every_edge_does() -> None:
    """safe_next is no way round an approval, and neither are used-up iterations."""
    of = machine({**ASKING, "a": {**ASKING["a"], "safe_next": "b", "max_iterations": 0}})
    session = of.start("r")

    for step in (of.send(session, "WHAT", now=1), of.give_way(session, now=1)):
        assert ("a", "Go up?") == (step.session.state, step.pending and step.pending.message)
        assert "b" == of.approve(step.session, step.session.pending.id, by="ada", now=2).session.state  # type: ignore[union-attr]  # asserted above
