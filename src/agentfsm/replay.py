"""Replay: fold a log again and hold it to what it says. Runs no stage, asks no guard, makes no call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentfsm.commit import commit, enter
from agentfsm.diff import first_difference
from agentfsm.errors import CorruptLogError, IdentityError, ReplayMismatchError, RunError
from agentfsm.events import CallEvent, Entry, StateTransitionEvent
from agentfsm.records import Lifecycle, Metadata, Record
from agentfsm.state import AgentState, Halted, Iteration, StatePatch, state_of
from agentfsm.table import Table
from agentfsm.view import view_of

__all__ = ("begin", "fold", "fold_log", "fold_on", "fold_resumed")


def begin(table: Table, given: Iterable[Record], owned: Iterable[Record]) -> AgentState[Any]:
    """Return the state in which a run begins: what it is given, and the first iteration where that begins at once."""
    first = 1 if table.start is table.iterates and not any(_is_door(r) for r in owned) else 0
    return state_of(table.start, {type(r): r for r in (*given, *owned, Iteration(first))}, {})


def fold_log(table: Table, log: Iterable[Entry]) -> AgentState[Any]:
    """
    Return the state that *log* leads to.

    Raises `ReplayMismatchError` at the first entry that the machine answers otherwise, `IdentityError` for another
    machine's log, `CorruptLogError` where entry 0 is missing or entries are out of order.
    """
    entries = iter(log)
    first = next(entries, None)
    if not isinstance(first, StateTransitionEvent) or first.header is None:
        raise CorruptLogError("entry 0 is missing: a log begins with what the run was given")
    identify(table, first)
    state = _verified(first, begin(table, first.written.values(), first.owned))
    return fold_on(table, state, entries, first.seq)


def fold_on(table: Table, state: AgentState[Any], entries: Iterable[Entry], seq: int) -> AgentState[Any]:
    """Return the state that *entries* lead to from *state*, which entry *seq* led to."""
    for entry in entries:
        if entry.seq <= seq:
            raise CorruptLogError(f"entry {entry.seq} stands after entry {seq}", path=f"$[{entry.seq}]")
        seq = entry.seq
        if not isinstance(entry, CallEvent):  # calls change no state
            state = _verified(entry, fold(table, state, entry))
    return state


def identify(table: Table, first: StateTransitionEvent) -> None:
    """Raise `IdentityError` unless entry 0 is of this machine."""
    header = first.header
    if header is not None and header.hash != table.hash:
        raise IdentityError(
            f"the log is of machine {header.machine} ({header.hash}), not of {table.machine} ({table.hash}); "
            + "; ".join(_changes(header.stages, table.lines)),
            path="$.header.hash",
        )


def fold(table: Table, state: AgentState[Any], event: StateTransitionEvent) -> AgentState[Any]:
    """Return the state after one event."""
    if event.source is not state.lifecycle:
        raise ReplayMismatchError(event.seq, "source", event.source.name, state.lifecycle.name)
    _hold_owners(table, event)
    match event.kind:
        case "step":
            return _step(table, state, event)
        case "failed":
            return state.having(*event.learned, *event.owned).entering(event.target)
        case "halted":
            return state.having(*event.owned)
        case "resumed":
            return fold_resumed(table, state, event.owned)
        case "began":
            raise CorruptLogError("a run begins once", path=f"$[{event.seq}]")


def fold_resumed(table: Table, state: AgentState[Any], owned: Iterable[Record]) -> AgentState[Any]:
    """Return the state of a run that goes on: no longer halted, and through the door it stood before."""
    halted = state.records.get(Halted)
    going = state.lacking(Halted).having(*owned)
    if isinstance(halted, Halted) and halted.at_door and table.door is not None:
        return enter(table.door, going, dict(going._records))
    return going


def _step(table: Table, state: AgentState[Any], event: StateTransitionEvent) -> AgentState[Any]:
    row = table.row_of(event.stage, event.source)
    if row is None or row.enters is not event.source:
        raise ReplayMismatchError(event.seq, "stage", event.stage, f"no such stage in {event.source.name}")
    if Halted in state:
        raise ReplayMismatchError(event.seq, "kind", event.kind, "the run stood still")
    patch: StatePatch[Any] = StatePatch(*event.written.values())
    learned = state.having(*event.learned) if event.learned else state
    try:
        if row.check is not None and (text := row.check(view_of(state._records, row.reads, set()))) is not None:
            raise ReplayMismatchError(event.seq, "check", None, text)
        after, leave = commit(row, learned, patch)
    except RunError as error:
        found = f"{type(error).__name__}: {error.reason}"
        raise ReplayMismatchError(event.seq, error.path or "commit", "a commit", found) from error
    if leave.target is not event.target:
        raise ReplayMismatchError(event.seq, "target", event.target.name, leave.target.name)
    return after.having(*event.owned) if event.owned else after


def _hold_owners(table: Table, event: StateTransitionEvent) -> None:
    """Raise `ReplayMismatchError` for an event that goes, or holds a record, where its kind never does."""
    stays = (event.source, table.failed) if event.kind == "failed" else (event.source,)
    if event.kind != "step" and event.target not in stays:
        raise ReplayMismatchError(event.seq, "target", event.target.name, " or ".join(state.name for state in stays))
    if event.kind != "step" and event.written:
        raise ReplayMismatchError(event.seq, "patch", ", ".join(kind.__name__ for kind in event.written), "no patch")
    owns = Lifecycle | Metadata if event.kind == "step" else Lifecycle  # guards may remember a step
    for record in event.owned:
        if not isinstance(record, owns):
            raise ReplayMismatchError(event.seq, "owned", type(record).__name__, "a record of the orchestrator's")
    for record in event.learned:
        if not isinstance(record, Lifecycle | Metadata):
            raise ReplayMismatchError(event.seq, "learned", type(record).__name__, "a memory or a count")


def _is_door(record: Record) -> bool:
    return isinstance(record, Halted) and record.at_door


def _verified(event: StateTransitionEvent, state: AgentState[Any]) -> AgentState[Any]:
    if event.after is not None:
        if event.after != state:
            path, expected, found = first_difference(event.after, state)
            raise ReplayMismatchError(event.seq, path, expected, found)
    elif event.recorded is not None and event.recorded != state.digest:
        raise ReplayMismatchError(event.seq, "digest", event.recorded.hex(), state.digest.hex())
    return state


def _changes(recorded: Iterable[Any], now: Iterable[Any]) -> list[str]:
    """Name the stages whose line differs."""
    old: Mapping[str, Any] = {line.name: line for line in recorded}
    new: Mapping[str, Any] = {line.name: line for line in now}
    gone = [f"stage {name} is no longer there" for name in old if name not in new]
    come = [f"stage {name} is new" for name in new if name not in old]
    changed = [
        f"stage {name} was {old[name]}, is {new[name]}" for name in old if name in new and old[name] != new[name]
    ]
    return gone + come + changed or ["start, final, failed or iterates differ"]
