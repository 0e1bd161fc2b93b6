"""A clock for tests: nobody waits, and every run tells the same times."""

from __future__ import annotations

import asyncio

from agentfsm.errors import UsageError

__all__ = ("ManualClock",)

SECOND = 1_000_000_000


class ManualClock:
    """
    A `Clock` that stands still until it is moved. Sleeping moves it and lets other tasks run, but takes no time.

    *start* is in nanoseconds since 1970. With *step*, each reading moves the clock by that many nanoseconds after it.
    """

    def __init__(self, start: int = 0, *, step: int = 0) -> None:
        self._now = start
        self._step = step
        self._slept: list[float] = []

    def now(self) -> int:
        """The time in nanoseconds since 1970."""
        told = self._now
        self._now += self._step
        return told

    async def sleep(self, seconds: float) -> None:
        """Move on by *seconds*, at once."""
        self._slept.append(seconds)
        self.move(seconds)
        await asyncio.sleep(0)

    def move(self, seconds: float) -> None:
        """Let *seconds* go by; raises `UsageError` for a time before now."""
        if seconds < 0:
            raise UsageError(f"a clock goes forward: {seconds} is less than 0")
        self._now += round(seconds * SECOND)

    @property
    def slept(self) -> tuple[float, ...]:
        """How many seconds each `sleep` was asked for, in order."""
        return tuple(self._slept)
