"""Runs begun, continued, woken, read back, cut and forked: everything about them but the stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, cast

import attrs

from agentfsm.calls import unsettled
from agentfsm.entries import log_lines
from agentfsm.errors import ConflictError, CorruptLogError, UsageError
from agentfsm.events import CallEvent, Edge, Entry, Signal, StateTransitionEvent, changed, event
from agentfsm.frozen import FrozenMap
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live, Machine
from agentfsm.logs import LogReader
from agentfsm.records import Business, Lifecycle, Metadata, Record, is_record
from agentfsm.replay import begin, fold_log, fold_resumed
from agentfsm.run import EventLog, Run, outcome_of
from agentfsm.state import AgentState, Halted
from agentfsm.table import Table
from agentfsm.values import checker

__all__ = (
    "begun",
    "carried",
    "continued",
    "due",
    "forked",
    "lines_of",
    "loaded",
    "moves",
    "prefix",
    "read",
    "replayed",
    "wake",
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
    log = run.log
    if log.end != log.newest:
        raise ConflictError(run.id, expected=log.end, found=log.newest)
    live = Live(machine, run.id, run.session, run.state, log.shared, log.base, run.stored, run.chain)
    live.children = dict(run.children)
    live.attempt, live.rescue = due(log, run.attempt, run.rescue)
    live.feedback = _feedback(log) if live.attempt > 1 else ()
    live.answered, live.signals, live.extra = _answered(log), _standing(log), True
    # A log that goes on from a snapshot begins right after the step that led to the current stage.
    live.visit = next((entry.seq for entry in reversed(log) if moves(entry)), max(0, log.base - 1))
    live.unsettled = unsettled(log[max(0, live.visit + 1 - log.base) :])
    return live


def due(log: Sequence[Entry], attempt: int, rescue: bool) -> tuple[int, bool]:
    """Return the number of the attempt that is due and whether it is the recovery's; as given where *log* is silent."""
    last = next((entry for entry in reversed(log) if _ends_attempt(entry)), None)
    if not isinstance(last, StateTransitionEvent):
        return attempt, rescue
    code = last.exits[0].code if last.kind == "failed" and last.exits else ""
    return (last.attempt + 1 if code == "retry" else 1), code == "recovery"


def moves(entry: Entry) -> bool:
    """Tell whether a stage begins after this entry."""
    return isinstance(entry, StateTransitionEvent) and entry.kind in ("began", "step")


def _ends_attempt(entry: Entry) -> bool:
    return isinstance(entry, StateTransitionEvent) and entry.kind in ("began", "step", "failed")


