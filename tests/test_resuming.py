"""Runs that wait, or were cut off: what the log has is answered from the log, and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from agentfsm import (
    Context,
    Limits,
    MemoryJournal,
    Outcome,
    ReplayMismatchError,
    Run,
    Signal,
    StatePatch,
    UsageError,
    View,
)
from tests.desk import DONE, Asking, Mail, Write, asks, error_of, phases
from tests.sample import Bug, Diff, Echo, Fix, Machine, machine, mend


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


async def parked(orchestrator: Machine) -> Run[Any]:
    run = await orchestrator.run(Bug("b"))
    assert Outcome.SUSPENDED is run.outcome, run.error
    return run


async def test_asking_parks_before_the_stage() -> None:
    """The run waits before its stage, with the calls answered so far in the log and nothing of the patch anywhere."""
    orchestrator = machine(Fix(asks(Echo("x"), Mail("ada"))), guards=[Asking("Mail")])
    run = await parked(orchestrator)

    halted = run.halted
    assert halted is not None
    assert ("approval", "Mail", '{"to":"ada"}', "may Mail?") == (
        halted.reason,
        halted.tool,
        halted.arguments,
        halted.why,
    )
    assert ([("result", "Echo")], None) == (phases(run), run.get(Diff))
    assert ["asked Echo", "asked Mail"] == DONE
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_without_an_answer_it_keeps_waiting() -> None:
    """Resuming with nothing new changes nothing."""
    orchestrator = machine(Fix(asks(Mail("ada"))), guards=[Asking("Mail")])
    run = await parked(orchestrator)

    assert run is await orchestrator.resume(run)


async def test_an_answer_to_something_else_is_refused() -> None:
    """R35: an answer is to the call that waits, or it is a mistake."""
    orchestrator = machine(Fix(asks(Mail("ada"))), guards=[Asking("Mail")])
    run = await parked(orchestrator)

    with pytest.raises(
        UsageError, match=f"does not wait for other; it waits for {run.halted.key if run.halted else ''}"
    ):
        await orchestrator.resume(run, Signal("approve", "other"))


async def test_approved_calls_are_made_and_earlier_ones_answered_from_the_log() -> None:
    """R34, R35: on re-entry no effect happens twice; each answer is used once, in order."""
    orchestrator = machine(
        Fix(asks(Mail("a"), Write("w"), Mail("b"))),
        guards=[Asking("Write")],
        journal=MemoryJournal(),
        limits=Limits(stages=1),
    )
    run = await parked(orchestrator)
    run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert ["mail a", "write w", "mail b"] == [text for text in DONE if not text.startswith("asked")]
    assert Diff("sent to a | w | sent to b") == run.get(Diff)
    assert run.state == (await orchestrator.load(run.id)).state


async def test_a_run_that_waits_can_be_loaded_and_resumed_elsewhere() -> None:
    """R34: another process, with the journal alone, goes on where it stood."""
    journal = MemoryJournal()

    def built() -> Machine:
        return machine(
            Fix(asks(Mail("a"), Write("w"))), guards=[Asking("Write")], journal=journal, limits=Limits(stages=1)
        )

    first = await parked(built())
    elsewhere = built()
    run = await elsewhere.load(first.id)
    run = await elsewhere.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert ["mail a", "write w"] == [text for text in DONE if not text.startswith("asked")]
    assert Diff("sent to a | w") == run.get(Diff)


async def test_a_rejected_call_is_a_refusal_with_the_reason() -> None:
    """What a person said reaches the stage."""
    orchestrator = machine(Fix(asks(Mail("ada"))), guards=[Asking("Mail")])
    run = await parked(orchestrator)
    run = await orchestrator.resume(run, Signal("reject", run.halted.key if run.halted else "", "not ada"))

    assert ("ToolRefusedError", "Mail refused (rejected): not ada") == error_of(run)
    assert ["asked Mail", "asked Mail"] == DONE


async def test_a_differing_call_on_re_entry_is_refused_with_both() -> None:
    """R29: the log has another call here; nothing is done, and nothing is recorded."""
    texts = iter(["one", "two"])

    async def wanders(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.call(Echo(next(texts)))
        await ctx.call(Mail("ada"))
        return await mend(view, ctx)

    orchestrator = machine(Fix(wanders), guards=[Asking("Mail")])
    run = await parked(orchestrator)
    with pytest.raises(ReplayMismatchError) as caught:
        await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert ('Echo({"text":"one"})', 'Echo({"text":"two"})') == (caught.value.expected, caught.value.found)
    assert [] == [text for text in DONE if text.startswith("mail")]


async def test_a_swallowed_difference_is_refused_all_the_same() -> None:
    """R11, R29: a stage that catches everything does not get past it."""
    texts = iter(["one", "two"])

    async def swallows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await ctx.call(Echo(next(texts)))
            await ctx.call(Mail("ada"))
        except Exception:  # noqa: BLE001  as a stage should not
            await asyncio.sleep(0)
        return await mend(view, ctx)

    orchestrator = machine(Fix(swallows), guards=[Asking("Mail")])
    run = await parked(orchestrator)
    with pytest.raises(ReplayMismatchError):
        await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))


async def test_fewer_calls_on_re_entry_are_seen_too() -> None:
    """R29: a stage that goes another way than the log says does not get its patch committed as if it had not."""
    first = [True]

    async def forgets(view: View[Any], ctx: Context) -> StatePatch[Any]:
        if first[0]:
            first[0] = False
            await ctx.call(Echo("x"))
            await ctx.call(Mail("ada"))
        return await mend(view, ctx)

    orchestrator = machine(Fix(forgets), guards=[Asking("Mail")])
    run = await parked(orchestrator)
    with pytest.raises(ReplayMismatchError):
        await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))


async def test_time_chance_and_names_are_answered_from_the_log() -> None:
    """Whatever a stage asks of the world is recorded, so re-entry sees the same."""
    told: list[tuple[int, str, float]] = []

    async def looks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        told.append((ctx.now(), ctx.new_id(), ctx.random()))
        await ctx.call(Mail("ada"))
        return await mend(view, ctx)

    orchestrator = machine(Fix(looks), guards=[Asking("Mail")], limits=Limits(stages=1))
    run = await parked(orchestrator)
    await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert 2 == len(told)
    assert told[0] == told[1]
    assert [("asked", "clock"), ("asked", "id"), ("asked", "random")] == phases(run)


async def test_a_model_is_asked_once() -> None:
    """R34: an answer of a model is recorded, and not asked for again on re-entry."""
    asked: list[str] = []

    async def answer() -> str:
        asked.append("model")
        return "an idea"

    async def thinks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        idea = await ctx.ask("model", {"prompt": view[Bug].report}, str, answer)
        return StatePatch(Diff(idea + " " + await ctx.call(Mail("ada"))))

    orchestrator = machine(Fix(thinks), guards=[Asking("Mail")], limits=Limits(stages=1))
    run = await parked(orchestrator)
    run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert (["model"], Diff("an idea sent to ada")) == (asked, run.get(Diff))


async def test_an_answer_of_another_type_is_a_model_error() -> None:
    """R4: what a model answers is held to what the stage said it would be."""

    async def answer() -> Any:
        return 3

    async def thinks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(await ctx.ask("model", None, str, answer)))

    run = await machine(Fix(thinks)).run(Bug("b"))

    assert ("ModelError", "model answered value: found int, expected str") == error_of(run)
