"""Work on files, done in a thread so that the loop goes on; when the caller is cancelled, it is stopped and awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ("apart",)

T = TypeVar("T")


async def apart(work: Callable[[threading.Event], T]) -> T:
    """
    Return what *work* returns, run in a thread.

    Cancelling sets the event that *work* is given and waits until it returned: nothing goes on behind a run that ended.
    """
    stop = threading.Event()
    running = asyncio.ensure_future(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait((running,))
        if not running.cancelled():
            running.exception()  # what it raised is of no interest to anybody any more
        raise
