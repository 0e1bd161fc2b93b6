"""Effects: which tools' effects can happen in a state, by whatever call."""

from __future__ import annotations

from agentfsm.statewright.definition import State
from agentfsm.statewright.edits import PATCHING
from agentfsm.statewright.law import FoldedLists, Law
from agentfsm.statewright.pattern import is_pattern
from agentfsm.statewright.tools import TOOLS, canonical_name, listed_name, tool_of

__all__ = ("beyond", "how")

_GIT = frozenset({"GitAdd", "GitCommit", "GitPush", "GitCheckout", "GitBranch", "GitWrite"})
_KNOWN = frozenset(tool.name for tool in TOOLS)
_PATCHED = frozenset({"Write", "Edit", "Delete"})
_INCLUDED_IN = {"Edit": ("MultiEdit", "Write")}
# A command that changes a file in place passes where Write is open (the shell classifier's FileModify).
_THROUGH_SHELL = {"Edit": ("Write",), "Grep": ("Read",), "Glob": ("Read",), "GitStatus": ("Read",),
                  "GitDiff": ("Read",), "GitLog": ("Read",)}  # fmt: skip


def how(law: Law, state: str, tool: str) -> str | None:
    """
    Say how the effect of *tool* can happen in *state*, or None when it cannot.

    Besides the tool itself that is a patch, and a command: through another tool's class, through an opened sentinel,
    or through `allowed_commands`, which opens every effect of the commands it lists.
    """
    lists, here = law.lists[state], law.state(state)
    name = canonical_name(tool)
    if any(lists.objection(other) is None for other in _names(tool)):
        return name
    wider = next((other for other in _INCLUDED_IN.get(name, ()) if lists.objection(other) is None), None)
    if wider is not None:
        return f"{name} by {wider}"
    patching = next((other for other in sorted(PATCHING) if lists.objection(other) is None), None)
    if name in _PATCHED and not lists.banned(name) and patching is not None:
        return f"{name} by {patching}"
    if not _runs_commands(lists, here):
        return None
    opened = lists.canonical_tools()
    if "Destructive" in opened:
        return f"{name} by Bash, Destructive being open"
    if name in _GIT and "GitWrite" in opened:
        return f"{name} by Bash, GitWrite being open"
    if here.allowed_commands:
        return f"{name} by Bash, allowed_commands opening whatever {here.allowed_commands[0]!r} does"
    through = next((other for other in _THROUGH_SHELL.get(name, ()) if other in opened), None)
    return None if through is None else f"{name} by Bash, {through} being open"


def _names(tool: str) -> tuple[str, ...]:
    """Every name by which a call has the effect of *tool*, or a part of it."""
    row = tool_of(tool)
    return (tool,) if row is None else (tool, row.name, *row.same, *row.lesser)


def _runs_commands(lists: FoldedLists, state: State) -> bool:
    if state.allowed_commands == ():
        return False
    runners = ("Bash", *(() if state.allowed_commands_tool is None else (state.allowed_commands_tool,)))
    return any(lists.objection(name) is None for name in runners)


def beyond(law: Law, state: str, tools: frozenset[str]) -> str | None:
    """Say which effect outside *tools* can happen in *state*, or None."""
    from_lists = law.state(state).allowed_tools
    if law.lists[state].plain.is_final:
        return None
    if from_lists is None:
        return "any tool, for the state has no list"
    for entry in from_lists:
        if law.lists[state].objection(entry) is None and (is_pattern(entry) or listed_name(entry) not in tools):
            return entry
    return next((told for tool in sorted(_KNOWN - tools) if (told := how(law, state, tool)) is not None), None)
