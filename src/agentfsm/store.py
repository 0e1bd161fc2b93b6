"""Stores: journals that several processes share, with snapshots, signals and leases beside the lines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol, TypeVar

from attrs import frozen

from agentfsm.errors import UsageError
from agentfsm.world import Journal

__all__ = ("Kept", "Lease", "Leased", "Store", "StoredRun", "claim", "is_store", "store_of")

T = TypeVar("T")


@frozen
class StoredRun:
    """A run that a store has: its session, how many lines it had in all, from which on they are kept, their bytes."""

    run: str
    session: str
    head: int
    first: int
    size: int


@frozen
class Kept:
    """The newest snapshot of a run: of how many lines it is, and its text."""

    entries: int
    text: str


@frozen
class Lease:
    """Who holds a run, and the number that every line it adds is held to: the next owner's is higher."""

    run: str
    owner: str
    fence: int


class Store(Journal, Protocol):
    """
    A journal that keeps more than lines. Like lines, snapshots and signals are text that it does not look into.

    Raises `JournalError` when the place itself cannot be used.
    """

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        """
        Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer.

        With *fence*, raises `LeaseError` unless that is the run's newest; without it, while somebody holds the run.
        """

    async def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs, oldest first."""

    async def keep(self, run: str, entries: int, text: str) -> None:
        """
        Keep a snapshot of a run's first *entries* lines in the place of an older one.

        Raises `UsageError` for more lines than there are. A snapshot older than the one that is kept changes nothing.
        """

    async def kept(self, run: str) -> Kept | None:
        """Return the newest snapshot of a run, or None."""

    async def compact(self, run: str, before: int) -> int:
        """
        Drop the lines before number *before* for good, and return how many those were.

        Raises `UsageError` unless a snapshot makes up for them.
        """

    async def send(self, run: str, key: str, text: str) -> bool:
        """Put a signal in a run's inbox; False, and nothing changes, where one of that *key* was sent before."""

    async def sent(self, run: str) -> tuple[str, ...]:
        """Return the signals that were sent to a run, oldest first, whether or not they were delivered."""

    async def lease(self, run: str, owner: str, seconds: float) -> Lease:
        """
        Hold a run for *seconds*; raises `LeaseError` while another owner does.

        The same owner may ask again and gets more time, and a new number all the same.
        """

    async def release(self, lease: Lease) -> None:
        """Give a lease back; nothing happens where somebody took it over."""

    async def close(self) -> None:
        """Let go of files and connections; the store may be used again and opens them anew."""


def is_store(journal: Journal | None) -> bool:
    """Tell whether a journal keeps more than lines."""
    return isinstance(journal, Leased) or not _lacking(journal)


def _lacking(journal: Journal | None) -> list[str]:
    return [name for name in ("runs", "keep", "kept", "compact", "send", "sent", "lease") if not hasattr(journal, name)]


def store_of(journal: Journal | None) -> Store:
    """Return a journal that is a store; raises `UsageError` for one that keeps lines only."""
    if isinstance(journal, Leased):
        return journal.store
    lacking = _lacking(journal)
    if lacking:
        raise UsageError(f"{type(journal).__name__} is no store: it lacks {', '.join(lacking)}")
    store: Store = journal  # type: ignore[assignment]  # it has what a store has beyond a journal
    return store


@frozen(eq=False)
class Leased:
    """A store as the holder of a lease sees it: each line it adds to that run carries the lease's number."""

    store: Store
    holding: Lease

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines; raises `LeaseError` once somebody took the run over."""
        fence = self.holding.fence if run == self.holding.run else None
        await self.store.append(run, expected, lines, session=session, fence=fence)

    def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        return self.store.read(run, start)

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return await self.store.head(run)

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        return await self.store.latest(session)

    async def release(self) -> None:
        """Give the lease back."""
        await self.store.release(self.holding)


async def claim(store: Store, run: str, *, owner: str, seconds: float) -> Leased:
    """Return the store as the holder of *run* sees it, for ``with_journal``; raises `LeaseError` where it is held."""
    return Leased(store, await store.lease(run, owner, seconds))
