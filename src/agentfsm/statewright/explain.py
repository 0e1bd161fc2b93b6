"""Explaining: whether a call is allowed in a state, why, and the shortest legal way, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from agentfsm.errors import UsageError
from agentfsm.guard import Decision
from agentfsm.statewright.call import ToolCall
from agentfsm.statewright.fault import Fault, suggestion
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.moving import begin
from agentfsm.statewright.session import ApprovalRequest
from agentfsm.statewright.tools import canonical_name, tool_of
from agentfsm.statewright.ways import spoken

__all__ = ("Explanation", "explain", "read_arguments", "report", "request_text")

_FIRST = {
    "Bash": "command",
    "Grep": "pattern",
    "Glob": "pattern",
    "LS": "path",
    "WebFetch": "url",
    "WebSearch": "query",
    "NotebookEdit": "notebook_path",
}


@frozen
class Explanation:
    """A decision and the text that tells it to a person."""

    decision: Decision
    text: str

    @property
    def allowed(self) -> bool:
        return self.decision.action == "allow"


def read_arguments(tool: str, words: Iterable[str]) -> Mapping[str, object]:
    """
    Read a call's arguments from a command line: `key=value`, and one bare word for what the tool is mostly about.

    So `Bash 'rm x'` is its command and `Edit a.py` its file.
    """
    read: dict[str, object] = {}
    main = _FIRST.get(canonical_name(tool), "file_path")
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key.isidentifier() and main != "command":
            read[key] = value
        elif main in read:
            raise UsageError(f"{word!r} is one word too many; quote what belongs together, or write key=value")
        else:
            read[main] = word
    return read


def explain(machine: Machine, state: str, tool: str, arguments: Mapping[str, object] | None = None) -> Explanation:
    """
    Explain what *machine* says to a call of *tool* in *state*, nothing having happened there yet.

    Raises `UsageError` for an unknown state.
    """
    states = machine.definition.states
    if state not in states:
        raise UsageError(f"there is no state {state!r} in {machine.definition.id!r}{suggestion(state, states)}")
    session = begin(machine.law, "explain", state=state)
    decision = machine.decide(session, ToolCall(tool, arguments or {}))
    verdict = {"allow": "is allowed", "ask": "needs approval", "deny": "is not allowed"}[decision.action]
    known = tool_of(tool)
    folded = "" if known is None or known.name == tool else f" (counts as {known.name})"
    lines = [f"{tool}{folded} {verdict} in {state}.", f"  why: {decision.reason} [{decision.code}]"]
    if decision.action != "allow":
        lines.append(f"  way: {spoken(decision.way)}" if decision.way else "  way: none")
    return Explanation(decision, "\n".join(lines))


def report(faults: Iterable[Fault]) -> str:
    """Return the verdicts on a machine, one in a line; `sound` when there are none."""
    return "\n".join(map(str, faults)) or "sound"


def request_text(request: ApprovalRequest) -> str:
    """Return what a person who has to answer *request* is shown."""
    lines = [
        f"request {request.id[:12]} of run {request.run or '(unnamed)'}",
        f"  {request.source} -> {request.target} on {request.event or 'safe_next'}",
    ]
    if request.message:
        lines.append(f"  {request.message}")
    if request.data != "null":
        lines.append(f"  data: {request.data}")
    lines.append(f"  asked at {request.asked_at}, expires at {request.expires_at}")
    return "\n".join(lines)
