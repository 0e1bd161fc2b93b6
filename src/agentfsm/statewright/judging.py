"""Judging: what the arguments of a call and the session add to a ruling."""

from __future__ import annotations

from collections.abc import Callable

from agentfsm.guard import Decision, Move
from agentfsm.statewright.call import Call, ToolCall, call_digest, command_of
from agentfsm.statewright.definition import State
from agentfsm.statewright.edits import EDITING, changes, is_patch, needed_tools
from agentfsm.statewright.interrupt import MAX_INTERRUPTS
from agentfsm.statewright.law import Law
from agentfsm.statewright.ruling import ToBeJudged, carries_command, may_pass, refusal, rule
from agentfsm.statewright.safety import FAILED
from agentfsm.statewright.session import Session
from agentfsm.statewright.shell_port import mentions
from agentfsm.statewright.tools import Rung, canonical_name, tool_of
from agentfsm.statewright.touching import edited_files, fires
from agentfsm.statewright.transition import stack_of
from agentfsm.statewright.ways import shortest_way, spoken

__all__ = ("judge", "judge_arguments", "may_be_called", "way_when_exhausted")

_ANSWERING = ("approve", "reject")


def _deny(code: str, reason: str, way: tuple[Move, ...] = ()) -> Decision:
    return Decision("deny", code, reason, way, "statewright")


def judge(law: Law, session: Session, call: Call) -> Decision:
    """Decide on *call* in a session that needs watching; without one of these reasons the ruling stands."""
    if closed := _closed(law, session):
        return closed
    ruling = rule(law, session.state, call.name)
    decided = judge_arguments(law, session, call, ruling) if isinstance(ruling, ToBeJudged) else ruling
    if decided.action != "allow":
        return decided
    for check in _CHECKS:
        if said := check(law, session, call):
            return said
    return decided


def may_be_called(law: Law, session: Session, name: str) -> bool:
    """Whether some call of *name* could be allowed in *session* now: what to offer a model."""
    call = ToolCall(name)
    if _closed(law, session) or not may_pass(law, session.state, name):
        return False
    return _exhausted(law, session, call) is None and _over_budget(law, session, call) is None


def _closed(law: Law, session: Session) -> Decision | None:
    """Why no tool at all is allowed in *session*."""
    if session.machine != law.definition.digest:
        return _deny("other_machine", f"this session belongs to another machine than {law.definition.id!r}")
    if session.cancelled:
        return _deny("cancelled", "the session was cancelled")
    if session.pending is not None:
        waiting = f"{session.pending.event or 'safe_next'} to {session.pending.target}"
        return _deny("awaiting_approval", f"{waiting} waits for a person; until then no tool is allowed")
    return None


# Of the session: what wears out.


def way_when_exhausted(state: State, law: Law) -> Move | None:
    """The way on when a state's iterations are used up: `safe_next`, never round an approval, or else `failed`."""
    if state.safe_next is not None:
        return Move("", state.safe_next, state.safe_next_asks)
    return Move("", FAILED) if FAILED in law.definition.states else None


def _exhausted(law: Law, session: Session, call: Call) -> Decision | None:
    state = law.state(session.state)
    if state.max_iterations is None or session.calls < state.max_iterations:
        return None
    way = way_when_exhausted(state, law)
    on = "no way on is left" if way is None else f"the way on is {way.target}"
    asks = ", which needs approval" if way is not None and way.needs_approval else ""
    reason = f"{state.name} has used its {state.max_iterations} tool calls; {on}{asks}"
    return _deny("iterations_exhausted", reason, () if way is None else (way,))


def _is_read(call: Call) -> bool:
    tool = tool_of(call.name)
    return tool is not None and tool.rung is Rung.READ_ONLY


def _over_budget(law: Law, session: Session, call: Call) -> Decision | None:
    budget = law.state(session.state).context_budget_bytes
    if budget is None or not _is_read(call):
        return None
    if session.read >= budget:
        return _deny("context_budget", f"{session.state} has read {session.read} of {budget} bytes; move on")
    return None


def _repeated(law: Law, session: Session, call: Call) -> Decision | None:
    before = session.recent.count(call_digest(call))
    if before + 1 >= law.bounds.refuse_at:
        reason = f"{call.name} was called {before} times with these arguments and nothing changed; do something else"
        return _deny("repeated_call", reason)
    if before + 1 >= law.bounds.warn_at:
        reason = f"{call.name} was called {before} times with these arguments; time {law.bounds.refuse_at} is refused"
        return Decision("allow", "repeated_call_warning", reason, guard="statewright")
    return None


