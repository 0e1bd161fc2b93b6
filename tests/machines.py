"""What the tests of graphs are about: lifecycle states, records, rows of a table and whole tables."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

from agentfsm.errors import Finding
from agentfsm.graph import Graph, Node, findings
from agentfsm.records import Business, Maybe, Metadata, ReadSet, Record, WriteSet, record
from agentfsm.state import Iteration


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
NOTHING: frozenset[type[Record]] = frozenset()


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
        ReadSet.parse(reads) if reads is not None else ReadSet(NOTHING, NOTHING),
        WriteSet.parse(writes) if writes is not None else WriteSet(NOTHING, NOTHING),
    )


def graph(*nodes: Node, **more: Any) -> Graph:
    """A graph of *nodes* that starts in INIT and has the usual ends, unless *more* says otherwise."""
    return Graph(nodes, **{"start": INIT, "final": frozenset({DONE}), "failed": FAILED, **more})


def react(**more: Any) -> Graph:
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
