"""Stages: the work done in one lifecycle state, with all that it may touch said in its header."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from types import EllipsisType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast, get_args

from attrs import field, frozen

from agentfsm.bounds import at_least, whole
from agentfsm.errors import DefinitionError, EnsureError, ModelError, RunError, StageTimeoutError
from agentfsm.header import exits_of, header_of, parameters_of
from agentfsm.places import place
from agentfsm.records import Business, Declared, DeclaredMaybe, Maybe, ReadSet, Record, RecordSet, WriteSet
from agentfsm.state import StatePatch
from agentfsm.view import View
from agentfsm.world import Context

__all__ = ("AnyStage", "Retry", "Stage", "Written")

T = TypeVar("T")
# What a stage with this write side may hand back. Annotate `run` with plain records: `Maybe` is for the header.
Written: TypeAlias = Declared[View[T], Record] | DeclaredMaybe[View[T], Record | None]

R_co = TypeVar("R_co", covariant=True, bound=Record | Maybe[Record])
W_co = TypeVar("W_co", covariant=True, bound=Business | Maybe[Business])
N_co = TypeVar("N_co", covariant=True, bound=Enum)


@frozen
class Retry:
    """
    How often a stage may be attempted, and on what; check, invariant and contract errors are never retried.

    *wait* seconds before the second attempt, doubled before each later one, *longest* at most. Raises `UsageError` for
    no attempt and for less than no time.
    """

    attempts: int = field(default=1, validator=whole(1))
    on: tuple[type[RunError], ...] = (EnsureError, ModelError, StageTimeoutError)
    wait: float = field(default=0.0, validator=at_least(0))
    longest: float = field(default=60.0, validator=at_least(0))


class Stage(ABC, Generic[R_co, W_co, N_co]):
    """
    The work done in one lifecycle state: ``class Fix(Stage[Reads, Writes, Exits], enters=Phase.FIX)``.

    *timeout* is in seconds for one attempt. *streams* names the record and the text field that emitted chunks add up
    to; *keeps_partial* keeps what was emitted as a `Partial` record when the stage is cut off. *nested* names
    the machine that a stage runs inside, where it does.
    """

    enters: ClassVar[Enum | None]
    reads: ClassVar[ReadSet]
    writes: ClassVar[WriteSet]
    exits: ClassVar[tuple[Enum, ...]]
    sees: ClassVar[RecordSet]
    header: ClassVar[Any]
    timeout: float | None = None
    retry: Retry = Retry()
    streams: ClassVar[tuple[type[Record], str] | None] = None
    keeps_partial: ClassVar[bool] = False
    nested: ClassVar[str] = ""

    # ``...`` means as inherited, which also lets attrs build a slotted stage anew; None is for a recovery.
    def __init_subclass__(cls, *, enters: Enum | EllipsisType | None = ...) -> None:
        super().__init_subclass__()
        try:
            _declare(cls, enters)
        except DefinitionError as error:
            raise error.at(place()) from None

    @property
    def name(self) -> str:
        """The stage's name in logs, traces and graphs."""
        return type(self).__name__

    @abstractmethod
    async def run(self, view: View[R_co], ctx: Context) -> StatePatch[Written[W_co]]:
        """Do the work: read the view, call the world through *ctx*, hand back what the header promises."""

    def check(self, view: View[R_co]) -> str | None:
        """Precondition over the ReadSet: what is wrong, or None."""

    def ensure(self, view: View[R_co | W_co]) -> str | None:
        """Postcondition over ReadSet and WriteSet, after the merge; its text is the feedback a retry gets."""

    def next(self, view: View[R_co | W_co]) -> N_co:
        """Choose the exit; a stage with one exit need not."""
        (only,) = self.exits
        return cast("N_co", only)


def _declare(cls: type[Stage[Any, Any, Any]], enters: Enum | EllipsisType | None) -> None:
    cls.header = header_of(cls, Stage)
    if not isinstance(enters, EllipsisType):
        cls.enters = enters
    if parameters_of(cls.header):  # generic: its subclasses fill it in
        return
    if not hasattr(cls, "enters"):
        raise DefinitionError(f"{cls.__name__} does not say where it enters: enters=Phase.A")
    reads, writes, exits = get_args(cls.header)
    declare(cls, ReadSet.parse(reads), WriteSet.parse(writes), exits_of(exits))
    chooses = any("next" in base.__dict__ for base in cls.__mro__ if base is not Stage)
    if len(cls.exits) > 1 and not chooses:
        raise DefinitionError(f"{cls.__name__} has {len(cls.exits)} exits and no `next` to choose")


def declare(cls: type[Stage[Any, Any, Any]], reads: ReadSet, writes: WriteSet, exits: tuple[Enum, ...]) -> None:
    """Set what a header says; raises `DefinitionError` for what no stage may write, two enums and a false `streams`."""
    cls.reads, cls.writes, cls.exits, cls.sees = reads, writes, exits, reads | writes
    if len({type(state) for state in (*exits, cls.enters) if state is not None}) > 1:
        raise DefinitionError(f"{cls.__name__} mixes two enums")
    if foreign := sorted(kind.__name__ for kind in writes.all if not issubclass(kind, Business)):
        raise DefinitionError(f"{cls.__name__} writes {', '.join(foreign)}; stages write Business records alone")
    if cls.streams is not None:
        _hold_streams(cls, *cls.streams)


def _hold_streams(cls: type[Stage[Any, Any, Any]], kind: type[Record], name: str) -> None:
    if kind not in cls.writes or kind.field_types.get(name) is not str:
        raise DefinitionError(f"{cls.__name__} streams {kind.__name__}.{name}, which is no text that it writes")


AnyStage: TypeAlias = Stage[Record | Maybe[Record], Business | Maybe[Business], Enum]
