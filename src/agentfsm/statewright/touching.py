"""Touching: which files a call changes on this machine, and which interrupts that sets off."""

from __future__ import annotations

from agentfsm.statewright.call import Call, command_of
from agentfsm.statewright.definition import RETURN
from agentfsm.statewright.edits import EDITING, changes, is_patch
from agentfsm.statewright.interrupt import matching
from agentfsm.statewright.law import Law
from agentfsm.statewright.session import Session
from agentfsm.statewright.structure import leading_to, transitions
from agentfsm.statewright.tools import canonical_name

__all__ = ("edited_files", "fires")


def edited_files(law: Law, call: Call) -> tuple[tuple[str, ...], ...] | None:
    """
    Return each file that *call* changes by all its names, the one that tells files apart last; None when it hides them.

    A command's files are those the classifier could name.
    """
    if canonical_name(call.name) in EDITING or is_patch(call.name):
        change = changes(call, lambda _: None)
        return None if change is None else tuple(law.files.identify(path) for path in change.files)
    if not _carries_command(law, call.name) or (command := command_of(call.arguments)) is None:
        return ()
    touched = law.shell.classify(command).files
    return tuple(law.files.identify(path) for path in (*touched.written, *touched.deleted))


def _carries_command(law: Law, name: str) -> bool:
    """Whether *name* is Bash, or a tool that some state of the machine lets carry commands beside it."""
    tool = canonical_name(name)
    further = (state.allowed_commands_tool for state in law.definition.states.values())
    return tool == "Bash" or any(other is not None and canonical_name(other) == tool for other in further)


def fires(law: Law, session: Session, files: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, str], ...]:
    """
    Return (interrupt, file) for what changing *files* sets off, by interrupt in code point order.

    A file does not set off an interrupt whose handler is at work for that same file, nor one whose handler starts here.
    """
    in_handler = bool(session.frames) and _may_return(law, session.state)
    at_work = {(frame.interrupt, frame.file) for frame in session.frames if in_handler}
    found = {
        (interrupt, names[-1])
        for names in files
        for name in names
        for interrupt in matching(law.definition, name)
        if law.definition.interrupts[interrupt].target != session.state
    }
    return tuple(sorted(found - at_work))


def _may_return(law: Law, state: str) -> bool:
    """Whether a handler is still at work: some `$return` can be reached from *state* over declared edges."""
    found = transitions(law.definition)
    returning = {name for name, _, each in found if any(target.state == RETURN for target in each.targets())}
    return state in leading_to(law.definition, returning)
