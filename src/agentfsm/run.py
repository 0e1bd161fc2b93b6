"""Runs: one execution with its log and outcome, as a value that never changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Generic, TypeVar, overload

from attrs import define, field, frozen

from agentfsm.events import Entry, StateTransitionEvent
from agentfsm.records import DeclaredMaybe, Lifecycle, Maybe, Metadata
from agentfsm.state import AgentState, Halted, LastError
from agentfsm.table import Table
from agentfsm.view import View

__all__ = ("Claim", "EventLog", "Outcome", "Run", "outcome_of")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
E_co = TypeVar("E_co", covariant=True)


class Outcome(Enum):
    """How a run ended, or why it stands still."""

    FINISHED = "finished"
    FAILED = "failed"
    SUSPENDED = "suspended"
    CANCELLED = "cancelled"
    EXHAUSTED = "exhausted"


# Halts that are no limit; every other reason names the limit that was reached.
_HALTS = {
    "approval": Outcome.SUSPENDED,
    "unknown_outcome": Outcome.SUSPENDED,
    "paused": Outcome.SUSPENDED,
    "child": Outcome.SUSPENDED,
    "cancelled": Outcome.CANCELLED,
}


def outcome_of(table: Table, state: AgentState[Any]) -> Outcome | None:
    """Return how a run in *state* ended, or None while it has work to do."""
    if state.lifecycle is table.failed:
        return Outcome.FAILED
    if state.lifecycle in table.final:
        return Outcome.FINISHED
    halted = state.records.get(Halted)
    return _HALTS.get(halted.reason, Outcome.EXHAUSTED) if isinstance(halted, Halted) else None


@define(eq=False)
class Claim:
    """Whether somebody is adding to a log right now: one for all runs that share the log, whatever drives them."""

    held: bool = False


class EventLog(Sequence[E_co]):
    """
    The first *length* entries of an append-only log that later runs share; what was added after them is not seen.

    Its first entry has the number *base*: 0, unless the run goes on from a snapshot.
    """

    __slots__ = ("_length", "base", "claim", "shared")

    def __init__(self, shared: list[E_co], length: int, base: int = 0, claim: Claim | None = None) -> None:
        self.shared = shared
        self.base = base
        self.claim = claim or Claim()
        self._length = length

    @property
    def end(self) -> int:
        """The number of the entry that comes next."""
        return self.base + self._length

    @property
    def newest(self) -> int:
        """The number of the entry that comes next in the shared log: more than `end` when somebody went on."""
        return self.base + len(self.shared)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[E_co]:
        shared = self.shared
        for place in range(self._length):
            yield shared[place]

    @overload
    def __getitem__(self, index: int) -> E_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[E_co, ...]: ...
    def __getitem__(self, index: int | slice) -> E_co | tuple[E_co, ...]:
        if isinstance(index, slice):
            return tuple(self.shared[place] for place in range(*index.indices(self._length)))
        return self.shared[range(self._length)[index]]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._length)

    def __repr__(self) -> str:
        return f"EventLog({list(self)!r})"


@frozen(eq=False)
class Run(Generic[T_co]):
    """
    One execution: its log, where it stands, and how it ended.

    `outcome` is None while there is work to do: after a single `step`, or at an earlier event (`at`).
    """

    id: str
    session: str
    state: AgentState[T_co]
    log: EventLog[Entry]
    outcome: Outcome | None
    children: Mapping[str, Run[Any]] = field(factory=dict[str, "Run[Any]"])
    stored: int = 0
    chain: bytes = b""
    attempt: int = 1
    rescue: bool = False
    trace: str = ""
    kept: tuple[int, int, int] = (0, 0, 0)  # the newest snapshot: its entries and bytes, and bytes of lines since

    @property
    def lifecycle(self) -> Enum:
        """The lifecycle state that the run is in."""
        return self.state.lifecycle

    @property
    def events(self) -> tuple[StateTransitionEvent, ...]:
        """The run's transitions, without the calls in between; see `log` for both."""
        return tuple(entry for entry in self.log if isinstance(entry, StateTransitionEvent))

    @property
    def error(self) -> LastError | None:
        """The failure that the run is in, or None."""
        found = self.state.records.get(LastError)
        return found if isinstance(found, LastError) else None

    @property
    def halted(self) -> Halted | None:
        """Why the run stands still and what it waits for, or None."""
        found = self.state.records.get(Halted)
        return found if isinstance(found, Halted) else None

    @property
    def digest(self) -> bytes:
        """The digest of the state, 16 bytes."""
        return self.state.digest

    def get(self, kind: DeclaredMaybe[View[Maybe[T_co] | Maybe[Lifecycle] | Maybe[Metadata]], T]) -> T:
        """Return a record of the state, or None."""
        return self.state.get(kind)
