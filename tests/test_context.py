"""The context of an attempt: unknown outcomes, keys, and an end that no stage gets around."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agentfsm import (
    AllowList,
    Context,
    Limits,
    MemoryJournal,
    Outcome,
    Retry,
    Signal,
    StatePatch,
    View,
)
from agentfsm.errors import BusyError
from tests.desk import DONE, Asking, Mail, Write, asks, calls, error_of, phases
from tests.sample import Bug, Diff, Echo, Fix, Machine, Secret, failures, machine, mend


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


async def cut_in_an_effect(journal: MemoryJournal, tool: Any) -> tuple[Machine, str]:
    """A machine, and a run of it whose process went away between an intent and its result."""
    orchestrator = machine(
        Fix(asks(Echo("x"), tool)), guards=[AllowList("*")], journal=journal, limits=Limits(stages=1)
    )
    run = await orchestrator.run(Bug("b"))
    lines = [line async for line in journal.read(run.id)]
    (intent,) = [number for number, line in enumerate(lines) if '"phase":"intent"' in line]
    lost = MemoryJournal()
    await lost.append(run.id, 0, lines[: intent + 1])
    DONE.clear()
    return machine(Fix(asks(Echo("x"), tool)), guards=[AllowList("*")], journal=lost, limits=Limits(stages=1)), run.id


async def test_an_effect_of_unknown_outcome_is_never_repeated_silently() -> None:
    """R34: an intent without a result, of an effect that may happen once, is a question to a person."""
    orchestrator, name = await cut_in_an_effect(MemoryJournal(), Mail("ada"))
    run = await orchestrator.resume(await orchestrator.load(name))

    assert (Outcome.SUSPENDED, "unknown_outcome", []) == (run.outcome, run.halted.reason if run.halted else "", DONE)

    run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))
    assert (["mail ada"], Diff("x | sent to ada")) == (DONE, run.get(Diff))


async def test_an_idempotent_effect_is_made_again() -> None:
    """R34, R36: what may be repeated is, with the same key."""
    orchestrator, name = await cut_in_an_effect(MemoryJournal(), Write("w"))
    loaded = await orchestrator.load(name)
    run = await orchestrator.resume(loaded)

    assert ["write w"] == DONE
    assert 1 == len({call.key for call in calls(run) if call.tool == "Write"})


async def test_keys_tell_calls_apart() -> None:
    """R36: a key is the same for the same call after any crash, and another for another call or place."""
    run = await machine(Fix(asks(Mail("a"), Mail("a"), Mail("b"))), guards=[AllowList("*")]).run(Bug("b"))

    assert 2 * [3, 3] == 2 * [
        len({c.key for c in calls(run) if c.phase == p and c.iteration == 1}) for p in ("intent", "result")
    ]


@pytest.mark.parametrize("wait", [True, False])
async def test_swallowing_the_end_of_an_attempt_does_not_help(wait: bool) -> None:
    """An attempt that has to wait is over, whatever its stage catches; its patch is not committed."""

    async def swallows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await ctx.call(Mail("ada"))
        except BaseException:  # noqa: BLE001  as a stage must not
            if wait:
                await asyncio.sleep(0)
        return await mend(view, ctx)

    run = await machine(Fix(swallows), guards=[Asking("Mail")]).run(Bug("b"))

    assert (Outcome.SUSPENDED, None) == (run.outcome, run.get(Diff))


async def test_a_swallowed_end_does_not_let_further_calls_through() -> None:
    """After the attempt has ended, its context makes no call."""

    async def swallows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await ctx.call(Mail("ada"))
        except BaseException:  # noqa: BLE001  as a stage must not
            await ctx.call(Write("after"))
        return await mend(view, ctx)

    run = await machine(Fix(swallows), guards=[Asking("Mail")]).run(Bug("b"))

    assert (Outcome.SUSPENDED, ["asked Mail"]) == (run.outcome, DONE)


async def test_a_context_that_was_kept_is_closed() -> None:
    """A stage that leaks its context cannot act after its end."""
    kept: list[Context] = []

    async def leaks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        kept.append(ctx)
        return await mend(view, ctx)

    await machine(Fix(leaks), guards=[AllowList("*")]).run(Bug("b"))
    uses: list[Callable[[], Any]] = [kept[0].now, kept[0].new_id, kept[0].random]

    with pytest.raises(BusyError, match="this attempt of Fix is over"):
        await kept[0].call(Echo("x"))
    with pytest.raises(BusyError):
        await kept[0].emit("x")
    for use in uses:
        with pytest.raises(BusyError):
            use()


async def test_a_later_attempt_calls_anew() -> None:
    """R37: a failed attempt's calls do not answer the next attempt's."""
    texts = iter(["one", "two"])

    async def tries(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(await ctx.call(Echo(next(texts)))))

    def ensure(view: View[Any]) -> str | None:
        return "not one" if view[Diff].text == "one" else None

    orchestrator = machine(
        Fix(tries, ensure=ensure, retry=Retry(attempts=2)), guards=[AllowList("*")], limits=Limits(stages=2)
    )
    run = await orchestrator.run(Bug("b"))

    assert (Diff("two"), ["one", "two"]) == (run.get(Diff), [call.result.strip('"') for call in calls(run)])
    assert ["EnsureError"] == [event.error.kind for event in failures(run) if event.error]


async def test_an_undeclared_read_between_calls_keeps_the_calls() -> None:
    """R10: what was done was done: the calls are in the log, and the failure after them."""

    async def reads(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.call(Mail("ada"))
        return StatePatch(Diff(view[Secret].key))

    orchestrator = machine(Fix(reads), guards=[AllowList("*")])
    run = await orchestrator.run(Bug("b"))

    assert ("UndeclaredReadError", ["intent", "result"]) == (error_of(run)[0], [phase for phase, _ in phases(run)])
    assert run.state == orchestrator.read(orchestrator.lines(run)).state
