"""The embedded journal: one SQLite file that any number of processes may share."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from agentfsm.errors import ConflictError, JournalError, UsageError
from agentfsm.journal.holding import FREE, Held, admitted, granted, released
from agentfsm.journal.sqlite_file import opened
from agentfsm.store import Kept, Lease, StoredRun

if TYPE_CHECKING:
    import sqlite3

__all__ = ("SqliteJournal",)

T = TypeVar("T")
_PAGE = 1000
_BUSY = (5, 6)  # SQLITE_BUSY and SQLITE_LOCKED
_MOST_IDS = 10_000
# The line before has to be there, and this one must not: most steps are one such statement and touch one page.
_ADD_AFTER = (
    "INSERT INTO entries SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM entries WHERE run = ?1 AND seq = ?2 - 1)"
    " AND {may} (SELECT 1 FROM leases WHERE name = ?4 AND {which} ?5) ON CONFLICT DO NOTHING"
)
_ADD = _ADD_AFTER.format(may="NOT EXISTS", which="until >")
_ADD_HELD = _ADD_AFTER.format(may="EXISTS", which="fence =")
_HEAD = "SELECT max(first, coalesce((SELECT max(seq) + 1 FROM entries WHERE run = id), 0))"


class SqliteJournal:
    """
    Keeps all runs in the SQLite file *path*; one transaction a step.

    With *synchronous* ``"full"`` an acknowledged line survives a loss of power; with ``"normal"`` it survives the end
    of the process, and a loss of power may take the newest ones. Another process that writes is waited for *patience*
    seconds; then `JournalError` is raised. *now* tells the time in nanoseconds, for leases.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        synchronous: Literal["normal", "full"] = "normal",
        patience: float = 10.0,
        now: Callable[[], int] = time.time_ns,
    ) -> None:
        if synchronous not in ("normal", "full"):
            raise UsageError(f"synchronous is 'normal' or 'full', not {synchronous!r}")
        self.path = Path(path)
        self._synchronous = synchronous
        self._patience = patience
        self._now = now
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        self._process = 0
        self._ids: dict[str, int] = {}

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""

        number = self._ids.get(run) if expected and len(lines) == 1 else None
        if number is not None and await self._do(partial(self._added, (number, run), (expected, lines[0], fence))):
            return

        def work(file: sqlite3.Connection) -> int | None:
            found = _head(file, run)
            held = _held(file, run)
            if held != FREE or fence is not None:
                admitted(held, run, fence, self._now())
            if found != expected:
                raise ConflictError(run, expected=expected, found=found)
            number = _begun(file, run, session) if lines and not expected else _number(file, run)
            rows = [(number, seq, line) for seq, line in enumerate(lines, start=expected)]
            file.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
            return number

        number = await self._write(work)
        if number is not None:
            if len(self._ids) >= _MOST_IDS:
                self._ids.clear()
            self._ids[run] = number

    def _added(self, run: tuple[int, str], line: tuple[int, str, int | None], file: sqlite3.Connection) -> bool:
        """Add one line in one statement, which is a transaction; False where it may not or need not be added so."""
        (number, name), (seq, text, fence) = run, line
        if fence is None:
            return file.execute(_ADD, (number, seq, text, name, self._now())).rowcount == 1
        return file.execute(_ADD_HELD, (number, seq, text, name, fence)).rowcount == 1

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        found = await self._do(
            lambda file: file.execute("SELECT id, first FROM runs WHERE name = ?", (run,)).fetchone()
        )
        if found is None:
            return
        number, first = found
        if start < first:
            raise UsageError(f"run {run} is compacted: its lines begin at {first}; reopen it from its snapshot")
        while page := await self._do(partial(_page, number=number, start=start)):
            for (line,) in page:
                yield line
            start += len(page)

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return await self._do(lambda file: _head(file, run))

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        told = "SELECT name FROM runs WHERE session = ? ORDER BY id DESC LIMIT 1"
        row = await self._do(lambda file: file.execute(told, (session,)).fetchone()) if session else None
        return row[0] if row is not None else None

    async def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs, oldest first."""
        told = (
            f"{_HEAD}, name, session, first, (SELECT coalesce(sum(length(CAST(line AS BLOB))), 0) FROM entries"
            " WHERE run = id) FROM runs ORDER BY id"
        )
        rows = await self._do(lambda file: file.execute(told).fetchall())
        return tuple(StoredRun(name, session, head, first, size) for head, name, session, first, size in rows)

    async def keep(self, run: str, entries: int, text: str) -> None:
        """Keep a snapshot of a run's first *entries* lines in the place of an older one."""

        def work(file: sqlite3.Connection) -> None:
            if entries > _head(file, run):
                raise UsageError(f"run {run} has no {entries} lines to keep a snapshot of")
            file.execute(
                "INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE"
                " SET entries = excluded.entries, text = excluded.text WHERE excluded.entries >= entries",
                (run, entries, text),
            )

        await self._write(work)

    async def kept(self, run: str) -> Kept | None:
        """Return the newest snapshot of a run, or None."""
        return await self._do(lambda file: _kept(file, run))

    async def compact(self, run: str, before: int) -> int:
        """Drop the lines before number *before* for good, and return how many those were."""

        def work(file: sqlite3.Connection) -> int:
            snapshot = _kept(file, run)
            if snapshot is None or snapshot.entries < before:
                raise UsageError(
                    f"run {run} has no snapshot that makes up for its lines before {before}; keep one first"
                )
            number = _number(file, run)
            gone = file.execute("DELETE FROM entries WHERE run = ? AND seq < ?", (number, before)).rowcount
            file.execute("UPDATE runs SET first = max(first, ?) WHERE id = ?", (before, number))
            return gone

        return await self._write(work)

    async def send(self, run: str, key: str, text: str) -> bool:
        """Put a signal in a run's inbox; False where one of that *key* was sent before."""
        told = "INSERT INTO signals (name, key, text) VALUES (?, ?, ?) ON CONFLICT (name, key) DO NOTHING"
        return await self._write(lambda file: file.execute(told, (run, key, text)).rowcount == 1)

    async def sent(self, run: str) -> tuple[str, ...]:
        """Return the signals that were sent to a run, oldest first."""
        told = "SELECT text FROM signals WHERE name = ? ORDER BY id"
        return tuple(text for (text,) in await self._do(lambda file: file.execute(told, (run,)).fetchall()))

    async def lease(self, run: str, owner: str, seconds: float) -> Lease:
        """Hold a run for *seconds*; raises `LeaseError` while another owner does."""

        def work(file: sqlite3.Connection) -> Lease:
            held, lease = granted(_held(file, run), (run, owner, seconds), self._now())
            _hold(file, run, held)
            return lease

        return await self._write(work)

    async def release(self, lease: Lease) -> None:
        """Give a lease back; nothing happens where somebody took it over."""
        await self._write(lambda file: _hold(file, lease.run, released(_held(file, lease.run), lease)))

    async def close(self) -> None:
        """Close the file; it is opened anew when it is next used."""
        with self._lock:
            if self._file is not None and self._process == os.getpid():
                self._file.close()
            self._file, self._ids = None, {}

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work* in one transaction, all of it or nothing."""

        def whole(file: sqlite3.Connection) -> T:
            file.execute("BEGIN IMMEDIATE")
            try:
                done = work(file)
                file.execute("COMMIT")
            finally:
                if file.in_transaction:
                    file.execute("ROLLBACK")
            return done

        return await self._do(whole)

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do *work*, waiting for other processes without holding up this one's loop."""
        from sqlite3 import Error  # on first use: most runs are kept elsewhere or not at all

        waited, pause = 0.0, 0.001
        while True:
            try:
                with self._lock:
                    return work(self._opened())
            except Error as error:
                busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY
                if not busy or waited >= self._patience:
                    raise JournalError(f"{self.path}: {error}") from error
            await asyncio.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, 0.05)

    def _opened(self) -> sqlite3.Connection:
        # A connection does not survive a fork: the child opens its own and leaves its parent's alone.
        if self._file is None or self._process != os.getpid():
            self._file = opened(self.path, self._synchronous)
            self._process, self._ids = os.getpid(), {}
        return self._file


