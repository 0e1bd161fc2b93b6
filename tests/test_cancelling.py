"""Cancelling: it always gets through, it closes everything once, and nothing is committed after it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from agentfsm import (
    Context,
    MemoryJournal,
    Outcome,
    Record,
    Retry,
    Run,
    StatePatch,
    UsageError,
    View,
    World,
)
from agentfsm.state import Partial
from tests.sample import Bug, Diff, Fix, Phase, Work, failures, machine, mend


class Hanging:
    """Work that hangs until it is cut off, and tells when it began."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.ended: list[str] = []

    async def __call__(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.append("cleaned up")
        return StatePatch(Diff("too late"))


async def loaded(journal: MemoryJournal, work: Work = mend) -> Run[Any]:
    return await machine(Fix(work), journal=journal).load("run-1")


def terminal(run: Run[Any]) -> list[str]:
    """The events that end or halt a run."""
    return [event.kind for event in run.events if event.kind == "halted" or event.target in (Phase.DONE, Phase.FAILED)]


async def test_a_timeout_around_a_run_is_seen() -> None:
    """R42: `wait_for` sees its timeout; the log ends with one terminal event."""
    journal, work = MemoryJournal(), Hanging()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(machine(Fix(work), journal=journal).run(Bug("b")), 0.001)

    run = await loaded(journal)
    assert (Outcome.CANCELLED, ["halted"], ["cleaned up"]) == (run.outcome, terminal(run), work.ended)
    assert (None, None) == (run.get(Diff), run.error)


async def test_a_timeout_around_a_stage_that_has_one_too() -> None:
    """R42: the outer timeout is not taken for the stage's own."""
    work = Hanging()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(machine(Fix(work, timeout=60.0)).run(Bug("b")), 0.001)

    assert ["cleaned up"] == work.ended


@pytest.mark.parametrize("times", [1, 2, 5])
async def test_cancelling_again_changes_nothing(times: int) -> None:
    """R42: however often a run is cancelled, it is cancelled once."""
    journal, work = MemoryJournal(), Hanging()
    task = asyncio.create_task(machine(Fix(work), journal=journal).run(Bug("b")))
    await work.began.wait()
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)

    with pytest.raises(asyncio.CancelledError):
        await task
    run = await loaded(journal)
    assert (Outcome.CANCELLED, ["halted"]) == (run.outcome, terminal(run))


class Slow(MemoryJournal):
    """A journal that takes its time over the append after *at* lines, before it keeps them or after that."""

    def __init__(self, at: int, *, keeps_first: bool = False) -> None:
        super().__init__()
        self.asked, self.may = asyncio.Event(), asyncio.Event()
        self._at, self._keeps_first = at, keeps_first

    async def append(self, run: str, expected: int, lines: Sequence[str], **told: Any) -> None:
        slow = expected == self._at
        if not slow or self._keeps_first:
            await super().append(run, expected, lines, **told)
        if slow:
            self._at = -1  # once
            self.asked.set()
            await self.may.wait()
        if slow and not self._keeps_first:
            await super().append(run, expected, lines, **told)


async def test_cancelled_while_the_end_is_being_kept() -> None:
    """R42: a second cancel while the journal takes the first one's event neither loses nor doubles it."""
    journal, work = Slow(at=1), Hanging()
    task = asyncio.create_task(machine(Fix(work), journal=journal).run(Bug("b")))
    await work.began.wait()
    task.cancel()
    await journal.asked.wait()
    task.cancel()
    await asyncio.sleep(0)
    journal.may.set()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert ["halted"] == terminal(await loaded(journal))


@pytest.mark.parametrize(("at", "kept", "steps"), [(1, False, 0), (1, True, 1), (2, False, 1), (2, True, 2)])
async def test_cancelled_while_a_step_is_being_kept(at: int, kept: bool, steps: int) -> None:
    """R42: the step that the journal was taking is kept, or it is not; there is no second of it, and one end."""
    journal = Slow(at, keeps_first=kept)
    task = asyncio.create_task(machine(journal=journal).run(Bug("b")))
    await journal.asked.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    run = await loaded(journal)
    assert (Outcome.CANCELLED, ["halted"]) == (run.outcome, terminal(run))
    assert steps == sum(event.kind == "step" for event in run.events)


