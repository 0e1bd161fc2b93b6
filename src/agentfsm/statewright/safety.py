"""Validator, second part: what a machine for an agent has to promise."""

from __future__ import annotations

from collections.abc import Iterator

from agentfsm.statewright.definition import Definition, State, Target
from agentfsm.statewright.fault import Fault, fault
from agentfsm.statewright.plain import Part
from agentfsm.statewright.structure import leading_to
from agentfsm.statewright.tools import Rung, rung_of_list

__all__ = ("FAILED", "rung_of_state", "safety_faults")

FAILED = "failed"


def rung_of_state(state: State) -> Rung:
    """Return the rung of what *state* lists."""
    return rung_of_list(state.allowed_tools, is_final=state.is_final)


def safety_faults(definition: Definition) -> Iterator[Fault]:
    """Yield what is unsafe; the privilege rules apply to moderate and dangerous machines alone."""
    yield from _failing(definition)
    if definition.danger_level in ("moderate", "dangerous"):
        yield from _privilege(definition)


def _failing(definition: Definition) -> Iterator[Fault]:
    failed = definition.states.get(FAILED)
    if failed is None or not failed.is_final:
        yield fault("no_failed_state", ("states",), f'every machine needs a state {FAILED!r} with "type": "final"')
        return
    able = leading_to(definition, (FAILED,))
    for name, state in definition.states.items():
        if not state.is_final and name not in able:
            yield fault("cannot_fail", ("states", name), f"no way leads from {name!r} to {FAILED!r}", (name,))


def _privilege(definition: Definition) -> Iterator[Fault]:
    initial = definition.states.get(definition.initial)
    if initial is not None and rung_of_state(initial) > Rung.READ_ONLY:
        message = f"the initial state must be read-only, but reaches {rung_of_state(initial).name}"
        yield fault("initial_too_powerful", ("states", initial.name), message, (initial.name,))
    if not any(t.requires_approval for state in definition.states.values() for t in state.on.values()):
        level = definition.danger_level
        yield fault("no_approval_edge", ("states",), f"a {level} machine needs one edge with requires_approval")
    for state in definition.states.values():
        if not state.is_final:
            yield from _escalations(definition, state)


def _ways_out(state: State) -> Iterator[tuple[Target, tuple[Part, ...]]]:
    for event, transition in state.edges():
        for target in transition.targets():
            yield target, ("on", event, *target.at)
    if state.safe_next is not None:
        yield Target(state.safe_next, (), state.safe_next_asks), ("safe_next",)


def _escalations(definition: Definition, state: State) -> Iterator[Fault]:
    here = rung_of_state(state)
    for target, below in _ways_out(state):
        there = definition.states.get(target.state)
        if there is None or target.asks or rung_of_state(there) - here < 2:
            continue
        message = (
            f"{state.name!r} ({here.name}) leads to {there.name!r} ({rung_of_state(there).name}) without approval; "
            "set requires_approval, or climb one rung at a time"
        )
        yield fault("escalation", ("states", state.name, *below), message, (state.name, there.name))
