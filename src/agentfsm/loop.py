"""The loop: await a stage, commit what it hands back, record the step, go on. It decides nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from agentfsm.commit import commit
from agentfsm.context import StageContext
from agentfsm.errors import CheckError, ConflictError, ReplayMismatchError
from agentfsm.events import OpenEvent, StateTransitionEvent, changed, seal
from agentfsm.failing import cut, failed, parked
from agentfsm.halting import halt_at, rounds
from agentfsm.limits import Limits
from agentfsm.live import Live, Sealed
from agentfsm.parked import Parked
from agentfsm.records import Record
from agentfsm.rows import Row
from agentfsm.sealing import hold_to_emitted, show_sealed
from agentfsm.state import AgentState, Halted, StatePatch
from agentfsm.streaming import StageStarted, Transition
from agentfsm.view import view_of

__all__ = ("drive",)


async def drive(live: Live, steps: int = -1) -> None:
    """
    Run stages until the run ends or halts, or until *steps* attempts were made.

    Raises what cancels or interrupts, once the log says so. Every other failure is in the log and in the state.
    """
    now, seen = live.machine.world.clock.now, set[object]()
    event, row = cast("StateTransitionEvent | None", None), _next(live)
    while steps and row is not None:
        steps -= 1
        started = now() if event is None else event.ended
        context = StageContext(live, row)
        if live.sink is not None:
            await live.show(StageStarted(row.name, row.enters, live.iteration, live.attempt))
        seen.clear()
        try:
            view = view_of(live.state._records, row.reads, seen)
            if row.check is not None and (text := row.check(view)) is not None:
                raise CheckError(text, path=f"{row.name}.check")
            patch: StatePatch[Any] = await row.run(view, context)
            if context.parked is not None:  # the stage swallowed it
                raise context.parked
            event = _committed(live, row, patch, (seen, started, now))
            sealed = _sealed(live, row, patch, context, event)
        except (ReplayMismatchError, ConflictError):  # the log and the code, or two writers: nothing to record
            raise
        except Exception as raised:  # noqa: BLE001  the boundary: a failure is an event and a state
            event = await failed(live, row, context, raised, started)
            row = _next(live)
            continue
        except Parked as raised:
            await parked(live, row, context, raised, started)
            return
        except BaseException as raised:
            await cut(live, row, context, started, quiet=isinstance(raised, GeneratorExit))
            raise
        finally:
            context.closed = True
        if sealed is None:
            live.log.append(event)
            live.state = live.settled = event.after  # type: ignore[assignment]  # a step has one
            live.visit = event.seq
            live.row = row = live.machine.table.rows.get(id(event.edge.target))
        else:
            event = await _keep(live, sealed, context)
            row = _next(live)


def _next(live: Live) -> Row | None:
    """Return the row that is due, or None where the run ended or stands still."""
    state, table = live.state, live.machine.table
    if Halted in state._records:
        return None
    live.row = row = (table.rescues if live.rescue else table.rows).get(id(state.lifecycle))
    return row


def _committed(
    live: Live, row: Row, patch: StatePatch[Any], done: tuple[set[object], int, Callable[[], int]]
) -> StateTransitionEvent:
    """Return the event of a step. Nothing has changed yet."""
    state = live.state
    after, leave = commit(row, state, patch)
    event = OpenEvent()
    event.run, event.edge, event.iteration = live.id, leave.edge, state.iteration
    event.seq = live.base + len(live.log)
    event.written, event.after = patch._records, after
    seen, event.started, now = done
    event.ended = now()
    if len(seen) != row.reads_count:
        event.reads = frozenset([kind.__name__ for kind in seen])  # type: ignore[attr-defined]  # record classes
    return seal(event)


def _sealed(
    live: Live, row: Row, patch: StatePatch[Any], context: StageContext, event: StateTransitionEvent
) -> Sealed | None:
    """
    Return an event ready to be kept, None where nobody keeps or watches it.

    Most steps do without attempts, limits, trails, pauses, and what calls left behind.
    """
    machine, after = live.machine, event.after
    if row.plain and not live.extra and not machine.pausing and after is not None and Limits not in after._records:
        return None if machine.journal is None and live.sink is None else live.sealed(event)
    if row.stage.streams is not None:
        hold_to_emitted(row, context, patch)
    before, written = live.state._records, event.written
    earlier = {kind: before[kind] for kind in row.fresh if kind in before and kind in written}
    facts: dict[str, Any] = {
        "attempt": live.attempt,
        "earlier": earlier,
        "learned": tuple(live.learned.values()),
        "seq": live.seq,
    }
    if after is not None:
        after, owned = _limited(live, after, event.ended)
        facts |= {"after": after, "owned": owned}
    return live.sealed(changed(event, **facts))


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


async def _keep(live: Live, sealed: Sealed, context: StageContext) -> StateTransitionEvent:
    """Add a step to the log, and only then show the state after it."""
    await live.add(sealed)
    event = sealed[0][-1]
    assert isinstance(event, StateTransitionEvent)  # a step is sealed with its notes before it
    if event.after is not None:
        live.settle(event.after)
    live.visit = event.seq
    if live.extra:
        live.begin_anew()
    if live.sink is not None:
        await show_sealed(live, context)
        await live.show(Transition(event))
    return event
