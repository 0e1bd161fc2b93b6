"""
The loop that every side runs, and what a side has to offer to be measured.

One iteration is three transitions: think, act, observe. Each writes one text into the state; observe goes back to think
until as many iterations as asked for are done. Nothing is called and nothing is computed, so what is left is the cost of
a transition.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

__all__ = ("GROWTH_ITERATIONS", "MESSAGE", "TRANSITIONS", "Side", "cpu", "cpu_async")

TRANSITIONS = 3
"""Transitions of one iteration."""

GROWTH_ITERATIONS = 10
"""Iterations of the loop that runs on a state which already holds messages; each adds one."""

MESSAGE = "the tests pass on this machine and on no other " * 4
"""One message of a conversation: some 190 characters."""


class Side(Protocol):
    """
    A framework under measurement: a module with these names.

    Every function returns CPU seconds, and None where the framework offers no such thing. *STARTUP* is a program that
    imports the framework and makes a machine of two stages.
    """

    NAME: str
    STARTUP: str

    def version(self) -> str: ...

    def bare(self, iterations: int) -> float | None:
        """Seconds a transition, nothing kept that the framework does not keep by itself."""

    def kept(self, iterations: int) -> float | None:
        """Seconds a transition with the framework's own journal, checkpointer or persister in memory."""

    def growth(self, messages: int) -> float | None:
        """Seconds a transition on a state that already holds *messages*, kept durably where the framework can."""

    def load(self, iterations: int) -> float | None:
        """Seconds to have the state back after a run of *iterations* that was kept: from a snapshot or a checkpoint."""

    def fold(self, iterations: int) -> float | None:
        """Seconds to fold and verify the whole log of a run of *iterations*."""


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call; garbage of earlier ones is collected first."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def cpu_async(work: Callable[[], Awaitable[object]]) -> float:
    """Return the CPU seconds of one awaited call, the loop's own start and end left out."""

    async def timed() -> float:
        gc.collect()
        start = time.process_time()
        await work()
        return time.process_time() - start

    return asyncio.run(timed())
