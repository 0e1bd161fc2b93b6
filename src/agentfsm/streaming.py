"""Streaming: what a run shows while it goes on. Chunks are provisional until the commit seals or voids them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from agentfsm.events import StateTransitionEvent
from agentfsm.guard import Decision
from agentfsm.run import Run

__all__ = (
    "Chunk",
    "Decided",
    "Ended",
    "Item",
    "Sealed",
    "Sink",
    "StageStarted",
    "ToolFinished",
    "ToolStarted",
    "Transition",
    "Voided",
)

S = TypeVar("S")


@frozen
class StageStarted:
    """A stage begins an attempt."""

    stage: str
    lifecycle: Enum
    iteration: int
    attempt: int


@frozen
class Chunk:
    """A piece of text that is not committed yet; *id* is run, event, attempt and number, joined by colons."""

    id: str
    stage: str
    text: str


@frozen
class ToolStarted:
    """A call that was allowed begins."""

    index: int
    tool: str
    arguments: str


@frozen
class ToolFinished:
    """A call ended; *text* is its answer as JSON, or the error."""

    index: int
    tool: str
    ok: bool
    text: str


@frozen
class Decided:
    """The guards decided on a call."""

    index: int
    tool: str
    decision: Decision


@frozen
class Transition:
    """An event was committed."""

    event: StateTransitionEvent


@frozen
class Sealed:
    """The chunks with these ids are committed: together they are *text*, the committed record's own."""

    stage: str
    ids: tuple[str, ...]
    text: str


@frozen
class Voided:
    """The chunks with these ids never were: the attempt that showed them failed, was cut off or waits."""

    stage: str
    ids: tuple[str, ...]
    reason: str
    kept: bool = False


@frozen
class Ended(Generic[S]):
    """The run ended, or stands still; always the last item."""

    run: Run[S]


Item: TypeAlias = StageStarted | Chunk | ToolStarted | ToolFinished | Decided | Transition | Sealed | Voided | Ended[S]
Sink: TypeAlias = Callable[[Item[Any]], Awaitable[None]]
