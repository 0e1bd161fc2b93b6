"""The shared journal: tables in a Postgres database, for runs that several machines go on with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from agentfsm.errors import ConflictError, JournalError, UsageError
from agentfsm.journal.holding import FREE, Held, admitted, granted, released
from agentfsm.journal.postgres_tables import APPEND, BEGIN, KEEP, LEASE, NOW, RUNS, connected
from agentfsm.store import Kept, Lease, StoredRun

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ("PostgresJournal",)

T = TypeVar("T")
_PAGE = 1000


class PostgresJournal:
    """
    Keeps all runs in tables of *schema* in the database that *conninfo* names; one transaction a step.

    What was acknowledged is as durable as the server's ``synchronous_commit`` says. Leases go by the server's clock.
    Each event loop has one connection, made when it is first needed. Needs the extra ``agentfsm[postgres]``.
    """

    def __init__(self, conninfo: str, *, schema: str = "agentfsm") -> None:
        if not schema.isidentifier() or schema != schema.lower():
            raise UsageError(f"{schema!r} is no name for a schema: small letters, digits and underscores")
        self._conninfo = conninfo
        self._schema = schema
        self._links: WeakKeyDictionary[asyncio.AbstractEventLoop, _Link] = WeakKeyDictionary()

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        told = {"run": run, "expected": expected, "lines": list(lines), "session": session, "fence": fence}

        async def work(link: AsyncConnection[Any]) -> None:
            if lines:
                done = await link.execute(APPEND if expected else BEGIN, {**told, "count": len(lines)})
                if done.rowcount == len(lines):
                    return
            now = await _one(link, f"SELECT {NOW}")
            held = await _held(link, run)
            if held != FREE or fence is not None:
                admitted(held, run, fence, now)
            found = await _head(link, run)
            if found != expected or lines:
                raise ConflictError(run, expected=expected, found=found)

        await self._do(work)

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        found = await self._rows("SELECT id, first FROM runs WHERE name = %s", run)
        if not found:
            return
        number, first = found[0]
        if start < first:
            raise UsageError(f"run {run} is compacted: its lines begin at {first}; reopen it from its snapshot")
        told = f"SELECT line FROM entries WHERE run = %s AND seq >= %s ORDER BY seq LIMIT {_PAGE}"
        while page := await self._rows(told, number, start):
            for (line,) in page:
                yield line
            start += len(page)

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return await self._do(lambda link: _head(link, run))

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        told = "SELECT name FROM runs WHERE session = %s ORDER BY id DESC LIMIT 1"
        found = await self._rows(told, session) if session else []
        return str(found[0][0]) if found else None

    async def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs, oldest first."""
        return tuple(StoredRun(*row) for row in await self._rows(RUNS))

    async def keep(self, run: str, entries: int, text: str) -> None:
        """Keep a snapshot of a run's first *entries* lines in the place of an older one."""

        async def work(link: AsyncConnection[Any]) -> None:
            if entries > await _head(link, run):
                raise UsageError(f"run {run} has no {entries} lines to keep a snapshot of")
            await link.execute(KEEP, (run, entries, text))

        await self._do(work)

    async def kept(self, run: str) -> Kept | None:
        """Return the newest snapshot of a run, or None."""
        found = await self._rows("SELECT entries, text FROM snapshots WHERE name = %s", run)
        return Kept(*found[0]) if found else None

    async def compact(self, run: str, before: int) -> int:
        """Drop the lines before number *before* for good, and return how many those were."""

        async def work(link: AsyncConnection[Any]) -> int:
            kept = await _one(link, "SELECT entries FROM snapshots WHERE name = %s FOR SHARE", run)
            if kept is None or kept < before:
                raise UsageError(
                    f"run {run} has no snapshot that makes up for its lines before {before}; keep one first"
                )
            number = await _one(
                link, "UPDATE runs SET first = greatest(first, %s) WHERE name = %s RETURNING id", before, run
            )
            return (await link.execute("DELETE FROM entries WHERE run = %s AND seq < %s", (number, before))).rowcount

        return await self._do(work)

    async def send(self, run: str, key: str, text: str) -> bool:
        """Put a signal in a run's inbox; False where one of that *key* was sent before."""
        told = (
            "INSERT INTO signals (name, key, text) VALUES (%s, %s, %s) ON CONFLICT (name, key) DO NOTHING RETURNING 1"
        )
        return bool(await self._rows(told, run, key, text))

    async def sent(self, run: str) -> tuple[str, ...]:
        """Return the signals that were sent to a run, oldest first."""
        return tuple(text for (text,) in await self._rows("SELECT text FROM signals WHERE name = %s ORDER BY id", run))

    async def lease(self, run: str, owner: str, seconds: float) -> Lease:
        """Hold a run for *seconds*; raises `LeaseError` while another owner does."""

        async def work(link: AsyncConnection[Any]) -> Lease:
            # A row to lock, so that two that ask at the same time ask one after the other.
            await link.execute("INSERT INTO leases VALUES (%s, '', 0, 0) ON CONFLICT DO NOTHING", (run,))
            held = await _held(link, run, "FOR UPDATE")
            held, lease = granted(held, (run, owner, seconds), await _one(link, f"SELECT {NOW}"))
            await link.execute(LEASE, (held.owner, held.fence, held.until, run))
            return lease

        return await self._do(work)

    async def release(self, lease: Lease) -> None:
        """Give a lease back; nothing happens where somebody took it over."""

        async def work(link: AsyncConnection[Any]) -> None:
            held = released(await _held(link, lease.run, "FOR UPDATE"), lease)
            await link.execute(LEASE, (held.owner, held.fence, held.until, lease.run))

        await self._do(work)

    async def close(self) -> None:
        """Close this loop's connection; another is made when it is next needed."""
        link = self._links.pop(asyncio.get_running_loop(), None)
        if link is not None:
            await link.close()

    async def _rows(self, told: str, *given: object) -> list[Any]:
        async def work(link: AsyncConnection[Any]) -> list[Any]:
            return await (await link.execute(told.encode(), given)).fetchall()

        return await self._do(work)

    async def _do(self, work: Callable[[AsyncConnection[Any]], Awaitable[T]]) -> T:
        """Do *work* in one transaction. Being cancelled does not cut it short: whoever asks next sees how it ended."""
        loop = asyncio.get_running_loop()
        link = self._links.get(loop)
        if link is None:
            link = self._links[loop] = _Link(self._conninfo, self._schema)
        return await link.do(work)


