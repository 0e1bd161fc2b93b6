"""Work on files, done in a thread so that the loop goes on; when the caller is cancelled, it is stopped and awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from agentfsm_stages.coding.unbroken import unbroken

__all__ = ("apart",)

T = TypeVar("T")


async def apart(work: Callable[[threading.Event], T]) -> T:
    """
    Return what *work* returns, run in a thread.

    Cancelling sets the event that *work* is given and waits until it returned: nothing goes on behind a run that ended.
    """
    stop = threading.Event()
    found = await unbroken(asyncio.to_thread(work, stop), stop.set)
    if stop.is_set():
        raise asyncio.CancelledError
    return found
