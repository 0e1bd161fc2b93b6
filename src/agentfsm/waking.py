"""Waking: a run that stands still goes on, with an answer, with other limits, or because its asking has lapsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agentfsm.errors import UsageError
from agentfsm.events import Edge, Signal, event
from agentfsm.frozen import FrozenMap
from agentfsm.halting import spent_out
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live
from agentfsm.records import Record
from agentfsm.replay import fold_resumed
from agentfsm.run import Outcome, Run
from agentfsm.state import AgentState, Halted

__all__ = ("limits_and_answers", "wake")


def limits_and_answers(given: Iterable[object]) -> tuple[Limits | None, list[Signal]]:
    """Return the limits and the answers that a run is resumed with."""
    limits, answers = list[Limits](), list[Signal]()
    for one in given:
        if isinstance(one, Limits):
            limits.append(one)
        elif isinstance(one, Signal):
            answers.append(one)
        else:
            raise UsageError(f"a run is resumed with signals and limits, not {one!r:.60}")
    if len(limits) > 1:
        raise UsageError("a run is resumed with one set of limits, not several")
    return limits[0] if limits else None, answers


async def wake(live: Live, run: Run[Any], limits: Limits | None, signals: Sequence[Signal], own: Limits) -> bool:
    """
    Record that a run goes on; tell whether it does.

    *limits* replace what limits it; None leaves that as it is, but *own* where it was exhausted. Raises `UsageError`
    for a run that is over, for a signal to an asking that is not the one it waits for, and for one that comes too late;
    a run whose asking has lapsed goes on without a signal, and asks anew.
    """
    halted, now = _standing(live, run), live.machine.world.clock.now()
    lapsed = halted is not None and halted.expires is not None and now >= halted.expires
    key = halted.key if halted is not None else ""
    _hold_answers(run.id, key, signals, lapsed and not live.depth)  # what a parent has taken came in time
    if key and not signals and not lapsed:
        if limits is not None:
            raise UsageError(f"run {run.id} waits for an answer about {key}; give it together with the limits")
        return False
    if limits is None and run.outcome is Outcome.EXHAUSTED:
        limits = own
    owned = _counted(run.state, limits, now, now - (live.log[-1].ended if live.log else now))
    if halted is None and not owned:
        return True
    if halted is not None and spent_out(halted, run.state.having(*owned), now):
        return False
    await _go_on(live, owned, signals, now)
    if halted is not None and signals:
        live.signals = FrozenMap({**live.signals, halted.call: signals[0]})
    return True


def _standing(live: Live, run: Run[Any]) -> Halted | None:
    """Return why a run stands still, if it does; raises `UsageError` for one that cannot go on."""
    state = run.state
    if live.machine.table.is_end(state.lifecycle):
        raise UsageError(f"run {run.id} is over: it is {state.lifecycle.name}; fork it to go on from an earlier event")
    halted = state.records.get(Halted)
    if not isinstance(halted, Halted):
        return None
    if halted.reason == "cancelled":
        raise UsageError(f"run {run.id} was cancelled; fork it to go on")
    return halted


def _hold_answers(run: str, key: str, signals: Sequence[Signal], lapsed: bool) -> None:
    """Raise `UsageError` for what answers nothing that the run waits for, or comes too late."""
    for signal in signals:
        if signal.action not in ("approve", "reject"):  # a person's word that is not understood is no approval
            raise UsageError(f"a signal approves or rejects; {signal.action!r:.40} does neither")
        if not key or signal.key != key:
            raise UsageError(f"run {run} does not wait for {signal.key}; it waits for {key or 'nothing'}")
    if len(signals) > 1:
        raise UsageError(f"run {run} waits for one answer, and {len(signals)} were given")
    if signals and lapsed:
        raise UsageError(f"the request {key} has expired; resume the run without an answer and it asks anew")


def _counted(state: AgentState[Any], limits: Limits | None, now: int, waited: int) -> tuple[Record, ...]:
    """Return other limits, and the counts of a run that goes on after *waited* nanoseconds, which nobody spent."""
    spent, halted = state.records.get(Spent), Halted in state
    owned: tuple[Record, ...] = ()
    if limits is not None and limits != state.records.get(Limits, Limits()):
        owned = (limits,)
    if isinstance(spent, Spent) and (owned or halted):
        return (*owned, Spent(spent.since + waited, spent.stages, spent.tool_calls, spent.tokens))
    return (*owned, Spent(since=now)) if owned else ()


async def _go_on(live: Live, owned: tuple[Record, ...], signals: Sequence[Signal], now: int) -> None:
    """Record that a run goes on, and let it stand where it then stands."""
    here, table = live.state.lifecycle, live.machine.table
    after = fold_resumed(table, live.state, owned)
    edge = Edge("resumed", "", here, here)
    at = {"run": live.id, "seq": live.seq, "edge": edge, "iteration": live.iteration, "started": now, "ended": now}
    what = {"attempt": live.attempt, "owned": owned, "signals": tuple(signals), "after": after}
    await live.add(live.sealed(event(**at, **what)))
    live.settle(after)
    live.extra = True
