"""Leaving: cancelled while something is kept, a stream that is left, a loop that is torn down; each ends once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from agentfsm import Context, MemoryJournal, ModelError, Outcome, Partial, Record, Retry, StatePatch, View
from tests.desk import Asking, Mail, asks, phases
from tests.sample import Bug, Diff, Fix, machine


class Slow(MemoryJournal):
    """Takes its time over the append after *at* lines, and keeps them before."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.asked, self._at = asyncio.Event(), at

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        await super().append(run, expected, lines, session=session, fence=fence)
        if expected == self._at:
            self._at = -1  # once
            self.asked.set()
            await asyncio.Event().wait()


@pytest.mark.parametrize(("wait", "kinds"), [(False, ["began", "failed", "halted"]), (True, ["began", "halted"])])
async def test_cancelled_while_what_ended_an_attempt_is_kept(wait: bool, kinds: list[str]) -> None:
    """R42: a failure that is being kept has an end after it; a run that is parked has one already."""
    retried = Fix(asks(Mail("a")), ensure=lambda view: "no", retry=Retry(2))
    guards = [Asking("Mail")] if wait else [Asking()]
    journal = Slow(at=1 if wait else 3)
    task = asyncio.create_task(machine(retried, guards=guards, journal=journal).run(Bug("b")))
    await journal.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    run = await machine(retried, guards=guards, journal=journal).load("run-1")
    assert kinds == [event.kind for event in run.events]


async def test_leaving_a_stream_ends_its_run_at_once() -> None:
    """R41: when `aclose` returns, the run is over."""
    stopped: list[str] = []

    async def hangs(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append("stopped")
        return StatePatch(Diff())

    items: Any = machine(Fix(hangs)).stream(Bug("b"))
    await anext(items)
    await items.aclose()

    assert (["stopped"], {asyncio.current_task()}) == (stopped, asyncio.all_tasks())


async def test_a_loop_that_is_torn_down_leaves_a_log_that_reads_back() -> None:
    """R42: a coroutine that is closed notes what its stage noted, and then its end."""

    async def notes(view: View[Any], ctx: Context) -> StatePatch[Any]:
        ctx.now()
        await asyncio.Event().wait()
        return StatePatch(Diff())

    orchestrator = machine(Fix(notes))
    run = orchestrator.begin(Bug("b"))
    driving = orchestrator.step(run)
    driving.send(None)  # as a loop would
    driving.close()
    cut = orchestrator.replay(run.log.shared)

    assert (Outcome.CANCELLED, [("asked", "clock")]) == (cut.outcome, phases(cut))
    assert cut.state == orchestrator.read(orchestrator.lines(cut)).state


async def test_what_was_shown_is_kept_until_the_next_commit() -> None:
    """R38: text of an attempt that failed is there while the failure is, and gone with it."""

    class Keeping(Fix):
        streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "text")
        keeps_partial = True

    async def shows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.emit("half")
        if ctx.attempt == 1:
            raise ModelError("cut")
        return StatePatch(Diff("half"))

    orchestrator = machine(Keeping(shows, retry=Retry(2)))
    failed = await orchestrator.step(orchestrator.begin(Bug("b")))
    assert Partial("Keeping", "half") == failed.get(Partial)

    after = await orchestrator.step(failed)
    assert (Diff("half"), None) == (after.get(Diff), after.get(Partial))
    assert after.state == orchestrator.read(orchestrator.lines(after)).state
