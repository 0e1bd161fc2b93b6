"""Snapshots taken, kept and gone on from; lines dropped for one; answers that wait in an inbox."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, cast

from agentfsm.codec import Codec, loads
from agentfsm.errors import CorruptLogError, DecodeError, IdentityError, UsageError
from agentfsm.events import Entry, Signal, StateTransitionEvent
from agentfsm.live import Live, Machine
from agentfsm.logs import LogReader
from agentfsm.replay import fold_on
from agentfsm.run import EventLog, Run, outcome_of
from agentfsm.runs import due, loaded, moves
from agentfsm.snapshot import Snapshot, restored
from agentfsm.store import store_of
from agentfsm.table import Table

__all__ = ("compacted", "delivered", "from_snapshot", "keep", "keep_due", "reopened", "send", "snapshot_of")

_WAITS = ("approval", "unknown_outcome", "child")


def snapshot_of(table: Table, run: Run[Any]) -> Snapshot[Any]:
    """Return what a fresh process needs to go on with a run."""
    attempt, rescue = due(run.log, run.attempt, run.rescue)
    chain = run.chain if run.stored == run.log.end else b""
    at = (table.machine, table.version, table.hash, run.id, run.session, run.log.end, chain, run.state)
    return Snapshot(*at, rescue=rescue, attempt=attempt, since=_since_step(run.log))


def _since_step(log: EventLog[Entry]) -> tuple[Entry, ...]:
    """Return what a log has after the step that led to the current stage."""
    place = len(log)
    while place and not moves(log[place - 1]):
        place -= 1
    return log[place:]


async def from_snapshot(machine: Machine, snapshot: Snapshot[Any]) -> Run[Any]:
    """Return the run of a snapshot: with a journal, as it stands after what was added since."""
    table, end, state = machine.table, snapshot.entries, snapshot.state
    if snapshot.hash != table.hash:
        raise IdentityError(f"the snapshot is of machine {snapshot.machine} ({snapshot.hash})", path="$.hash")
    entries: tuple[Entry, ...] = ()
    chain = snapshot.chain
    if machine.journal is not None:
        reader = LogReader(table, machine.codec, run=snapshot.run, seq=end, chain=chain)
        entries = reader.read([line async for line in machine.journal.read(snapshot.run, end)])
        state, chain = fold_on(table, state, entries, end - 1), reader.chain
    log = [*snapshot.since, *entries]
    return Run(
        snapshot.run,
        snapshot.session,
        state,
        EventLog(log, len(log), end - len(snapshot.since)),
        outcome_of(table, state),
        stored=end + len(entries) if machine.journal is not None else 0,
        chain=chain,
        attempt=snapshot.attempt,
        rescue=snapshot.rescue,
    )


async def keep(machine: Machine, run: Run[Any]) -> None:
    """Keep a snapshot of a run beside its lines; raises `UsageError` for a run that the journal does not have whole."""
    store = store_of(machine.journal)
    if run.stored != run.log.end:
        raise UsageError(f"run {run.id} is not in this journal; a snapshot is kept beside the lines that it stands for")
    await store.keep(run.id, run.log.end, snapshot_of(machine.table, run).to_json())


async def keep_due(live: Live) -> None:
    """Keep a snapshot where enough was added since the last one; never more bytes in all than the lines have."""
    every = live.machine.snapshots
    if every and live.stored - live.kept_at >= every and live.grown >= live.kept_size and not live.depth:
        text = snapshot_of(live.machine.table, live.as_run()).to_json()
        await store_of(live.machine.journal).keep(live.id, live.stored, text)
        live.kept_at, live.kept_size, live.grown = live.stored, len(text), 0


async def reopened(machine: Machine, run_id: str) -> Run[Any]:
    """Return a run from its newest snapshot and the lines after it, or from all its lines where none was kept."""
    kept = await store_of(machine.journal).kept(run_id)
    if kept is None:
        return await loaded(machine, run_id)
    snapshot = restored(machine.table, machine.codec, kept.text)
    if (snapshot.run, snapshot.entries) != (run_id, kept.entries):
        raise CorruptLogError(f"the snapshot kept for run {run_id} is of {snapshot.run} at {snapshot.entries}")
    return await from_snapshot(machine, snapshot)


async def compacted(machine: Machine, run: Run[Any], newest: int) -> int:
    """Keep a snapshot of a run and drop its lines but for the *newest*; return how many were dropped."""
    if newest < 0:
        raise UsageError(f"keep at least 0 lines, not {newest}")
    await keep(machine, run)
    return await store_of(machine.journal).compact(run.id, max(0, run.log.end - newest))


async def send(machine: Machine, run_id: str, signal: Signal) -> bool:
    """
    Put the answer to what a run waits for in its inbox; False where it has been answered, and nothing changes.

    Raises `UsageError` for a run that does not wait for that: too early, or too late.
    """
    store = store_of(machine.journal)
    run = await reopened(machine, run_id)
    halted = run.halted
    if halted is None or halted.reason not in _WAITS or halted.key != signal.key:
        waits = f"it waits for {halted.key}" if halted is not None and halted.key else "it waits for nothing"
        raise UsageError(f"run {run_id} does not wait for {signal.key}; {waits}")
    question = _question(run)
    told = json.dumps([question, signal.action, signal.key, signal.reason, signal.by])
    return await store.send(run_id, question, told)


async def delivered(machine: Machine, run: Run[Any]) -> Sequence[Signal]:
    """Return what an inbox has for the question that a run waits for."""
    if machine.journal is None or not hasattr(machine.journal, "sent") or run.halted is None or not run.halted.key:
        return ()
    told = [_sent(machine.codec, text) for text in await store_of(machine.journal).sent(run.id)]
    return tuple(signal for question, signal in told if question == _question(run))


def _question(run: Run[Any]) -> str:
    """Name what a run asks: the call, and the entry that says it waits; the same call may be asked about again."""
    halts = (e.seq for e in reversed(run.log) if isinstance(e, StateTransitionEvent) and e.kind == "halted")
    return f"{run.halted.key if run.halted is not None else ''}@{next(halts, 0)}"


def _sent(codec: Codec, text: str) -> tuple[str, Signal]:
    form = tuple[str, Literal["approve", "reject"], str, str, str]
    try:
        question, action, key, reason, by = cast("tuple[str, Any, str, str, str]", codec.decode(form, loads(text)))
    except DecodeError as error:
        raise CorruptLogError(f"an inbox holds what is no signal: {error.reason}") from error
    return question, Signal(action, key, reason, by)
