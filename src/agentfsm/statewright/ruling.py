"""Rulings: what the tables say about a tool in a state, before anything is known of the session or the arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from agentfsm.guard import Decision, Move
from agentfsm.statewright.definition import State
from agentfsm.statewright.edits import EDITING, is_patch
from agentfsm.statewright.law import Law
from agentfsm.statewright.plain import same_key
from agentfsm.statewright.tools import canonical_name
from agentfsm.statewright.ways import shortest_way, spoken

__all__ = ("Row", "Ruling", "Table", "ToBeJudged", "carries_command", "may_pass", "refusal", "rule")

_REMEMBERED = 4096
_LONGEST = 256
_GUARD = "statewright"


@frozen
class ToBeJudged:
    """A tool that passes by its name, but whose arguments have to be looked at."""

    passing: Decision


Ruling: TypeAlias = Decision | ToBeJudged


def rule(law: Law, state: str, name: str) -> Ruling:
    """Say what *state* holds of a call of *name*."""
    lists = law.lists.get(state)
    if lists is None:
        return Decision("deny", "unknown_state", f"there is no state {state!r} in {law.definition.id!r}", guard=_GUARD)
    if len(name) > _LONGEST:
        return Decision("deny", "name_too_long", f"no tool's name has {len(name)} characters", guard=_GUARD)
    if _answers_requests(name):
        return Decision("deny", "control_tool", "only a person answers an approval request", guard=_GUARD)
    here = law.state(state)
    code = lists.objection(name)
    passing = Decision("allow", "allowed", f"{state} allows {name}", guard=_GUARD)
    if is_patch(name) and code in (None, "not_listed"):
        return ToBeJudged(passing)
    if code is not None:
        return refusal(law, here, name, code)
    return ToBeJudged(passing) if _has_arguments_to_judge(law, here, name) else passing


def _has_arguments_to_judge(law: Law, state: State, name: str) -> bool:
    if carries_command(state, name):
        return True
    tool = canonical_name(name)
    limited = state.max_edit_lines is not None or state.max_files_per_state is not None
    return tool in EDITING and (limited or bool(law.definition.interrupts))


def _answers_requests(name: str) -> bool:
    folded = same_key(name)
    return "agentfsm" in folded and ("approve" in folded or "reject" in folded)


def may_pass(law: Law, state: str, name: str) -> bool:
    """Whether some call of *name* could pass in *state*, whatever its arguments."""
    ruling = rule(law, state, name)
    if isinstance(ruling, Decision):
        return ruling.action == "allow"
    lists = law.lists[state]
    return not is_patch(name) or any(lists.objection(tool) is None for tool in (name, "Write", "Edit", "Delete"))


def carries_command(state: State, name: str) -> bool:
    """Whether a call of *name* holds a command: Bash, and the tool that the state names beside it."""
    further = state.allowed_commands_tool
    tool = same_key(canonical_name(name))
    return tool == "bash" or (further is not None and tool == same_key(canonical_name(further)))


def refusal(law: Law, state: State, name: str, code: str) -> Decision:
    """Say that *name* is blocked, why, and the shortest legal way to a state that allows it."""
    way = shortest_way(law.definition, state.name, lambda there: law.lists[there].objection(name) is None)
    return Decision("deny", code, f"{_WHY[code](state, name)}{_onward(state, way)}", way, _GUARD)


def _onward(state: State, way: tuple[Move, ...]) -> str:
    if state.is_final:
        return ""
    return f"; the way there: {spoken(way)}" if way else "; no event leads to a state that allows it"


def _not_listed(state: State, name: str) -> str:
    listed = ", ".join(state.allowed_tools or ()) or "nothing"
    return f"{state.name} does not allow {name} (it allows {listed})"


_WHY: dict[str, Callable[[State, str], str]] = {
    "final_state": lambda state, name: f"{state.name} is final: the run is over, no tool is allowed",
    "disallowed": lambda state, name: f"{state.name} bans {name}",
    "not_listed": _not_listed,
}


class Row(dict[str, Ruling]):
    """The rulings of one state by tool name, each worked out once; past 4,096 names they are not kept."""

    def __init__(self, compute: Callable[[str], Ruling]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, name: str) -> Ruling:
        ruling = self._compute(name)
        if len(self) < _REMEMBERED:
            self[name] = ruling
        return ruling


class Table(dict[str, Row]):
    """The rows of a law by state. A session of an unknown state gets a row that refuses everything."""

    def __init__(self, law: Law) -> None:
        super().__init__()
        self._law = law
        for state in law.definition.states:
            self[state] = self._row(state)

    def _row(self, state: str) -> Row:
        return Row(lambda name: rule(self._law, state, name))

    def __missing__(self, state: str) -> Row:
        return self._row(state)
