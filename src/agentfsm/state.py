"""AgentState: the immutable set of records over three layers and where a run stands; patches are how it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar

from agentfsm.canonical import record_text
from agentfsm.errors import FrozenViewError, PatchError
from agentfsm.records import DeclaredMaybe, Lifecycle, Maybe, Metadata, Record, RecordSet, name_of, record
from agentfsm.view import View, view_of_all

__all__ = ("AgentState", "Halted", "Iteration", "LastError", "Partial", "StatePatch", "state_of")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
EVERYTHING = RecordSet.parse(Record)
Mark: TypeAlias = tuple[Record, bytes, str]  # a record, the digest of its name and text, and its text


@record
class Iteration(Lifecycle):
    """How often the `iterates` state was entered: 1 on its first entry, one more on each later one, never else."""

    number: int = 0


@record
class LastError(Lifecycle):
    """
    The failure that the run is in: structured, never nested, retired by the next commit.

    *kind* is the error's class name, *event* the number of the event that it is in, *path* where in the state or the
    call, *causes* the chain of causes as text.
    """

    kind: str
    stage: str
    lifecycle: str
    message: str
    iteration: int = 0
    attempt: int = 1
    path: str = ""
    causes: tuple[str, ...] = ()
    event: int = 0


@record
class Halted(Lifecycle):
    """
    Why a run stands still without having ended: there from the halt until the run is resumed.

    *reason* is a stable code. With `at_door` the current lifecycle state is not entered yet: resuming enters it. With a
    *key* the run waits for an answer about one *call*: *tool*, its *arguments* as JSON, and *why* it is asked. The key
    is of this asking alone; from *expires* on, in nanoseconds since 1970, it answers nothing.
    """

    reason: str
    at_door: bool = False
    key: str = ""
    tool: str = ""
    arguments: str = ""
    why: str = ""
    call: str = ""
    expires: int | None = None


@record
class Partial(Lifecycle):
    """What a stage had already shown when it was cut off: kept on request, marked as what it is, and not committed."""

    stage: str
    text: str


class StatePatch(Generic[T_co]):
    """The records a stage hands back; applied whole or not at all. Raises `PatchError` for one record twice."""

    __slots__ = ("_records",)
    _records: dict[type[T_co], T_co]

    def __init__(self, *records: T_co) -> None:
        if len(records) == 1:  # most patches, and half the price
            record = records[0]
            self._records = {record.__class__: record}
            return
        self._records = {r.__class__: r for r in records}
        if len(self._records) != len(records):
            raise PatchError("the same record twice in one patch")

    @property
    def records(self) -> Mapping[type[T_co], T_co]:
        """The records, by their class."""
        return MappingProxyType(self._records)

    # Also the way to build one in steps: mypy joins ``patch = StatePatch(Diff(), Note())`` to StatePatch[Business].
    def __or__(self, other: StatePatch[T]) -> StatePatch[T_co | T]:
        return StatePatch(*self.records.values(), *other.records.values())

    def __eq__(self, other: object) -> bool:
        return self.records == other.records if isinstance(other, StatePatch) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.records))

    def __repr__(self) -> str:
        return f"StatePatch({', '.join(map(repr, self.records.values()))})"


class AgentState(Generic[T_co]):
    """
    The records of all layers, and the current lifecycle state. Immutable; a "change" is another state.

    The digest of each record is worked out once and kept for as long as the record is the current one.
    """

    __slots__ = ("_marks", "_records", "lifecycle")
    lifecycle: Enum
    _records: dict[type[Record], Record]
    _marks: dict[type[Record], Mark]

    @property
    def records(self) -> Mapping[type[Record], Record]:
        """All records, by their class."""
        return MappingProxyType(self._records)

    @property
    def iteration(self) -> int:
        """The number of the current iteration."""
        return self._records[Iteration].number  # type: ignore[attr-defined, no-any-return]  # an Iteration

    @property
    def view(self) -> View[Iteration | Maybe[Record]]:
        """A view of everything."""
        return view_of_all(self._records, EVERYTHING, set())

    def get(self, kind: DeclaredMaybe[View[Maybe[T_co] | Maybe[Lifecycle] | Maybe[Metadata]], T]) -> T:
        """Return the record of class *kind*, or None."""
        seen: View[Any] = self.view
        return kind.maybe(seen)

    def having(self, *records: Record) -> AgentState[T_co]:
        """Return this state with each of *records* in the place of its class."""
        return state_of(self.lifecycle, {**self._records, **{type(r): r for r in records}}, self._marks)

    def lacking(self, *kinds: type[Record]) -> AgentState[T_co]:
        """Return this state without the records of *kinds*."""
        return state_of(self.lifecycle, {k: r for k, r in self._records.items() if k not in kinds}, self._marks)

    def entering(self, lifecycle: Enum) -> AgentState[T_co]:
        """Return this state in another lifecycle state, with the same records."""
        return state_of(lifecycle, self._records, self._marks)

    @property
    def digest(self) -> bytes:
        """A digest of the lifecycle state and all records, 16 bytes; costs what changed since the last one asked."""
        return self._digest(f"{self.lifecycle._name_}\0".encode(), self._records.items())

    def layer_digest(self, layer: type[Record]) -> bytes:
        """A digest of the records of one layer alone, 16 bytes."""
        return self._digest(b"", ((kind, record) for kind, record in self._records.items() if issubclass(kind, layer)))

    def text_of(self, kind: type[Record]) -> str:
        """Return the canonical text of one record, worked out once for its digest and its line in the log."""
        record = self._records[kind]
        known = self._marks.get(kind)
        return known[2] if known is not None and known[0] is record else self._marked(kind, record)[2]

    def _digest(self, lifecycle: bytes, records: Iterable[tuple[type[Record], Record]]) -> bytes:
        # Sorted, so that the order in which records came about does not matter; each mark holds its record's name.
        marks = self._marks
        found = []
        for kind, value in records:
            known = marks.get(kind)
            found.append(known[1] if known is not None and known[0] is value else self._marked(kind, value)[1])
        found.sort()
        return blake2b(lifecycle + b"".join(found), digest_size=16).digest()

    def _marked(self, kind: type[Record], record: Record) -> Mark:
        text = record_text(record)
        mark = (record, blake2b(f"{name_of(kind)}\0{text}".encode(), digest_size=16).digest(), text)
        self._marks[kind] = mark
        return mark

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records.values())

    def __contains__(self, kind: object) -> bool:
        return kind in self._records

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgentState):
            return NotImplemented
        return self.lifecycle is other.lifecycle and self._records == other._records

    def __hash__(self) -> int:
        return hash((self.lifecycle, frozenset(self._records)))

    def __repr__(self) -> str:
        return f"AgentState({self.lifecycle.name}, {', '.join(map(repr, self._records.values()))})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenViewError("a state does not change; stages hand back a StatePatch", path=name)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenViewError("a state does not change", path=name)

    def __reduce__(self) -> tuple[object, ...]:
        return state_of, (self.lifecycle, self._records, {})


class _Open(AgentState[T_co]):
    """A state while it is filled; see `agentfsm.view`."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # type: ignore[assignment]  # until it is filled it does change
    __delattr__ = object.__delattr__  # type: ignore[assignment]  # both, or each assignment looks this one up


def state_of(lifecycle: Enum, records: dict[type[Record], Record], marks: dict[type[Record], Mark]) -> AgentState[Any]:
    """
    Return a state that owns *records*: nobody else may change that dict afterwards.

    *marks* is the lineage's memory of record digests, looked up by identity and shared by all its states.
    """
    state: Any = _Open()
    state.lifecycle = lifecycle
    state._records = records
    state._marks = marks
    state.__class__ = AgentState
    made: AgentState[Any] = state
    return made
