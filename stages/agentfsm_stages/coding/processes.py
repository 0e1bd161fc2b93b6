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
        try:
            process = await _started(command, site, source, writing)
        finally:
            os.close(writing)
        collecting = asyncio.ensure_future(_collect(pipe, kept))
        timed_out = False
        try:
            async with asyncio.timeout(seconds):
                await process.wait()
        except TimeoutError:
            timed_out = True
        finally:
            await asyncio.shield(_end(process, collecting))
    return Ended(process.returncode or 0, kept.text(), timed_out)


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
    """Kill what is left of the group, reap its leader, and read the rest of the output."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    await asyncio.wait((collecting,), timeout=_GRACE)
    if not collecting.done():
        collecting.cancel()
        await asyncio.wait((collecting,))
