"""Stepping: events, tool calls and answers, each a pure function from one session to the next."""

from __future__ import annotations

from attrs import evolve

from agentfsm.errors import UsageError
from agentfsm.guard import Decision
from agentfsm.statewright.approval import answer_request, ask
from agentfsm.statewright.call import Call, call_digest
from agentfsm.statewright.entering import enter
from agentfsm.statewright.interrupt import fire
from agentfsm.statewright.judging import judge, way_when_exhausted
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step, arrive, settled
from agentfsm.statewright.nesting import Address, at_work, deliver, waiting
from agentfsm.statewright.plain import Json, canonical, is_object, plain
from agentfsm.statewright.session import Answer, Frame, Session
from agentfsm.statewright.tools import tool_of
from agentfsm.statewright.touching import edited_files, fires
from agentfsm.statewright.transition import Moved, Refused, resolve

__all__ = ("account", "answer_step", "cancel", "decide", "give_way", "send_event")


def _json_text(data: Json) -> str:
    try:
        return canonical(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the data of an event has to be JSON: {error}") from error


def send_event(law: Law, session: Session, event: str, data: Json, now: int, *, branch: Address = ()) -> Step:
    """
    Send *event* with *data* to the machine at work; *now* is in seconds of the caller's clock.

    Raises `UsageError` when *data* is no JSON. Everything else that goes wrong is `Step.refused`.
    """
    text = _json_text(data)
    return deliver(law, session, branch, lambda law, session: _send(law, session, event, text, now))


def _send(law: Law, session: Session, event: str, text: str, now: int) -> Step:
    if session.pending is not None:
        return Step(session, refused=Refused("awaiting_approval", "a move waits for a person; no event is taken"))
    here = law.definition.states.get(session.state)
    if here is not None and here.is_final:
        return Step(session, refused=Refused("run_over", f"{session.state} is final: the run is over"))
    data = plain(text)
    found = resolve(law.definition, session.state, event, data, session.data)
    if isinstance(found, Refused):
        return Step(session, refused=found)
    keys = tuple(sorted(set(session.sealed) & data.keys())) if is_object(data) else ()
    if keys:
        reason = f"data may not set {', '.join(keys)}: the machine that invoked this one guards it"
        return Step(session, refused=Refused("protected_context", reason, keys))
    if found.requires_approval:
        return ask(law, session, found, text, now)
    return enter(law, session, found)


def give_way(law: Law, session: Session, now: int, *, branch: Address = ()) -> Step:
    """
    Leave a state whose iterations are used up: over `safe_next`, else to `failed`.

    Where `safe_next` needs approval the session is parked as for any such move. A state that is not used up is not
    left.
    """
    return deliver(law, session, branch, lambda law, session: _give_way(law, session, now))


def _give_way(law: Law, session: Session, now: int) -> Step:
    state = law.definition.states.get(session.state)
    if session.pending is not None:
        return Step(session, refused=Refused("awaiting_approval", "a move waits for a person"))
    if state is None or state.max_iterations is None or session.calls < state.max_iterations:
        return Step(session, refused=Refused("not_exhausted", f"{session.state} has tool calls left"))
    way = way_when_exhausted(state, law)
    if way is None or way.target not in law.definition.states:
        return Step(session, refused=Refused("no_way", f"no way leads on from {session.state}"))
    message = state.safe_next_message if way.needs_approval else None
    moved = Moved("", way.target, session.data, way.needs_approval, message)
    return ask(law, session, moved, "null", now) if way.needs_approval else enter(law, session, moved)


def answer_step(law: Law, session: Session, answer: Answer) -> Step:
    """Take a person's answer to whichever request of *session* it is for."""
    branch = next((place for place, request in waiting(session) if request.id == answer.request), None)
    if branch is None:
        known = _answered(session)
        code = "already_answered" if answer.request in known else "not_pending"
        reason = f"request {answer.request[:12]} does not wait here; an answer serves once, and never in advance"
        return Step(session, refused=Refused(code, reason))
    return deliver(law, session, branch, lambda law, session: answer_request(law, session, answer))


def _answered(session: Session) -> frozenset[str]:
    inner = () if session.child is None else (session.child.session,)
    runs = () if session.fork is None else tuple(run.session for run in session.fork.branches)
    own = frozenset(answer.request for answer in session.answers)
    return own.union(*(_answered(each) for each in (*inner, *runs)))


def cancel(law: Law, session: Session) -> Step:
    """End *session* where it stands; every queued event is reported dropped. Cancelling twice changes nothing."""
    if session.cancelled:
        return Step(session)
    dropped = tuple(each.id for each in session.queue)
    ended = evolve(session, cancelled=True, pending=None, queue=())
    return Step(settled(law, ended), dropped=dropped)


def decide(law: Law, session: Session, call: Call, *, branch: Address = ()) -> Decision:
    """Decide on *call*, looking at everything: the session, the arguments, the machine or branch at work."""
    if session.cancelled or session.machine != law.definition.digest:
        return judge(law, session, call)
    found = at_work(law, session, branch)
    if isinstance(found, Refused):
        return Decision("deny", found.code, found.reason, guard="statewright")
    return judge(*found, call)


def account(law: Law, session: Session, call: Call, read: int, *, branch: Address = ()) -> Step:
    """
    Count a call that was allowed and made, *read* bytes having come back, and take the interrupt that it sets off.
    """
    return deliver(law, session, branch, lambda law, session: _account(law, session, call, read))


def _account(law: Law, session: Session, call: Call, read: int) -> Step:
    files = edited_files(law, call) or ()
    limited = session.state in law.lists and law.state(session.state).max_files_per_state is not None
    same = tuple(dict.fromkeys((*session.files, *(names[-1] for names in files)))) if limited else ()
    counted = evolve(
        session,
        calls=session.calls + 1,
        files=same,
        read=session.read + max(0, read),
        recent=_recent(law, session, call),
    )
    fired = fires(law, session, files)
    if not fired:
        return Step(settled(law, counted))
    name, file = fired[0]
    detour = fire(law.definition, session.state, session.data, (name,))
    if isinstance(detour, Refused):
        return Step(settled(law, counted), refused=detour)
    # The frame is there before the state is entered, so that the stack and the frames grow together.
    framed = evolve(counted, frames=(*session.frames, Frame(name, file)))
    return Step(arrive(law, framed, detour.state, detour.context))


def _recent(law: Law, session: Session, call: Call) -> tuple[str, ...]:
    """The digests of the calls since the last new call with an effect, this one included."""
    known = call_digest(call)
    tool = tool_of(call.name)
    effectful = tool is None or tool.effect != "pure"
    if effectful and known not in session.recent:
        return (known,)
    return (*session.recent, known)[-law.bounds.remembered :]
