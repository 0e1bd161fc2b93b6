"""Fitting: whether a machine can follow an orchestrator's table, found out before any run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from agentfsm.edges import Graph
from agentfsm.errors import Finding
from agentfsm.statewright.definition import Definition
from agentfsm.statewright.following import unfollowable

__all__ = ("unfit",)


def unfit(definition: Definition, states: Mapping[Enum, str], graph: Graph) -> tuple[Finding, ...]:
    """
    Return what does not fit: lifecycle states that no state of the machine stands for, or that the table does not have,
    and edges of the table, its recovery's among them, that the machine has not.

    Ends need no state: no call is made there. Where they have one, what leads there has to be an edge, too.
    """
    entered = [node.state for node in graph.nodes if node.state is not None]
    known = {*entered, *graph.ends}
    unmapped = [
        Finding("unmapped_state", f"no state of machine {definition.id!r} stands for {state.name}; name one in states=")
        for state in dict.fromkeys(entered)
        if state not in states
    ]
    strays = [
        Finding("stray_state", f"states= speaks of {state}, which is no lifecycle state of this table")
        for state in states
        if state not in known
    ]
    moves = [(states[a], states[b]) for a, b in _edges(graph) if a in states and b in states]
    first = [(definition.initial, states[graph.start])] if graph.start in states else []
    closed = (fault.finding() for fault in unfollowable(definition, [*first, *moves]))
    return (*unmapped, *strays, *dict.fromkeys(closed))


def _edges(graph: Graph) -> Iterator[tuple[Enum, Enum]]:
    rescue = graph.recovery.exits if graph.recovery is not None else ()
    for node in graph.nodes:
        if node.state is not None:
            for target in (*node.exits, *rescue):
                yield node.state, target
