"""Watching: a run's items through a bounded queue, safe to leave at any point."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

from agentfsm.run import Run
from agentfsm.streaming import Ended, Item, Sink

__all__ = ("watched",)

S = TypeVar("S")
ROOM = 64  # items that may wait for a slow consumer before the run waits too


async def watched(start: Callable[[Sink], Awaitable[Run[S]]]) -> AsyncIterator[Item[S]]:
    """Give the items of the run that *start* drives, then `Ended`; raises what it raises, after its items."""
    import asyncio

    queue: asyncio.Queue[Item[Any]] = asyncio.Queue(ROOM)
    left = False

    async def show(item: Item[Any]) -> None:
        if not left:  # nobody makes room any more, and a run that is being cancelled has more to tell
            await queue.put(item)

    task = asyncio.ensure_future(start(show))
    waiting = asyncio.ensure_future(queue.get())
    try:
        while True:
            await asyncio.wait({waiting, task}, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                yield waiting.result()
                waiting = asyncio.ensure_future(queue.get())
            elif queue.empty():
                break
            else:  # an item came in while the run ended: let the getter have it
                await asyncio.sleep(0)
        yield Ended(await task)
    finally:
        left = True
        waiting.cancel()
        task.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)
