"""Queueing: events that wait, each taken only when the one before it is wholly done."""

from __future__ import annotations

from attrs import evolve, frozen

from agentfsm.guard import Move
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step
from agentfsm.statewright.nesting import waiting
from agentfsm.statewright.plain import plain
from agentfsm.statewright.session import ApprovalRequest, Posted, Session
from agentfsm.statewright.stepping import send_event
from agentfsm.statewright.transition import Refused

__all__ = ("Delivery", "Drained", "drain", "post")


@frozen
class Delivery:
    """What became of the queued event *id*."""

    id: int
    moved: Move | None = None
    refused: Refused | None = None
    pending: ApprovalRequest | None = None


@frozen
class Drained:
    """The session after its queue was worked through, each event delivered, and the ids of those dropped."""

    session: Session
    delivered: tuple[Delivery, ...]
    dropped: tuple[int, ...]


def post(law: Law, session: Session, posted: Posted) -> Step:
    """Put an event at the end of the queue, with the next id; a full queue refuses it and changes nothing."""
    if session.cancelled:
        return Step(session, refused=Refused("cancelled", "the session was cancelled"))
    if len(session.queue) >= law.bounds.queue:
        return Step(session, refused=Refused("queue_full", f"{law.bounds.queue} events wait already"))
    queued = evolve(posted, id=session.posted)
    return Step(evolve(session, queue=(*session.queue, queued), posted=session.posted + 1))


def drain(law: Law, session: Session, now: int) -> Drained:
    """
    Deliver queued events in order, each to the state that the one before it led to.

    An event posted for a number of moves that has passed is refused, so of several sends of one edge one wins. A move
    that waits for approval stops the queue and keeps it; the end of the run drops the rest.
    """
    delivered: list[Delivery] = []
    while session.queue and not session.cancelled and not waiting(session) and not _is_over(law, session):
        first, session = session.queue[0], evolve(session, queue=session.queue[1:])
        if first.at is not None and first.at != session.moves:
            stale = Refused("stale_event", f"{first.event} was sent for move {first.at}, {session.moves} are done")
            delivered.append(Delivery(first.id, refused=stale))
            continue
        step = send_event(law, session, first.event, plain(first.data), now, branch=first.branch)
        session = step.session
        delivered.append(Delivery(first.id, step.moved, step.refused, step.pending))
    if session.cancelled or _is_over(law, session):
        dropped = tuple(each.id for each in session.queue)
        return Drained(evolve(session, queue=()), tuple(delivered), dropped)
    return Drained(session, tuple(delivered), ())


def _is_over(law: Law, session: Session) -> bool:
    state = law.definition.states.get(session.state)
    return state is not None and state.is_final and session.child is None and session.fork is None