async def test_cancelled_while_the_last_step_is_being_kept() -> None:
    """R42: a run whose last step was kept has finished, and is not cancelled after that."""
    journal = Slow(4, keeps_first=True)
    task = asyncio.create_task(machine(journal=journal).run(Bug("b")))
    await journal.asked.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    run = await loaded(journal)
    assert (Outcome.FINISHED, ["step"]) == (run.outcome, terminal(run))


async def test_cancelled_while_the_beginning_is_being_kept() -> None:
    """R42: a run that is in the journal has an end there."""
    journal = Slow(0, keeps_first=True)
    task = asyncio.create_task(machine(journal=journal).run(Bug("b")))
    await journal.asked.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert ["halted"] == terminal(await loaded(journal))


class Waiting:
    """A clock on which a pause does not end by itself."""

    def __init__(self) -> None:
        self.pausing = asyncio.Event()

    def now(self) -> int:
        return 0

    async def sleep(self, seconds: float) -> None:
        self.pausing.set()
        await asyncio.Event().wait()


async def test_cancelled_while_waiting_for_the_next_attempt() -> None:
    """R42: also between two attempts a run that is cancelled says so."""
    journal, clock = MemoryJournal(), Waiting()
    fix = Fix(ensure=lambda view: "no good", retry=Retry(attempts=2, wait=1.0))
    orchestrator = machine(fix, journal=journal, world=World(clock=clock, new_id=lambda: "run-1"))
    task = asyncio.create_task(orchestrator.run(Bug("b")))
    await clock.pausing.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    run = await loaded(journal)
    assert (Outcome.CANCELLED, ["halted"], 1) == (run.outcome, terminal(run), len(failures(run)))


async def test_a_cancelled_run_is_not_resumed() -> None:
    """The way on from a cancelled run is a fork of it."""
    journal, work = MemoryJournal(), Hanging()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(machine(Fix(work), journal=journal).run(Bug("b")), 0.001)

    orchestrator = machine(journal=journal, world=World(new_id=lambda: "fork"))
    run = await orchestrator.load("run-1")
    with pytest.raises(UsageError, match="was cancelled; fork it"):
        await orchestrator.resume(run)
    assert Outcome.FINISHED is (await orchestrator.resume(orchestrator.fork(run, 0))).outcome


async def test_a_stage_that_cancels_something_of_its_own_fails() -> None:
    """R11: a CancelledError that nobody sent to the run is the stage's error, not the run's end."""

    async def cancels(view: View[Any], ctx: Context) -> StatePatch[Any]:
        inner = asyncio.ensure_future(asyncio.Event().wait())
        inner.cancel()
        await inner
        return StatePatch(Diff())

    run = await machine(Fix(cancels)).run(Bug("b"))

    assert (Outcome.FAILED, "StageError") == (run.outcome, run.error.kind if run.error else "")


async def test_an_interrupt_gets_through_and_is_recorded() -> None:
    """R11: what ends the process ends the run too, once."""

    class Stop(BaseException): ...

    async def stops(view: View[Any], ctx: Context) -> StatePatch[Any]:
        raise Stop

    journal = MemoryJournal()
    with pytest.raises(Stop):
        await machine(Fix(stops), journal=journal).run(Bug("b"))

    run = await loaded(journal)
    assert (Outcome.CANCELLED, ["halted"]) == (run.outcome, terminal(run))


async def test_what_was_shown_is_kept_when_it_is_cut_off() -> None:
    """R38: text that the user saw is not gone after a stop, where the stage keeps it."""

    class Keeping(Fix):
        streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "text")
        keeps_partial = True

    began = asyncio.Event()

    async def shows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.emit("half")
        began.set()
        await asyncio.Event().wait()
        return StatePatch(Diff("half"))

    journal = MemoryJournal()
    task = asyncio.create_task(machine(Keeping(shows), journal=journal).run(Bug("b")))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    run = await machine(Keeping(shows), journal=journal).load("run-1")
    assert (Partial("Keeping", "half"), None) == (run.state.get(Partial), run.get(Diff))
