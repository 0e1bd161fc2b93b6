"""Proofs over the lives of records: absent where required, written for nobody, written where they cannot live."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum

from agentfsm.edges import Graph, Node
from agentfsm.errors import Finding
from agentfsm.flow import Flow, absences, flow_of, live_after
from agentfsm.records import Lifecycle, Record, is_record

__all__ = ("by_name", "dead_writes", "homeless_writes", "in_order", "not_surely_written")


def not_surely_written(graph: Graph) -> tuple[Finding, ...]:
    """
    Records that a stage requires and that may be absent there, each with a shortest way on which they are.

    A record is there on a way when it was given or surely written and not retired since. A stage that fails writes
    nothing, and goes on where the recovery leads.
    """
    flow = flow_of(graph)
    absence = absences(flow)
    return tuple(
        Finding(
            "not_surely_written",
            f"{node.stage} requires {kind.__name__}, but {_absent(graph, kind)}",
            stage=node.stage,
            record=kind.__name__,
            path=absence.way(vertex, kind),
        )
        for vertex, node in enumerate(flow.nodes)
        for kind in flow.names(absence.absent[vertex] & flow.requires[vertex])
    )


def dead_writes(graph: Graph) -> tuple[Finding, ...]:
    """
    Records that a stage writes and that on every way are overwritten or retired before anyone reads them.

    A stage with several exits may choose by what it wrote, so its writes are of use; who reads a layer reads every
    record of it; and what is there when a run ends may be read by the caller.
    """
    flow = flow_of(graph)
    absence, after = absences(flow), live_after(flow)
    return tuple(
        Finding(
            "dead_write",
            f"{node.stage} writes {kind.__name__}, which is overwritten or retired before anything reads it",
            stage=node.stage,
            record=kind.__name__,
            path=_ending(flow, vertex, kind),
        )
        for vertex, node in enumerate(flow.nodes)
        if absence.absent[vertex] and len(set(node.exits)) == 1
        for kind in flow.names(flow.writes[vertex] & ~after[vertex])
    )


def homeless_writes(graph: Graph) -> tuple[Finding, ...]:
    """
    Records of some states that a stage writes and cannot take where it leads.

    Such a record is refused in a patch that leads elsewhere. So a stage that surely writes it can never take an exit
    out of its states, and one none of whose exits leads there can never write it.
    """
    return tuple(
        finding
        for node in graph.nodes
        for kind in by_name(filter(is_record, node.writes.all))
        if isinstance(kind.scope, frozenset)
        for finding in _homeless(node, kind, kind.scope)
    )


def by_name(kinds: Iterable[type[Record]]) -> tuple[type[Record], ...]:
    """Return *kinds* in the order of their names."""
    return tuple(sorted(kinds, key=lambda kind: (kind.__name__, kind.__module__)))


def in_order(states: Iterable[Enum]) -> tuple[Enum, ...]:
    """Return *states* in the order of their names: a set has none of its own."""
    return tuple(sorted(states, key=lambda state: (type(state).__name__, state.name)))


def _ending(flow: Flow, vertex: int, kind: type[Record]) -> tuple[str, ...]:
    """Name a way from *vertex* to where *kind* ends; the vertex alone where it only goes in circles."""
    bit = 1 << flow.kinds.index(kind)
    ways: deque[tuple[int, ...]] = deque([(vertex,)])
    seen: set[int] = set()
    while ways:
        way = ways.popleft()
        for target in flow.nodes[way[-1]].exits:
            names = (*(flow.nodes[v].place for v in way), target.name)
            if flow.retired[target] & bit:
                return names
            for after in flow.at.get(target, ()):
                if flow.surely[after] & bit:
                    return names
                if after not in seen:
                    seen.add(after)
                    ways.append((*way, after))
    return (flow.nodes[vertex].place,)


def _homeless(node: Node, kind: type[Record], scope: frozenset[Enum]) -> Iterator[Finding]:
    name, outside = kind.__name__, [target for target in dict.fromkeys(node.exits) if target not in scope]
    homes = ", ".join(state.name for state in in_order(scope))
    if len(outside) == len(set(node.exits)):
        text = f"{node.stage} writes {name}, which lives in {homes}, but no exit leads there"
        yield Finding("overlap", text, stage=node.stage, record=name)
    elif kind in node.writes.surely:
        for target in outside:
            text = f"{node.stage} always writes {name}, which lives in {homes}, so it can never go to {target}"
            path = (node.place, target.name)
            yield Finding("overlap", f"{text}: Maybe[{name}]", stage=node.stage, record=name, path=path)


def _absent(graph: Graph, kind: type[Record]) -> str:
    if issubclass(kind, Lifecycle):
        return f"only the orchestrator writes it, and not always: read Maybe[{kind.__name__}]"
    writers = [node.stage for node in graph.nodes if node.writes.admits(kind)]
    who = f"written by {', '.join(writers)}" if writers else "no stage writes it"
    when = ", it ends outside its states" if isinstance(kind.scope, frozenset) else ""
    if kind.scope == "iteration" and graph.iterates is not None:
        when = f", it ends on entering {graph.iterates}"
    return f"it may be absent ({who}{when}): write it on every way, or read Maybe[{kind.__name__}]"
