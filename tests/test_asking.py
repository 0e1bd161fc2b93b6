"""The questions of an attempt: whatever its stage makes of their end, and whenever they come."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import define, frozen

from agentfsm import (
    AllowList,
    Answer,
    Context,
    Limits,
    MemoryJournal,
    Outcome,
    Signal,
    Site,
    StatePatch,
    Tool,
    View,
    tool,
)
from agentfsm.errors import BusyError, ReplayMismatchError
from tests.desk import DONE, Asking, Counting, Gate, Mail, Seen, calls, error_of, phases
from tests.sample import Bug, Diff, Echo, Fix, Verify, machine, mend


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


def mails() -> list[str]:
    """The mails that went out."""
    return [text for text in DONE if text.startswith("mail")]


async def test_asking_in_a_task_group_parks() -> None:
    """A group that wraps the end of the attempt in one of its own does not turn waiting into an interrupt."""

    async def groups(view: View[Any], ctx: Context) -> StatePatch[Any]:
        async with asyncio.TaskGroup() as group:
            sent = group.create_task(ctx.call(Mail("ada")))
        return StatePatch(Diff(sent.result()))

    orchestrator = machine(Fix(groups), guards=[Asking("Mail")])
    run = await orchestrator.run(Bug("b"))
    assert (Outcome.SUSPENDED, []) == (run.outcome, mails())

    run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))
    assert ["mail ada"] == mails()


async def test_a_difference_hidden_behind_another_error_is_seen() -> None:
    """R11, R29: a stage that turns the difference into an error of its own does not fail: record and code disagree."""
    texts = iter(["one", "two"])

    async def hides(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await ctx.call(Echo(next(texts)))
        except Exception as error:
            raise OSError("something else") from error
        await ctx.call(Mail("ada"))
        return await mend(view, ctx)

    orchestrator = machine(Fix(hides), guards=[Asking("Mail")])
    run = await orchestrator.run(Bug("b"))
    with pytest.raises(ReplayMismatchError):
        await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))


@tool
class Slow(Tool[str]):
    """Takes longer than its stage."""

    async def run(self, site: Site) -> str:
        await asyncio.Event().wait()
        return "never"


async def test_a_call_left_behind_is_an_error_and_broken_off() -> None:
    """R8: a stage that returns while a call is under way fails, and nothing is added to the log for it afterwards."""
    left: list[asyncio.Task[str]] = []

    async def leaves(view: View[Any], ctx: Context) -> StatePatch[Any]:
        left.append(asyncio.create_task(ctx.call(Slow())))
        await asyncio.sleep(0)
        return await mend(view, ctx)

    orchestrator = machine(Fix(leaves), guards=[AllowList("*")], journal=MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    assert ("StageError", "Fix returned while 1 of its calls were under way; await them") == error_of(run)

    with pytest.raises(asyncio.CancelledError):
        await left[0]
    assert [("intent", "Slow")] == phases(run)
    assert orchestrator.lines(run) == orchestrator.lines(await orchestrator.load(run.id))


async def test_a_call_that_ends_after_its_attempt_is_not_recorded() -> None:
    """R8: what a task of an attempt that is over brings home is refused, however it dodges being cancelled."""
    go, left = asyncio.Event(), list[asyncio.Task[str]]()

    @tool
    class Stubborn(Tool[str]):
        async def run(self, site: Site) -> str:
            while not go.is_set():
                try:
                    await go.wait()
                except asyncio.CancelledError:
                    continue
            return "done all the same"

    async def leaves(view: View[Any], ctx: Context) -> StatePatch[Any]:
        left.append(asyncio.create_task(ctx.call(Stubborn())))
        await asyncio.sleep(0)
        raise OSError("and gone")

    run = await machine(Fix(leaves), guards=[AllowList("*")]).run(Bug("b"))
    go.set()

    with pytest.raises(BusyError, match="the attempt that called Stubborn is over"):
        await left[0]
    assert [("intent", "Stubborn")] == phases(run)


@pytest.mark.parametrize("most", [0, 2, 4])
async def test_a_gather_spends_no_more_calls_than_there_are(most: int) -> None:
    """R14: calls made together are counted before they are made; those that cannot all be made are not begun."""

    async def gathers(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(" ".join(await ctx.gather(*map(Mail, "abc")))))

    orchestrator = machine(Fix(gathers), guards=[AllowList("*")], limits=Limits(tool_calls=most, iterations=1))
    run = await orchestrator.run(Bug("b"))

    assert ("tool_calls" if most < 3 else "iterations", 0 if most < 3 else 3) == (
        run.halted.reason if run.halted else "",
        len(mails()),
    )


async def test_a_gather_is_judged_as_one_call_after_the_other() -> None:
    """R61: a guard that counts admits together no more than it admits in turn; and then none is made."""

    async def gathers(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(" ".join(await ctx.gather(*map(Mail, "abc")))))

    run = await machine(Fix(gathers), guards=[Counting(2)]).run(Bug("b"))

    assert (("ToolRefusedError", "Mail refused (enough): 2 calls were made"), []) == (error_of(run), mails())


class Forgetful(Counting):
    """Cannot say what it remembers."""

    def after(self, memory: Seen, call: object, answer: Answer, /) -> Seen:
        raise OSError("no memory")


async def test_a_guard_that_cannot_remember_ends_the_attempt() -> None:
    """R60: a guard that loses count is not asked again, though the stage swallows its error."""

    async def swallows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for name in "abc":
            try:
                await ctx.call(Mail(name))
            except Exception:  # noqa: BLE001  as a stage should not
                await asyncio.sleep(0)
        return await mend(view, ctx)

    run = await machine(Fix(swallows), guards=[Forgetful(1)]).run(Bug("b"))

    assert (("ToolError", "Forgetful.after raised OSError: no memory"), ["mail a"]) == (error_of(run), mails())


@frozen
class Said:
    """An answer that says what it cost."""

    tokens: int


@define
class Rash(Counting):
    """Is told of everything, and cannot say what it remembers of one thing."""

    fails: str = ""

    def refused(self, memory: Seen, *told: object) -> Seen:
        return self._learned("refused", memory)

    def spent(self, memory: Seen, *told: object) -> Seen:
        return self._learned("spent", memory)

    def entered(self, memory: Seen, *told: object) -> Seen:
        return self._learned("entered", memory)

    def _learned(self, what: str, memory: Seen) -> Seen:
        if what == self.fails:
            raise OSError("no memory")
        return Seen(memory.calls)


@pytest.mark.parametrize("fails", ["refused", "spent", "entered"])
async def test_a_guard_that_cannot_take_in_what_it_is_told(fails: str) -> None:
    """R60: whatever a guard is told of, one that cannot say what it then remembers ends the attempt."""

    async def says() -> Said:
        return Said(3)

    async def swallows(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for asked in (ctx.ask("model", "hello", Said, says), ctx.call(Mail("a"))):
            try:
                await asked
            except Exception:  # noqa: BLE001  as a stage should not
                await asyncio.sleep(0)
        return await mend(view, ctx)

    run = await machine(Fix(swallows), guards=[Rash(0, fails)]).run(Bug("b"))
    assert ("ToolError", f"Rash.{fails} raised OSError: no memory") == error_of(run)

    run = await machine(Fix(swallows), Verify(), guards=[Rash(0)]).run(Bug("b"))
    assert run.state == machine(guards=[Rash(0)]).replay(run.log).state


class NoTools(Gate):
    """Answers nonsense when it is asked what to offer."""

    def offered(self, *given: object) -> Any:
        return None


async def test_a_guard_that_offers_nonsense_offers_nothing() -> None:
    """R60, R63: what is not understood is not offered."""
    seen: list[object] = []

    async def looks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        seen.append(ctx.tools)
        return await mend(view, ctx)

    await machine(Fix(looks), guards=[NoTools(lambda call: None)], tools=[Mail]).run(Bug("b"))

    assert [(), ()] == seen


@pytest.mark.filterwarnings("error")
async def test_a_gather_that_is_cancelled_leaves_nothing_behind() -> None:
    """R42: no answer is waited for by nobody."""

    async def gathers(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.gather(Slow(), Slow(), Slow())
        return StatePatch(Diff())

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(machine(Fix(gathers), guards=[AllowList("*")]).run(Bug("b")), 0.001)

    assert {asyncio.current_task()} == asyncio.all_tasks()


async def test_notes_made_while_a_call_is_kept_are_kept_too() -> None:
    """R31: what a task notes while another's call is on its way to the journal is in the log."""
    journal = MemoryJournal()
    kept = journal.append

    async def slowly(*given: Any, **more: Any) -> None:
        await asyncio.sleep(0)
        await kept(*given, **more)

    journal.append = slowly  # type: ignore[method-assign]  # a journal that takes a while

    async def both(view: View[Any], ctx: Context) -> StatePatch[Any]:
        sending = asyncio.create_task(ctx.call(Mail("ada")))
        await asyncio.sleep(0)
        at = ctx.now()
        await sending
        return StatePatch(Diff(str(at)))

    orchestrator = machine(Fix(both), Verify(), guards=[AllowList("*")], journal=journal)
    run = await orchestrator.run(Bug("b"))

    assert 2 == sum(call.tool == "clock" for call in calls(run))
    assert run.state == (await orchestrator.load(run.id)).state
