"""Failing: what an attempt raised becomes one event, and another attempt, a recovery, or the end."""

from __future__ import annotations

from attrs.exceptions import FrozenInstanceError

from agentfsm.boundary import causes_of
from agentfsm.commit import spent_more
from agentfsm.errors import LogError, MutatedError, RunError, StageError, UsageError, Where
from agentfsm.events import Candidate, Edge, StateTransitionEvent, changed, event
from agentfsm.frozen import FrozenMap
from agentfsm.halting import halt_at
from agentfsm.limits import Spent
from agentfsm.live import Live
from agentfsm.parked import Parked
from agentfsm.records import Record
from agentfsm.replay import fold
from agentfsm.retrying import pause_before
from agentfsm.rows import Row
from agentfsm.sealing import partial_of, show_voided
from agentfsm.state import Halted, LastError
from agentfsm.streaming import Transition

__all__ = ("cut", "failed", "parked")


async def failed(live: Live, raised: BaseException) -> None:
    """Record a failure; then comes another attempt, the recovery, or the end."""
    row = _due(live)
    error = _placed(live, row, raised)
    recovering = row.name == _rescue_name(live, row)
    pause = None if recovering else pause_before(row.stage.retry, live.attempt, error)
    if pause is not None:
        target, code = row.enters, "retry"
    elif not recovering and live.machine.table.rescues:
        target, code = row.enters, "recovery"
    else:
        target, code = live.machine.table.failed, "failed"
    edge = Edge("failed", row.name, row.enters, target, (Candidate(target, code),))
    last = LastError(
        kind=type(raised if isinstance(raised, LogError) else error).__name__,
        stage=row.name,
        lifecycle=row.enters.name,
        message=error.reason,
        iteration=live.iteration,
        attempt=live.attempt,
        path=error.where.path,
        causes=causes_of(error),
        event=live.seq,
    )
    spent = live.state.records.get(Spent)
    more: tuple[Record, ...] = (spent_more(spent, stages=1),) if spent is not None else ()
    if code != "failed":
        more = (*more, *_spent_out(live, more))
    await _record(live, edge, (last, *more, *partial_of(row, live.context)))
    await show_voided(live, type(error).__name__, kept=row.stage.keeps_partial)
    live.rescue = code == "recovery"
    live.answered, live.signals, live.extra = FrozenMap(), FrozenMap(), True
    if pause is None:
        live.attempt, live.feedback = 1, ()
    else:
        live.attempt, live.feedback, live.pause = live.attempt + 1, (*live.feedback, error.reason), pause


def _spent_out(live: Live, more: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return why there is no other attempt, where the run has spent what it may."""
    halted = halt_at(live.state.having(*more), live.machine.world.clock.now())
    return (halted,) if halted is not None else ()


async def parked(live: Live, raised: Parked) -> None:
    """Record that a run waits, or has spent what it may, before its stage."""
    await _record(live, _stay(_due(live)), (raised.halted,))
    await show_voided(live, raised.halted.reason)


async def cut(live: Live, *, quiet: bool) -> None:
    """
    Record that a run was cancelled: once, however often it is cancelled meanwhile.

    *quiet* is for a loop that is torn down, in which nothing can be awaited: the journal then does not hear of it.
    """
    if live.row is None:  # it stood still already
        return
    row = live.row
    edge, owned = _stay(row), (Halted("cancelled"), *partial_of(row, live.context))
    if quiet:
        told = _event(live, edge, owned)
        live.log.append(told)
        live.settle(fold(live.machine.table, live.settled, told))
        return
    import asyncio

    work = asyncio.ensure_future(_cut(live, edge, owned))
    while not work.done():
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            continue
    work.result()
    await show_voided(live, "cancelled", kept=row.stage.keeps_partial)


async def _cut(live: Live, edge: Edge, owned: tuple[Record, ...]) -> None:
    await live.make_sure()
    now = live.state.lifecycle
    if live.machine.table.is_end(now):  # the last step was kept after all: there is nothing to cut
        return
    await _record(live, edge if edge.source is now else Edge("halted", "", now, now), owned)


def _due(live: Live) -> Row:
    if live.row is None:
        raise UsageError(f"run {live.id} has no stage under way")
    return live.row


def _stay(row: Row) -> Edge:
    return Edge("halted", row.name, row.enters, row.enters)


def _rescue_name(live: Live, row: Row) -> str | None:
    rescue = live.machine.table.rescues.get(id(row.enters))
    return rescue.name if rescue is not None else None


def _placed(live: Live, row: Row, raised: BaseException) -> RunError:
    """Return what was raised as an error that knows where."""
    error = raised
    if isinstance(raised, FrozenInstanceError):
        error = MutatedError(f"{row.name} tried to change a record in place; return a new one in the patch")
    elif isinstance(raised, LogError):
        error = StageError(raised.reason, path=raised.path)
    elif not isinstance(raised, RunError):
        error = StageError(f"{type(raised).__name__}: {raised}", path=f"{row.name}.run")
    assert isinstance(error, RunError)
    if error is not raised:
        error.__cause__ = raised
    path = error.path or error.where.path or f"{row.name}.run"
    error.where = Where(row.name, row.enters.name, live.iteration, live.seq, live.attempt, path)
    return error


def _event(live: Live, edge: Edge, owned: tuple[Record, ...]) -> StateTransitionEvent:
    now = live.machine.world.clock.now()
    at = {
        "run": live.id,
        "seq": live.seq,
        "edge": edge,
        "iteration": live.iteration,
        "started": live.started,
        "ended": now,
    }
    learned = tuple(live.learned.values()) if edge.kind == "failed" else ()
    told = event(**at, attempt=live.attempt, owned=owned, learned=learned)
    return changed(told, after=fold(live.machine.table, live.settled, told))


async def _record(live: Live, edge: Edge, owned: tuple[Record, ...]) -> None:
    await live.make_sure()
    told = _event(live, edge, owned)
    await live.add(live.sealed(told))
    if told.after is not None:
        live.settle(told.after)
    await live.show(Transition(told))