def _near_budget(law: Law, session: Session, call: Call) -> Decision | None:
    budget = law.state(session.state).context_budget_bytes
    if budget is None or session.read * 10 < budget * 9 or not _is_read(call):
        return None
    reason = f"{session.state} has read {session.read} of {budget} bytes; at all of them reads are refused"
    return Decision("allow", "context_budget_warning", reason, guard="statewright")


_CHECKS: tuple[Callable[[Law, Session, Call], Decision | None], ...] = (
    _exhausted,
    _over_budget,
    _repeated,
    _near_budget,
)


# Of the arguments: commands and edits.


def judge_arguments(law: Law, session: Session, call: Call, ruling: ToBeJudged) -> Decision:
    """Decide on a call that passes by its name: its command, its patch, its edit."""
    state = law.state(session.state)
    if carries_command(state, call.name):
        decided = _judge_command(law, state, call)
    else:
        decided = _judge_patch(law, state, call) if is_patch(call.name) else None
    return decided or _judge_edit(law, session, call) or ruling.passing


def _judge_command(law: Law, state: State, call: Call) -> Decision | None:
    command = command_of(call.arguments)
    if command is None:
        return _deny("command_unreadable", f"the command of {call.name} is not to be found in its arguments")
    if mentions(command, ("agentfsm",)) and mentions(command, _ANSWERING):
        return _deny("control_command", "a command may not answer an approval request; a person does that")
    if name := mentions(command, state.blocked_env):
        return _deny("blocked_env", f"{state.name} keeps {name} from commands, and this one names it")
    decided = _ask_shell(law, state, command)
    if decided.action == "allow":
        return None
    way = shortest_way(law.definition, state.name, lambda there: _would_pass(law, law.state(there), call.name, command))
    onward = f"; the way there: {spoken(way)}" if way else "; no event leads to a state that allows it"
    return _deny(decided.code, f"{state.name}: {decided.reason}{onward}", way)


def _ask_shell(law: Law, state: State, command: str) -> Decision:
    allowed = state.allowed_commands or ()
    if state.allowed_commands is not None and not allowed:
        return _deny("command_not_listed", "no command at all is listed")
    # The tool that carries the command has passed by its name; for what the command does it counts as Bash.
    tools = law.lists[state.name].canonical_tools() | {"Bash"}
    return law.shell.check_against_allowed(command, tools, allowed)


def _would_pass(law: Law, state: State, name: str, command: str) -> bool:
    return law.lists[state.name].objection(name) is None and _ask_shell(law, state, command).action == "allow"


def _judge_patch(law: Law, state: State, call: Call) -> Decision | None:
    needed = needed_tools(call)
    if needed is None:
        return _deny("edit_unreadable", f"the patch of {call.name} cannot be read, so it may do anything")
    lists = law.lists[state.name]
    listed = lists.objection(call.name) is None
    for tool in needed:
        code = lists.objection(tool)
        if code is not None and not (listed and code == "not_listed"):
            return refusal(law, state, tool, code)
    return None


def _judge_edit(law: Law, session: Session, call: Call) -> Decision | None:
    state = law.state(session.state)
    edits = canonical_name(call.name) in EDITING or is_patch(call.name)
    if edits and state.max_edit_lines is not None:
        change = changes(call, law.files.text)
        if change is None or change.lines is None:
            return _deny("edit_unreadable", f"{call.name} does not tell how much it changes, and that is limited")
        if change.lines > state.max_edit_lines:
            return _deny(
                "edit_too_large",
                f"{call.name} changes {change.lines} lines, {state.name} allows {state.max_edit_lines} at a time",
            )
    files = edited_files(law, call)
    needs_files = state.max_files_per_state is not None or law.definition.interrupts
    if files is None:
        reason = f"{call.name} does not tell which file it changes"
        return _deny("edit_unreadable", reason) if edits and needs_files else None
    return _too_many(state, session, tuple(names[-1] for names in files)) or _too_deep(law, session, files)


def _too_many(state: State, session: Session, files: tuple[str, ...]) -> Decision | None:
    limit = state.max_files_per_state
    touched = {*session.files, *files}
    if limit is None or not files or len(touched) <= limit:
        return None
    return _deny("too_many_files", f"{state.name} may change {limit} files, this would be the {len(touched)}th")


def _too_deep(law: Law, session: Session, files: tuple[tuple[str, ...], ...]) -> Decision | None:
    if not fires(law, session, files) or len(stack_of(session.data)) < MAX_INTERRUPTS:
        return None
    return _deny("interrupt_depth", f"this edit would set off another interrupt, {MAX_INTERRUPTS} are at work already")
