"""Validator, third part: what is allowed but probably not meant."""

from __future__ import annotations

from collections.abc import Iterator

from agentfsm.statewright.definition import RETURN, Choice, Definition, State
from agentfsm.statewright.fault import Fault
from agentfsm.statewright.pattern import Names
from agentfsm.statewright.plain import Part, path_to, same_key
from agentfsm.statewright.safety import rung_of_state
from agentfsm.statewright.structure import leading_to, transitions
from agentfsm.statewright.tools import canonical_name, listed_name

__all__ = ("lints",)


def _warn(code: str, at: tuple[Part, ...], message: str, *witness: str) -> Fault:
    return Fault(code, path_to(*at), message, "warning", witness)


def lints(definition: Definition) -> Iterator[Fault]:
    """Yield warnings; a machine with warnings works."""
    yield from _dead_ends(definition)
    for name, state in definition.states.items():
        yield from _events(state)
        yield from _tools(state)
        if state.is_final and state.on:
            yield _warn("final_with_events", ("states", name, "on"), "a final state is the end; its events never fire")
    yield from _branches(definition)
    yield from _interrupts(definition)
    if "outputs" in definition.meta and not _is_texts(definition.meta["outputs"]):
        yield _warn("wrong_outputs", ("meta", "outputs"), "outputs wants a list of context keys; nothing is returned")


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _dead_ends(definition: Definition) -> Iterator[Fault]:
    """States that lead nowhere, or never to an end or back to what was interrupted."""
    finals = [name for name, state in definition.states.items() if state.is_final]
    returning = [n for n, _, tr in transitions(definition) if any(t.state == RETURN for t in tr.targets())]
    ending = leading_to(definition, (*finals, *returning))
    for name, state in definition.states.items():
        if state.is_final:
            continue
        if not state.on and state.safe_next is None:
            message = f"nothing leads out of {name!r}, and it is not final"
            yield _warn("dead_end", ("states", name), message, name)
        elif finals and name not in ending:
            yield _warn("dead_end", ("states", name), f"no way leads from {name!r} to a final state", name)


def _events(state: State) -> Iterator[Fault]:
    folded: dict[str, str] = {}
    for event, transition in state.edges():
        at: tuple[Part, ...] = ("states", state.name, "on", event)
        if not event:
            yield _warn("empty_event", at, "the empty event never fires")
        if (other := folded.setdefault(same_key(event), event)) != event:
            yield _warn("ambiguous_event", at, f"{event!r} and {other!r} differ only in case", state.name)
        targets = transition.targets()
        name = targets[0].state if targets else ""
        if any(same_key(name) == same_key(other) for other in state.on if other != event):
            message = f"the name of its target {name!r} is another event, so that name does not lead there"
            yield _warn("shadowed_event", at, message, state.name)


def _tools(state: State) -> Iterator[Fault]:
    at: tuple[Part, ...] = ("states", state.name)
    banned = Names.of((*state.disallowed_tools, *map(listed_name, state.disallowed_tools)))
    for index, entry in enumerate(state.allowed_tools or ()):
        if banned.match(entry) or banned.match(listed_name(entry)):
            message = f"{entry!r} is listed and banned; the ban wins"
            yield _warn("allow_deny_conflict", (*at, "allowed_tools", index), message, state.name)
    if state.allowed_commands is not None and not _runs_commands(state):
        message = "allowed_commands says nothing in a state that allows no Bash"
        yield _warn("commands_without_bash", (*at, "allowed_commands"), message, state.name)


def _runs_commands(state: State) -> bool:
    if state.allowed_tools is None or state.allowed_commands_tool is not None:
        return True
    return any(canonical_name(entry) == "Bash" for entry in state.allowed_tools) or Names.of(state.allowed_tools).match(
        "Bash"
    )


def _branches(definition: Definition) -> Iterator[Fault]:
    for name, place, transition in transitions(definition):
        if not isinstance(transition, Choice):
            continue
        seen: list[frozenset[str]] = []
        for index, branch in enumerate(transition.branches):
            guards = frozenset(branch.guards)
            if any(earlier <= guards for earlier in seen):
                message = "an earlier branch is taken whenever this one could be"
                yield _warn("unreachable_branch", (*place, index), message, name)
            seen.append(guards)


def _interrupts(definition: Definition) -> Iterator[Fault]:
    """A detour asks nobody, so one that climbs is told, though the standard's rule speaks of edges only."""
    low = [state for state in definition.states.values() if not state.is_final]
    for name, interrupt in definition.interrupts.items():
        target = definition.states.get(interrupt.target)
        if target is None:
            continue
        below = [state.name for state in low if rung_of_state(target) - rung_of_state(state) >= 2]
        if below and definition.danger_level in ("moderate", "dangerous"):
            message = f"an edit in {below[0]!r} leads to {target.name!r} without approval, two rungs up or more"
            yield _warn("interrupt_escalation", ("interrupts", name, "target"), message, below[0], target.name)
