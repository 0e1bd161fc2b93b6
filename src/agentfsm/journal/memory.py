"""A journal that lives as long as its process."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence

from attrs import define, field

from agentfsm.errors import ConflictError, UsageError
from agentfsm.journal.holding import FREE, Held, admitted, granted, released
from agentfsm.store import Kept, Lease, StoredRun

__all__ = ("MemoryJournal",)


@define
class _Run:
    session: str
    lines: list[str] = field(factory=list[str])
    first: int = 0
    kept: Kept | None = None

    @property
    def head(self) -> int:
        return self.first + len(self.lines)


class MemoryJournal:
    """A journal for tests and short runs. *now* tells the time in nanoseconds, for leases."""

    def __init__(self, *, now: Callable[[], int] = time.time_ns) -> None:
        self._runs: dict[str, _Run] = {}
        self._newest: dict[str, str] = {}
        self._inboxes: dict[str, dict[str, str]] = {}
        self._held: dict[str, Held] = {}
        self._now = now

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        if (held := self._held.get(run)) is not None or fence is not None:
            admitted(held or FREE, run, fence, self._now())
        log = self._runs.get(run)
        found = log.head if log is not None else 0
        if found != expected:
            raise ConflictError(run, expected=expected, found=found)
        if not lines:
            return
        if log is None:
            log = self._runs[run] = _Run(session)
            self._newest[session] = run
        log.lines.extend(lines)

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        log = self._runs.get(run)
        if log is None:
            return
        if start < log.first:
            raise UsageError(f"run {run} is compacted: its lines begin at {log.first}; reopen it from its snapshot")
        for line in tuple(log.lines[start - log.first :]):
            yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return self._runs[run].head if run in self._runs else 0

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        return self._newest.get(session) if session else None

    async def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs, oldest first."""
        return tuple(
            StoredRun(name, log.session, log.head, log.first, sum(len(line.encode()) for line in log.lines))
            for name, log in self._runs.items()
        )

    async def keep(self, run: str, entries: int, text: str) -> None:
        """Keep a snapshot of a run's first *entries* lines in the place of an older one."""
        log = self._runs.get(run)
        if log is None or entries > log.head:
            raise UsageError(f"run {run} has no {entries} lines to keep a snapshot of")
        if log.kept is None or log.kept.entries <= entries:
            log.kept = Kept(entries, text)

    async def kept(self, run: str) -> Kept | None:
        """Return the newest snapshot of a run, or None."""
        return self._runs[run].kept if run in self._runs else None

    async def compact(self, run: str, before: int) -> int:
        """Drop the lines before number *before* for good, and return how many those were."""
        log = self._runs.get(run)
        if log is None or log.kept is None or log.kept.entries < before:
            raise UsageError(f"run {run} has no snapshot that makes up for its lines before {before}; keep one first")
        dropped = max(0, before - log.first)
        del log.lines[:dropped]
        log.first += dropped
        return dropped

    async def send(self, run: str, key: str, text: str) -> bool:
        """Put a signal in a run's inbox; False where one of that *key* was sent before."""
        inbox = self._inboxes.setdefault(run, {})
        if key in inbox:
            return False
        inbox[key] = text
        return True

    async def sent(self, run: str) -> tuple[str, ...]:
        """Return the signals that were sent to a run, oldest first."""
        return tuple(self._inboxes.get(run, {}).values())

    async def lease(self, run: str, owner: str, seconds: float) -> Lease:
        """Hold a run for *seconds*; raises `LeaseError` while another owner does."""
        self._held[run], lease = granted(self._held.get(run, FREE), (run, owner, seconds), self._now())
        return lease

    async def release(self, lease: Lease) -> None:
        """Give a lease back; nothing happens where somebody took it over."""
        self._held[lease.run] = released(self._held.get(lease.run, FREE), lease)

    async def close(self) -> None:
        """Do nothing: memory stays as long as this object does."""
