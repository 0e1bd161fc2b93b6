"""Validator: all faults of a definition, in their order, and what else deserves a look."""

from __future__ import annotations

from collections.abc import Collection

from agentfsm.statewright.definition import Definition
from agentfsm.statewright.fault import Fault, ordered
from agentfsm.statewright.safety import safety_faults
from agentfsm.statewright.structure import structure_faults

__all__ = ("faults_of",)


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
