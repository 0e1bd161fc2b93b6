"""Processes: started in a group of their own, with bounded output, and never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from attrs import frozen

from agentfsm import Site, ToolError
from agentfsm_stages.coding.bounds import LONGEST_TEXT, Bounded, HeadAndTail
from agentfsm_stages.coding.unbroken import unbroken

__all__ = ("Ended", "run_process")

_CHUNK = 65_536
# How long output is still read after the last process of the group was killed: one that left it may hold the pipe.
_GRACE = 0.5


@frozen
class Ended:
    """How a process ended: its exit status (minus the signal that killed it), and its output, both streams in one."""

    status: int
    output: Bounded
    timed_out: bool = False


async def run_process(
    command: Sequence[str], site: Site, seconds: float, *, given: bytes = b"", longest: int = LONGEST_TEXT
) -> Ended:
    """
    Run *command* in the workspace with the site's environment and nothing else, for *seconds* at most.

    When the time is up, when the caller is cancelled, and when the process ended but left others running, its whole
    group is killed. Raises `ToolError` where it cannot be started.
    """
    if not seconds > 0:
        raise ToolError(f"seconds is {seconds}; give the command some time")
    reading, writing = os.pipe()
    kept = HeadAndTail(longest)
    with tempfile.TemporaryFile() as source, os.fdopen(reading, "rb", buffering=0) as pipe:
        source.write(given)
        source.seek(0)
        cancelled = asyncio.Event()
        try:
            # A process that is there while its start is cancelled would be known to nobody.
            process = await unbroken(_started(command, site, source, writing), cancelled.set)
        finally:
            os.close(writing)
        collecting = asyncio.ensure_future(_collect(pipe, kept))
        timed_out = False
        try:
            timed_out = not cancelled.is_set() and not await _ends_within(process, seconds)
        finally:
            _kill(process)
            await unbroken(_end(process, collecting), cancelled.set)
    if cancelled.is_set():
        raise asyncio.CancelledError
    return Ended(process.returncode or 0, kept.text(), timed_out)


async def _ends_within(process: asyncio.subprocess.Process, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        return False
    return True


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill what is left of the group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _started(command: Sequence[str], site: Site, source: IO[bytes], writing: int) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=source,
            stdout=writing,
            stderr=writing,
            cwd=site.workspace,
            env=dict(site.environment),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ToolError(f"{command[0]} cannot be started: {error}", path=command[0]) from error


async def _collect(pipe: IO[bytes], kept: HeadAndTail) -> None:
    """Read until the last holder of the pipe's other end is gone; what is over the bound is read and dropped."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_CHUNK)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    try:
        while chunk := await reader.read(_CHUNK):
            kept.add(chunk)
    finally:
        transport.close()


async def _end(process: asyncio.subprocess.Process, collecting: asyncio.Future[None]) -> None:
    """Reap the leader of a group that was killed, and read the rest of the output."""
    await process.wait()
    await asyncio.wait((collecting,), timeout=_GRACE)
    if not collecting.done():
        collecting.cancel()
        await asyncio.wait((collecting,))
