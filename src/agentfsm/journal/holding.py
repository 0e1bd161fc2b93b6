"""Who holds a run: decided from what is written down and the time, the same way for every store."""

from __future__ import annotations

from attrs import frozen

from agentfsm.errors import LeaseError, UsageError
from agentfsm.store import Lease

__all__ = ("FREE", "Held", "admitted", "granted", "released")

_SECOND = 1_000_000_000


@frozen
class Held:
    """What a store writes down of a run's leases: the newest owner, its number, and until when (nanoseconds)."""

    owner: str = ""
    fence: int = 0
    until: int = 0


FREE = Held()


def granted(held: Held, wanted: tuple[str, str, float], now: int) -> tuple[Held, Lease]:
    """
    Return what is written down once *wanted*, (run, owner, seconds), is granted, and the lease.

    Raises `LeaseError` while another owner holds the run.
    """
    run, owner, seconds = wanted
    if not owner or seconds < 0:
        raise UsageError(f"a lease has an owner and a time, not {owner!r} for {seconds} s")
    if held.owner != owner and now < held.until:
        raise LeaseError(run, owner=held.owner)
    fence = held.fence + 1
    return Held(owner, fence, now + round(seconds * _SECOND)), Lease(run, owner, fence)


def admitted(held: Held, run: str, fence: int | None, now: int) -> None:
    """Raise `LeaseError` for a writer that does not hold the run: with an old number, or with none while it is held."""
    if fence is None:
        if now < held.until:
            raise LeaseError(run, owner=held.owner)
    elif fence != held.fence:
        raise LeaseError(run, owner=held.owner, fence=fence)


def released(held: Held, lease: Lease) -> Held:
    """Return what is written down once *lease* is given back; its number stays used."""
    return Held("", held.fence, 0) if held.fence == lease.fence else held