def _feedback(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return why the attempts at the current stage failed."""
    found: list[str] = []
    for entry in reversed(entries):
        if isinstance(entry, StateTransitionEvent) and entry.kind in ("step", "began"):
            break
        if isinstance(entry, StateTransitionEvent) and entry.error is not None:
            found.append(entry.error.message)
    return tuple(reversed(found))


def _answered(entries: Sequence[Entry]) -> FrozenMap[int, tuple[CallEvent, ...]]:
    """Return what the log has of the attempt that is under way, by index."""
    found: dict[int, tuple[CallEvent, ...]] = {}
    for entry in reversed(entries):
        if isinstance(entry, CallEvent):
            found[entry.index] = (entry, *found.get(entry.index, ()))
        elif _ends_attempt(entry):
            break
    return FrozenMap(found)


def _standing(entries: Sequence[Entry]) -> FrozenMap[str, Signal]:
    """Return the answers that the log has for calls of the attempt under way which were not made since, by call."""
    attempt = list(takewhile(lambda entry: not _ends_attempt(entry), reversed(entries)))
    found: dict[str, Signal] = {}
    asked: dict[str, str] = {}
    for entry in reversed(attempt):
        if isinstance(entry, CallEvent):
            found.pop(entry.key, None)
            continue
        asked |= {halted.key: halted.call for halted in entry.owned if isinstance(halted, Halted)}
        found |= {asked[signal.key]: signal for signal in entry.signals if signal.key in asked}
    return FrozenMap(found)


async def wake(live: Live, run: Run[Any], limits: Limits, signals: Sequence[Signal]) -> bool:
    """
    Record that a run goes on; tell whether it does.

    Raises `UsageError` for a run that is over, for a signal to an asking that is not the one it waits for, and for one
    that comes too late; a run whose asking has lapsed goes on without a signal, and asks anew.
    """
    table, state = live.machine.table, run.state
    if table.is_end(state.lifecycle):
        raise UsageError(f"run {run.id} is over: it is {state.lifecycle.name}; fork it to go on from an earlier event")
    halted = state.records.get(Halted)
    if not isinstance(halted, Halted):
        if signals:
            raise UsageError(f"run {run.id} does not wait for {signals[0].key}; it waits for nothing")
        return True
    if halted.reason == "cancelled":
        raise UsageError(f"run {run.id} was cancelled; fork it to go on")
    keys = {halted.key} if halted.key else set()
    if strange := [signal.key for signal in signals if signal.key not in keys]:
        raise UsageError(f"run {run.id} does not wait for {strange[0]}; it waits for {', '.join(keys) or 'nothing'}")
    now = live.machine.world.clock.now()
    lapsed = halted.expires is not None and now >= halted.expires
    if keys and not signals and not lapsed:
        return False
    if signals and lapsed:
        raise UsageError(f"the request {halted.key} has expired; resume the run without an answer and it asks anew")
    owned: tuple[Record, ...] = (limits,) if limits != Limits() else ()
    spent = state.records.get(Spent)
    if isinstance(spent, Spent):  # time that nobody spent does not count
        waited = now - (live.log[-1].ended if live.log else now)
        owned = (*owned, Spent(spent.since + waited, spent.stages, spent.tool_calls, spent.tokens))
    elif owned:
        owned = (*owned, Spent(since=now))
    edge = Edge("resumed", "", state.lifecycle, state.lifecycle)
    after = fold_resumed(table, state, owned)
    at = {"run": live.id, "seq": live.seq, "edge": edge, "iteration": live.iteration, "started": now, "ended": now}
    what = {"attempt": live.attempt, "owned": owned, "signals": tuple(signals), "after": after}
    await live.add(live.sealed(event(**at, **what)))
    live.settle(after)
    live.signals = FrozenMap({**live.signals, **{halted.call: s for s in signals}})  # noqa: B035  # all are for one call
    live.extra = True
    return True


def replayed(table: Table, log: tuple[Entry, ...]) -> Run[Any]:
    """Return the run that a log is of, once it is folded and verified."""
    state: AgentState[Any] = fold_log(table, log)
    first = log[0]
    session = first.header.session if isinstance(first, StateTransitionEvent) and first.header else ""
    return Run(first.run, session, state, EventLog(list(log), len(log)), outcome_of(table, state))


def read(machine: Machine, lines: Iterable[str]) -> Run[Any]:
    """Return the run whose log *lines* are."""
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
    if not 0 <= seq < len(run.log) or not isinstance(run.log[seq], StateTransitionEvent):
        events = ", ".join(str(event.seq) for event in run.events[:20])
        raise UsageError(f"run {run.id} has no transition {seq}; it has {events}")
    return run.log[: seq + 1]


def forked(machine: Machine, run: Run[Any], seq: int) -> Run[Any]:
    """Return a new run with the log of another up to *seq*, which says where it is from."""
    entries = prefix(run, seq)
    name = machine.world.new_id()
    first = entries[0]
    if not isinstance(first, StateTransitionEvent) or first.header is None:
        raise CorruptLogError("entry 0 is missing: a log begins with what the run was given")
    header = attrs.evolve(first.header, forked=(run.id, seq))
    renamed = [_renamed(entry, name) for entry in entries]
    renamed[0] = _renamed(first, name, header=header)
    return replayed(machine.table, tuple(renamed))


def _renamed(entry: Entry, run: str, **facts: Any) -> Entry:
    if isinstance(entry, CallEvent):
        return attrs.evolve(entry, run=run)
    return changed(entry, run=run, **facts)
