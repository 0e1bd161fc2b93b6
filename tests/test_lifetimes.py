"""What may be absent where it is required, and what is written for nobody, is found with a witness."""

from __future__ import annotations

import pytest

from agentfsm.graph import Graph
from agentfsm.records import Business, Maybe
from agentfsm.state import Halted, Iteration, LastError
from tests.machines import (
    ACT,
    DONE,
    FAILED,
    INIT,
    OBSERVE,
    THINK,
    Answer,
    Owner,
    Plan,
    Question,
    Result,
    Thought,
    facts,
    found,
    graph,
    node,
)

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
    """What may be absent where it is required, and what is written for nobody, is found."""
    assert facts_found == facts(wrong)


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
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
