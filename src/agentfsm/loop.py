"""The loop: await a stage, commit what it hands back, record the step, go on. It decides nothing itself."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from agentfsm.commit import commit
from agentfsm.context import StageContext
from agentfsm.deciding import entered
from agentfsm.errors import CheckError, ConflictError, ReplayMismatchError, ToolError
from agentfsm.events import OpenEvent, StateTransitionEvent, changed, seal
from agentfsm.failing import cut, failed, parked
from agentfsm.halting import halt_at, rounds
from agentfsm.keeping import keep_due
from agentfsm.limits import Limits
from agentfsm.live import Live
from agentfsm.parked import Parked
from agentfsm.records import Record
from agentfsm.rows import Row
from agentfsm.sealing import hold_to_emitted, show_sealed
from agentfsm.state import AgentState, Halted, StatePatch
from agentfsm.streaming import StageStarted, Transition
from agentfsm.view import view_of

__all__ = ("drive", "traced")


async def drive(live: Live, steps: int = -1) -> None:
    """
    Run stages until the run ends or halts, or until *steps* attempts were made.

    Raises what cancels or interrupts, once the log says so, and what a journal raises. Every other failure is in the
    log and in the state.
    """
    live.left = steps
    while True:
        try:
            await _steps(live)
            return
        except BaseException as raised:  # noqa: BLE001  the boundary: a failure is an event and a state
            if await _ended(live, raised):
                return
        finally:
            if live.context is not None:
                live.context.close()


async def _ended(live: Live, raised: BaseException) -> bool:
    """Record what ended an attempt, and tell whether the run stands still; raises what nobody may hold up."""
    from asyncio import CancelledError

    ended = _meant(live, raised)
    ours = isinstance(ended, Exception | Parked | CancelledError)
    if not ours or (isinstance(raised, CancelledError) and _is_cancelled()):
        await cut(live, quiet=isinstance(raised, GeneratorExit))
        raise raised
    if live.broken is not None and not isinstance(ended, Parked):  # the journal's, not a stage's
        ended = live.broken
    if isinstance(ended, ReplayMismatchError | ConflictError) or ended is live.broken:  # nobody's to record
        raise ended from None if ended is raised else raised
    try:
        await (parked(live, ended) if isinstance(ended, Parked) else failed(live, ended))
    except CancelledError:  # what was being kept is kept or not, and after it the run is cut off
        await cut(live, quiet=False)
        raise
    return isinstance(ended, Parked)


def _meant(live: Live, raised: BaseException) -> BaseException:
    """Return what ended the attempt: its context's own word where it has one, whatever the stage made of it."""
    said = live.context.parked if live.context is not None else None
    from asyncio import CancelledError

    made = isinstance(raised, Exception | BaseExceptionGroup | Parked | CancelledError)
    return said if made and said is not None else raised


async def traced(live: Live, steps: int = -1) -> None:
    """Drive a run, and have it traced where its machine is."""
    telemetry = live.machine.telemetry
    if telemetry is None:
        await drive(live, steps)
        return
    live.trace = trace = telemetry.begin(live)
    with trace or nullcontext():
        await drive(live, steps)


def _is_cancelled() -> bool:
    """Tell whether the task that this runs in was asked to end."""
    from asyncio import current_task

    task = current_task()
    return task is None or task.cancelling() > 0


