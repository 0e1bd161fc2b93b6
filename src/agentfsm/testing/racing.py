"""A race: several writers add to one run of one store at the same time, in processes of their own."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

from agentfsm.errors import ConflictError
from agentfsm.store import Store

__all__ = ("race",)

RUN = "raced"


def race(place: Callable[[], Store], *, writers: int, lines: int, shared: bool = True) -> tuple[int, ...]:
    """
    Let *writers* add lines ``[WRITER,NUMBER]`` until run ``raced`` has at least *lines*; return how many each added.

    They are processes where the place is *shared* between processes, threads where it is not.
    """
    spawn = multiprocessing.get_context("spawn")
    pool: Executor = ProcessPoolExecutor(writers, mp_context=spawn) if shared else ThreadPoolExecutor(writers)
    with pool:
        return tuple(pool.map(_write, [place] * writers, range(writers), [lines] * writers))


def _write(place: Callable[[], Store], writer: int, lines: int) -> int:
    return asyncio.run(_written(place, writer, lines))


async def _written(place: Callable[[], Store], writer: int, lines: int) -> int:
    store, done = place(), 0
    try:
        # Everybody adds one line, so that each has begun before the race is over.
        while (head := await store.head(RUN)) < lines or not done:
            try:
                await store.append(RUN, head, [f"[{writer},{done}]"])
                done += 1
            except ConflictError:
                continue
    finally:
        await store.close()
    return done
