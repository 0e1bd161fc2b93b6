"""A recorded run taken again is the same, or the first difference is named."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agentfsm import (
    AllowList,
    Context,
    Invariant,
    Iteration,
    Limits,
    MemoryJournal,
    ReplayMismatchError,
    Retry,
    Run,
    StatePatch,
    UsageError,
    View,
)
from agentfsm.errors import EnsureError, IdentityError
from agentfsm.testing import replay_log, rerun
from tests.mailing import Mailing
from tests.nested import Order, Piece, Work, part, whole
from tests.sample import Bug, Diff, Echo, Fix, Machine, Phase, Verify, machine


def echoing(*texts: str, **more: Any) -> Fix:
    """A stage that says what a tool says."""

    async def work(view: View[Any], ctx: Context) -> StatePatch[Any]:
        said = [await ctx.call(Echo(text)) for text in texts]
        return StatePatch(Diff(f"{ctx.now() * 0 + view[Iteration].number} {' '.join(said)} {ctx.feedback}"))

    return Fix(work, **more)


def first_is_refused(view: View[Any]) -> str | None:
    return "too short" if "()" in view[Diff].text else None


def usual(fix: Fix | None = None, **settings: Any) -> Machine:
    retry = Retry(attempts=2, on=(EnsureError,), wait=3600)
    made = fix or echoing("a", "b", ensure=first_is_refused, retry=retry)
    return machine(made, guards=[AllowList("*")], limits=Limits(stages=50), **settings)


async def test_a_run_that_is_taken_again_is_the_same() -> None:
    """R29: every stage really runs, retries do not wait, and no tool is called."""
    run = await usual().run(Bug("b"))
    reread = usual().read(usual().lines(run))

    await rerun(usual(), reread)
    assert 2 == len([event for event in reread.events if event.kind == "failed"])


async def test_waiting_for_a_person_is_taken_again() -> None:
    """What a person said is answered from the log, like everything else."""
    scenario = Mailing(MemoryJournal())
    made = scenario.machine(scenario.journal())
    run = await scenario.go_on(made, await scenario.go_on(made, await scenario.begin(made)))
    done = scenario.outside.done.copy()

    await rerun(made, run)
    assert done == scenario.outside.done


def onward(view: View[Any]) -> Phase:
    return Phase.DONE


async def rewritten(view: View[Any], ctx: Context) -> StatePatch[Any]:
    said = [await ctx.call(Echo(text)) for text in ("a", "b")]
    return StatePatch(Diff(f"{' and '.join(said)} {ctx.now() * 0}"))


@pytest.mark.parametrize(
    ("fix", "path", "was", "now"),
    [
        (echoing("a", "b", leave=onward), "target", "VERIFY", "DONE"),
        (echoing("a", "c"), "calls[1]", 'Echo({"text":"b"})', 'Echo({"text":"c"})'),
        (echoing("a"), "calls[1]", 'Echo({"text":"b"})', "clock(null)"),
        (echoing("a", "b", "c"), "calls[2]", "clock(null)", 'Echo({"text":"c"})'),
        (Fix(rewritten), "patch.diff", '{"text":"1 a b ()","files":[]}', '{"text":"a and b 0","files":[]}'),
    ],
    ids=["another exit", "another call", "a call less", "a call more", "another record"],
)
async def test_the_first_difference_is_named(fix: Fix, path: str, was: str, now: str) -> None:
    """R33: what was recorded and what is there now are both shown."""
    run = await machine(echoing("a", "b"), guards=[AllowList("*")]).run(Bug("b"))
    with pytest.raises(ReplayMismatchError) as caught:
        await rerun(machine(fix, guards=[AllowList("*")]), run)

    found = caught.value
    assert (path, was, now) == (found.path, found.expected, found.found)


async def test_a_weaker_invariant_is_noticed() -> None:
    """A step that was refused when it was recorded, and now is not, differs."""

    def never_twice(old: View[Any], new: View[Any]) -> bool:
        return bool(new[Iteration].number < 2)

    strict: Any = Invariant("never twice", never_twice)
    run = await machine(invariants=[strict]).run(Bug("b"))
    await rerun(machine(invariants=[strict]), run)
    with pytest.raises(ReplayMismatchError, match=r"recorded 'failed: InvariantError: .*', now 'step'"):
        await rerun(machine(), run)


async def test_a_stage_that_asks_for_more_than_was_recorded() -> None:
    """A call at the end that the log does not have is not made."""
    run = await machine(echoing(), guards=[AllowList("*")]).run(Bug("b"))

    async def more(view: View[Any], ctx: Context) -> StatePatch[Any]:
        ctx.now()
        return StatePatch(Diff(await ctx.call(Echo("more"))))

    with pytest.raises(ReplayMismatchError, match=r"recorded .no call\(\)., now .Echo"):
        await rerun(machine(Fix(more), guards=[AllowList("*")]), run)


async def test_what_cannot_be_taken_again_is_refused() -> None:
    """A run without its beginning says so."""
    made = machine(journal=MemoryJournal())
    run = await made.run(Bug("b"))
    await made.keep(run)

    with pytest.raises(UsageError, match="cannot be taken again"):
        await rerun(made, await made.reopen(run.id))


@pytest.mark.parametrize("reread", [False, True], ids=["as it ended", "from its log alone"])
async def test_runs_inside_are_taken_again_by_themselves(reread: bool) -> None:
    """R29: a stage that runs a machine of its own would run its tools; it is refused, and the inner run named."""
    calls: list[str] = []

    async def counts(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        calls.append(await ctx.call(Echo("a")))
        return StatePatch(Piece(calls[-1]))

    child = part(Work(counts), guards=[AllowList("*")], journal=MemoryJournal())
    made = whole(child)
    run = await made.run(Order("chair"))
    (inside,) = run.children.values()
    outer = made.read(made.lines(run)) if reread else run

    with pytest.raises(UsageError, match=f"it has the run {re.escape(inside.id)} inside; take that one again"):
        await rerun(made, outer)
    assert 1 == len(calls)

    await rerun(child, inside)
    assert 2 == len(calls)  # the stage ran again, and its tool answered from the log


def logged(made: Machine, run: Run[Any], folder: Path) -> Path:
    path = folder / "run.jsonl"
    path.write_text("\n".join(made.lines(run)) + "\n")
    return path


def test_a_log_in_a_file_is_folded_and_taken_again(tmp_path: Path) -> None:
    """R29, R33: both ways in which machine and record can disagree are looked for."""
    run = usual().run_sync(Bug("b"))
    path = logged(usual(), run, tmp_path)
    without = Verify()
    shorter = machine(echoing("a", "b"), without, guards=[AllowList("*")])

    assert run.digest == replay_log(usual(), path).digest
    with pytest.raises(ReplayMismatchError):
        replay_log(shorter, path)
    with pytest.raises(IdentityError):
        replay_log(machine(iterates=None), path)
