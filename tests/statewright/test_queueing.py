"""Queues and races (R12, R13)."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from agentfsm.statewright import Bounds, Machine, Session, Step, Stepper
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import call, machine

STATES: dict[str, dict[str, Json]] = {
    "a": {"allowed_tools": ["Read"], "max_iterations": 1, "on": {"GO": "b", "SELF": "a"}},
    "b": {"on": {"GO": "c", "BACK": "a", "NO": {"target": "a", "guard": "never"}}},
    "c": {"on": {"ASK": {"target": "a", "requires_approval": True}, "END": "completed"}},
}
NEVER: Json = {"never": {"field": "x", "op": "exists"}}


def queued(of: Machine, session: Session, *events: str) -> Session:
    for event in events:
        session = of.post(session, event).session
    return session


@pytest.fixture
def of() -> Machine:
    return machine(STATES, guards=NEVER, context={}, bounds=Bounds(queue=4))


def test_events_run_to_completion_in_order(of: Machine) -> None:
    """Each event meets the state that the one before it led to."""
    drained = of.drain(queued(of, of.start(), "GO", "GO", "END"))

    assert ["b", "c", "completed"] == [each.moved and each.moved.target for each in drained.delivered]
    assert (0, 1, 2) == tuple(each.id for each in drained.delivered)


def test_the_queue_is_bounded(of: Machine) -> None:
    """One more than it holds is refused and changes nothing."""
    full = queued(of, of.start(), *["GO"] * 4)
    step = of.post(full, "GO")

    assert ("queue_full", full) == (step.refused and step.refused.code, step.session)


def test_after_a_refusal_the_rest_is_delivered(of: Machine) -> None:
    """A failing guard neither wipes the queue nor lets it run on a wrong state (R12)."""
    drained = of.drain(queued(of, of.start(), "GO", "NO", "GO"))

    assert [None, "guard_failed", None] == [each.refused and each.refused.code for each in drained.delivered]
    assert ("c", ()) == (drained.session.state, drained.dropped)


def test_the_end_drops_the_rest_by_id(of: Machine) -> None:
    """What comes after the end is reported, not forgotten (R12)."""
    drained = of.drain(queued(of, of.start(), "GO", "GO", "END", "GO"))

    assert ((3,), ()) == (drained.dropped, drained.session.queue)


def test_cancelling_drops_by_id_and_is_idempotent(of: Machine) -> None:
    """Every waiting event is reported once; a second cancel changes nothing (R12)."""
    first = of.cancel(queued(of, of.start(), "GO", "GO"))
    second = of.cancel(first.session)

    assert (0, 1) == first.dropped
    assert ((), first.session) == (second.dropped, second.session)
    assert "cancelled" == of.decide(first.session, call("Read")).code
    assert ["cancelled", "cancelled"] == [
        step.refused and step.refused.code for step in (of.send(first.session, "GO"), of.post(first.session, "GO"))
    ]


def test_an_approval_keeps_the_queue(of: Machine) -> None:
    """Parked, the rest waits; after the answer it is delivered (R12)."""
    parked = of.drain(queued(of, of.start("r"), "GO", "GO", "ASK", "GO"), now=1)
    (request,) = of.waiting(parked.session)
    free = of.approve(parked.session, request.id, by="ada", now=2)

    assert ("c", 1) == (parked.session.state, len(parked.session.queue))
    assert "b" == of.drain(free.session, now=3).session.state


def test_of_several_events_for_one_state_one_wins(of: Machine) -> None:
    """Events posted for the same move: the first is delivered, the others are refused by name (R13)."""
    session = of.start()
    for _ in range(4):
        session = of.post(session, "GO", expected=0).session
    drained = of.drain(session)

    assert "b" == drained.session.state
    assert [None, *["stale_event"] * 3] == [each.refused and each.refused.code for each in drained.delivered]


def test_of_many_concurrent_senders_exactly_one_wins(of: Machine) -> None:
    """N threads that saw the same session send the same edge: one moves it, N − 1 get a typed refusal (R13)."""
    stepper = Stepper(of, of.start())
    seen, barrier = stepper.session, Barrier(16)
    steps: list[Step] = []

    def send() -> None:
        barrier.wait()
        steps.append(stepper.send("GO", seen=seen))

    threads = [Thread(target=send) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert "b" == stepper.state
    assert 1 == sum(step.moved is not None for step in steps)
    assert {"stale_event"} == {step.refused.code for step in steps if step.refused is not None}


def test_of_concurrent_calls_no_more_than_allowed_pass(of: Machine) -> None:
    """Two threads cannot both have the last iteration (R61)."""
    stepper = Stepper(machine({**STATES, "a": {"allowed_tools": ["Read"], "max_iterations": 5}}))
    barrier, codes = Barrier(12), list[str]()

    def ask(number: int) -> None:
        barrier.wait()
        codes.append(stepper.decide(call("Read", file_path=f"f{number}")).code)

    threads = [Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 5 == codes.count("allowed")
    assert {"allowed", "iterations_exhausted", "final_state"} >= set(codes)


def test_a_stepper_steps() -> None:
    """`start`, `send`, `decide`, answers and the queue through one object, with a clock that is handed in."""
    of = machine(STATES, guards=NEVER, context={})
    stepper = Stepper(of, of.start("r"), clock=lambda: 100.9)
    stepper.send("GO", {"note": 1})
    stepper.post("GO")
    stepper.drain()
    pending = stepper.send("ASK").pending

    assert pending is not None
    assert (100, "c") == (pending.asked_at, stepper.state)
    assert "awaiting_approval" == stepper.decide(call("Read")).code
    stepper.reject(pending.id, by="ada", reason="no")
    again = stepper.send("ASK").pending
    assert again is not None
    assert (again,) == stepper.waiting()
    assert "a" == stepper.approve(again.id, by="ada").session.state
    assert stepper.cancel().session.cancelled
