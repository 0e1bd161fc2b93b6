"""Crashes on purpose: a scenario run once for each moment at which its process could die, and gone on with after it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from attrs import frozen

from agentfsm.errors import UsageError
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.run import Outcome, Run
from agentfsm.store import Store
from agentfsm.world import Journal

__all__ = ("Crash", "Crashed", "CrashingJournal", "Scenario", "crash_everywhere")

T = TypeVar("T")
Moment: TypeAlias = Literal["before", "after"]


class Crash(BaseException):
    """The process died here. No code of the run gets to say anything about it."""


class CrashingJournal:
    """
    A journal in front of another, which dies *when* it is to keep batch number *crash_at* of lines, from 0.

    Whoever asks it for anything from then on dies, too. With None it lives, and `appends` tells how many batches
    there are.
    """

    def __init__(self, journal: Journal, crash_at: int | None = None, *, when: Moment = "before") -> None:
        self._journal = journal
        self._crash_at = crash_at
        self._when = when
        self._dead = False
        self.appends = 0

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines, or die before or after."""
        self._alive()
        due = self._crash_at == self.appends
        self.appends += 1
        if due and self._when == "before":
            self._die()
        await self._journal.append(run, expected, lines, session=session)
        if due:
            self._die()

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        self._alive()
        async for line in self._journal.read(run, start):
            yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        self._alive()
        return await self._journal.head(run)

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        self._alive()
        return await self._journal.latest(session)

    def _alive(self) -> None:
        if self._dead:
            raise Crash("this process is dead")

    def _die(self) -> None:
        self._dead = True
        raise Crash(f"{self._when} batch {self.appends - 1}")


class Scenario:
    """
    What is run and crashed: subclass it.

    A scenario is asked for its machine anew after each crash, as a fresh process would be; only the lines of its
    journal, and what its tools did to the world outside, are still there.
    """

    def journal(self) -> Store:
        """Return an empty store; each crash is tried on one of its own."""
        raise NotImplementedError

    def machine(self, journal: Journal) -> FSMOrchestrator[Any]:
        """Return the machine with *journal*, its world the same each time."""
        raise NotImplementedError

    async def begin(self, machine: FSMOrchestrator[Any]) -> Run[Any]:
        """Run it from the start."""
        raise NotImplementedError

    async def go_on(self, machine: FSMOrchestrator[Any], run: Run[Any]) -> Run[Any]:
        """Go on with a run that was cut off or stands still; by default just that, without an answer to anything."""
        return await machine.resume(run)


@frozen(eq=False)
class Crashed:
    """What came of one crash: the batch of lines it struck, and when, the run in the end, how often it was resumed."""

    batch: int
    when: Moment
    run: Run[Any]
    resumed: int


async def crash_everywhere(
    scenario: Callable[[], Scenario], *, most_resumes: int = 20
) -> tuple[Run[Any], tuple[Crashed, ...]]:
    """
    Run a scenario whole, and then once for each batch of lines, dying before it is kept and right after.

    Return the whole run and what came of each crash: what is to be held against it is the caller's to say. Raises
    `UsageError` for a run that does not end within *most_resumes*.
    """
    whole = scenario()
    store = whole.journal()
    counting = CrashingJournal(store)
    expected, _ = await _ended(whole, counting, store, most_resumes)
    moments: tuple[Moment, ...] = ("before", "after")
    crashes = [(batch, when) for batch in range(counting.appends) for when in moments]
    return expected, tuple([await _crashed(scenario(), batch, when, most_resumes) for batch, when in crashes])


async def _crashed(scenario: Scenario, batch: int, when: Moment, most: int) -> Crashed:
    store = scenario.journal()
    run, resumed = await _ended(scenario, CrashingJournal(store, batch, when=when), store, most)
    return Crashed(batch, when, run, resumed)


async def _ended(scenario: Scenario, first: CrashingJournal, store: Store, most: int) -> tuple[Run[Any], int]:
    """Run until the process dies or the run ends; then, over the lines that were kept, until it ends for good."""
    machine = scenario.machine(first)
    run = await _living(scenario.begin(machine))
    resumed = 0
    while run is None or run.outcome in (None, Outcome.SUSPENDED):
        if resumed >= most:
            raise UsageError(f"the run did not end within {most} resumes: {run.outcome if run else 'it never began'}")
        resumed += 1
        if run is not None:
            run = await _living(scenario.go_on(machine, run))
            continue
        machine = scenario.machine(store)
        # What a fresh process finds; where not even the first line was kept, it begins again.
        runs = await store.runs()
        run = await machine.load(runs[0].run) if runs else await scenario.begin(machine)
    return run, resumed


async def _living(work: Awaitable[T]) -> T | None:
    """Return what *work* returns, or None where the process died meanwhile."""
    try:
        return await work
    except Crash:
        return None
