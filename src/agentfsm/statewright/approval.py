"""Approvals: a move that waits for a person, and every way that can end."""

from __future__ import annotations

from attrs import asdict, evolve

from agentfsm.statewright.entering import enter
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step, settled
from agentfsm.statewright.plain import Json, digest, plain
from agentfsm.statewright.session import Answer, ApprovalRequest, Session, state_digest
from agentfsm.statewright.transition import Moved, Refused, resolve

__all__ = ("answer_request", "ask", "request_id")

_KEPT = 16


def request_id(request: ApprovalRequest) -> str:
    """Return the digest of everything that *request* binds."""
    held: dict[str, Json] = asdict(request)
    return digest({key: value for key, value in held.items() if key != "id"})


def ask(law: Law, session: Session, moved: Moved, data: str, now: int) -> Step:
    """Park *session* until a person has answered whether it may do *moved*."""
    asking = evolve(session, asked=session.asked + 1)
    request = ApprovalRequest(
        id="",
        run=session.run,
        machine=law.definition.digest,
        source=session.state,
        target=moved.state,
        event=moved.event,
        data=data,
        state_digest=state_digest(asking),
        message=moved.approval_message,
        reviewer=moved.approval_reviewer,
        asked_at=now,
        expires_at=now + law.bounds.approval_seconds,
    )
    request = evolve(request, id=request_id(request))
    return Step(settled(law, evolve(asking, pending=request)), pending=request)


def _unpark(law: Law, session: Session, answer: Answer) -> Session:
    answers = (*session.answers, answer)[-_KEPT:]
    return settled(law, evolve(session, pending=None, answers=answers))


def _objection(law: Law, session: Session, pending: ApprovalRequest, now: int) -> Refused | None:
    request = pending.id
    if now >= pending.expires_at:
        return Refused(
            "expired", f"request {request[:12]} expired at {pending.expires_at}; the move can be asked again"
        )
    fits = (session.run, law.definition.digest, state_digest(session), session.state) == (
        pending.run,
        pending.machine,
        pending.state_digest,
        pending.source,
    )
    if not fits or request_id(pending) != pending.id:
        return Refused("stale", f"request {request[:12]} was for another state of the session; ask again")
    return None


def answer_request(law: Law, session: Session, answer: Answer) -> Step:
    """
    Take a person's answer to the request that *session* waits for; `answer.verdict` is approved or rejected.

    A request that can never fit again (expired, stale) is taken back, and the move can be asked anew.
    """
    pending = session.pending
    assert pending is not None
    if objection := _objection(law, session, pending, answer.at):
        told = evolve(answer, verdict=objection.code, reason=objection.reason)
        return Step(_unpark(law, session, told), refused=objection)
    free = _unpark(law, session, answer)
    if answer.verdict != "approved":
        return Step(free, refused=Refused("rejected", answer.reason or f"{answer.by} rejected it", (pending.event,)))
    if not pending.event:
        return enter(law, free, Moved("", pending.target, free.data, requires_approval=True))
    found = resolve(law.definition, free.state, pending.event, plain(pending.data), free.data)
    # The session, the machine and the data are the very ones that were asked with, so the move is too.
    assert isinstance(found, Moved)
    return enter(law, free, found)
