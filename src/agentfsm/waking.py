"""Waking: a run that stands still goes on, with an answer, with other limits, or because its asking has lapsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentfsm.errors import UsageError
from agentfsm.events import Edge, Signal, event
from agentfsm.frozen import FrozenMap
from agentfsm.halting import halt_at
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live
from agentfsm.records import Record
from agentfsm.replay import fold_resumed
from agentfsm.run import Run
from agentfsm.state import AgentState, Halted

__all__ = ("wake",)

# Halts that are decided between stages, from the state alone.
SPENT = ("stages", "seconds", "idle_rounds")


async def wake(live: Live, run: Run[Any], limits: Limits | None, signals: Sequence[Signal]) -> bool:
    """
    Record that a run goes on, under other limits where they are given; tell whether it does.

    Raises `UsageError` for a run that is over, for a signal to an asking that is not the one it waits for, and for one
    that comes too late; a run whose asking has lapsed goes on without a signal, and asks anew.
    """
    table, state = live.machine.table, run.state
    if table.is_end(state.lifecycle):
        raise UsageError(f"run {run.id} is over: it is {state.lifecycle.name}; fork it to go on from an earlier event")
    found = state.records.get(Halted)
    halted = found if isinstance(found, Halted) else None
    if halted is not None and halted.reason == "cancelled":
        raise UsageError(f"run {run.id} was cancelled; fork it to go on")
    keys = {halted.key} if halted is not None and halted.key else set()
    if strange := [signal.key for signal in signals if signal.key not in keys]:
        raise UsageError(f"run {run.id} does not wait for {strange[0]}; it waits for {', '.join(keys) or 'nothing'}")
    now = live.machine.world.clock.now()
    lapsed = halted is not None and halted.expires is not None and now >= halted.expires
    if keys and not signals and not lapsed:
        return False
    if signals and lapsed:
        raise UsageError(f"the request {signals[0].key} has expired; resume the run without an answer and it asks anew")
    owned: tuple[Record, ...] = () if limits is None or limits == state.records.get(Limits, Limits()) else (limits,)
    if halted is None and not owned:
        return True
    spent = state.records.get(Spent)
    if isinstance(spent, Spent):  # time that nobody spent does not count
        waited = now - (live.log[-1].ended if live.log else now)
        owned = (*owned, Spent(spent.since + waited, spent.stages, spent.tool_calls, spent.tokens))
    elif owned:
        owned = (*owned, Spent(since=now))
    if isinstance(halted, Halted) and _still(state.lacking(Halted).having(*owned), halted, now):
        return False
    edge = Edge("resumed", "", state.lifecycle, state.lifecycle)
    after = fold_resumed(table, state, owned)
    at = {"run": live.id, "seq": live.seq, "edge": edge, "iteration": live.iteration, "started": now, "ended": now}
    what = {"attempt": live.attempt, "owned": owned, "signals": tuple(signals), "after": after}
    await live.add(live.sealed(event(**at, **what)))
    live.settle(after)
    if halted is not None and signals:
        live.signals = FrozenMap({**live.signals, halted.call: signals[-1]})
    live.extra = True
    return True


def _still(state: AgentState[Any], halted: Halted, now: int) -> bool:
    """Tell whether a run that has spent what it might still has, under its present limits."""
    limits = state.records.get(Limits)
    if halted.at_door and isinstance(limits, Limits):
        return limits.iterations is not None and state.iteration >= limits.iterations
    return halted.reason in SPENT and halt_at(state, now) is not None
