"""Standalone use: a machine and its present session in one object, for programs that step it themselves."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from agentfsm.guard import Decision
from agentfsm.statewright.call import Call
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.moving import Step
from agentfsm.statewright.plain import Json
from agentfsm.statewright.queueing import Drained
from agentfsm.statewright.session import ApprovalRequest, Session
from agentfsm.statewright.transition import Refused

__all__ = ("Stepper",)


class Stepper:
    """
    One session of a machine, safe to share between threads.

    Each act takes the session, works out the next one, and puts it in place only if no other act came between. An event
    is sent to the session its sender saw: of several senders of one edge one wins, the others are `stale_event`.
    """

    def __init__(
        self, machine: Machine, session: Session | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.machine = machine
        self._session = machine.start() if session is None else session
        self._clock = clock
        self._lock = Lock()

    @property
    def session(self) -> Session:
        return self._session

    @property
    def state(self) -> str:
        return self._session.state

    def send(self, event: str, data: Json = None, *, seen: Session | None = None) -> Step:
        """Send an event, by a sender who has *seen* a session (by default, the present one)."""
        moves = (self._session if seen is None else seen).moves
        return self._take(lambda s: self._send(s, event, data, moves))

    def _send(self, session: Session, event: str, data: Json, moves: int) -> Step:
        if moves == session.moves:
            return self.machine.send(session, event, data, now=self._now())
        reason = f"{event!r} was sent for move {moves}, {session.moves} are done"
        return Step(session, refused=Refused("stale_event", reason, (event,)))

    def post(self, event: str, data: Json = None) -> Step:
        """Queue an event for whatever state it will find."""
        return self._take(lambda s: self.machine.post(s, event, data))

    def drain(self) -> Drained:
        """Deliver the queue."""
        with self._lock:
            drained = self.machine.drain(self._session, now=self._now())
            self._session = drained.session
            return drained

    def decide(self, call: Call) -> Decision:
        """Decide on a call and count it: a call that is allowed here is taken to be made."""
        with self._lock:
            decision, step = self.machine.admit(self._session, call, now=self._now())
            self._session = step.session
            return decision

    def waiting(self) -> tuple[ApprovalRequest, ...]:
        """Return the requests that wait for a person."""
        return self.machine.waiting(self._session)

    def approve(self, request: str, *, by: str) -> Step:
        """Let a waiting move happen."""
        return self._take(lambda s: self.machine.approve(s, request, by=by, now=self._now()))

    def reject(self, request: str, *, by: str, reason: str = "") -> Step:
        """Refuse a waiting move."""
        return self._take(lambda s: self.machine.reject(s, request, by=by, now=self._now(), reason=reason))

    def cancel(self) -> Step:
        """End the session where it stands."""
        return self._take(self.machine.cancel)

    def _now(self) -> int:
        return int(self._clock())

    def _take(self, act: Callable[[Session], Step]) -> Step:
        with self._lock:
            step = act(self._session)
            self._session = step.session
            return step
