"""Enforcement: which of several tools a state lets through, by rules 3 to 7 of the standard; names as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from attrs import frozen

from agentfsm.statewright.definition import Definition, State
from agentfsm.statewright.pattern import Names
from agentfsm.statewright.transition import Refused

__all__ = ("Enforcement", "ToolLists", "enforce")


@frozen
class Enforcement:
    """
    The tools that pass and those that do not, in the order and spelling they were asked for.

    *reasons* holds a code for each blocked tool. *implicit_transition* is an event whose target would allow one of
    them, with *requires_approval* for that edge; it is a suggestion and never taken.
    """

    allowed: tuple[str, ...]
    blocked: tuple[str, ...]
    implicit_transition: str | None
    requires_approval: bool | None
    reasons: Mapping[str, str]


@frozen
class ToolLists:
    """The two lists of one state, ready to be asked."""

    is_final: bool
    allowed: Names | None
    banned: Names

    @classmethod
    def of(cls, state: State) -> ToolLists:
        allowed = None if state.allowed_tools is None else Names.of(state.allowed_tools)
        return cls(state.is_final, allowed, Names.of(state.disallowed_tools))

    def objection(self, tool: str) -> str | None:
        """Why *tool* is blocked, as a code, or None: final first, then a ban, then the list."""
        if self.is_final:
            return "final_state"
        if self.banned.match(tool):
            return "disallowed"
        return None if self.allowed is None or self.allowed.match(tool) else "not_listed"


def enforce(
    definition: Definition, state: str, tools: Iterable[str], lists: Callable[[State], ToolLists] = ToolLists.of
) -> Enforcement | Refused:
    """Say which of *tools* pass in *state*; an unknown state is refused, never "everything allowed"."""
    here = definition.states.get(state)
    if here is None:
        return Refused("unknown_state", f"there is no state {state!r} in {definition.id!r}", (state,))
    asked = tuple(tools)
    own = lists(here)
    reasons = {tool: code for tool in asked if (code := own.objection(tool)) is not None}
    blocked = tuple(tool for tool in asked if tool in reasons)
    event, asks = _suggestion(definition, here, blocked, lists)
    allowed = tuple(tool for tool in asked if tool not in reasons)
    return Enforcement(allowed, blocked, event, asks, MappingProxyType(reasons))


def _suggestion(
    definition: Definition, state: State, blocked: tuple[str, ...], lists: Callable[[State], ToolLists]
) -> tuple[str | None, bool | None]:
    """The first event, by name, whose first target has a list and would allow a blocked tool; none in a final state."""
    if not blocked or state.is_final:
        return None, None
    for event, transition in state.edges():
        targets = transition.targets()
        target = definition.states.get(targets[0].state) if targets else None
        if target is None or target.allowed_tools is None:
            continue
        there = lists(target)
        if any(there.objection(tool) is None for tool in blocked):
            return event, targets[0].asks
    return None, None
