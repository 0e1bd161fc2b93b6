"""Work that is never left half done: awaited to its end, however often its caller is cancelled meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

__all__ = ("unbroken",)

T = TypeVar("T")


async def unbroken(work: Coroutine[Any, Any, T], cancelled: Callable[[], object]) -> T:
    """
    Return what *work* returns, once it has.

    *cancelled* is called for each cancellation that came meanwhile: the caller has to go on with it. What *work* raises
    is raised, unless there was one: then that is.
    """
    task = asyncio.ensure_future(work)
    was_cancelled = False
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            was_cancelled = True
            cancelled()
    if was_cancelled and not task.cancelled() and (error := task.exception()) is not None:
        raise asyncio.CancelledError from error
    return task.result()
