"""The edges of a machine as data, apart from the stages that walk them, and the ways through them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from attrs import field, frozen

from agentfsm.errors import UsageError
from agentfsm.records import ReadSet, Record, WriteSet

__all__ = ("Graph", "Node", "Way", "can_reach", "must_pass", "targets_by_state", "way_of", "ways_from")

# Each state that was reached, and the one before it on a shortest way; None before the first.
Way = Mapping[Enum, Enum | None]


@frozen
class Node:
    """One row of a machine's table: where a stage enters, where it may go, what it reads and writes."""

    state: Enum | None  # None is the recovery's alone: it enters wherever a stage failed
    stage: str
    exits: tuple[Enum, ...]
    reads: ReadSet = field(default=ReadSet(frozenset(), frozenset()))
    writes: WriteSet = field(default=WriteSet(frozenset(), frozenset()))

    @property
    def place(self) -> str:
        """The name of its state on a way; for the recovery, of the stage."""
        return self.state.name if self.state else self.stage


@frozen
class Graph:
    """
    A machine's whole table.

    *given* is what `run` is surely given besides Metadata; None means that nobody said, and then it is what the start
    state requires and what no stage writes.
    """

    nodes: tuple[Node, ...]
    start: Enum
    final: frozenset[Enum]
    failed: Enum
    iterates: Enum | None = None
    recovery: Node | None = None
    given: frozenset[type[Record]] | None = None

    @property
    def ends(self) -> frozenset[Enum]:
        """The lifecycle states in which a run is over: the final ones and `failed`."""
        return self.final | {self.failed}


def can_reach(graph: Graph, state: Enum, *, without: Iterable[Enum] = ()) -> tuple[Enum, ...] | None:
    """
    Return a shortest way from the start to *state* that enters none of *without*, or None where there is none.

    A way goes along declared exits, from any stage along the exits of the recovery, and from any stage to `failed`.
    Raises `UsageError` for a state of another enum.
    """
    avoided = frozenset(without)
    _refuse_foreign(graph, (state, *avoided))
    return way_of(ways_from(graph, graph.start, avoided), state)


def must_pass(graph: Graph, a: Enum, b: Enum, *, through: Enum) -> tuple[Enum, ...] | None:
    """
    Return None when every way from *a* to *b* passes *through*, else a shortest one that does not.

    Ways are those of `can_reach`; *a* alone is a way from *a* to *a*. Where *b* cannot be reached from *a* at all,
    there is nothing to refute, and the answer is None. Raises `UsageError` for a state of another enum.
    """
    _refuse_foreign(graph, (a, b, through))
    return way_of(ways_from(graph, a, frozenset({through})), b)


def targets_by_state(graph: Graph) -> Mapping[Enum, tuple[Enum, ...]]:
    """Return the declared exits of each lifecycle state that a stage enters."""
    table: dict[Enum, tuple[Enum, ...]] = {}
    for node in graph.nodes:
        if node.state is not None:
            table[node.state] = tuple(dict.fromkeys((*table.get(node.state, ()), *node.exits)))
    return table


def ways_from(graph: Graph, source: Enum, avoided: frozenset[Enum] = frozenset()) -> Way:
    """Return every state that can be reached from *source* without entering *avoided*, breadth first."""
    if source in avoided:
        return {}
    table = targets_by_state(graph)
    # Any stage may fail, so the first one met gives the shortest way to these, and no later one need be asked.
    rescue = (*(graph.recovery.exits if graph.recovery else ()), graph.failed)
    came: dict[Enum, Enum | None] = {source: None}
    queue = deque([source])
    while queue:
        state = queue.popleft()
        if state not in table:
            continue
        for target in (*table[state], *rescue):
            if target not in came and target not in avoided:
                came[target] = state
                queue.append(target)
        rescue = ()
    return came


def way_of(came: Way, state: Enum) -> tuple[Enum, ...] | None:
    """Return the way to *state* that *came* holds, first state first."""
    return tuple(_back(came, state))[::-1] if state in came else None


def _back(came: Way, state: Enum) -> Iterator[Enum]:
    at: Enum | None = state
    while at is not None:
        yield at
        at = came[at]


def _refuse_foreign(graph: Graph, states: Iterable[Enum]) -> None:
    for state in states:
        if type(state) is not type(graph.start):
            raise UsageError(f"{state!r} is no lifecycle state of this machine; name a {type(graph.start).__name__}")
