"""Ending: leaving an invoked machine or a fork once its end is really reached."""

from __future__ import annotations

from attrs import evolve

from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step, arrive, failing_state, settled
from agentfsm.statewright.plain import Json, is_object
from agentfsm.statewright.safety import FAILED
from agentfsm.statewright.session import BranchRun, Child, ForkRun, Session
from agentfsm.statewright.transition import Refused

__all__ = ("conclude", "give_up")


def conclude(law: Law, session: Session) -> Step:
    """Return *session* with its invoked machine or its fork left where that has ended, else as it is."""
    if session.child is not None:
        return _conclude_child(law, session, session.child)
    if session.fork is not None:
        return _conclude_fork(law, session, session.fork)
    return Step(settled(law, session))


def give_up(law: Law, session: Session, on_fail: str | None, refused: Refused | None = None) -> Step:
    """Leave an invoke or a fork that failed; with no state to go to, the session stays where it began."""
    target = failing_state(law.definition, on_fail)
    if target is not None:
        return Step(arrive(law, session, target, session.data), refused=refused)
    stayed = settled(law, evolve(session, child=None, fork=None, moves=session.moves + 1))
    return Step(stayed, refused=refused or Refused("failed_without_way", "it failed, and no state takes that up"))


def _conclude_child(law: Law, session: Session, child: Child) -> Step:
    definition = law.children[child.machine].definition
    state = definition.states.get(child.session.state)
    if child.session.child or child.session.fork or state is None or not state.is_final:
        return Step(settled(law, session))
    if state.name == FAILED:
        return give_up(law, session, child.on_fail)
    context = _with_outputs(session.data, child.session.data, definition.outputs)
    return Step(arrive(law, session, child.on_complete, context))


def _with_outputs(context: Json, child: Json, outputs: tuple[str, ...]) -> Json:
    """Lay the declared outputs of a finished machine over *context*."""
    if not is_object(context) or not is_object(child):
        return context
    return {**context, **{key: child[key] for key in outputs if key in child}}


def _outcome(law: Law, run: BranchRun) -> str:
    inner = run.session
    if inner.child is not None or inner.fork is not None or inner.pending is not None:
        return "running"
    if inner.state == run.terminal:
        return "done"
    state = law.definition.states.get(inner.state)
    return "failed" if state is None or state.is_final else "running"


def _conclude_fork(law: Law, session: Session, fork: ForkRun) -> Step:
    runs = tuple(evolve(run, outcome=_outcome(law, run)) for run in fork.branches)
    session = evolve(session, fork=evolve(fork, branches=runs))
    done = [run.outcome == "done" for run in runs]
    failed = [run.outcome == "failed" for run in runs]
    if (any(done) or not runs) if fork.join == "any" else all(done):
        return Step(arrive(law, session, fork.on_complete, _joined(session.data, runs, law.definition.outputs)))
    if all(failed) if fork.join == "any" else any(failed):
        return give_up(law, session, fork.on_fail)
    return Step(settled(law, session))


def _joined(context: Json, runs: tuple[BranchRun, ...], outputs: tuple[str, ...]) -> Json:
    """The declared outputs of each finished branch, side by side under `_fork`, which no agent can write."""
    if not is_object(context) or not outputs:
        return context
    told: dict[str, Json] = {}
    for run in runs:
        held = run.session.data
        if run.outcome == "done" and is_object(held):
            told[run.name] = {key: held[key] for key in outputs if key in held}
    return {**context, "_fork": told}
