"""Runs begun, continued, woken, read back, cut and forked: everything about them but the stages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import attrs

from agentfsm.attempts import answered, due, feedback, unsettled, unspent, visit_of
from agentfsm.entries import log_lines
from agentfsm.errors import ConflictError, CorruptLogError, UsageError
from agentfsm.events import CallEvent, Entry, StateTransitionEvent, changed, event
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live, Machine
from agentfsm.logs import LogReader
from agentfsm.records import Business, Lifecycle, Metadata, Record, is_record
from agentfsm.replay import begin, fold_log
from agentfsm.run import EventLog, Run, outcome_of
from agentfsm.state import AgentState, Halted
from agentfsm.table import Table
from agentfsm.values import checker

__all__ = (
    "begun",
    "carried",
    "continued",
    "forked",
    "former_of",
    "lines_of",
    "loaded",
    "named",
    "prefix",
    "read",
    "replayed",
)


def begun(
    machine: Machine, limits: Limits, given: Iterable[Record], session: str, named: tuple[str, str] = ("", "")
) -> Live:
    """
    Return a new run with entry 0; *named* is (name, parent) where it is not the outermost.

    Raises `UsageError` for input that is no record of the caller's to give.
    """
    records: dict[type[Record], Record] = {}
    for value in given:
        _usable(machine.table, type(value), value)
        if type(value) in records:
            raise UsageError(f"{type(value).__name__} is given twice")
        records[type(value)] = value
    memories = [memory for memory in (guard.begins() for guard, _ in machine.guards) if memory is not None]
    now = machine.world.clock.now()
    owned: tuple[Record, ...] = ()
    if limits != Limits():
        at_once = limits.iterations == 0 and machine.table.start is machine.table.iterates
        halted = (Halted("iterations", at_door=True),) if at_once else (Halted("stages"),) if limits.stages == 0 else ()
        owned = (limits, Spent(since=now), *halted)
    patch = {**{type(m): m for m in memories}, **records}
    state = begin(machine.table, patch.values(), owned)
    run = named[0] or machine.world.new_id()
    header = machine.table.header(session, named[1])
    edge = machine.table.began
    what = {"written": patch, "owned": owned, "header": header, "after": state}
    first = event(run=run, seq=0, edge=edge, iteration=0, started=now, ended=now, **what)
    return Live(machine, run, session, state, [first])


def _usable(table: Table, kind: type[Record], value: Record) -> None:
    if not is_record(kind) or not issubclass(kind, Business | Metadata):
        raise UsageError(f"a run is given Business and Metadata records, not {value!r:.80}")
    if kind not in table.kinds.values():
        known = ", ".join(sorted(k.__name__ for k in table.kinds.values()))
        raise UsageError(f"no stage of {table.machine} knows {kind.__name__}; name it in records=; known: {known}")
    if (fault := checker(cast("type", kind))(value)) is not None:
        raise UsageError(f"{kind.__name__}: {fault}")


async def carried(machine: Machine, session: str | None, given: Iterable[Record]) -> tuple[Record, ...]:
    """Return the session-scoped records that the newest run of *session* left behind, but those *given* anew."""
    if not session or machine.journal is None:
        return ()
    newest = await machine.journal.latest(session)
    if newest is None:
        return ()
    state = (await loaded(machine, newest)).state
    anew = {type(record) for record in given}
    lasting = (r for r in state if type(r).scope == "session" and not isinstance(r, Lifecycle))
    return tuple(record for record in lasting if type(record) not in anew)


def continued(machine: Machine, run: Run[Any]) -> Live:
    """Return a run to go on with; raises `ConflictError` when its log has gone on since, from here or elsewhere."""
    given: object = run
    if not isinstance(given, Run):
        raise UsageError(f"what goes on is a run, not {given!r:.60}")
    log = run.log
    if log.end != log.newest:
        raise ConflictError(run.id, expected=log.end, found=log.newest)
    live = Live(machine, run.id, run.session, run.state, log.shared, log.base, run.stored, run.chain)
    live.children, live.claim = dict(run.children), log.claim
    live.former, live.kept = former_of(run), run.kept
    live.attempt, live.rescue = due(log, run.attempt, run.rescue)
    live.feedback = feedback(log) if live.attempt > 1 else ()
    live.answered, live.signals, live.extra = answered(log), unspent(log), True
    live.visit = visit_of(log, log.base)
    live.unsettled = unsettled(log)
    return live


def former_of(run: Run[Any]) -> str:
    """Return the root span that a run had last, as W3C trace context: of its log, or as given where that is silent."""
    traced = (entry.trace for entry in reversed(run.log) if isinstance(entry, StateTransitionEvent) and entry.trace)
    return next(traced, run.trace)


def replayed(table: Table, log: tuple[Entry, ...]) -> Run[Any]:
    """Return the run that a log is of, once it is folded and verified."""
    state: AgentState[Any] = fold_log(table, log)
    first = log[0]
    session = first.header.session if isinstance(first, StateTransitionEvent) and first.header else ""
    return Run(first.run, session, state, EventLog(list(log), len(log)), outcome_of(table, state))


def read(machine: Machine, lines: Iterable[str]) -> Run[Any]:
    """Return the run whose log *lines* are."""
    if isinstance(lines, str):
        raise UsageError("a log is read line by line, not as one text: give text.splitlines()")
    reader = LogReader(machine.table, machine.codec)
    return replayed(machine.table, reader.read(lines))


def lines_of(run: Run[Any]) -> tuple[str, ...]:
    """Return a run's log as lines."""
    return tuple(log_lines(run.log))


