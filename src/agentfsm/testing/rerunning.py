"""A recorded run taken again: each stage really runs, what it asked of the world is answered from the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import attrs

from agentfsm import runs
from agentfsm.canonical import record_text
from agentfsm.errors import ReplayMismatchError, UsageError
from agentfsm.events import CallEvent, StateTransitionEvent
from agentfsm.limits import Limits
from agentfsm.live import Live
from agentfsm.loop import drive
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.records import Business, name_of
from agentfsm.replay import fold
from agentfsm.run import Run
from agentfsm.testing.clock import ManualClock

__all__ = ("replay_log", "rerun")

S = TypeVar("S", bound=Business)


def replay_log(machine: FSMOrchestrator[S], path: Path | str) -> Run[S]:
    """
    Return the run whose log is in the file *path*, folded again and then taken again.

    Raises `ReplayMismatchError` at the first entry that differs, `IdentityError` for another machine's log and
    `CorruptLogError` for a damaged one. No tool is called and no model is asked. Not for use inside an event loop.
    """
    run = machine.read(Path(path).read_text(encoding="utf-8").splitlines())
    asyncio.run(rerun(machine, run))
    return run


async def rerun(machine: FSMOrchestrator[S], run: Run[S]) -> None:
    """
    Take each attempt of a run again and hold it to what is recorded: the edge, the patch, and why it failed.

    Raises `ReplayMismatchError` with the first entry that differs. A call that was not recorded is such a difference:
    it is not made. Raises `UsageError` for a run that has no beginning, and for one with runs of sub-machines inside:
    those are runs of their own, to be taken again by themselves.
    """
    if run.log.base:
        raise UsageError(f"run {run.id} cannot be taken again: it goes on from a snapshot; load all of its log")
    if inside := _inside(run):
        raise UsageError(f"run {run.id} cannot be taken again: it has the run {inside} inside; take that one again")
    live = _begun(machine, run)
    calls: list[CallEvent] = []
    for entry in run.log[1:]:
        if isinstance(entry, CallEvent):
            calls.append(entry)
            live.log.append(entry)
        elif entry.kind in ("step", "failed"):
            await _again(live, entry, calls)
            calls = []
        else:  # it stood still, or went on: nothing of the stage's
            live.log.append(entry)
            live.settle(fold(live.machine.table, live.state, entry))


def _inside(run: Run[Any]) -> str:
    """Return the name of a sub-machine's run that is noted in a log, or nothing."""
    noted = (e for e in run.log if isinstance(e, CallEvent) and (e.phase, e.tool) == ("asked", "child"))
    return next((str(json.loads(e.result)) for e in noted), next(iter(run.children), ""))


def _begun(machine: FSMOrchestrator[Any], run: Run[Any]) -> Live:
    first = run.log[0]
    if not isinstance(first, StateTransitionEvent):
        raise UsageError(f"run {run.id} has no beginning")
    memories = {kind for _, kind in machine.machine.guards}
    given = [record for kind, record in first.written.items() if kind not in memories]
    limits = next((record for record in first.owned if isinstance(record, Limits)), Limits())
    world = attrs.evolve(machine.machine.world, clock=ManualClock(first.started))
    alone = attrs.evolve(machine.machine, journal=None, telemetry=None, world=world, snapshots=0)
    return runs.begun(alone, limits, given, run.session, (run.id, ""))


async def _again(live: Live, recorded: StateTransitionEvent, calls: list[CallEvent]) -> None:
    live.answered, live.extra = _Recorded(recorded, calls), True
    await drive(live, 1)
    found = live.log[-1]
    if not isinstance(found, StateTransitionEvent):
        raise ReplayMismatchError(recorded.seq, "kind", recorded.kind, "a call")
    was, now = _told(recorded), _told(found)
    for name in [*was, *(name for name in now if name not in was)]:
        if was.get(name) != now.get(name):
            raise ReplayMismatchError(recorded.seq, name, was.get(name), now.get(name))


def _told(event: StateTransitionEvent) -> dict[str, str]:
    """What an attempt came to, in the order in which a reader would ask."""
    error = event.error
    told = {
        "stage": event.stage,
        "kind": f"{event.kind}: {error.kind}: {error.message}" if error is not None else event.kind,
        "attempt": str(event.attempt),
    }
    told |= {f"patch.{name_of(kind)}": record_text(record) for kind, record in event.written.items()}
    told["target"] = event.target.name
    told["exits"] = ", ".join(f"{exit.target.name} {exit.code}" for exit in event.exits)
    return told


class _Recorded(Mapping[int, tuple[CallEvent, ...]]):
    """The calls of one attempt by index; for one that it did not make, a call that equals no other."""

    def __init__(self, event: StateTransitionEvent, calls: list[CallEvent]) -> None:
        self._event = event
        self._calls: dict[int, tuple[CallEvent, ...]] = {}
        for call in calls:
            self._calls[call.index] = (*self._calls.get(call.index, ()), call)

    def __getitem__(self, index: int) -> tuple[CallEvent, ...]:
        found = self._calls.get(index)
        if found is not None:
            return found
        event = self._event
        at = (event.run, event.seq, cast("Any", "result"), event.stage, event.source, event.iteration, event.attempt)
        return (CallEvent(*at, index, "", "no call", "", ""),)

    def __iter__(self) -> Iterator[int]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)