class _Link:
    """One connection, used by one task at a time and made anew when it breaks."""

    def __init__(self, conninfo: str, schema: str) -> None:
        self._where = (conninfo, schema)
        self._turn = asyncio.Lock()
        self._open: AsyncConnection[Any] | None = None
        self._working = set[asyncio.Task[Any]]()

    async def do(self, work: Callable[[AsyncConnection[Any]], Awaitable[T]]) -> T:
        task = asyncio.ensure_future(self._alone(work))
        self._working.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited was cancelled; whoever asks next finds out what is there

    async def _alone(self, work: Callable[[AsyncConnection[Any]], Awaitable[T]]) -> T:
        from psycopg import Error

        async with self._turn:
            try:
                if self._open is None or self._open.closed:
                    self._open = await connected(*self._where)
                async with self._open.transaction():
                    return await work(self._open)
            except Error as error:
                if self._open is not None and (self._open.broken or self._open.closed):
                    self._open = None
                raise JournalError(f"postgres: {error}".strip()) from error

    async def close(self) -> None:
        async with self._turn:
            if self._open is not None:
                await self._open.close()
            self._open = None


async def _one(link: AsyncConnection[Any], told: str, *given: object) -> Any:
    row = await (await link.execute(told.encode(), given)).fetchone()
    return row[0] if row is not None else None


async def _head(link: AsyncConnection[Any], run: str) -> int:
    return int(await _one(link, "SELECT head FROM runs WHERE name = %s", run) or 0)


async def _held(link: AsyncConnection[Any], run: str, lock: str = "") -> Held:
    told = f"SELECT owner, fence, until FROM leases WHERE name = %s {lock}"
    row = await (await link.execute(told.encode(), (run,))).fetchone()
    return Held(*row) if row is not None else FREE
