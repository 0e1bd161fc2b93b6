"""Limits mean what they say: so many and no more, with the state kept, and going on from there."""

from __future__ import annotations

from typing import Any

import pytest

from agentfsm import (
    Context,
    Halted,
    Iteration,
    Limits,
    Outcome,
    Retry,
    Run,
    Spent,
    StatePatch,
    View,
    World,
)
from agentfsm.testing import ManualClock
from tests.sample import Bug, Diff, Fix, Phase, Result, Talk, Verify, machine, mend


async def never(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Result(passed=False))


def entries(run: Run[Any], stage: str) -> int:
    """How often *stage* was executed."""
    return sum(event.stage == stage and event.kind in ("step", "failed") for event in run.events)


@pytest.mark.parametrize("most", [0, 1, 2, 5])
async def test_iterations_are_admitted_exactly(most: int) -> None:
    """R14: N iterations are N entries of the iterating state, and the run keeps its state."""
    orchestrator = machine(verify=Verify(never), limits=Limits(iterations=most))
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.EXHAUSTED, Phase.FIX) == (run.outcome, run.lifecycle)
    assert (most, most) == (entries(run, "Fix"), entries(run, "Verify"))
    assert Halted("iterations", at_door=True) == run.halted
    assert Iteration(most) == run.get(Iteration)
    assert Bug("b") == run.get(Bug)


@pytest.mark.parametrize(("most", "more"), [(1, 1), (2, 3), (1, 4)])
async def test_resuming_with_a_higher_limit_goes_on(most: int, more: int) -> None:
    """R14: a run that had N and is given N+k makes k more, as if it had been given them at once."""
    tight = machine(verify=Verify(never), limits=Limits(iterations=most))
    wide = machine(verify=Verify(never), limits=Limits(iterations=most + more))
    run = await tight.resume(await tight.run(Bug("b")), Limits(iterations=most + more))
    at_once = await wide.run(Bug("b"))

    assert (Outcome.EXHAUSTED, most + more) == (run.outcome, entries(run, "Fix"))
    assert at_once.get(Diff) == run.get(Diff)
    assert at_once.get(Iteration) == run.get(Iteration)
    assert run.state == tight.read(tight.lines(run)).state


async def test_what_iterates_first_is_entered_once_at_the_door() -> None:
    """R14: at the door the iteration is not begun: what is of the last one is still there, and it ends on going on."""
    orchestrator = machine(limits=Limits(iterations=1))
    stopped = await orchestrator.run(Bug("b"))
    on = await orchestrator.resume(stopped, Limits())

    assert (Diff("attempt 1"), Iteration(1)) == (stopped.get(Diff), stopped.get(Iteration))
    assert (Outcome.FINISHED, Iteration(2), Diff("attempt 2")) == (on.outcome, on.get(Iteration), on.get(Diff))


@pytest.mark.parametrize("most", [0, 1, 2, 3])
async def test_stages_are_admitted_exactly(most: int) -> None:
    """R14: N stages are N executions, failed attempts included, and no more."""
    run = await machine(verify=Verify(never), limits=Limits(stages=most)).run(Bug("b"))

    assert (Outcome.EXHAUSTED, most) == (run.outcome, entries(run, "Fix") + entries(run, "Verify"))
    assert Halted("stages") == run.halted


async def test_failed_attempts_count_as_stages() -> None:
    """R14: what is tried again was executed again."""
    fix = Fix(ensure=lambda view: "no good", retry=Retry(attempts=10))
    run = await machine(fix, limits=Limits(stages=3)).run(Bug("b"))

    assert (Outcome.EXHAUSTED, 3) == (run.outcome, entries(run, "Fix"))


async def test_finishing_on_the_last_stage_is_finishing() -> None:
    """R14: a limit that is just enough does not exhaust."""
    run = await machine(limits=Limits(stages=4, iterations=2)).run(Bug("b"))

    assert (Outcome.FINISHED, None) == (run.outcome, run.halted)


async def test_seconds_are_measured_between_stages() -> None:
    """The stage that was under way is kept; the next one is not begun."""
    clock = ManualClock()

    async def slow(view: View[Any], ctx: Context) -> StatePatch[Any]:
        clock.move(3)
        return await mend(view, ctx)

    orchestrator = machine(Fix(slow), Verify(never), limits=Limits(seconds=5), world=World(clock=clock))
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.EXHAUSTED, Halted("seconds"), Iteration(2)) == (run.outcome, run.halted, run.get(Iteration))
    assert Diff("attempt 2") == run.get(Diff)


async def test_time_that_a_run_stood_still_is_not_spent() -> None:
    """A run that is resumed after a day has the seconds it had."""
    clock = ManualClock()

    async def slow(view: View[Any], ctx: Context) -> StatePatch[Any]:
        clock.move(3)
        return await mend(view, ctx)

    limits = Limits(seconds=10, stages=1)
    orchestrator = machine(Fix(slow), limits=limits, world=World(clock=clock))
    run = await orchestrator.run(Bug("b"))
    clock.move(86_400)
    run = await orchestrator.resume(run, Limits(seconds=10))

    assert (Outcome.FINISHED, Iteration(2)) == (run.outcome, run.get(Iteration))


async def test_what_was_spent_is_a_record_only_where_something_is_limited() -> None:
    """A run without limits keeps no count."""
    limited = await machine(limits=Limits(stages=10)).run(Bug("b"))

    assert Spent(0, stages=4) == limited.state.get(Spent)
    assert None is (await machine().run(Bug("b"))).state.get(Spent)


@pytest.mark.parametrize("rounds", [1, 2, 3])
async def test_no_progress_is_noticed(rounds: int) -> None:
    """R15: two stages that hand off to each other without a new fact are stopped after that many rounds."""

    async def same(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff("the same"))

    orchestrator = machine(Fix(same), Verify(never), limits=Limits(idle_rounds=rounds), iterates=None)
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.EXHAUSTED, Halted("idle_rounds")) == (run.outcome, run.halted)
    # one round to get all records there, then so many that change nothing
    assert rounds + 1 == entries(run, "Fix")
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_progress_is_no_idling() -> None:
    """R15: a loop in which something changes each time goes on."""

    async def talks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        talk = view.get(Talk) or Talk()
        return StatePatch(Diff("the same"), Talk(talk.said.add("and again")))

    run = await machine(Fix(talks), Verify(never), limits=Limits(idle_rounds=1, iterations=9)).run(Bug("b"))

    assert (Outcome.EXHAUSTED, Halted("iterations", at_door=True)) == (run.outcome, run.halted)


@pytest.mark.parametrize("limits", [Limits(iterations=2), Limits(stages=3), Limits(idle_rounds=2)])
async def test_resuming_without_more_stays_where_it_is(limits: Limits) -> None:
    """R14: a limit that is reached is reached, however often somebody resumes."""

    async def same(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff("the same"))

    orchestrator = machine(Fix(same), Verify(never), limits=limits)
    run = await orchestrator.run(Bug("b"))

    assert Outcome.EXHAUSTED is run.outcome
    assert run is await orchestrator.resume(run)
    assert run is await orchestrator.resume(run, limits)


async def test_limits_that_say_nothing_are_none() -> None:
    """R14: resuming with `Limits()` lifts what a run was exhausted by."""
    orchestrator = machine(limits=Limits(stages=1, tool_calls=1))
    run = await orchestrator.resume(await orchestrator.run(Bug("b")), Limits())

    assert (Outcome.FINISHED, Limits()) == (run.outcome, run.get(Limits))