def _begun(file: sqlite3.Connection, run: str, session: str) -> int | None:
    file.execute("INSERT INTO runs (name, session) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (run, session))
    return _number(file, run)


def _number(file: sqlite3.Connection, run: str) -> int | None:
    row = file.execute("SELECT id FROM runs WHERE name = ?", (run,)).fetchone()
    return int(row[0]) if row is not None else None


def _head(file: sqlite3.Connection, run: str) -> int:
    row = file.execute(f"{_HEAD} FROM runs WHERE name = ?", (run,)).fetchone()
    return int(row[0]) if row is not None else 0


def _page(file: sqlite3.Connection, number: int, start: int) -> list[tuple[str]]:
    told = "SELECT line FROM entries WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?"
    return file.execute(told, (number, start, _PAGE)).fetchall()


def _kept(file: sqlite3.Connection, run: str) -> Kept | None:
    row = file.execute("SELECT entries, text FROM snapshots WHERE name = ?", (run,)).fetchone()
    return Kept(*row) if row is not None else None


def _held(file: sqlite3.Connection, run: str) -> Held:
    row = file.execute("SELECT owner, fence, until FROM leases WHERE name = ?", (run,)).fetchone()
    return Held(*row) if row is not None else FREE


def _hold(file: sqlite3.Connection, run: str, held: Held) -> None:
    file.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", (run, held.owner, held.fence, held.until))
