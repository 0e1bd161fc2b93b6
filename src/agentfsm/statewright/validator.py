"""Validator: all faults of a definition, in their order, and what else deserves a look."""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from agentfsm.statewright.definition import Definition
from agentfsm.statewright.fault import Fault, ordered
from agentfsm.statewright.lints import lints
from agentfsm.statewright.safety import safety_faults
from agentfsm.statewright.structure import structure_faults

__all__ = ("faults_of", "verdicts")


def faults_of(
    definition: Definition, known_machines: Collection[str] | None = None, *, for_agents: bool
) -> tuple[Fault, ...]:
    """
    Return every fault of *definition*: of its structure, and with *for_agents* of its safety too.

    Names of invoked machines are checked where *known_machines* is given.
    """
    found = [*structure_faults(definition, known_machines)]
    if for_agents:
        found.extend(safety_faults(definition))
    return ordered(found)


def verdicts(definition: Definition, known_machines: Collection[str] | None = None) -> tuple[Fault, ...]:
    """
    Return every fault and warning about *definition*, each with a way through the machine as witness where it has one.

    Faults of safety do not keep a machine from being loaded; those of structure do (`Fault.refuses`).
    """
    found = ordered([*structure_faults(definition, known_machines), *safety_faults(definition), *lints(definition)])
    if not any(each.witness for each in found):
        return found
    routes = _routes(definition)
    return tuple(_witnessed(each, routes) for each in found)


def _witnessed(each: Fault, routes: dict[str, tuple[str, ...]]) -> Fault:
    """Lead the witness in from the initial state."""
    if not each.witness or each.witness[0] not in routes:
        return each
    return evolve(each, witness=(*routes[each.witness[0]], *each.witness[1:]))


def _routes(definition: Definition) -> dict[str, tuple[str, ...]]:
    """A shortest way from the initial state to each state that can be reached over declared edges."""
    found: dict[str, tuple[str, ...]] = {}
    if definition.initial in definition.states:
        found[definition.initial] = (definition.initial,)
    waiting = list(found)
    for name in waiting:
        state = definition.states[name]
        following = [target.state for _, transition in state.edges() for target in transition.targets()]
        for target in (*following, *(() if state.safe_next is None else (state.safe_next,))):
            if target in definition.states and target not in found:
                found[target] = (*found[name], target)
                waiting.append(target)
    return found
