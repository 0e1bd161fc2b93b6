"""Nesting: bringing an act to the machine or branch at work, and its end back up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve

from agentfsm.statewright.ending import conclude, give_up
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step
from agentfsm.statewright.session import ApprovalRequest, BranchRun, Child, ForkRun, Session
from agentfsm.statewright.transition import Refused

__all__ = ("Address", "at_work", "deliver", "waiting")

Act: TypeAlias = Callable[[Law, Session], Step]
Address: TypeAlias = tuple[str, ...]


def at_work(law: Law, session: Session, branch: Address) -> tuple[Law, Session] | Refused:
    """
    Return the innermost law and session at work: through invoked machines, and at forks by the names in *branch*.

    A branch that has ended is refused, and so is a fork without a name to go by.
    """
    if session.child is not None:
        return at_work(law.children[session.child.machine], session.child.session, branch)
    if session.fork is None:
        return law, session
    found = _branch(session.fork, branch)
    return found if isinstance(found, Refused) else at_work(law, found.session, branch[1:])


def _branch(fork: ForkRun, branch: Address) -> BranchRun | Refused:
    names = [each.name for each in fork.branches if each.outcome == "running"]
    found = next((each for each in fork.branches if branch and each.name == branch[0]), None)
    if found is None:
        return Refused("branch_needed", f"a fork is at work; name one of its branches: {', '.join(names)}")
    if found.outcome != "running":
        return Refused("branch_over", f"branch {found.name!r} is {found.outcome}", (found.name,))
    return found


def deliver(law: Law, session: Session, branch: Address, act: Act) -> Step:
    """Let *act* work on the innermost session, and carry what it did up to the outermost one."""
    if session.cancelled:
        return Step(session, refused=Refused("cancelled", "the session was cancelled"))
    if session.machine != law.definition.digest:
        reason = f"this session belongs to another machine than {law.definition.id!r}, or to another version of it"
        return Step(session, refused=Refused("other_machine", reason))
    if session.child is not None:
        return _in_child(law, session, session.child, branch, act)
    if session.fork is not None:
        return _in_branch(law, session, session.fork, branch, act)
    return act(law, session)


def waiting(session: Session, branch: Address = ()) -> tuple[tuple[Address, ApprovalRequest], ...]:
    """Return every request that waits in *session* or below it, with the branches that lead to it."""
    own = () if session.pending is None else ((branch, session.pending),)
    child = () if session.child is None else waiting(session.child.session, branch)
    runs = () if session.fork is None else session.fork.branches
    return (*own, *child, *(found for run in runs for found in waiting(run.session, (*branch, run.name))))


def _in_child(law: Law, session: Session, child: Child, branch: Address, act: Act) -> Step:
    step = deliver(law.children[child.machine], child.session, branch, act)
    made = step.session.moves - child.session.moves
    if child.moves + made > law.bounds.max_child_steps:
        reason = f"{child.machine!r} has done its {law.bounds.max_child_steps} moves"
        return give_up(law, session, child.on_fail, Refused("child_steps_exhausted", reason, (child.machine,)))
    held = evolve(child, session=step.session, moves=child.moves + made)
    return _concluded(law, evolve(session, child=held, moves=session.moves + made), step)


def _in_branch(law: Law, session: Session, fork: ForkRun, branch: Address, act: Act) -> Step:
    found = _branch(fork, branch)
    if isinstance(found, Refused):
        return Step(session, refused=found)
    step = deliver(law, found.session, branch[1:], act)
    ended = evolve(found, session=step.session)
    branches = tuple(ended if each.name == found.name else each for each in fork.branches)
    made = step.session.moves - found.session.moves
    return _concluded(law, evolve(session, fork=evolve(fork, branches=branches), moves=session.moves + made), step)


def _concluded(law: Law, session: Session, step: Step) -> Step:
    """What the inner *step* comes to further out."""
    after = conclude(law, session)
    return evolve(step, session=after.session, refused=step.refused or after.refused)
