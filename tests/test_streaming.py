"""Streaming: chunks are provisional, a commit seals or voids them, and leaving leaves nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, ClassVar, cast

import pytest

from agentfsm import Context, MemoryJournal, Outcome, Partial, Record, Retry, StatePatch, View
from agentfsm.errors import StageError
from agentfsm.streaming import Chunk, Ended, Item, Sealed, StageStarted, ToolFinished, ToolStarted, Transition, Voided
from agentfsm.watching import ROOM
from tests.desk import Asking, Mail
from tests.sample import Bug, Diff, Echo, Fix, Machine, Phase, Work, failures, machine


class Writing(Fix):
    """A stage whose chunks add up to its diff."""

    streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "text")


class Keeping(Writing):
    """One that keeps what it had shown when it was cut off."""

    keeps_partial = True


def says(*texts: str, last: str | None = None) -> Work:
    """Work that emits these texts and commits them, or what *last* says."""

    async def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for text in texts:
            await ctx.emit(text)
        return StatePatch(Diff("".join(texts) if last is None else last))

    return run


def ending(stage: Fix) -> Machine:
    """A machine that is done after this one stage."""
    stage._leave = lambda view: Phase.DONE
    return machine(stage)


async def items_of(orchestrator: Machine, *kinds: type) -> list[Any]:
    return [item async for item in orchestrator.stream(Bug("b")) if not kinds or isinstance(item, kinds)]


async def test_the_sealed_text_is_the_committed_record() -> None:
    """R39: what was shown and sealed is what is in the state, by the ids of its chunks."""
    items = await items_of(ending(Writing(says("a ", "new ", "line"))))

    chunks = [item for item in items if isinstance(item, Chunk)]
    (sealed,) = [item for item in items if isinstance(item, Sealed)]
    run = items[-1].run
    assert ("a new line", tuple(chunk.id for chunk in chunks)) == (sealed.text, sealed.ids)
    assert Diff(sealed.text) == run.get(Diff)
    assert len(chunks) == len({chunk.id for chunk in chunks})


async def test_the_order_of_items() -> None:
    """A stage starts, shows chunks, is sealed, and is an event; the end comes last."""
    kinds = [type(item) for item in await items_of(ending(Writing(says("a", "b"))))]

    assert [StageStarted, Chunk, Chunk, Sealed, Transition, Ended] == kinds


async def test_what_does_not_add_up_is_refused() -> None:
    """R39: nothing is committed that the consumer was told otherwise."""
    items = await items_of(ending(Writing(says("one", last="another"))))

    (voided,) = [item for item in items if isinstance(item, Voided)]
    assert ("EnsureError", False) == (voided.reason, voided.kept)
    assert (Outcome.FAILED, None) == (items[-1].run.outcome, items[-1].run.get(Diff))


async def test_a_failed_attempt_voids_its_chunks() -> None:
    """R38: the consumer is told which chunks never were; the next attempt has ids of its own."""

    async def twice(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.emit(f"try {ctx.attempt}")
        if ctx.attempt == 1:
            raise OSError("cut")
        return StatePatch(Diff(f"try {ctx.attempt}"))

    items = await items_of(ending(Writing(twice, retry=Retry(2, (StageError,)))))

    first, second = [item for item in items if isinstance(item, Chunk)]
    assert [(first.id,)] == [item.ids for item in items if isinstance(item, Voided)]
    assert [((second.id,), "try 2")] == [(item.ids, item.text) for item in items if isinstance(item, Sealed)]
    assert None is items[-1].run.state.get(Partial)


@pytest.mark.parametrize(("kind", "kept"), [(Writing, False), (Keeping, True)])
async def test_partial_text_is_kept_on_request(kind: type[Fix], kept: bool) -> None:
    """R38: where a stage wants that, what was shown is a record marked as partial, and the consumer is told."""

    async def breaks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.emit("half of ")
        await ctx.emit("it")
        raise OSError("cut")

    orchestrator = ending(kind(breaks))
    items = await items_of(orchestrator)

    (voided,), run = [item for item in items if isinstance(item, Voided)], items[-1].run
    assert (kept, Partial("Writing" if kind is Writing else "Keeping", "half of it") if kept else None) == (
        voided.kept,
        run.state.get(Partial),
    )
    assert None is run.get(Diff)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_waiting_voids_what_was_shown() -> None:
    """R38: a run that parks shows its chunks again when it goes on."""

    async def asks_first(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.emit("hello ")
        return StatePatch(Diff("hello " + await ctx.call(Mail("ada"))))

    items = [item async for item in machine(Writing(asks_first), guards=[Asking("Mail")]).stream(Bug("b"))]

    assert ["approval"] == [item.reason for item in items if isinstance(item, Voided)]
    assert isinstance(items[-1], Ended)
    assert Outcome.SUSPENDED is items[-1].run.outcome


async def test_a_stage_that_says_no_record_cannot_emit() -> None:
    """R39: what is shown has a place where it is committed."""
    items = await items_of(ending(Fix(says("a"))))

    assert "emits, but its `streams` names no record" in items[-1].run.error.message


async def test_calls_are_shown() -> None:
    """A call begins and ends with its number, tool and answer."""

    async def call(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(await ctx.call(Echo("x"))))

    fix = Fix(call, leave=lambda view: Phase.DONE)
    items = await items_of(machine(fix, guards=[Asking()]), ToolStarted, ToolFinished)

    assert [ToolStarted(0, "Echo", '{"text":"x"}'), ToolFinished(0, "Echo", True, '"x"')] == items


async def test_an_error_ends_the_stream_once_with_its_items() -> None:
    """R40: the failure is an event and the end is an item, once."""
    items = await items_of(ending(Writing(says("one", last="another"))), Transition, Ended)

    assert [Transition, Ended] == [type(item) for item in items]
    assert (items[0].event,) == failures(items[1].run)


async def test_what_is_not_the_runs_own_failure_is_raised_after_the_items() -> None:
    """R40: an error of the journal reaches the consumer."""

    class Broken(MemoryJournal):
        async def append(self, run: str, expected: int, lines: Any, **told: Any) -> None:
            if expected:
                raise OSError("disk full")
            await super().append(run, expected, lines, **told)

    stream = machine(journal=Broken()).stream(Bug("b"))

    assert isinstance(await anext(stream), StageStarted)
    with pytest.raises(OSError, match="disk full"):
        await anext(stream)


async def flood(view: View[Any], ctx: Context) -> StatePatch[Any]:
    for number in range(10 * ROOM):
        EMITTED.append(number)
        await ctx.emit("x")
    return StatePatch(Diff("x" * 10 * ROOM))


EMITTED: list[int] = []


@pytest.fixture(autouse=True)
def nothing_emitted() -> None:
    """Each test begins with nothing emitted."""
    EMITTED.clear()


async def until_quiet(seen: Callable[[], int]) -> int:
    """Let other tasks run until nothing changes any more."""
    quiet, last = 0, seen()
    while quiet < 20:
        await asyncio.sleep(0)
        quiet, last = (quiet + 1, last) if seen() == last else (0, seen())
    return last


async def test_a_slow_consumer_slows_the_run_down() -> None:
    """R41: no more than the room of the queue is ever waiting."""
    stream = cast("AsyncGenerator[Item[Any], None]", ending(Writing(flood)).stream(Bug("b")))
    await anext(stream)
    ahead = await until_quiet(lambda: len(EMITTED))
    await anext(stream)
    after = await until_quiet(lambda: len(EMITTED))
    await stream.aclose()

    assert ROOM <= ahead <= ROOM + 2
    assert ahead + 1 == after


async def test_leaving_after_one_chunk_leaves_no_task() -> None:
    """R41: a consumer that goes away ends the run, which says so; no task and no growth is left."""
    before, journal = asyncio.all_tasks(), MemoryJournal()
    fix = Writing(flood)
    stream = cast("AsyncGenerator[Item[Any], None]", machine(fix, journal=journal).stream(Bug("b")))
    async for item in stream:
        if isinstance(item, Chunk):
            break
    await stream.aclose()
    emitted = len(EMITTED)
    assert emitted == await until_quiet(lambda: len(EMITTED))

    assert before == asyncio.all_tasks()
    run = await machine(Writing(flood), journal=journal).load("run-1")
    assert Outcome.CANCELLED is run.outcome
