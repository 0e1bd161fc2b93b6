"""The loop: await a stage, commit what it hands back, record the step, go on. It decides nothing itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from agentfsm.commit import commit
from agentfsm.context import StageContext
from agentfsm.errors import CheckError, ConflictError, ReplayMismatchError, StageTimeoutError
from agentfsm.events import OpenEvent, StateTransitionEvent, seal
from agentfsm.failing import cut, failed, parked
from agentfsm.frozen import FrozenMap
from agentfsm.halting import halt_at, rounds
from agentfsm.limits import Limits
from agentfsm.live import Live, Sealed
from agentfsm.parked import Parked
from agentfsm.records import Record
from agentfsm.replay import at_door
from agentfsm.rows import Row
from agentfsm.sealing import hold_to_emitted, show_sealed
from agentfsm.state import AgentState, Halted, Iteration, StatePatch
from agentfsm.streaming import StageStarted, Transition
from agentfsm.view import view_of

__all__ = ("drive",)

NOTHING: dict[type[Record], Record] = {}


async def drive(live: Live, steps: int = -1) -> None:
    """
    Run stages until the run ends or halts, or until *steps* attempts were made.

    Raises what cancels or interrupts, once the log says so. Every other failure is in the log and in the state.
    """
    clock = live.machine.world.clock
    while steps and (row := _next(live)) is not None:
        steps -= 1
        started = clock.now()
        context = StageContext(live, row)
        if live.sink is not None:
            await live.show(StageStarted(row.name, row.enters, live.iteration, live.attempt))
        try:
            patch, seen = await _attempt(live, row, context)
            step = _committed(live, row, patch, (seen, started), context)
        except (ReplayMismatchError, ConflictError):  # the log and the code, or two writers: nothing to record
            raise
        except Exception as raised:  # noqa: BLE001  # the boundary: a failure is an event and a state
            await failed(live, row, context, raised, started)
            continue
        except Parked as raised:
            await parked(live, row, context, raised, started)
            return
        except BaseException as raised:
            await cut(live, row, context, started, quiet=isinstance(raised, GeneratorExit))
            raise
        finally:
            context.closed = True
        await _keep(live, step, context)


def _next(live: Live) -> Row | None:
    """Return the row that is due, or None where the run ended or stands still."""
    records, table = live.state._records, live.machine.table
    if Halted in records:
        return None
    row = (table.rescues if live.rescue else table.rows).get(id(live.state.lifecycle))
    if row is not None:
        live.stage, live.iteration = row.name, records[Iteration].number  # type: ignore[attr-defined]  # an Iteration
    return row


async def _attempt(live: Live, row: Row, context: StageContext) -> tuple[StatePatch[Any], set[object]]:
    """Return what the stage hands back and what it read."""
    seen: set[object] = set()
    view = view_of(live.state._records, row.reads, seen)
    if row.check is not None and (text := row.check(view)) is not None:
        raise CheckError(text, path=f"{row.name}.check")
    stage = row.stage
    if stage.timeout is None:
        patch: StatePatch[Any] = await stage.run(view, context)
    else:
        patch = await _timed(stage.run(view, context), stage.timeout, row.name)
    if context.parked is not None:  # the stage swallowed it
        raise context.parked
    return patch, seen


async def _timed(work: Awaitable[StatePatch[Any]], seconds: float, name: str) -> StatePatch[Any]:
    patch: StatePatch[Any] | None = None
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            patch = await work
    except TimeoutError:
        if not limit.expired():
            raise
    if patch is None or limit.expired():
        raise StageTimeoutError(f"{name} took longer than {seconds} s", path=f"{name}.timeout")
    return patch


def _committed(
    live: Live, row: Row, patch: StatePatch[Any], done: tuple[set[object], int], context: StageContext
) -> tuple[StateTransitionEvent, Sealed | None, AgentState[Any]]:
    """Return the event of a step, ready to be kept, and the state after it. Nothing has changed yet."""
    state, machine = live.state, live.machine
    after, leave = commit(row, state, patch)
    if row.stage.streams is not None:
        hold_to_emitted(row, context, patch)
    seen, started = done
    now = machine.world.clock.now()
    owned: tuple[Record, ...] = ()
    if Limits in after._records or machine.pausing:
        after, owned = _limited(live, row, patch, after, now)
    earlier = NOTHING
    if row.fresh:
        earlier = {kind: state._records[kind] for kind in row.fresh if kind in state._records and kind in patch.records}
    reads = None
    if len(seen) != len(row.reads.all):
        reads = frozenset([kind.__name__ for kind in seen])  # type: ignore[attr-defined]  # record classes
    at = (live.id, live.seq, leave.edge, live.iteration, live.attempt)
    learned = tuple(live.learned.values()) if live.learned else ()
    event = seal(OpenEvent(*at, {**patch.records}, owned, earlier, reads, started, now, after, learned))
    if machine.journal is None and not live.pending:
        return event, None, after
    return event, live.sealed(event), after


def _limited(
    live: Live, row: Row, patch: StatePatch[Any], after: AgentState[Any], now: int
) -> tuple[AgentState[Any], tuple[Record, ...]]:
    """Return the state after a commit with what the limits say about it, and the records that say it."""
    before, machine = live.state, live.machine
    owned = rounds(before, after)
    after = after.having(*owned)
    if machine.table.is_end(after.lifecycle):
        return after, owned
    halted = halt_at(before, after, now)
    if halted is None and live.id in machine.pausing:
        machine.pausing.discard(live.id)
        halted = Halted("paused")
    if halted is None:
        return after, owned
    if halted.at_door:
        return at_door(row, before, patch, (*owned, halted)), (*owned, halted)
    return after.having(halted), (*owned, halted)


async def _keep(
    live: Live, step: tuple[StateTransitionEvent, Sealed | None, AgentState[Any]], context: StageContext
) -> None:
    """Add a step to the log, and only then show the state after it."""
    event, sealed, after = step
    if sealed is None:
        live.log.append(event)
    else:
        await live.add(sealed)
    live.settle(after)
    live.visit = event.seq
    if live.attempt != 1 or live.rescue or live.answered or live.signals:
        live.attempt, live.feedback, live.rescue = 1, (), False
        live.answered, live.signals = FrozenMap(), FrozenMap()
    if live.sink is not None:
        await show_sealed(live, context)
        await live.show(Transition(event))
