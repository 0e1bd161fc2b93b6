"""Standing: what a guard remembers of its machine, and how it is brought to where the run is."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from agentfsm.records import Metadata, record
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.moving import Step
from agentfsm.statewright.nesting import Address
from agentfsm.statewright.session import ApprovalRequest, Session
from agentfsm.statewright.transition import Refused

__all__ = ("A_PERSON", "Placed", "Standing", "agreed", "brought", "first_branch", "moved_on", "sent", "turned_down")

A_PERSON = "a person"


@record
class Standing(Metadata):
    """
    Where a machine stands in a run, kept in the log with the steps it belongs to.

    In a machine that follows, *at* is the state it was brought to last, and *behind* are those that the run has entered
    since, oldest first: what leads there asks a person, or is closed.
    """

    session: Session
    at: str = ""
    behind: tuple[str, ...] = ()


@frozen
class Placed:
    """A standing as it will be once every request in *asks* is granted, or why it cannot be brought there."""

    standing: Standing
    asks: tuple[ApprovalRequest, ...] = ()
    refused: Refused | None = None


def brought(machine: Machine, standing: Standing, states: Iterable[str]) -> Placed:
    """Bring a machine along *states*, each over an edge of its own, as if every request on the way were granted."""
    at, session = standing.at, standing.session
    left, asks = list(states), list[ApprovalRequest]()
    while left:
        step = machine.follow(session, left[0])
        asks += filter(None, [step.pending])
        step = agreed(machine, step)
        if step.refused is not None:
            return Placed(Standing(session, at, tuple(left)), tuple(asks), step.refused)
        session, at = step.session, left.pop(0)
    return Placed(Standing(session, at), tuple(asks))


def sent(machine: Machine, session: Session, event: str, data: object) -> Step:
    """Send an event to the machine at work in *session*."""
    return machine.send(session, event, data, branch=first_branch(session))  # type: ignore[arg-type]  # held to JSON there


def agreed(machine: Machine, step: Step) -> Step:
    """Return *step* with the request that it waits for granted: by the person who lets the call happen."""
    if step.pending is None:
        return step
    return machine.approve(step.session, step.pending.id, by=A_PERSON, now=step.pending.asked_at)


def turned_down(machine: Machine, step: Step, reason: str) -> Session:
    """Return the session of *step* with the request that it waits for rejected: where it was, and the reason kept."""
    assert step.pending is not None
    return machine.reject(step.session, step.pending.id, by=A_PERSON, now=step.pending.asked_at, reason=reason).session


def first_branch(session: Session) -> Address:
    """Return the branches at work: an agent that calls one thing after another works off the first that still runs."""
    if session.child is not None:
        return first_branch(session.child.session)
    if session.fork is None:
        return ()
    run = next((run for run in session.fork.branches if run.outcome == "running"), None)
    return () if run is None else (run.name, *first_branch(run.session))


def moved_on(standing: Standing, session: Session) -> Standing:
    """Return *standing* with another session; the same object where nothing changed."""
    return standing if session == standing.session else Standing(session, standing.at, standing.behind)