async def _steps(live: Live) -> None:
    """Run stages; raises whatever one of them, or what is held against it, raises."""
    machine, log, seen, row = live.machine, live.log, set[Any](), _next(live)
    if machine.journal is not None and not live.stored:
        await live.add(live.sealed())
    now, watched = machine.world.clock.now, live.sink is not None or live.trace is not None
    ended, silent = now(), not (machine.journal is not None or watched or machine.entering)
    while row is not None and live.left:
        live.left -= 1
        live.started = started = ended
        live.context = context = StageContext(live, row)
        if live.pause or watched:
            await _announced(live, row)
        seen.clear()
        view = view_of(live.state._records, row.reads, seen)
        if row.check is not None and (text := row.check(view)) is not None:
            raise CheckError(text, path=f"{row.name}.check")
        patch: StatePatch[Any] = await row.run(view, context)
        if context.parked is not None or context.busy or live.extra:
            context.hold()
        state = live.state  # its calls may have taught it something
        after, leave = commit(row, state, patch)
        event = OpenEvent()
        event.run, event.edge, event.seq = live.id, leave.edge, live.base + len(log)
        event.iteration, event.written, event.after = state.iteration, patch._records, after
        event.started, event.ended = started, (ended := now())
        if len(seen) != row.reads_count:
            event.reads = frozenset([kind.__name__ for kind in seen])
        context.closed = True
        if silent and row.plain and not (live.extra or machine.pausing or Limits in state._records):
            log.append(seal(event))
            live.state = live.settled = after
            live.visit = event.seq
            live.row = row = machine.table.rows.get(id(leave.target))
        else:
            await _keep(live, row, patch, seal(event))
            row = _next(live)


def _next(live: Live) -> Row | None:
    """Return the row that is due, or None where the run ended or stands still."""
    state, table = live.state, live.machine.table
    if Halted in state._records:
        return None
    live.row = row = (table.rescues if live.rescue else table.rows).get(id(state.lifecycle))
    return row


async def _announced(live: Live, row: Row) -> None:
    """Wait where an attempt has to, and say that it begins."""
    if live.pause:
        pause, live.pause = live.pause, 0.0
        await live.machine.world.clock.sleep(pause)
    if live.trace is not None:
        live.trace.entered(row)
    if live.sink is not None:
        await live.show(StageStarted(row.name, row.enters, live.iteration, live.attempt))


async def _keep(live: Live, row: Row, patch: StatePatch[Any], event: StateTransitionEvent) -> None:
    """Add a step to the log, with all that most steps do without, and only then show the state after it."""
    machine, after = live.machine, event.after
    special = live.extra or not row.plain or machine.pausing or machine.entering
    if after is not None and (special or Limits in after._records):
        event = _filled(live, row, patch, event, after)
    await live.add(live.sealed(event))
    if event.after is not None:
        live.settle(event.after)
    live.visit = event.seq
    if live.extra:
        live.begin_anew()
    if machine.snapshots:
        await keep_due(live)
    if live.sink is not None:
        await show_sealed(live)
        await live.show(Transition(event))


def _filled(
    live: Live, row: Row, patch: StatePatch[Any], event: StateTransitionEvent, after: AgentState[Any]
) -> StateTransitionEvent:
    """Return an event with its attempt, its limits, what its trails were before, and what its calls left behind."""
    if row.stage.streams is not None and live.context is not None:
        hold_to_emitted(row, live.context, patch)
    before, written = live.state._records, event.written
    earlier = {kind: before[kind] for kind in row.fresh if kind in before and kind in written}
    after, owned = _limited(live, after, event.ended)
    if live.machine.entering:
        memories = entered(live.machine, after, event.source)
        if isinstance(memories, ToolError):
            raise memories
        after, owned = after.having(*memories), (*owned, *memories)
    learned = tuple(live.learned.values())
    return changed(
        event, attempt=live.attempt, earlier=earlier, learned=learned, seq=live.seq, after=after, owned=owned
    )


def _limited(live: Live, after: AgentState[Any], now: int) -> tuple[AgentState[Any], tuple[Record, ...]]:
    """Return the state after a commit with what the limits say about it, and the records that say it."""
    before, machine = live.state, live.machine
    owned = rounds(before, after)
    if owned:
        after = after.having(*owned)
    if machine.table.is_end(after.lifecycle):
        return after, owned
    halted = halt_at(after, now)
    if halted is None and live.id in machine.pausing:
        halted = Halted("paused")
    machine.pausing.discard(live.id)
    if halted is None:
        return after, owned
    return after.having(halted), (*owned, halted)
