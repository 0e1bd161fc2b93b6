"""Moving: what a session is after it has entered a state."""

from __future__ import annotations

from collections import Counter

from attrs import evolve, frozen

from agentfsm.guard import Move
from agentfsm.statewright.definition import Definition
from agentfsm.statewright.law import Law
from agentfsm.statewright.plain import Json, canonical
from agentfsm.statewright.safety import FAILED
from agentfsm.statewright.session import ApprovalRequest, Session
from agentfsm.statewright.transition import Refused, stack_of

__all__ = ("Step", "arrive", "begin", "failing_state", "settled")


@frozen
class Step:
    """
    What became of an event: the session after it, and one or more of: the move, why it was refused, the request it
    waits for, and the ids of queued events that will never be delivered.
    """

    session: Session
    moved: Move | None = None
    refused: Refused | None = None
    pending: ApprovalRequest | None = None
    dropped: tuple[int, ...] = ()


def begin(law: Law, run: str, *, state: str | None = None, context: str | None = None, depth: int = 0) -> Session:
    """Return the session of *law* before anything has happened, in its initial state unless told another."""
    definition = law.definition
    started = definition.initial if state is None else state
    held = definition.context if context is None else context
    return settled(law, Session(run, definition.digest, started, held, depth=depth))


def settled(law: Law, session: Session) -> Session:
    """Say of *session* whether a call has to be looked at beyond the tables."""
    watch = _watched(law, session)
    return session if watch == session.watch else evolve(session, watch=watch)


def _watched(law: Law, session: Session) -> bool:
    if session.pending or session.child or session.fork or session.cancelled:
        return True
    state = law.definition.states.get(session.state)
    if state is None:
        return True
    if state.max_iterations is not None and session.calls >= state.max_iterations:
        return True
    budget = state.context_budget_bytes
    if budget is not None and session.read * 10 >= budget * 9:
        return True
    most = max(Counter(session.recent).values(), default=0)
    return most + 1 >= min(law.bounds.warn_at, law.bounds.refuse_at)


def arrive(law: Law, session: Session, state: str, context: Json) -> Session:
    """Enter *state*; entering it from another one starts its counts anew."""
    moved = evolve(
        session,
        state=state,
        context=canonical(context),
        moves=session.moves + 1,
        frames=session.frames[: len(stack_of(context))],
        child=None,
        fork=None,
    )
    if state != session.state:
        moved = evolve(moved, calls=0, files=(), read=0, recent=())
    return settled(law, moved)


def failing_state(definition: Definition, on_fail: str | None) -> str | None:
    """Where a failure leads: `on_fail`, else `failed`, else nowhere."""
    if on_fail is not None:
        return on_fail if on_fail in definition.states else None
    return FAILED if FAILED in definition.states else None
