"""
How records flow through a graph: where each one may be absent, and where its value may still be read.

Both are fixed points over sets of records kept as bits of one integer, so a graph of hundreds of stages is a matter
of milliseconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from attrs import frozen

from agentfsm.edges import Graph, Node
from agentfsm.records import Lifecycle, Metadata, Record, RecordSet, is_record
from agentfsm.state import Iteration, LastError

__all__ = ("Absence", "Flow", "absences", "flow_of", "live_after")


@frozen(eq=False)
class Flow:
    """
    A graph compiled to bits: bit i stands for ``kinds[i]``.

    Vertices are the stages in order, the recovery last. The bit beyond the last record, `gets_here`, is never there
    and never written: it carries the plain way to each vertex along with the others.
    """

    graph: Graph
    kinds: tuple[type[Record], ...]
    nodes: tuple[Node, ...]
    at: Mapping[Enum, tuple[int, ...]]
    recovery: int | None
    given: int
    requires: tuple[int, ...]
    reads: tuple[int, ...]
    surely: tuple[int, ...]
    writes: tuple[int, ...]
    retired: Mapping[Enum, int]
    last_error: int

    @property
    def gets_here(self) -> int:
        """The bit of a record that no stage ever writes."""
        return 1 << len(self.kinds)

    def names(self, bits: int) -> Iterator[type[Record]]:
        """Yield the records that *bits* stands for."""
        return (kind for i, kind in enumerate(self.kinds) if bits >> i & 1)


@frozen(eq=False)
class Absence:
    """What may be absent on entering each vertex, and from where each bit first came there."""

    flow: Flow
    absent: tuple[int, ...]
    origins: tuple[tuple[tuple[int, int], ...], ...]

    def way(self, vertex: int, kind: type[Record]) -> tuple[str, ...]:
        """Return a shortest way from the start to *vertex* on which *kind* is not there at its end."""
        names: list[str] = []
        flow, bit = self.flow, 1 << self.flow.kinds.index(kind)
        while vertex >= 0:
            state = flow.nodes[vertex].state
            names.append(flow.nodes[vertex].place)
            before = next(source for bits, source in self.origins[vertex] if bits & bit)
            if state and flow.retired[state] & bit:  # it ends here whatever happened before
                bit = flow.gets_here
            vertex = before
        return tuple(reversed(names))


def flow_of(graph: Graph) -> Flow:
    """Compile *graph*; stages without a state are left out."""
    stages = tuple(node for node in graph.nodes if node.state is not None)
    nodes = (*stages, graph.recovery) if graph.recovery else stages
    kinds = _kinds(graph, nodes)
    at: dict[Enum, tuple[int, ...]] = {}
    for vertex, node in enumerate(stages):
        if node.state is not None:
            at[node.state] = (*at.get(node.state, ()), vertex)
    states = {graph.start, *at, *(target for node in nodes for target in node.exits)}
    return Flow(
        graph=graph,
        kinds=kinds,
        nodes=nodes,
        at=at,
        recovery=len(stages) if graph.recovery else None,
        given=_bits(kinds, _given(graph, nodes, kinds)),
        requires=tuple(_bits(kinds, node.reads.surely) for node in nodes),
        reads=tuple(_admitted(kinds, node.reads) for node in nodes),
        surely=tuple(_bits(kinds, node.writes.surely) for node in nodes),
        writes=tuple(_bits(kinds, node.writes.all) for node in nodes),
        retired=_retired(graph, kinds, states),
        last_error=_bits(kinds, {LastError}),
    )


def absences(flow: Flow) -> Absence:
    """
    Return what may be absent where: on some way there it was not given, not surely written, or retired since.

    The rounds go breadth first, so that each bit comes along a shortest way.
    """
    absent = [0] * len(flow.nodes)
    origins: list[list[tuple[int, int]]] = [[] for _ in flow.nodes]
    everything = (flow.gets_here << 1) - 1
    arriving = [(-1, vertex, everything & ~flow.given) for vertex in flow.at.get(flow.graph.start, ())]
    while arriving:
        fresh: dict[int, int] = defaultdict(int)
        for source, vertex, bits in arriving:
            if bits := bits & ~absent[vertex]:
                absent[vertex] |= bits
                origins[vertex].append((bits, source))
                fresh[vertex] |= bits
        arriving = [step for vertex, bits in fresh.items() for step in _onward(flow, vertex, bits)]
    return Absence(flow, tuple(absent), tuple(map(tuple, origins)))


def _onward(flow: Flow, vertex: int, bits: int) -> Iterator[tuple[int, int, int]]:
    """Yield what *bits* on entering *vertex* mean for those after it: (from, to, bits)."""
    leaving = bits & ~flow.surely[vertex]
    for target in flow.nodes[vertex].exits:
        for after in flow.at.get(target, ()):
            yield vertex, after, leaving | flow.retired[target]
    if flow.recovery is not None and vertex != flow.recovery:
        yield vertex, flow.recovery, bits & ~flow.last_error  # the patch is dropped, the error is there


def live_after(flow: Flow) -> tuple[int, ...]:
    """
    Return what is still of use after each vertex: on some way onward a stage reads it before it is overwritten or
    retired, or a run ends with it.

    A way that ends because a stage failed does not count, an exit that says `failed` does.
    """
    live, after = [0] * len(flow.nodes), [0] * len(flow.nodes)
    before: dict[int, list[int]] = defaultdict(list)
    for vertex, node in enumerate(flow.nodes):
        for target in node.exits:
            for onward in flow.at.get(target, ()):
                before[onward].append(vertex)
    waiting = set(range(len(flow.nodes)))
    while waiting:
        vertex = waiting.pop()
        after[vertex] = _useful(flow, live, vertex)
        found = flow.reads[vertex] | (after[vertex] & ~flow.surely[vertex])
        if flow.recovery is not None and vertex != flow.recovery:
            found |= live[flow.recovery]
        if found != live[vertex]:
            live[vertex] = found
            waiting.update(range(len(flow.nodes)) if vertex == flow.recovery else before[vertex])
    return tuple(after)


def _useful(flow: Flow, live: list[int], vertex: int) -> int:
    useful = 0
    for target in flow.nodes[vertex].exits:
        onward = flow.at.get(target)
        entering = -1 if onward is None else 0  # a run that ends shows all that it has
        for after in onward or ():
            entering |= live[after]
        useful |= entering & (flow.gets_here - 1) & ~flow.retired[target]
    return useful


def _kinds(graph: Graph, nodes: Iterable[Node]) -> tuple[type[Record], ...]:
    found = {Iteration, LastError, *(graph.given or ())}
    for node in nodes:
        found |= node.reads.all | node.writes.all
    return tuple(sorted(filter(is_record, found), key=lambda kind: (kind.__name__, kind.__module__, kind.__qualname__)))


def _bits(kinds: tuple[type[Record], ...], chosen: Iterable[type[Record]]) -> int:
    wanted = set(chosen)
    return sum(1 << i for i, kind in enumerate(kinds) if kind in wanted)


def _admitted(kinds: tuple[type[Record], ...], declared: RecordSet) -> int:
    return _bits(kinds, filter(declared.admits, kinds) if declared.layers else declared.all)


def _given(graph: Graph, nodes: Iterable[Node], kinds: Iterable[type[Record]]) -> Iterator[type[Record]]:
    """Yield what is there when the start state is entered."""
    wanted = frozenset(k for node in nodes if node.state is graph.start for k in node.reads.surely)
    written = [node.writes for node in nodes if len(node.writes)]
    direct = frozenset[type[Record]]().union(*(writes.all for writes in written))
    layered = [writes for writes in written if writes.layers]
    for kind in kinds:
        homeless = isinstance(kind.scope, frozenset) and graph.start not in kind.scope
        if homeless or issubclass(kind, Lifecycle):
            if kind is Iteration:
                yield kind
        elif issubclass(kind, Metadata):
            yield kind
        elif graph.given is not None:
            if kind in graph.given:
                yield kind
        elif kind in wanted or not (kind in direct or any(writes.covers(kind) for writes in layered)):
            yield kind


def _retired(graph: Graph, kinds: tuple[type[Record], ...], states: Iterable[Enum]) -> dict[Enum, int]:
    """Return what ends on entering each state."""
    homes: dict[frozenset[Enum], int] = defaultdict(int)
    iteration, error = 0, 0
    for i, kind in enumerate(kinds):
        if isinstance(kind.scope, frozenset):
            homes[kind.scope] |= 1 << i
        elif kind.scope == "iteration":
            iteration |= 1 << i
        elif kind is LastError:
            error = 1 << i
    found: dict[Enum, int] = {}
    for state in states:
        found[state] = error | (iteration if state is graph.iterates else 0)
        for scope, bits in homes.items():
            found[state] |= 0 if state in scope else bits
    return found
