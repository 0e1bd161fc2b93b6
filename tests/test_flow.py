"""The analyses over bits say what walking every way says, on small random graphs; and they are quick on big ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.graph import Graph, Node, can_reach, dead_writes, findings, must_pass, not_surely_written, traps
from agentfsm.records import Business, ReadSet, Record, RecordSet, WriteSet, record
from tests.machines import ACT, DONE, FAILED, INIT, NOTHING, OBSERVE, THINK, Answer, Plan, Result, Thought

STATES = (INIT, THINK, ACT, OBSERVE)
KINDS: tuple[type[Record], ...] = (Answer, Thought, Plan, Result)
Kinds: TypeAlias = frozenset[type[Record]]
# Where a run may be: in which row, and what is there. The recovery is a row too.
Point: TypeAlias = tuple[Node, Kinds]


@st.composite
def sides(draw: st.DrawFn) -> tuple[Kinds, Kinds]:
    """What one side of a header declares: surely, and perhaps."""
    said = draw(st.lists(st.sampled_from("..sp"), min_size=len(KINDS), max_size=len(KINDS)))
    surely, perhaps = (frozenset(k for k, how in zip(KINDS, said, strict=True) if how == each) for each in "sp")
    return surely, perhaps


@st.composite
def rows(draw: st.DrawFn, state: Enum) -> Node:
    """A row with up to three exits, to anywhere; half of them read nothing, so that writes can be dead."""
    exits = draw(st.lists(st.sampled_from((*STATES, DONE, FAILED)), max_size=3, unique=True))
    reads = draw(st.just((NOTHING, NOTHING)) | sides())
    return Node(state, state.name.title(), tuple(exits), ReadSet(*reads), WriteSet(*draw(sides())))


@st.composite
def recoveries(draw: st.DrawFn) -> Node:
    """A recovery with one or two exits."""
    exits = draw(st.lists(st.sampled_from((*STATES, DONE, FAILED)), min_size=1, max_size=2, unique=True))
    reads = draw(st.just((NOTHING, NOTHING)) | sides())
    return Node(None, "Recover", tuple(exits), ReadSet(*reads), WriteSet(NOTHING, NOTHING))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph over some of four states; the start has a stage."""
    entered = (INIT, *draw(st.lists(st.sampled_from(STATES[1:]), min_size=1, unique=True)))
    return Graph(
        tuple(draw(rows(state)) for state in entered),
        INIT,
        frozenset({DONE}),
        FAILED,
        draw(st.none() | st.sampled_from(entered)),
        draw(st.none() | recoveries()),
        draw(st.none() | st.frozensets(st.sampled_from(KINDS))),
    )


def surviving(graph: Graph, there: Kinds, target: Enum) -> Kinds:
    """What of *there* is still there on entering *target*."""
    return frozenset(
        kind
        for kind in there
        if not (kind.scope == "iteration" and target is graph.iterates)
        and not (isinstance(kind.scope, frozenset) and target not in kind.scope)
    )


def beginning(graph: Graph) -> Kinds:
    """What a run begins with, as it is documented."""
    (first,) = (node for node in graph.nodes if node.state is graph.start)
    written = NOTHING.union(*(node.writes.all for node in graph.nodes))
    there = first.reads.surely | (frozenset(KINDS) - written) if graph.given is None else graph.given
    return frozenset(k for k in there if not isinstance(k.scope, frozenset) or graph.start in k.scope)


def patches(writes: RecordSet) -> Iterator[Kinds]:
    """Every set of records that a stage may write."""
    perhaps = sorted(writes.perhaps, key=lambda kind: kind.__name__)
    for count in range(len(perhaps) + 1):
        for chosen in itertools.combinations(perhaps, count):
            yield writes.surely | frozenset(chosen)


def entering(graph: Graph, target: Enum, there: Kinds) -> Iterator[Point]:
    yield from ((node, surviving(graph, there, target)) for node in graph.nodes if node.state is target)


def steps(graph: Graph, point: Point) -> Iterator[Point]:
    """Every next point: each exit with each patch, and a failure."""
    node, there = point
    for target, patch in itertools.product(node.exits, patches(node.writes)):
        yield from entering(graph, target, there | patch)
    if graph.recovery and node is not graph.recovery:
        yield graph.recovery, there


def points(graph: Graph) -> set[tuple[str, Kinds]]:
    """Every point that a run can come to, by walking."""
    first = next(node for node in graph.nodes if node.state is graph.start)
    seen: dict[tuple[str, Kinds], Point] = {}
    waiting: list[Point] = [(first, beginning(graph))]
    while waiting:
        point = waiting.pop()
        key = (point[0].stage, point[1])
        if key not in seen:
            seen[key] = point
            waiting.extend(steps(graph, point))
    return set(seen)


@settings(max_examples=500)
@given(graphs())
def test_absence_is_what_walking_finds(graph: Graph) -> None:
    """A required record is reported exactly where some run comes without it."""
    reads = {node.stage: node.reads.surely for node in (*graph.nodes, *filter(None, [graph.recovery]))}
    walked = {(stage, k.__name__) for stage, there in points(graph) for k in reads[stage] - there}

    assert walked == {(f.stage, f.record) for f in not_surely_written(graph)}


def follow(graph: Graph, path: tuple[str, ...], kind: type[Record]) -> bool:
    """Whether *path* is walked by some run that comes to its end without *kind*."""
    front = [(node, beginning(graph)) for node in graph.nodes if node.place == path[0] == graph.start.name]
    for name in path[1:]:
        onward = [step for point in front for step in steps(graph, point) if step[0].place == name]
        front = list({(node.stage, there): (node, there) for node, there in onward}.values())
    return any(kind not in there for _, there in front)


