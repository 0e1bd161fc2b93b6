"""Proofs over a machine's table: each way in which edges can be wrong is found, and nothing else is."""

from __future__ import annotations

import pytest

from agentfsm.errors import DefinitionError
from agentfsm.graph import Graph, findings
from agentfsm.state import Halted, LastError
from tests.machines import ACT, DONE, FAILED, INIT, THINK, Answer, Other, facts, found, graph, node, react


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
    """Each way in which edges can be wrong is found, alone, and names its stage."""
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


def test_a_dangling_exit_shows_its_edge() -> None:
    """The witness is the edge itself."""
    assert ("INIT", "THINK") == found(graph(node(INIT, THINK, DONE)), "dangling_exit").path


def test_all_findings_come_in_one_error() -> None:
    """Nobody repairs one fault only to be told of the next."""
    wrong = graph(node(INIT, ACT, DONE, reads=Halted), node(THINK, THINK))

    with pytest.raises(DefinitionError) as caught:
        DefinitionError.raise_any(findings(wrong))

    assert ["dangling_exit", "unreachable_stage", "trap", "not_surely_written"] == [
        f.code for f in caught.value.findings
    ]
