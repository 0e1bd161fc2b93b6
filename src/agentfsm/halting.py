"""Halting: whether a run has spent what it may, decided after each commit from the state alone."""

from __future__ import annotations

from typing import Any

from agentfsm.frozen import FrozenMap
from agentfsm.limits import Limits, Rounds, Spent
from agentfsm.records import Business, Record
from agentfsm.state import AgentState, Halted

__all__ = ("halt_at", "rounds", "spent_out")

# What a run is halted by between two stages; one that halts in the middle of a stage finds out there.
_BETWEEN_STAGES = ("iterations", "stages", "seconds", "idle_rounds")


def halt_at(after: AgentState[Any], now: int) -> Halted | None:
    """
    Return why a run stops in *after*, or None; *now* is in nanoseconds.
    """
    limits, spent = after.records.get(Limits), after.records.get(Spent)
    if not isinstance(limits, Limits) or not isinstance(spent, Spent):
        return None
    if isinstance(door := after.records.get(Halted), Halted):  # the commit itself did not enter
        return door
    if limits.stages is not None and spent.stages >= limits.stages:
        return Halted("stages")
    if limits.seconds is not None and now - spent.since >= limits.seconds * 1_000_000_000:
        return Halted("seconds")
    if limits.idle_rounds is not None and idle(after) >= limits.idle_rounds:
        return Halted("idle_rounds")
    return None


def spent_out(halted: Halted, state: AgentState[Any], now: int) -> bool:
    """Tell whether a run that *halted* at a limit has still spent what it may; *state* says what that is now."""
    limits, spent = state.records.get(Limits), state.records.get(Spent)
    if not isinstance(limits, Limits) or not isinstance(spent, Spent):
        return False
    if halted.reason == "iterations" and limits.iterations is not None and state.iteration >= limits.iterations:
        return True
    return halted.reason in _BETWEEN_STAGES and halt_at(state.lacking(Halted), now) is not None


def idle(state: AgentState[Any]) -> int:
    """Return how often in a row the current lifecycle state was come back to with equal Business records."""
    found = state.records.get(Rounds)
    return found.seen.get(state.lifecycle.name, ("", 0))[1] if isinstance(found, Rounds) else 0


def rounds(before: AgentState[Any], after: AgentState[Any]) -> tuple[Record, ...]:
    """Return the count of rounds without progress as it is on entering *after*, where that is limited."""
    limits, found = after.records.get(Limits), before.records.get(Rounds)
    if not isinstance(limits, Limits) or limits.idle_rounds is None:
        return ()
    seen = dict(found.seen) if isinstance(found, Rounds) else {}
    digest = after.layer_digest(Business).hex()
    known, count = seen.get(after.lifecycle.name, ("", 0))
    seen[after.lifecycle.name] = (digest, count + 1 if known == digest else 0)
    return (Rounds(FrozenMap(seen)),)