async def loaded(machine: Machine, run_id: str) -> Run[Any]:
    """Return a run from the journal."""
    if machine.journal is None:
        raise UsageError("this machine has no journal to load from; read a file's lines with read()")
    reader = LogReader(machine.table, machine.codec)
    lines = [line async for line in machine.journal.read(run_id)]
    if not lines:
        raise UsageError(f"the journal has no run {run_id}")
    run = replayed(machine.table, reader.read(lines))
    return attrs.evolve(run, stored=len(lines), chain=reader.chain)


def prefix(run: Run[Any], seq: int) -> tuple[Entry, ...]:
    """Return the log up to event *seq*; raises `UsageError` where that is no transition of the run."""
    if run.log.base:
        raise UsageError(f"run {run.id} goes on from a snapshot and has no log before event {run.log.base}; load it")
    if type(seq) is not int or not 0 <= seq < len(run.log) or not isinstance(run.log[seq], StateTransitionEvent):
        events = ", ".join(str(event.seq) for event in run.events[:20])
        raise UsageError(f"run {run.id} has no transition {seq}; it has {events}")
    return run.log[: seq + 1]


def forked(machine: Machine, run: Run[Any], seq: int) -> Run[Any]:
    """Return a new run with the log of another up to *seq*, which says where it is from."""
    return _named(machine, prefix(run, seq), machine.world.new_id())


def named(machine: Machine, run: Run[Any], name: str) -> Run[Any]:
    """Return a new run with the whole log of another."""
    if run.log.base:
        raise UsageError(f"run {run.id} goes on from a snapshot and has no log before event {run.log.base}; load it")
    return _named(machine, tuple(run.log), name)


def _named(machine: Machine, entries: tuple[Entry, ...], name: str) -> Run[Any]:
    first = entries[0]
    if not isinstance(first, StateTransitionEvent) or first.header is None:
        raise CorruptLogError("entry 0 is missing: a log begins with what the run was given")
    header = attrs.evolve(first.header, forked=(first.run, entries[-1].seq))
    renamed = [_renamed(entry, name) for entry in entries]
    renamed[0] = _renamed(first, name, header=header)
    return replayed(machine.table, tuple(renamed))


def _renamed(entry: Entry, run: str, **facts: Any) -> Entry:
    if isinstance(entry, CallEvent):
        return attrs.evolve(entry, run=run)
    return changed(entry, run=run, **facts)
