"""Ports to the world: everything that a stage or the loop asks of it, as small protocols."""

from __future__ import annotations

import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from enum import Enum
from typing import Protocol, TypeVar

from attrs import field, frozen

from agentfsm.tools import Tool

__all__ = ("Clock", "Context", "Journal", "SystemClock", "World")

T = TypeVar("T")


class Clock(Protocol):
    """Tells the time and waits; tests drive their own."""

    def now(self) -> int:
        """The time in nanoseconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Return after *seconds*."""


class SystemClock:
    """The machine's clock."""

    now = staticmethod(time.time_ns)

    async def sleep(self, seconds: float) -> None:
        """Return after *seconds*."""
        import asyncio

        await asyncio.sleep(seconds)


def _new_id() -> str:
    return os.urandom(16).hex()


@frozen
class World:
    """What the orchestrator takes from outside: time, names for runs, and chance (a number in [0, 1))."""

    clock: Clock = field(factory=SystemClock)
    new_id: Callable[[], str] = _new_id
    random: Callable[[], float] = random.random


class Journal(Protocol):
    """
    Where the lines of logs go, one line of JSON an entry; refuses a writer whose view of the head is stale.

    A line that was acknowledged is there for good. Journals do not look into lines.
    """

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""

    def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on; none for a run that is not there."""

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""


class Context(Protocol):
    """
    What a stage may use besides its view. Everything it asks of the world goes through here and is recorded.

    When a run is resumed in the middle of a stage, the stage starts again from its top and every call that the log
    has is answered from the log, in order; a call that differs raises `ReplayMismatchError`.
    """

    @property
    def run_id(self) -> str:
        """The run that this stage is part of."""

    @property
    def lifecycle(self) -> Enum:
        """The lifecycle state that the run is in."""

    @property
    def attempt(self) -> int:
        """1 at first, one more for each retry."""

    @property
    def feedback(self) -> tuple[str, ...]:
        """Why each earlier attempt at this stage was refused, oldest first."""

    @property
    def tools(self) -> tuple[type[Tool[object]], ...]:
        """The tools that the guards allow now: the ones to offer to a model."""

    async def call(self, tool: Tool[T], /) -> T:
        """
        Ask the guards, make the call and return its answer.

        Raises `ToolRefusedError` when a guard denies, `ToolError` when the tool fails. When a guard asks for approval
        the stage ends here and the run waits.
        """

    async def gather(self, *tools: Tool[T]) -> tuple[T, ...]:
        """
        Make independent calls at the same time; answers, indices and log follow the declared order.

        Raises `ConflictingCallsError` before any of them runs when two write the same thing.
        """

    async def call_named(self, name: str, arguments: object, /) -> object:
        """Make a call that a model names in its own JSON; raises `ToolError` when name or arguments do not fit."""

    async def ask(self, what: str, request: object, answer: type[T], do: Callable[[], Awaitable[T]], /) -> T:
        """
        Ask something of the world that is no tool, such as a model, and record the answer.

        *what* names it, *request* is frozen JSON or a frozen attrs value, *answer* the class of what *do* returns.
        """

    async def emit(self, text: str, /) -> None:
        """Show a piece of text before it is committed; see `Stage.streams`."""

    def now(self) -> int:
        """The time in nanoseconds since 1970, recorded."""

    def new_id(self) -> str:
        """A name that nothing else has, recorded."""

    def random(self) -> float:
        """A number in [0, 1), recorded."""
