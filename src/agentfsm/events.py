"""
Events: what a log is made of.

A `StateTransitionEvent` is one committed step, one failure, or a run beginning, halting or going on: with everything
needed to fold it again. A `CallEvent` is what a stage asked of the world in between. Together, in order, they are the
run's log; entry 0 says which machine it belongs to and what the run was given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal, NoReturn, TypeAlias

from attrs import field, frozen

from agentfsm.errors import FrozenViewError
from agentfsm.frozen import FrozenMap
from agentfsm.guard import Decision
from agentfsm.records import Record
from agentfsm.state import AgentState, LastError

__all__ = (
    "CallEvent",
    "Candidate",
    "Edge",
    "Entry",
    "EventKind",
    "Header",
    "OpenEvent",
    "Signal",
    "StageLine",
    "StateTransitionEvent",
    "changed",
    "event",
    "seal",
)

EventKind: TypeAlias = Literal["began", "step", "failed", "halted", "resumed"]
Phase: TypeAlias = Literal["intent", "result", "error", "refused", "asked"]

FORMAT = 1


@frozen
class Candidate:
    """One exit that was considered, and why it was or was not taken."""

    target: Enum
    code: str


@frozen
class Edge:
    """What every event over the same edge has in common; one object is shared by all of them."""

    kind: EventKind
    stage: str
    source: Enum
    target: Enum
    exits: tuple[Candidate, ...] = ()
    text: str = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        told = {
            "kind": self.kind,
            "stage": self.stage,
            "from": self.source.name,
            "to": self.target.name,
            "exits": [[exit.target.name, exit.code] for exit in self.exits],
        }
        object.__setattr__(self, "text", json.dumps(told, separators=(",", ":"))[1:-1])


@frozen
class StageLine:
    """One line of the stage table in entry 0: what a stage may read, write and lead to."""

    name: str
    enters: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    exits: tuple[str, ...]


@frozen
class Header:
    """What entry 0 says about the run: format, machine, its structural hash (hex) and its stages."""

    machine: str
    version: str
    hash: str
    stages: tuple[StageLine, ...]
    session: str = ""
    parent: str = ""
    forked: tuple[str, int] | None = None
    format: int = FORMAT


@frozen
class Signal:
    """
    An answer from outside to a run that waits: approve or reject the call with that idempotency *key*.

    *by* names who answered, *reason* what a rejected stage is told.
    """

    action: Literal["approve", "reject"]
    key: str
    reason: str = ""
    by: str = ""


class OpenEvent:
    """
    The fields of an event, while they are filled in: one assignment each for those that differ from the class's own.

    Made once a step, this is a third of the price of a constructor with all of them.
    """

    run: str
    seq: int
    edge: Edge
    iteration: int
    started: int
    ended: int
    attempt: int = 1
    written: Mapping[type[Record], Record] = FrozenMap()
    owned: tuple[Record, ...] = ()
    learned: tuple[Record, ...] = ()
    earlier: Mapping[type[Record], Record] = FrozenMap()
    reads: frozenset[str] | None = None
    after: AgentState[object] | None = None
    header: Header | None = None
    signals: tuple[Signal, ...] = ()
    recorded: bytes | None = None
    trace: str = ""


class StateTransitionEvent(OpenEvent):
    """
    One committed step or one failure, or a run beginning, halting or going on.

    *patch* holds the records that a stage wrote, *owned* those that the orchestrator set with it (`LastError`,
    `Halted`, the limits), *learned* those that came of the stage's calls before it (guards' memories, what was spent);
    *earlier* what records with a trail were before, so that only what is new is stored. *reads* names what was read,
    where that differs from what is declared. *trace* is the W3C traceparent of the run's root span, in the first event
    that it covers. Times are nanoseconds since 1970.
    """

    @property
    def patch(self) -> Mapping[type[Record], Record]:
        """The records that the stage wrote, or that the run was given, by their class."""
        return MappingProxyType(dict(self.written))

    @property
    def kind(self) -> EventKind:
        """Which of the five kinds of event this is."""
        return self.edge.kind

    @property
    def stage(self) -> str:
        """The stage that ran; empty where none did."""
        return self.edge.stage

    @property
    def source(self) -> Enum:
        """The lifecycle state before."""
        return self.edge.source

    @property
    def target(self) -> Enum:
        """The lifecycle state after."""
        return self.edge.target

    @property
    def exits(self) -> tuple[Candidate, ...]:
        """The exits that were considered, each with its code."""
        return self.edge.exits

    @property
    def error(self) -> LastError | None:
        """The failure, where this event is one."""
        return next((r for r in self.owned if isinstance(r, LastError)), None) if self.edge.kind == "failed" else None

    @property
    def digest(self) -> bytes:
        """The digest of the state after this event, 16 bytes."""
        if self.recorded is None:
            return self.after.digest if self.after is not None else b""
        return self.recorded

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenViewError("an event does not change", path=name)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenViewError("an event does not change", path=name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateTransitionEvent):
            return NotImplemented
        return _told(self) == _told(other)

    def __hash__(self) -> int:
        return hash((self.run, self.seq))


def _told(event: StateTransitionEvent) -> tuple[object, ...]:
    e = event
    told = (
        e.run,
        e.seq,
        e.edge,
        e.iteration,
        e.attempt,
        dict(e.written),
        e.owned,
        e.reads,
        e.started,
        e.ended,
        e.learned,
    )
    return (*told, e.header, e.signals, e.digest)


def seal(filled: OpenEvent) -> StateTransitionEvent:
    """Turn a filled-in event into one that does not change."""
    sealed: Any = filled
    sealed.__class__ = StateTransitionEvent
    made: StateTransitionEvent = sealed
    return made


def event(**facts: Any) -> StateTransitionEvent:
    """Return an event with these fields; those of `OpenEvent` that are left out stay as they are there."""
    filled = OpenEvent()
    filled.__dict__.update(facts)
    return seal(filled)


def changed(old: StateTransitionEvent, **facts: Any) -> StateTransitionEvent:
    """Return an event like *old* but for these fields."""
    return event(**{**vars(old), **facts})


@frozen
class CallEvent:
    """
    What a stage asked of the world: the intent before the effect and the result after it, or a refusal.

    *key* is f(run, stage, iteration, index, tool, canonical arguments), the same whenever the call is made again.
    *arguments* and *result* are canonical JSON text. A call changes no state: what guards remember of it and what it
    spent is in the event that ends its attempt.
    """

    run: str
    seq: int
    phase: Phase
    stage: str
    lifecycle: Enum
    iteration: int
    attempt: int
    index: int
    key: str
    tool: str
    arguments: str
    effect: str
    decision: Decision | None = None
    result: str = ""
    error: tuple[str, str] | None = None
    tokens: int = 0
    started: int = 0
    ended: int = 0


Entry: TypeAlias = StateTransitionEvent | CallEvent
