"""Snapshots taken, kept and gone on from; lines dropped for one; answers that wait in an inbox."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, cast

import attrs

from agentfsm.attempts import due, since_move
from agentfsm.boundary import Raised, awaited
from agentfsm.codec import Codec, loads
from agentfsm.errors import CorruptLogError, DecodeError, IdentityError, UsageError
from agentfsm.events import Signal
from agentfsm.live import Live, Machine
from agentfsm.logs import LogReader
from agentfsm.replay import fold_on
from agentfsm.run import EventLog, Run, outcome_of
from agentfsm.runs import former_of, loaded
from agentfsm.snapshot import Snapshot, restored
from agentfsm.store import is_store, store_of
from agentfsm.table import Table

__all__ = ("compacted", "delivered", "from_snapshot", "keep", "keep_due", "reopened", "send", "snapshot_of")


def snapshot_of(table: Table, run: Run[Any]) -> Snapshot[Any]:
    """Return what a fresh process needs to go on with a run."""
    attempt, rescue = due(run.log, run.attempt, run.rescue)
    chain = run.chain if run.stored == run.log.end else b""
    at = (table.machine, table.version, table.hash, run.id, run.session, run.log.end, chain, run.state)
    return Snapshot(*at, rescue=rescue, attempt=attempt, tail=since_move(run.log), trace=former_of(run))


async def from_snapshot(machine: Machine, snapshot: Snapshot[Any]) -> Run[Any]:
    """Return the run of a snapshot: with a journal, as it stands after what was added since."""
    table, head, state = machine.table, snapshot.entries, snapshot.state
    if snapshot.hash != table.hash:
        raise IdentityError(f"the snapshot is of machine {snapshot.machine} ({snapshot.hash})", path="$.hash")
    entries, chain, grown = snapshot.tail, snapshot.chain, 0
    if machine.journal is not None:
        reader = LogReader(table, machine.codec, run=snapshot.run, seq=head, chain=chain)
        lines = [line async for line in machine.journal.read(snapshot.run, head)]
        added, grown = reader.read(lines), sum(map(len, lines))
        state, chain = fold_on(table, state, added, head - 1), reader.chain
        entries = (*entries, *added)
    base = head - len(snapshot.tail)
    return Run(
        snapshot.run,
        snapshot.session,
        state,
        EventLog(list(entries), len(entries), base),
        outcome_of(table, state),
        stored=base + len(entries) if machine.journal is not None else 0,
        chain=chain,
        attempt=snapshot.attempt,
        rescue=snapshot.rescue,
        trace=snapshot.trace,
        kept=(head, 0, grown),
    )


async def keep(machine: Machine, run: Run[Any]) -> None:
    """Keep a snapshot of a run beside its lines; raises `UsageError` for a run that the journal does not have whole."""
    store = store_of(machine.journal)
    if run.stored != run.log.end:
        raise UsageError(f"run {run.id} is not in this journal; a snapshot is kept beside the lines that it stands for")
    await store.keep(run.id, run.log.end, snapshot_of(machine.table, run).to_json())


async def keep_due(live: Live) -> None:
    """
    Keep a snapshot where enough was added since the last one; never more bytes in all than the lines have.

    What the store raises is the store's, and no failure of the stage before it.
    """
    every, (before, size, grown) = live.machine.snapshots, live.kept
    if every and live.stored - before >= every and grown >= size and not live.depth:
        text = snapshot_of(live.machine.table, live.as_run()).to_json()
        kept = await awaited(store_of(live.machine.journal).keep(live.id, live.stored, text))
        if isinstance(kept, Raised):
            live.broken = kept.error
            raise kept.error
        live.kept = live.stored, len(text), 0


async def reopened(machine: Machine, run_id: str) -> Run[Any]:
    """Return a run from its newest snapshot and the lines after it, or from all its lines where none was kept."""
    kept = await store_of(machine.journal).kept(run_id)
    if kept is None:
        return await loaded(machine, run_id)
    snapshot = restored(machine.table, machine.codec, kept.text)
    if (snapshot.run, snapshot.entries) != (run_id, kept.entries):
        raise CorruptLogError(f"the snapshot kept for run {run_id} is of {snapshot.run} at {snapshot.entries}")
    run = await from_snapshot(machine, snapshot)
    return attrs.evolve(run, kept=(kept.entries, len(kept.text), run.kept[2]))


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
    key = _asked(machine, run)
    if not key or key != signal.key:
        raise UsageError(f"run {run_id} does not wait for {signal.key}; it waits for {key or 'nothing'}")
    told = json.dumps([signal.action, signal.key, signal.reason, signal.by])
    return await store.send(run_id, key, told)


async def delivered(machine: Machine, run: Run[Any]) -> Sequence[Signal]:
    """Return what an inbox has for the question that a run waits for; nothing once that has lapsed."""
    key = _asked(machine, run)
    if not key or not is_store(machine.journal):
        return ()
    told = [_sent(machine.codec, text) for text in await store_of(machine.journal).sent(run.id)]
    return tuple(signal for signal in told if signal.key == key)


def _asked(machine: Machine, run: Run[Any]) -> str:
    """Return the key of what a run waits for, which is of one asking; empty where that has lapsed."""
    halted = run.halted
    if halted is None or (halted.expires is not None and machine.world.clock.now() >= halted.expires):
        return ""
    return halted.key


def _sent(codec: Codec, text: str) -> Signal:
    form = tuple[Literal["approve", "reject"], str, str, str]
    try:
        return Signal(*cast("tuple[Any, str, str, str]", codec.decode(form, loads(text))))
    except DecodeError as error:
        raise CorruptLogError(f"an inbox holds what is no signal: {error.reason}") from error
