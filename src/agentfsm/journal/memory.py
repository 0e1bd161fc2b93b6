"""A journal that lives as long as its process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from agentfsm.errors import ConflictError

__all__ = ("MemoryJournal",)


class MemoryJournal:
    """A journal for tests and short runs."""

    def __init__(self) -> None:
        self._runs: dict[str, list[str]] = {}
        self._newest: dict[str, str] = {}

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        log = self._runs.get(run, [])
        if len(log) != expected:
            raise ConflictError(run, expected=expected, found=len(log))
        if not expected:
            self._newest[session] = run
        log.extend(lines)
        self._runs[run] = log

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        for line in tuple(self._runs.get(run, ())[start:]):
            yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return len(self._runs.get(run, ()))

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        return self._newest.get(session) if session else None
