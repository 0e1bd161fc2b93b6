"""Entering: what a move leads to, be it a state, an invoked machine or a fork."""

from __future__ import annotations

from attrs import evolve

from agentfsm.guard import Move
from agentfsm.statewright.definition import Fork, Invoke
from agentfsm.statewright.ending import conclude
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step, arrive, begin
from agentfsm.statewright.plain import Json, canonical, is_object, plain
from agentfsm.statewright.session import BranchRun, Child, ForkRun, Session
from agentfsm.statewright.transition import Moved, Refused

__all__ = ("enter",)


def enter(law: Law, session: Session, moved: Moved) -> Step:
    """Do what *moved* says: enter its state, or start the machine or the branches that come before it."""
    if moved.invoke is not None:
        return _invoke(law, session, moved, moved.invoke)
    if moved.fork is not None:
        return _fork(law, session, moved, moved.fork)
    leaving = evolve(session, frames=session.frames[:-1]) if moved.returns else session
    after = arrive(law, leaving, moved.state, moved.context)
    return Step(after, Move(moved.event, moved.state, moved.requires_approval))


def _refused(session: Session, code: str, reason: str, *about: str) -> Step:
    return Step(session, refused=Refused(code, reason, about))


def _invoke(law: Law, session: Session, moved: Moved, invoke: Invoke) -> Step:
    child = law.children.get(invoke.machine)
    if child is None:
        return _refused(session, "unknown_machine", f"no machine {invoke.machine!r} was given", invoke.machine)
    if session.depth >= law.bounds.max_depth:
        reason = f"{invoke.machine!r} would be nested {session.depth + 1} deep, {law.bounds.max_depth} is the limit"
        return _refused(session, "depth_exceeded", reason, invoke.machine)
    context = canonical(_given(plain(child.definition.context), invoke.input))
    started = begin(child, session.run, context=context, depth=session.depth + 1)
    # What the parent's guards read may come back from the child, so its agent may not write it there either.
    sealed = (law.protected | set(session.sealed)) & set(child.definition.outputs)
    started = evolve(started, sealed=tuple(sorted(sealed)))
    running = Child(invoke.machine, started, invoke.on_complete, invoke.on_fail)
    after = evolve(session, context=canonical(moved.context), moves=session.moves + 1, child=running)
    return evolve(conclude(law, after), moved=Move(moved.event, f"{invoke.machine}/{started.state}"))


def _given(context: Json, text: str | None) -> Json:
    """The child's own context with the input laid over it; an input that is no object replaces it."""
    if text is None:
        return context
    given = plain(text)
    return {**(context if is_object(context) else {}), **given} if is_object(given) else given


def _fork(law: Law, session: Session, moved: Moved, fork: Fork) -> Step:
    context = canonical(moved.context)
    branches = tuple(
        BranchRun(name, branch.terminal, _branch_session(law, session, branch.initial, context))
        for name, branch in fork.branches.items()
    )
    unknown = [b.session.state for b in branches if b.session.state not in law.definition.states]
    if unknown:
        return _refused(
            session, "unknown_state", f"a branch starts in {unknown[0]!r}, which does not exist", unknown[0]
        )
    running = ForkRun(fork.join, fork.on_complete, fork.on_fail, branches)
    after = evolve(session, context=context, moves=session.moves + 1, fork=running)
    return evolve(conclude(law, after), moved=Move(moved.event, fork.on_complete))


def _branch_session(law: Law, session: Session, state: str, context: str) -> Session:
    started = begin(law, session.run, state=state, context=context, depth=session.depth)
    return evolve(started, sealed=session.sealed)
