"""What becomes of a failure: another attempt with feedback, a recovery, or the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agentfsm import (
    Context,
    Iteration,
    LastError,
    Outcome,
    Retry,
    StatePatch,
    View,
    World,
)
from agentfsm.errors import CheckError, EnsureError, RunError, StageError, StageTimeoutError, UndeclaredReadError
from agentfsm.testing import ManualClock
from tests.sample import Again, Bug, Diff, Fix, Result, Verify, failures, machine, mend


async def test_feedback_reaches_the_next_attempt() -> None:
    """Each attempt is an event; each later one knows why the former were refused, and the next stage knows nothing."""
    told: list[tuple[int, tuple[str, ...]]] = []

    async def tries(view: View[Any], ctx: Context) -> StatePatch[Any]:
        told.append((ctx.attempt, ctx.feedback))
        return StatePatch(Diff(f"try {ctx.attempt}"))

    def ensure(view: View[Any]) -> str | None:
        return None if view[Diff].text == "try 3" else f"{view[Diff].text} is no good"

    async def tests(view: View[Any], ctx: Context) -> StatePatch[Any]:
        told.append((ctx.attempt, ctx.feedback))
        return StatePatch(Result(passed=True))

    run = await machine(Fix(tries, ensure=ensure, retry=Retry(attempts=3)), Verify(tests)).run(Bug("b"))

    first, second = "try 1 is no good", "try 2 is no good"
    assert [(1, ()), (2, (first,)), (3, (first, second)), (1, ())] == told
    assert [("failed", 1, "retry"), ("failed", 2, "retry")] == [
        (e.kind, e.attempt, e.exits[0].code) for e in run.events[1:3]
    ]
    assert (Outcome.FINISHED, 3, None) == (run.outcome, run.events[3].attempt, run.error)


async def test_attempts_end_in_failure() -> None:
    """After the last attempt the run has failed, with the last error."""
    orchestrator = machine(Fix(ensure=lambda view: "no good", retry=Retry(attempts=3)))
    run = await orchestrator.run(Bug("b"))

    assert ["retry", "retry", "failed"] == [event.exits[0].code for event in failures(run)]
    assert [1, 2, 3] == [event.attempt for event in failures(run)]
    assert (Outcome.FAILED, 3) == (run.outcome, run.error.attempt if run.error else 0)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


@pytest.mark.parametrize(
    ("error", "on", "attempts"),
    [
        (EnsureError, Retry(3).on, 3),
        (StageTimeoutError, Retry(3).on, 3),
        (StageError, Retry(3).on, 1),
        (StageError, (StageError,), 3),
        (CheckError, (RunError,), 1),
        (UndeclaredReadError, (RunError,), 1),
    ],
)
async def test_what_is_tried_again(error: type[RunError], on: tuple[type[RunError], ...], attempts: int) -> None:
    """A stage names what it is attempted again on; broken contracts never are."""

    async def raises(view: View[Any], ctx: Context) -> StatePatch[Any]:
        raise error("as it happens")

    run = await machine(Fix(raises, retry=Retry(3, on))).run(Bug("b"))

    assert [error.__name__] * attempts == [event.error.kind for event in failures(run) if event.error]


async def test_pauses_double_up_to_the_longest() -> None:
    """The clock is asked to wait, and nothing else waits."""
    clock = ManualClock()
    fix = Fix(ensure=lambda view: "no good", retry=Retry(attempts=5, wait=1.0, longest=3.0))
    await machine(fix, world=World(clock=clock)).run(Bug("b"))

    assert (1.0, 2.0, 3.0, 3.0) == clock.slept


async def test_a_timeout_is_of_one_attempt() -> None:
    """A stage that hangs is cut off, and may be attempted again."""
    attempts = 0

    async def hangs_once(view: View[Any], ctx: Context) -> StatePatch[Any]:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            await asyncio.Event().wait()
        return await mend(view, ctx)

    run = await machine(Fix(hangs_once, timeout=0.001, retry=Retry(attempts=2))).run(Bug("b"))

    assert (Outcome.FINISHED, ["StageTimeoutError"]) == (run.outcome, [e.error.kind for e in failures(run) if e.error])


async def test_a_timeout_of_the_stages_own_is_its_error() -> None:
    """R11: a TimeoutError that a stage raises is not taken for the orchestrator's."""

    async def impatient(view: View[Any], ctx: Context) -> StatePatch[Any]:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
        return StatePatch(Diff())

    run = await machine(Fix(impatient, timeout=60.0)).run(Bug("b"))

    assert "StageError" == (run.error.kind if run.error else "")


async def fails_at_first(view: View[Any], ctx: Context) -> StatePatch[Any]:
    if view[Iteration].number == 1:
        raise OSError("no editor")
    return await mend(view, ctx)


async def test_a_recovery_is_an_edge_before_failed() -> None:
    """The patch is dropped, the recovery reads the error and names where it goes on; the next commit retires it."""
    seen: list[LastError] = []

    class Watching(Again):
        async def run(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
            seen.append(view[LastError])
            return StatePatch()

    orchestrator = machine(Fix(fails_at_first), recovery=Watching())
    run = await orchestrator.run(Bug("b"))

    kinds = [(event.kind, event.stage, event.exits[0].code) for event in run.events[1:3]]
    assert [("failed", "Fix", "recovery"), ("step", "Watching", "taken")] == kinds
    assert ["OSError: no editor"] == [error.message for error in seen]
    assert (Outcome.FINISHED, None, Iteration(2)) == (run.outcome, run.error, run.get(Iteration))
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_a_recovery_may_give_up() -> None:
    """Where the recovery leads to failed, the run has failed."""

    async def breaks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        raise OSError("still no editor")

    run = await machine(Fix(breaks), recovery=Again()).run(Bug("b"))

    assert (Outcome.FAILED, 2) == (run.outcome, len(failures(run)))


async def test_a_recovery_that_fails_is_not_recovered() -> None:
    """R11: its own error is the run's, once, and never nested."""

    class Broken(Again):
        async def run(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
            raise ValueError("no idea")

    run = await machine(Fix(fails_at_first), recovery=Broken()).run(Bug("b"))

    assert ["StageError", "StageError"] == [event.error.kind for event in failures(run) if event.error]
    assert ("Broken", "ValueError: no idea") == ((run.error.stage, run.error.message) if run.error else None)


async def test_last_error_is_retired_by_the_next_commit() -> None:
    """What a later stage reads of an earlier failure is nothing."""
    orchestrator = machine(Fix(ensure=lambda view: None, retry=Retry(attempts=2)), recovery=Again())
    run = await orchestrator.run(Bug("b"))

    assert None is run.state.get(LastError)
