"""Going on: with answers, with limits, from a snapshot, as a fork; each answer once, and nothing done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from agentfsm import (
    Context,
    Decision,
    Iteration,
    Journal,
    Limits,
    MemoryJournal,
    Outcome,
    Retry,
    Run,
    Signal,
    StatePatch,
    UsageError,
    View,
)
from agentfsm.errors import BusyError, LogError
from tests.desk import DONE, Asking, Gate, Mail, asks
from tests.sample import Bug, Diff, Fix, Machine, Result, Verify, failures, machine, mend


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


def mails() -> list[str]:
    """The mails that went out."""
    return [text for text in DONE if text.startswith("mail")]


def approval(run: Run[Any]) -> Signal:
    """A yes to what a run waits for."""
    return Signal("approve", run.halted.key if run.halted else "")


async def passes(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Result(passed=True))


async def never(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Result(passed=False))


def careful(journal: Journal | None = None) -> Machine:
    """A machine that mails a, and then asks about mailing b."""
    gate = Gate(lambda call: Decision("ask" if call.arguments["to"] == "b" else "allow", "risky", "may it?"))
    return machine(Fix(asks(Mail("a"), Mail("b"))), Verify(passes), guards=[gate], journal=journal)


@pytest.mark.parametrize("journal", [None, MemoryJournal()], ids=["no journal", "journal"])
async def test_a_snapshot_of_a_run_that_waits_has_its_calls(journal: MemoryJournal | None) -> None:
    """R34: what was done before the question is not done again by who goes on from a snapshot."""
    run = await careful(journal).run(Bug("b"))
    text = careful().snapshot(run).to_json()
    fresh = careful(journal)
    done = await fresh.resume(fresh.restore(text), approval(run))

    assert (Outcome.FINISHED, ["mail a", "mail b"]) == (done.outcome, mails())
    assert Diff("sent to a | sent to b") == done.get(Diff)


async def test_a_snapshot_between_attempts_has_their_feedback() -> None:
    """A stage that is tried again after a snapshot is told what it would have been told."""
    told: list[tuple[int, tuple[str, ...]]] = []

    async def tries(view: View[Any], ctx: Context) -> StatePatch[Any]:
        told.append((ctx.attempt, ctx.feedback))
        return StatePatch(Diff(str(ctx.attempt)))

    fix = Fix(tries, ensure=lambda view: None if view[Diff].text == "3" else f"not {view[Diff].text}", retry=Retry(3))
    orchestrator = machine(fix, Verify(passes))
    run = await orchestrator.step(await orchestrator.step(orchestrator.begin(Bug("b"))))
    done = await orchestrator.resume(orchestrator.restore(orchestrator.snapshot(run).to_json()))

    assert [(1, ()), (2, ("not 1",)), (3, ("not 1", "not 2"))] == told
    assert Outcome.FINISHED is done.outcome


async def test_two_calls_of_a_gather_may_each_want_an_answer() -> None:
    """R35: the first answer waits in the log for the second; then both calls are made, once."""

    async def gathers(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(" ".join(await ctx.gather(Mail("a"), Mail("b")))))

    journal = MemoryJournal()
    orchestrator = machine(Fix(gathers), Verify(passes), guards=[Asking("Mail")], journal=journal)
    run = await orchestrator.run(Bug("b"))
    for _ in range(2):
        assert (Outcome.SUSPENDED, []) == (run.outcome, mails())
        run = await orchestrator.resume(await orchestrator.load(run.id), approval(run))

    assert (Outcome.FINISHED, ["mail a", "mail b"]) == (run.outcome, mails())


async def test_an_answer_is_for_one_attempt() -> None:
    """R62: an approval that was used is used up: the next attempt's call is asked about again."""
    fix = Fix(asks(Mail("a")), ensure=lambda view: "once more", retry=Retry(2))
    orchestrator = machine(fix, guards=[Asking("Mail")], journal=MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    run = await orchestrator.resume(run, approval(run))

    assert (Outcome.SUSPENDED, ["mail a"], 1) == (run.outcome, mails(), len(failures(run)))
    again = await orchestrator.resume(await orchestrator.load(run.id))
    assert (Outcome.SUSPENDED, ["mail a"]) == (again.outcome, mails())


async def test_a_run_cut_off_after_the_answer_still_has_it() -> None:
    """R35: a process that died between the answer and the call does not make the person answer twice."""
    journal = MemoryJournal()
    orchestrator = careful(journal)
    run = await orchestrator.run(Bug("b"))
    run = await orchestrator.resume(run, approval(run))
    lines = [line async for line in journal.read(run.id)]
    answered = next(number for number, line in enumerate(lines) if '"kind":"resumed"' in line)
    cut = MemoryJournal()
    await cut.append(run.id, 0, lines[: answered + 1])
    DONE.clear()
    fresh = careful(cut)
    done = await fresh.resume(await fresh.load(run.id))

    assert (Outcome.FINISHED, ["mail b"]) == (done.outcome, mails())


async def test_a_fork_of_a_run_that_waits_is_answered_for_itself() -> None:
    """R28, R62: each branch is asked, each answer is its own branch's; what came before is in both."""
    orchestrator = careful(MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    fork = orchestrator.fork(run, run.events[-1].seq)
    asked = await orchestrator.resume(fork, approval(run))
    assert (Outcome.SUSPENDED, ["mail a"]) == (asked.outcome, mails())

    gone_on = await orchestrator.resume(asked, approval(asked))
    assert (Outcome.FINISHED, ["mail a", "mail b"]) == (gone_on.outcome, mails())

    rejected = await orchestrator.resume(run, Signal("reject", run.halted.key if run.halted else ""))
    assert (Outcome.FAILED, ["mail a", "mail b"]) == (rejected.outcome, mails())
    for branch in (gone_on, rejected):
        assert branch.state == (await orchestrator.load(branch.id)).state


WRONG: Any = "deny"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((Signal(WRONG, "KEY"),), "a signal approves or rejects; 'deny' does neither"),
        ((Signal("approve", "other"),), "does not wait for other"),
        ((Signal("approve", "KEY"), Signal("reject", "KEY")), "waits for one answer, and 2 were given"),
        ((Limits(stages=9),), "give it together with the limits"),
        (("approve",), "a run is resumed with signals and limits, not 'approve'"),
        ((Limits(), Limits()), "with one set of limits, not several"),
    ],
)
async def test_what_is_no_answer_is_refused(given: tuple[Any, ...], says: str) -> None:
    """R60: a word that is not understood is never a yes, and changes nothing."""
    orchestrator = careful(MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    key = run.halted.key if run.halted else ""
    given = tuple(Signal(g.action, key) if isinstance(g, Signal) and g.key == "KEY" else g for g in given)
    with pytest.raises(UsageError, match=says):
        await orchestrator.resume(run, *given)

    assert ["mail a"] == mails()
    assert orchestrator.lines(run) == orchestrator.lines(await orchestrator.load(run.id))


async def test_an_answer_to_a_run_that_waits_for_none_is_refused() -> None:
    """R35: an answer that nobody asked for is not swallowed."""
    orchestrator = machine()
    run = await orchestrator.step(orchestrator.begin(Bug("b")))
    with pytest.raises(UsageError, match="does not wait for x; it waits for nothing"):
        await orchestrator.resume(run, Signal("approve", "x"))


@pytest.mark.parametrize(
    "limits", [Limits(iterations=2), Limits(stages=3), Limits(idle_rounds=1)], ids=["iterations", "stages", "idle"]
)
async def test_a_limit_that_is_spent_stays_spent(limits: Limits) -> None:
    """R14: resuming without more to spend adds nothing, however often it is tried."""

    async def same(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff("same"))

    orchestrator = machine(Fix(same), Verify(never), limits=limits, journal=MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    for given in ((), (limits,)):
        again = await orchestrator.resume(run, *given)
        assert (Outcome.EXHAUSTED, run.state, len(run.log)) == (again.outcome, again.state, len(again.log))


async def test_no_limits_lift_the_limits() -> None:
    """R14: `Limits()` is no limit, not no answer."""
    orchestrator = machine(limits=Limits(iterations=1))
    run = await orchestrator.resume(await orchestrator.run(Bug("b")), Limits())

    assert (Outcome.FINISHED, Limits(), Iteration(2)) == (run.outcome, run.get(Limits), run.get(Iteration))
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_an_approval_leaves_the_limits_alone() -> None:
    """R14: what a run was given on an earlier resume holds on; only one that is exhausted asks its orchestrator."""
    orchestrator = machine(Fix(asks(Mail("a"))), Verify(passes), guards=[Asking("Mail")], limits=Limits(stages=0))
    run = await orchestrator.resume(await orchestrator.run(Bug("b")), Limits(stages=9))
    run = await orchestrator.resume(run, approval(run))

    assert (Outcome.FINISHED, Limits(stages=9)) == (run.outcome, run.get(Limits))


async def test_limits_for_a_run_that_was_cut_off() -> None:
    """R14: limits given to a run that does not stand still hold from there on."""
    orchestrator = machine(verify=Verify(never))
    run = await orchestrator.step(orchestrator.begin(Bug("b")))
    run = await orchestrator.resume(run, Limits(stages=2))

    assert (Outcome.EXHAUSTED, 3) == (run.outcome, sum(event.kind == "step" for event in run.events))
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_one_run_is_driven_by_one() -> None:
    """R13: of two machines that go on with one run, one does, and the other is told."""

    async def waits(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await asyncio.sleep(0)
        return await mend(view, ctx)

    one, two = machine(Fix(waits)), machine(Fix(waits))
    run = one.begin(Bug("b"))
    stepped, refused = await asyncio.gather(one.step(run), two.step(run), return_exceptions=True)

    assert isinstance(refused, BusyError)
    assert isinstance(stepped, Run)
    assert stepped.state == one.read(one.lines(stepped)).state


async def test_a_pause_that_comes_too_late_is_over_with_its_run() -> None:
    """R41: what was asked of a run that has ended is not kept for ever."""
    orchestrator = machine(Fix(asks()), Verify(passes))
    run = orchestrator.begin(Bug("b"))
    run = await orchestrator.step(run)
    orchestrator.pause(run.id)

    assert Outcome.FINISHED is (await orchestrator.step(run)).outcome
    assert set() == orchestrator.machine.pausing


NO_RUN: Any = "run-1"


async def test_what_is_no_run_is_refused() -> None:
    """What goes on, is cut or is read is what it has to be; otherwise the error is ours and says so."""
    orchestrator = machine()
    run = await orchestrator.run(Bug("b"))
    for going in (orchestrator.resume(NO_RUN), orchestrator.step(NO_RUN)):
        with pytest.raises(UsageError, match="what goes on is a run, not 'run-1'"):
            await going
    with pytest.raises(UsageError, match="has no transition run-1"):
        orchestrator.at(run, NO_RUN)
    with pytest.raises(LogError, match="a line of a log is text"):
        orchestrator.read([NO_RUN.encode()])
    with pytest.raises(LogError, match="a snapshot is text"):
        orchestrator.restore(NO_RUN.encode())