@given(graphs())
def test_a_witness_of_absence_can_be_walked(graph: Graph) -> None:
    """The way that a finding shows is a way, and the record is not there at its end."""
    named = {kind.__name__: kind for kind in KINDS}

    assert [] == [f for f in not_surely_written(graph) if not follow(graph, f.path, named[f.record])]


def is_used(graph: Graph, node: Node, kind: type[Record]) -> bool:
    """Whether a value of *kind* that *node* writes may be read by anyone on any way onward, by walking."""
    seen: set[str] = set()
    waiting = [(node, True)]
    while waiting:
        at, fresh = waiting.pop()
        if not fresh:
            if kind in at.reads.all or (graph.recovery and kind in graph.recovery.reads.all):
                return True
            if at.stage in seen:
                continue
            seen.add(at.stage)
        targets = at.exits if fresh or kind not in at.writes.surely else ()
        rescue = graph.recovery.exits if graph.recovery and not fresh else ()
        for target in (*targets, *rescue):
            if kind not in surviving(graph, frozenset({kind}), target):
                continue
            if target in (DONE, FAILED) or all(n.state is not target for n in graph.nodes):
                return True
            waiting.extend((n, False) for n in graph.nodes if n.state is target)
    return False


@settings(max_examples=500)
@given(graphs())
def test_dead_writes_are_what_walking_finds(graph: Graph) -> None:
    """A write is reported exactly where no way onward leads to a reader or an end with it still there."""
    reached = {stage for stage, _ in points(graph)}
    walked = {
        (node.stage, kind.__name__)
        for node in graph.nodes
        if node.stage in reached and len(node.exits) == 1
        for kind in node.writes.all
        if not is_used(graph, node, kind)
    }

    assert walked == {(f.stage, f.record) for f in dead_writes(graph)}


def edges_of(graph: Graph) -> set[tuple[Enum, Enum]]:
    """Every step between states that a run may make, failures among them."""
    recovery = graph.recovery.exits if graph.recovery else ()
    return {(n.state, t) for n in graph.nodes if n.state for t in (*n.exits, *recovery, graph.failed)}


def simple_ways(graph: Graph, a: Enum, b: Enum) -> Iterator[tuple[Enum, ...]]:
    """Every way from *a* to *b* that enters no state twice, by enumeration."""
    edges = edges_of(graph)
    for count in range(len(STATES) + 2):
        for between in itertools.permutations({*STATES, DONE, FAILED} - {a, b}, max(0, count - 1)):
            way = (a, *between, b) if count else (a,)
            if (
                (count or a is b)
                and (not count or a is not b)
                and all(step in edges for step in itertools.pairwise(way))
            ):
                yield way


ANYWHERE = st.sampled_from((*STATES, DONE, FAILED))


@given(graphs(), ANYWHERE, ANYWHERE, ANYWHERE)
def test_ways_are_what_enumeration_finds(graph: Graph, a: Enum, b: Enum, through: Enum) -> None:
    """There is a way around exactly if one can be enumerated, and the witness is a shortest of those."""
    around = [way for way in simple_ways(graph, a, b) if through not in way]
    found = must_pass(graph, a, b, through=through)
    direct = [way for way in simple_ways(graph, INIT, b) if through not in way]
    reached = can_reach(graph, b, without=[through])

    assert found in around if around else found is None
    assert reached in direct if direct else reached is None
    assert min(map(len, around), default=0) == len(found or ())
    assert min(map(len, direct), default=0) == len(reached or ())


@given(graphs())
def test_traps_are_what_enumeration_finds(graph: Graph) -> None:
    """A trap has no way to a final state along declared exits alone; an exit to nowhere is reported as such."""
    bare = Graph(graph.nodes, INIT, frozenset({DONE}), FAILED)
    entered = {node.state for node in graph.nodes}
    out = {DONE, *(target for node in graph.nodes for target in node.exits if target not in {*entered, FAILED})}
    walked = {
        n.stage for n in graph.nodes if n.state and not any(t for e in out for t in simple_ways(bare, n.state, e))
    }

    assert walked == {f.stage for f in traps(graph)}


def chain(states: list[Any]) -> Iterator[Node]:
    """A long chain in which each stage may begin anew and requires what the twenty before it wrote."""
    kinds: list[type[Record]] = []
    for state, after in itertools.pairwise(states[:-1]):
        sure = frozenset(kinds[-20:])
        kinds.append(record(type(f"Kind{len(kinds)}", (Business,), {"__annotations__": {"text": str}})))
        writes = WriteSet(frozenset({kinds[-1]}), NOTHING)
        yield Node(state, f"Stage{len(kinds)}", (after, states[0]), ReadSet(sure, NOTHING), writes)


def test_five_hundred_stages_are_proved() -> None:
    """A big table is no trouble: each fact comes to each stage once, whatever the number of ways."""
    make: Any = Enum
    states: list[Any] = list(make("Long", [f"S{i}" for i in range(502)]))
    first, *others = chain(states)

    assert () == findings(Graph((first, *others), states[0], frozenset({states[-2]}), states[-1]))
    unwritten = Node(first.state, first.stage, first.exits)
    assert 20 == len(
        findings(Graph((unwritten, *others), states[0], frozenset({states[-2]}), states[-1], given=NOTHING))
    )
