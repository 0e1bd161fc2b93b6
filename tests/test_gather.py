"""Gathers: calls made at the same time, with answers, numbers and log in the order in which they were declared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agentfsm import AllowList, Context, Limits, MemoryJournal, Outcome, Run, Signal, StatePatch, Tool, View
from agentfsm.errors import ConflictingCallsError
from tests.desk import DONE, Asking, Counting, Flaky, Mail, Meet, Write, asks, calls, error_of, phases
from tests.sample import Bug, Diff, Fix, Work, machine

NAMES = ("a", "bbb", "cc", "dddd")


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


def gathers(*tools: Tool[str]) -> Work:
    async def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(" ".join(await ctx.gather(*tools))))

    return run


async def one_iteration(work: Work, **settings: Any) -> Run[Any]:
    usual: dict[str, Any] = {"guards": [AllowList("*")], "limits": Limits(stages=1), "journal": MemoryJournal()}
    return await machine(Fix(work), **{**usual, **settings}).run(Bug("b"))


def facts(run: Run[Any]) -> list[tuple[object, ...]]:
    return [(call.index, call.key, call.arguments, call.result) for call in calls(run)]


async def test_they_run_at_the_same_time() -> None:
    """R32: all have begun before any has ended, and those that end first do not come first."""
    run = await one_iteration(gathers(*(Meet(name, len(NAMES)) for name in NAMES)))

    assert [f"begin {name}" for name in NAMES] == DONE[:4]
    assert "end dddd" == DONE[4]
    assert Diff(" ".join(NAMES)) == run.get(Diff)


async def test_numbers_and_log_follow_the_declared_order() -> None:
    """R32: the ids of concurrent calls come from their order, not from who was done first."""
    run = await one_iteration(gathers(*(Meet(name, len(NAMES)) for name in NAMES)))

    assert [(i, f'{{"name":"{name}","until":4}}') for i, name in enumerate(NAMES)] == [
        (call.index, call.arguments) for call in calls(run)
    ]


@pytest.mark.parametrize("width", [1, 2, 4])
async def test_results_and_log_do_not_depend_on_concurrency(width: int) -> None:
    """R46: one after the other, in pairs or all at once: the same answers, numbers and entries."""

    async def in_groups(view: View[Any], ctx: Context) -> StatePatch[Any]:
        found: list[str] = []
        for at in range(0, len(NAMES), width):
            found += await ctx.gather(*(Meet(name) for name in NAMES[at : at + width]))
        return StatePatch(Diff(" ".join(found)))

    run, whole = await one_iteration(in_groups), await one_iteration(gathers(*map(Meet, NAMES)))

    assert whole.get(Diff) == run.get(Diff)
    assert facts(whole) == facts(run)


async def test_two_that_write_the_same_are_refused_before_either_runs() -> None:
    """R47: neither is done, and both are named."""
    run = await one_iteration(gathers(Write("a.py"), Mail("ada"), Write("a.py", "x")))

    kind, message = error_of(run)
    assert ConflictingCallsError.__name__ == kind
    assert message.startswith("Write (call 0) and Write (call 2) both write a.py")
    assert ([], []) == (DONE, phases(run))


@pytest.mark.parametrize(("one", "other"), [(".", "a.py"), ("a.py", "."), ("src", "src/a.py"), ("src/a.py", "src")])
async def test_a_place_within_another_is_the_same_place(one: str, other: str) -> None:
    """R47: what may write a whole folder stands against all that write below it."""
    run = await one_iteration(gathers(Write(one), Write(other)))

    assert error_of(run)[1].startswith(f"Write (call 0) and Write (call 1) both write {one} and {other}, one within")
    assert [] == DONE


@pytest.mark.parametrize(("one", "other"), [("a.py", "b.py"), ("src", "src2/a.py"), ("src/a.py", "src/a.pyi")])
async def test_two_that_write_different_things_are_fine(one: str, other: str) -> None:
    """R47: only what both write is a conflict."""
    run = await one_iteration(gathers(Write(one), Write(other)))

    assert Diff(f"{one} {other}") == run.get(Diff)


async def test_all_are_decided_before_any_is_made() -> None:
    """R61: one denied call of a gather means that none of them is made."""
    run = await one_iteration(gathers(Write("a.py"), Mail("ada")), guards=[AllowList("Write")])

    assert ("ToolRefusedError", []) == (error_of(run)[0], DONE)


async def test_waiting_for_one_is_waiting_with_all() -> None:
    """R34: a gather in which one call needs approval is made once, whole, when that is given."""
    settings: dict[str, Any] = {"guards": [Asking("Mail")], "limits": Limits(stages=1), "journal": MemoryJournal()}
    orchestrator = machine(Fix(gathers(Write("a.py"), Mail("ada"))), **settings)
    run = await orchestrator.run(Bug("b"))
    assert (Outcome.SUSPENDED, ["asked Write", "asked Mail"]) == (run.outcome, DONE)

    run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))
    assert ["write a.py", "mail ada"] == [text for text in DONE if not text.startswith("asked")]
    assert Diff("a.py sent to ada") == run.get(Diff)


async def test_one_that_fails_does_not_lose_the_others() -> None:
    """R11: what the others answered is in the log; the first error in the declared order is raised."""
    run = await one_iteration(gathers(Write("a.py"), Flaky("wires"), Write("b.py"), Flaky("more")))

    assert ("UnknownOutcomeError", "Flaky: OSError: wires") == error_of(run)
    assert [("result", 0), ("error", 1), ("result", 2), ("error", 3)] == [
        (call.phase, call.index) for call in calls(run) if call.phase != "intent"
    ]


async def test_no_calls_are_no_calls() -> None:
    """An empty gather answers nothing."""
    run = await one_iteration(gathers())

    assert (Diff(""), []) == (run.get(Diff), calls(run))


async def test_one_is_like_a_call() -> None:
    """A gather of one has the key of a call."""
    gathered, called = await one_iteration(gathers(Mail("ada"))), await one_iteration(asks(Mail("ada")))

    assert [call.key for call in calls(called)] == [call.key for call in calls(gathered)]


@pytest.mark.parametrize(("most", "width", "done"), [(2, 2, 2), (2, 3, 0), (3, 3, 3), (0, 2, 0)])
async def test_budgets_are_not_overdrawn(most: int, width: int, done: int) -> None:
    """R14: calls of one gather count before they are made: a gather that does not fit is made not at all."""
    mails = [Mail(f"{number}") for number in range(width)]
    limited = await one_iteration(gathers(*mails), limits=Limits(stages=1, tool_calls=most))
    assert done == len(DONE)
    assert most < width or limited.get(Diff) is not None

    DONE.clear()
    await one_iteration(gathers(*mails), guards=[Counting(most)])
    assert done == len(DONE)


async def test_a_gather_that_does_not_fit_goes_on_with_more() -> None:
    """R14: the run halts before it, and makes it whole once the limit is higher."""
    settings: dict[str, Any] = {"guards": [AllowList("*")], "journal": MemoryJournal()}
    orchestrator = machine(Fix(gathers(Mail("a"), Mail("b"))), limits=Limits(stages=1, tool_calls=1), **settings)
    run = await orchestrator.run(Bug("b"))
    assert (Outcome.EXHAUSTED, []) == (run.outcome, DONE)

    again = await orchestrator.resume(run, Limits(stages=1, tool_calls=2))
    assert (["mail a", "mail b"], again.state) == (DONE, orchestrator.read(orchestrator.lines(again)).state)
