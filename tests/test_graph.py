"""Proofs over a machine's table: each way to be wrong is found, with a witness, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

import pytest

from agentfsm.errors import DefinitionError, Finding, UsageError
from agentfsm.graph import Graph, Node, can_reach, findings, must_pass
from agentfsm.records import Business, Maybe, Metadata, ReadSet, WriteSet, record
from agentfsm.state import Halted, Iteration, LastError


class Phase(Enum):
    INIT = auto()
    THINK = auto()
    ACT = auto()
    OBSERVE = auto()
    DONE = auto()
    FAILED = auto()


class Other(Enum):
    DONE = auto()


INIT, THINK, ACT, OBSERVE, DONE, FAILED = Phase


@record
class Question(Business):
    text: str = ""


@record
class Answer(Business):
    text: str = ""


@record(scope="iteration")
class Thought(Business):
    text: str = ""


@record(scope=Phase.ACT)
class Plan(Business):
    text: str = ""


@record(scope={Phase.ACT, Phase.OBSERVE})
class Result(Business):
    text: str = ""


@record
class Owner(Metadata):
    name: str = ""


def node(state: Enum | None, *exits: Enum, reads: object = None, writes: object = None, name: str = "") -> Node:
    """A row of the table, named after its state unless *name* is given; None reads or writes nothing."""
    return Node(
        state,
        name or (state.name.title() if state else "Recover"),
        exits,
        ReadSet.parse(reads) if reads is not None else ReadSet(frozenset(), frozenset()),
        WriteSet.parse(writes) if writes is not None else WriteSet(frozenset(), frozenset()),
    )


def graph(*nodes: Node, start: Enum = INIT, final: frozenset[Enum] = frozenset({DONE}), **more: object) -> Graph:
    """A graph of *nodes* with the usual ends."""
    return Graph(nodes, start, final, FAILED, **more)  # type: ignore[arg-type]  # each test names what it gives


def react(**more: object) -> Graph:
    """The classic loop, with nothing wrong in it."""
    return graph(
        node(INIT, THINK, reads=Question),
        node(THINK, ACT, OBSERVE, FAILED, reads=Question | Iteration | Maybe[Answer], writes=Thought),
        node(ACT, OBSERVE, FAILED, reads=Thought, writes=Maybe[Result]),
        node(OBSERVE, DONE, THINK, FAILED, reads=Thought | Maybe[Result], writes=Answer),
        iterates=THINK,
        **more,
    )


def facts(graph: Graph) -> list[tuple[str, str, str]]:
    """What is wrong with *graph*: code, stage and record of each finding."""
    return [(f.code, f.stage, f.record) for f in findings(graph)]


def found(graph: Graph, code: str) -> Finding:
    """The only finding of *code*."""
    (only,) = [f for f in findings(graph) if f.code == code]
    return only


def test_a_sound_graph_has_no_findings() -> None:
    """Nothing is reported where nothing is wrong."""
    assert () == findings(react())
    assert () == findings(react(recovery=node(None, THINK, FAILED, reads=LastError, name="Recover")))


SHAPES: list[tuple[str, Graph, list[tuple[str, str, str]]]] = [
    ("exit nowhere", graph(node(INIT, THINK, DONE)), [("dangling_exit", "Init", "")]),
    (
        "recovery leads nowhere",
        graph(node(INIT, DONE), recovery=node(None, ACT)),
        [("dangling_exit", "Recover", "")],
    ),
    ("no way there", graph(node(INIT, DONE), node(ACT, DONE)), [("unreachable_stage", "Act", "")]),
    ("only the recovery leads there", graph(node(INIT, DONE), node(ACT, DONE), recovery=node(None, ACT)), []),
    (
        "round and round",
        graph(node(INIT, DONE, THINK), node(THINK, ACT), node(ACT, THINK)),
        [("trap", "Think", ""), ("trap", "Act", "")],
    ),
    ("only failed leads on", graph(node(INIT, DONE, THINK), node(THINK, FAILED)), [("trap", "Think", "")]),
    (
        "only the recovery leaves",
        graph(node(INIT, DONE, THINK), node(THINK, THINK), recovery=node(None, INIT)),
        [("trap", "Think", "")],
    ),
    ("no exit at all", graph(node(INIT, DONE, THINK), node(THINK)), [("trap", "Think", "")]),
    (
        "a dangling exit is no trap too",
        graph(node(INIT, ACT)),
        [("dangling_exit", "Init", "")],
    ),
    ("two stages", graph(node(INIT, DONE), node(INIT, DONE, name="Begin")), [("two_stages", "Begin", "")]),
    (
        "one name twice",
        graph(node(INIT, THINK, name="Work"), node(THINK, DONE, name="Work")),
        [("overlap", "Work", "")],
    ),
    ("start is final", graph(node(INIT, DONE), start=DONE), [("bad_start", "", "")]),
    ("start is failed", graph(node(INIT, DONE), start=FAILED), [("bad_start", "", "")]),
    ("nothing starts", graph(node(INIT, DONE), start=ACT), [("bad_start", "", "")]),
    ("no final", graph(node(INIT, FAILED), final=frozenset()), [("bad_final", "", ""), ("trap", "Init", "")]),
    ("failed is final", graph(node(INIT, DONE), final=frozenset({DONE, FAILED})), [("bad_final", "", "")]),
    ("a stage in a final state", graph(node(INIT, DONE), node(DONE, DONE)), [("bad_final", "Done", "")]),
    (
        "a stage in failed",
        graph(node(INIT, DONE, FAILED), node(FAILED, DONE)),
        [("bad_failed", "Failed", "")],
    ),
    ("iterates nowhere", graph(node(INIT, DONE), iterates=ACT), [("bad_iterates", "", "")]),
    ("iterates at the end", graph(node(INIT, DONE), iterates=DONE), [("bad_iterates", "", "")]),
    ("a stage without a state", graph(node(INIT, DONE), node(None, DONE)), [("bad_recovery", "Recover", "")]),
    (
        "a recovery with a state",
        graph(node(INIT, DONE), recovery=node(ACT, DONE)),
        [("bad_recovery", "Act", "")],
    ),
    ("a recovery without exits", graph(node(INIT, DONE), recovery=node(None)), [("bad_recovery", "Recover", "")]),
    (
        "a recovery that writes",
        graph(node(INIT, DONE), recovery=node(None, DONE, writes=Answer)),
        [("bad_recovery", "Recover", "Answer")],
    ),
]


@pytest.mark.parametrize(("wrong", "facts_found"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_shapes(wrong: Graph, facts_found: list[tuple[str, str, str]]) -> None:
    """R1: each way in which edges can be wrong is found, alone, and names its stage."""
    assert facts_found == facts(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        graph(node(INIT, Other.DONE)),
        graph(node(INIT, DONE), node(Other.DONE, DONE)),
        graph(node(INIT, DONE), final=frozenset({DONE, Other.DONE})),
        graph(node(INIT, DONE), iterates=Other.DONE),
        graph(node(INIT, DONE), recovery=node(None, Other.DONE)),
        Graph((node(INIT, DONE),), INIT, frozenset({DONE}), Other.DONE),
    ],
)
def test_two_enums_are_refused_alone(wrong: Graph) -> None:
    """A state of another enum is named, and nothing that only follows from it."""
    assert ["mixed_enums"] == [f.code for f in findings(wrong)]


RECORDS: list[tuple[str, Graph, list[tuple[str, str, str]]]] = [
    ("what the start requires is given", graph(node(INIT, DONE, reads=Question)), []),
    ("what nobody writes is given", graph(node(INIT, THINK), node(THINK, DONE, reads=Question)), []),
    (
        "but not where the input is stated",
        graph(node(INIT, THINK), node(THINK, DONE, reads=Question), given=frozenset()),
        [("not_surely_written", "Think", "Question")],
    ),
    (
        "nor at the start",
        graph(node(INIT, DONE, reads=Question), given=frozenset({Answer})),
        [("not_surely_written", "Init", "Question")],
    ),
    (
        "written on one way only",
        graph(
            node(INIT, THINK, ACT),
            node(THINK, OBSERVE, writes=Answer),
            node(ACT, OBSERVE),
            node(OBSERVE, DONE, reads=Answer),
        ),
        [("not_surely_written", "Observe", "Answer")],
    ),
    (
        "written perhaps",
        graph(node(INIT, THINK, writes=Maybe[Answer]), node(THINK, DONE, reads=Answer)),
        [("not_surely_written", "Think", "Answer")],
    ),
    (
        "written through a layer",
        graph(node(INIT, THINK, writes=Maybe[Business]), node(THINK, DONE, reads=Answer)),
        [("not_surely_written", "Think", "Answer")],
    ),
    ("read perhaps", graph(node(INIT, THINK, writes=Maybe[Answer]), node(THINK, DONE, reads=Maybe[Answer])), []),
    (
        "a failed stage wrote nothing",
        graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, reads=Answer), recovery=node(None, THINK)),
        [("not_surely_written", "Think", "Answer")],
    ),
    (
        "ends with the iteration",
        graph(
            node(INIT, THINK),
            node(THINK, ACT, reads=Maybe[Thought], writes=Maybe[Thought]),
            node(ACT, THINK, DONE, reads=Thought),
            iterates=THINK,
        ),
        [("not_surely_written", "Act", "Thought")],
    ),
    (
        "input that ends with the iteration",
        graph(node(THINK, ACT, reads=Thought), node(ACT, THINK, DONE), start=THINK, iterates=THINK),
        [("not_surely_written", "Think", "Thought")],
    ),
    (
        "written on the edge where the iteration ends",
        graph(node(INIT, THINK, writes=Thought), node(THINK, DONE, reads=Thought), iterates=THINK),
        [("not_surely_written", "Think", "Thought"), ("dead_write", "Init", "Thought")],
    ),
    (
        "outside its states",
        graph(node(INIT, ACT, writes=Plan), node(ACT, OBSERVE, reads=Plan), node(OBSERVE, DONE, reads=Plan)),
        [("not_surely_written", "Observe", "Plan")],
    ),
    (
        "inside its states",
        graph(node(INIT, ACT, writes=Result), node(ACT, OBSERVE), node(OBSERVE, DONE, reads=Result)),
        [],
    ),
    (
        "cannot be given outside its states",
        graph(node(INIT, DONE, reads=Plan)),
        [("not_surely_written", "Init", "Plan")],
    ),
    ("always there", graph(node(INIT, DONE, reads=Iteration | Owner), given=frozenset()), []),
    ("the error in the recovery", graph(node(INIT, DONE), recovery=node(None, FAILED, reads=LastError)), []),
    ("the error elsewhere", graph(node(INIT, DONE, reads=LastError)), [("not_surely_written", "Init", "LastError")]),
    (
        "the error after the recovery",
        graph(node(INIT, DONE), node(ACT, DONE, reads=LastError), recovery=node(None, ACT)),
        [("not_surely_written", "Act", "LastError")],
    ),
    (
        "other facts of the orchestrator",
        graph(node(INIT, DONE, reads=Halted)),
        [("not_surely_written", "Init", "Halted")],
    ),
    (
        "required by the recovery",
        graph(node(INIT, DONE, writes=Answer), recovery=node(None, FAILED, reads=Answer)),
        [("not_surely_written", "Recover", "Answer")],
    ),
    (
        "overwritten unread",
        graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, writes=Answer)),
        [("dead_write", "Init", "Answer")],
    ),
    ("perhaps overwritten", graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, writes=Maybe[Answer])), []),
    ("left for the caller", graph(node(INIT, DONE, writes=Answer)), []),
    (
        "left for whom it failed",
        graph(node(INIT, THINK, writes=Answer), node(THINK, ACT, FAILED), node(ACT, DONE, writes=Answer)),
        [],
    ),
    (
        "read perhaps before it is overwritten",
        graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, reads=Maybe[Answer], writes=Answer)),
        [],
    ),
    (
        "read by a layer",
        graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, reads=Maybe[Business], writes=Answer)),
        [],
    ),
    (
        "read by the recovery",
        graph(
            node(INIT, THINK, writes=Answer),
            node(THINK, DONE, writes=Answer),
            recovery=node(None, THINK, reads=Maybe[Answer]),
        ),
        [],
    ),
    (
        "not even the recovery reads it",
        graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, writes=Answer), recovery=node(None, INIT)),
        [("dead_write", "Init", "Answer")],
    ),
    (
        "written to choose by",
        graph(node(INIT, THINK, ACT, writes=Answer), node(THINK, DONE, writes=Answer), node(ACT, DONE, writes=Answer)),
        [],
    ),
    (
        "retired unread",
        graph(node(INIT, ACT, writes=Plan), node(ACT, OBSERVE), node(OBSERVE, DONE)),
        [("dead_write", "Init", "Plan")],
    ),
    (
        "no exit into its states",
        graph(node(INIT, THINK, DONE, writes=Maybe[Plan]), node(THINK, DONE)),
        [("overlap", "Init", "Plan")],
    ),
    (
        "an exit that can never be taken",
        graph(node(INIT, ACT, DONE, writes=Plan), node(ACT, DONE, reads=Plan)),
        [("overlap", "Init", "Plan")],
    ),
    ("perhaps written on the way", graph(node(INIT, ACT, DONE, writes=Maybe[Plan]), node(ACT, DONE)), []),
]


@pytest.mark.parametrize(("wrong", "facts_found"), [row[1:] for row in RECORDS], ids=[row[0] for row in RECORDS])
def test_records(wrong: Graph, facts_found: list[tuple[str, str, str]]) -> None:
    """R1: what may be absent where it is required, and what is written for nobody, is found."""
    assert facts_found == facts(wrong)


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
        (graph(node(INIT, THINK, DONE)), "dangling_exit", ("INIT", "THINK")),
        (graph(node(INIT, DONE, reads=Plan)), "not_surely_written", ("INIT",)),
        (
            graph(node(THINK, ACT, reads=Thought), node(ACT, THINK, DONE), start=THINK, iterates=THINK),
            "not_surely_written",
            ("THINK", "ACT", "THINK"),
        ),
        (
            graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, reads=Answer), recovery=node(None, THINK)),
            "not_surely_written",
            ("INIT", "Recover", "THINK"),
        ),
        (
            graph(node(INIT, ACT, writes=Plan), node(ACT, OBSERVE), node(OBSERVE, DONE)),
            "dead_write",
            ("INIT", "ACT", "OBSERVE"),
        ),
        (
            graph(node(INIT, THINK, writes=Answer), node(THINK, DONE, writes=Answer)),
            "dead_write",
            ("INIT", "THINK"),
        ),
        (graph(node(INIT, ACT, DONE, writes=Plan), node(ACT, DONE, reads=Plan)), "overlap", ("INIT", "DONE")),
    ],
)
def test_a_finding_shows_the_way(wrong: Graph, code: str, path: tuple[str, ...]) -> None:
    """The witness is a shortest way on which it goes wrong; the recovery stands in it under its name."""
    assert path == found(wrong, code).path


def test_the_message_names_stage_record_and_way_out() -> None:
    """One reads what is missing, who writes it, when it ends and what to do."""
    wrong = graph(
        node(INIT, THINK),
        node(THINK, ACT, writes=Maybe[Thought]),
        node(ACT, THINK, DONE, reads=Thought),
        iterates=THINK,
    )
    text = (
        "Act requires Thought, but it may be absent (written by Think, it ends on entering Phase.THINK): "
        "write it on every way, or read Maybe[Thought] (INIT -> THINK -> ACT) [not_surely_written]"
    )

    assert text == str(found(wrong, "not_surely_written"))


def test_all_findings_come_in_one_error() -> None:
    """R1: nobody repairs one fault only to be told of the next."""
    wrong = graph(node(INIT, ACT, DONE, reads=Halted), node(THINK, THINK))

    with pytest.raises(DefinitionError) as caught:
        DefinitionError.raise_any(findings(wrong))

    assert ["dangling_exit", "unreachable_stage", "trap", "not_surely_written"] == [
        f.code for f in caught.value.findings
    ]


REACH: list[tuple[Enum, tuple[Enum, ...], tuple[Enum, ...] | None]] = [
    (INIT, (), (INIT,)),
    (ACT, (), (INIT, THINK, ACT)),
    (DONE, (), (INIT, THINK, OBSERVE, DONE)),
    (DONE, (OBSERVE,), None),
    (OBSERVE, (ACT,), (INIT, THINK, OBSERVE)),
    # any stage may fail
    (FAILED, (), (INIT, FAILED)),
    (INIT, (INIT,), None),
    (ACT, (ACT,), None),
]


@pytest.mark.parametrize(("state", "without", "way"), REACH)
def test_can_reach(state: Enum, without: tuple[Enum, ...], way: tuple[Enum, ...] | None) -> None:
    """A shortest way is the witness; without the states it needs there is none."""
    assert way == can_reach(react(), state, without=without)


PASSES: list[tuple[Enum, Enum, Enum, tuple[Enum, ...] | None]] = [
    (INIT, DONE, OBSERVE, None),
    (INIT, DONE, ACT, (INIT, THINK, OBSERVE, DONE)),
    (ACT, ACT, OBSERVE, (ACT,)),
    (DONE, INIT, ACT, None),
    (INIT, ACT, INIT, None),
]


@pytest.mark.parametrize(("a", "b", "through", "way"), PASSES)
def test_must_pass(a: Enum, b: Enum, through: Enum, way: tuple[Enum, ...] | None) -> None:
    """None is the proof; a way around is the counterexample."""
    assert way == must_pass(react(), a, b, through=through)


def test_a_recovery_opens_ways() -> None:
    """What only holds while nothing fails is not proved."""
    around = react(recovery=node(None, DONE, reads=LastError))

    assert (INIT, DONE) == must_pass(around, INIT, DONE, through=OBSERVE)
    assert (INIT, DONE) == can_reach(around, DONE, without=(OBSERVE,))


@pytest.mark.parametrize(
    "ask", [lambda g: can_reach(g, Other.DONE), lambda g: must_pass(g, INIT, DONE, through=Other.DONE)]
)
def test_a_state_of_another_enum_is_refused(ask: object) -> None:
    """A question about a foreign state has no answer; an answer of "no way" would be taken for a proof."""
    with pytest.raises(UsageError, match="Phase"):
        ask(react())  # type: ignore[operator]  # a table of lambdas


def chain(length: int) -> Iterator[Node]:
    """A long chain in which each stage writes what all later ones require."""
    states = list(Enum("Long", [f"S{i}" for i in range(length + 2)]))  # type: ignore[misc]  # as many as asked for
    kinds = [record(type(f"Kind{i}", (Business,), {"__annotations__": {"text": str}})) for i in range(length)]
    for i, (state, after) in enumerate(zip(states, states[1:-1], strict=False)):
        sure = frozenset(kinds[max(0, i - 20) : i])
        yield Node(
            state, f"Stage{i}", (after, states[0]), ReadSet(sure, frozenset()), WriteSet({kinds[i]}, frozenset())
        )  # type: ignore[arg-type]  # any set will do


def test_five_hundred_stages_are_proved() -> None:
    """A big table is no trouble: the analyses are fixed points over bits, not searches over ways."""
    nodes = tuple(chain(500))
    big = Graph(nodes, nodes[0].exits[1], frozenset({nodes[-1].exits[0]}), type(nodes[0].state)["S501"])  # type: ignore[index]  # an enum made above

    assert () == findings(big)
