"""FSMOrchestrator: stages, wired. It holds no run and serves any number at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from copy import copy
from enum import Enum
from typing import Any, Generic, Never, TypeVar

import attrs

from agentfsm import keeping, runs
from agentfsm.building import Definition, build, fitting_store, graph_of, several
from agentfsm.edges import Graph
from agentfsm.errors import BusyError, UsageError
from agentfsm.events import Entry, Signal
from agentfsm.guard import Guard
from agentfsm.invariants import Invariant
from agentfsm.limits import Limits
from agentfsm.live import Live, Machine
from agentfsm.loop import traced
from agentfsm.records import Business, Lifecycle, Maybe, Metadata, Record
from agentfsm.run import Run
from agentfsm.snapshot import Snapshot, restored
from agentfsm.stage import Stage
from agentfsm.state import Iteration
from agentfsm.streaming import Item, Sink
from agentfsm.table import Table
from agentfsm.tools import Tool
from agentfsm.tracing import Tracing
from agentfsm.waking import limits_and_answers, wake
from agentfsm.watching import watched
from agentfsm.world import Journal, World

__all__ = ("FSMOrchestrator",)

S = TypeVar("S", bound=Business)
E = TypeVar("E", bound=Enum)
NO_LIMITS = Limits()


class FSMOrchestrator(Generic[S]):
    """
    Stages, wired; ``FSMOrchestrator[Schema]`` refuses what reads or writes outside the schema.

    Raises `DefinitionError` with every fault of the machine: a dangling exit, an unreachable stage, a trap, two stages
    for one lifecycle state, a required record that is not surely written, a dead write.
    """

    # `final` is a set and not a Set: an invariant parameter pins E to one enum. Were all of them covariant, the
    # checkers would join a stage of another enum to plain Enum and accept it.
    # A recovery reads anything: it alone takes `Record`.
    def __init__(
        self,
        stages: Iterable[
            Stage[S | Maybe[S] | Lifecycle | Maybe[Lifecycle] | Metadata | Maybe[Metadata], S | Maybe[S], E]
        ],
        *,
        start: E,
        final: set[E],
        failed: E,
        iterates: E | None = None,
        recovery: Stage[Record | Maybe[Record], Never, E] | None = None,
        invariants: Iterable[Invariant[Iteration | Maybe[S] | Maybe[Lifecycle] | Maybe[Metadata]]] = (),
        guards: Iterable[Guard[Any]] = (),
        tools: Iterable[type[Tool[Any]]] = (),
        limits: Limits = NO_LIMITS,
        journal: Journal | None = None,
        world: World | None = None,
        telemetry: Tracing | None = None,
        snapshots: int = 0,
        records: Iterable[type[S | Metadata]] = (),
        name: str = "machine",
        version: str = "1",
    ) -> None:
        self._definition = Definition(
            name=name,
            version=version,
            stages=several("stages", stages),
            start=start,
            final=frozenset(several("final", final)),
            failed=failed,
            iterates=iterates,
            recovery=recovery,
            invariants=several("invariants", invariants),
            guards=several("guards", guards),
            tools=several("tools", tools),
            records=several("records", records),
            limits=limits,
            journal=journal,
            world=world or World(),
            telemetry=telemetry,
            snapshots=snapshots,
        )
        self._machine = build(self._definition)
        self._busy: set[str] = set()

    @property
    def graph(self) -> Graph:
        """The executed table as data: what proofs and diagrams are made from."""
        return graph_of(self._definition)

    @property
    def table(self) -> Table:
        """The compiled table, with the machine's name, version and structural hash."""
        return self._machine.table

    @property
    def machine(self) -> Machine:
        """What each run is given; for stages that run a machine of their own."""
        return self._machine

    @property
    def limits(self) -> Limits:
        """What a run may spend unless it is resumed with other limits."""
        return self._definition.limits

    def with_limits(self, limits: Limits) -> FSMOrchestrator[S]:
        """Return this machine with other limits; its logs are the same machine's."""
        return self._altered(attrs.evolve(self._definition, limits=limits))

    def with_journal(self, journal: Journal | None) -> FSMOrchestrator[S]:
        """Return this machine with another journal."""
        return self._altered(attrs.evolve(self._definition, journal=journal))

    def with_telemetry(self, telemetry: Tracing | None) -> FSMOrchestrator[S]:
        """Return this machine with its runs traced otherwise, or not at all."""
        return self._altered(attrs.evolve(self._definition, telemetry=telemetry))

    def _altered(self, definition: Definition) -> FSMOrchestrator[S]:
        fitting_store(definition)
        altered = copy(self)
        altered._definition = definition
        altered._machine = attrs.evolve(
            self._machine, journal=definition.journal, telemetry=definition.telemetry, pausing=set()
        )
        altered._busy = set()
        return altered

    def begin(self, *given: S | Metadata, session: str = "") -> Run[S]:
        """Return a run that has not run any stage yet, for `step`."""
        return runs.begun(self._machine, self._definition.limits, given, session).as_run()

    async def run(self, *given: S | Metadata, session: str | None = None) -> Run[S]:
        """
        Run from the start until the run ends or stands still.

        With *session*, records of session scope are taken over from the session's newest run in the journal, and what
        is *given* replaces them. A failing stage is outcome FAILED, not an exception.
        """
        return await self._run(given, session, None)

    async def step(self, run: Run[S]) -> Run[S]:
        """Attempt one stage. Raises `ConflictError` when the run has gone on since."""
        live = runs.continued(self._machine, run)
        return await self._drive(live, steps=1)

    async def resume(self, run: Run[S] | Snapshot[S], *signals: Signal | Limits) -> Run[S]:
        """
        Go on with a run that stands still, or one that was cut off.

        A `Signal` answers the call that the run waits for; without one, what was sent to its inbox does, and where
        there is nothing it keeps waiting. `Limits` replace the ones that it has; without them a run that is exhausted
        is given this orchestrator's own, and as long as they are spent it stands still. Raises `UsageError` for a run
        that is over and for what answers nothing.
        """
        limits, answers = limits_and_answers(signals)
        found = await keeping.from_snapshot(self._machine, run) if isinstance(run, Snapshot) else run
        live = runs.continued(self._machine, found)
        answers = answers or [*await keeping.delivered(self._machine, found)]
        if not await wake(live, found, limits, answers, self._definition.limits):
            return found
        return await self._drive(live)

    async def stream(self, *given: S | Metadata, session: str | None = None) -> AsyncIterator[Item[S]]:
        """
        Run and show what happens, item by item; the last one is `Ended`.

        The queue is bounded, so a slow consumer slows the run down. Leaving the loop cancels the run.
        """
        async with aclosing(watched(lambda sink: self._run(given, session, sink))) as items:
            async for item in items:
                yield item

    def run_sync(self, *given: S | Metadata, session: str | None = None) -> Run[S]:
        """Run in an event loop of its own; raises `UsageError` where one is running already."""
        import asyncio

        if asyncio._get_running_loop() is not None:
            raise UsageError("run_sync was called inside an event loop; await run(...) there")
        return asyncio.run(self.run(*given, session=session))

    def snapshot(self, run: Run[S]) -> Snapshot[S]:
        """Return what a fresh process needs to go on; raises `BusyError` while a step of the run is under way."""
        self._settled(run)
        return keeping.snapshot_of(self._machine.table, run)

    def restore(self, text: str) -> Snapshot[S]:
        """Read a snapshot back; raises `CorruptSnapshotError` or `IdentityError`."""
        return restored(self._machine.table, self._machine.codec, text)

    def replay(self, log: Iterable[Entry]) -> Run[S]:
        """
        Fold a log again and hold it to what it says; no stage runs, no guard is asked.

        Raises `ReplayMismatchError` at the first entry where machine and log disagree.
        """
        given: object = log
        if isinstance(given, Run | str):
            raise UsageError("replay folds the entries of a log: give run.log, or lines of text to read()")
        return runs.replayed(self._machine.table, tuple(log))

    def read(self, lines: Iterable[str]) -> Run[S]:
        """Read the lines of a log and replay it; raises `CorruptLogError` for a damaged one."""
        return runs.read(self._machine, lines)

    def lines(self, run: Run[S]) -> tuple[str, ...]:
        """Return a run's log as lines of JSON, each chained to the ones before it."""
        return runs.lines_of(run)

    async def load(self, run_id: str) -> Run[S]:
        """Return a run from the journal; raises `UsageError` where it is not there."""
        return await runs.loaded(self._machine, run_id)

    async def reopen(self, run_id: str) -> Run[S]:
        """Return a run from its newest snapshot and what was added since; only `load` has the log before that."""
        return await keeping.reopened(self._machine, run_id)

    async def keep(self, run: Run[S]) -> None:
        """Keep a snapshot of a run in the store, for `reopen`; `snapshots=N` does so every N entries by itself."""
        self._settled(run)
        await keeping.keep(self._machine, run)

    async def compact(self, run: Run[S], *, keep: int = 0) -> int:
        """
        Keep a snapshot and drop the log before it for good, but for the *keep* newest entries; return how many went.

        What was dropped can be neither replayed nor forked from.
        """
        self._settled(run)
        return await keeping.compacted(self._machine, run, keep)

    async def send(self, run_id: str, signal: Signal) -> bool:
        """
        Leave the answer to what a run waits for in the store, for whoever resumes it; False where there is one already.

        Raises `UsageError` where the run does not wait for that.
        """
        return await keeping.send(self._machine, run_id, signal)

    def at(self, run: Run[S], seq: int) -> Run[S]:
        """Return the run as it was after event *seq*; raises `UsageError` for a number that it has no event of."""
        return runs.replayed(self._machine.table, runs.prefix(run, seq))

    def fork(self, run: Run[S], seq: int) -> Run[S]:
        """Return a new run with the same log up to event *seq*; from there each goes its own way."""
        return runs.forked(self._machine, run, seq)

    def pause(self, run_id: str) -> None:
        """Let a run stand still at its next commit."""
        self._machine.pausing.add(run_id)

    async def _run(self, given: tuple[S | Metadata, ...], session: str | None, sink: Sink | None) -> Run[S]:
        carried = await runs.carried(self._machine, session, given)
        live = runs.begun(self._machine, self._definition.limits, (*carried, *given), session or "")
        live.sink = sink
        return await self._drive(live)

    def _settled(self, run: Run[S]) -> None:
        if run.id in self._busy:
            raise BusyError(f"run {run.id} is in the middle of a step; take the snapshot after it")

    async def _drive(self, live: Live, steps: int = -1) -> Run[S]:
        if live.id in self._busy or live.claim.held:
            raise BusyError(f"run {live.id} is in the middle of a step")
        self._busy.add(live.id)
        live.claim.held = True
        try:
            await traced(live, steps)
        finally:
            live.claim.held = False
            self._busy.discard(live.id)
            if self._machine.table.is_end(live.settled.lifecycle):
                self._machine.pausing.discard(live.id)
        return live.as_run()
