"""A stage that misbehaves gets an error of its own, and leaves nothing behind but one event that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentfsm import (
    Business,
    Context,
    Invariant,
    Iteration,
    LastError,
    Metadata,
    Outcome,
    Retry,
    StatePatch,
    Trail,
    View,
)
from tests.misbehaviours import REFUSED, WAYS, Misbehaviour, raises, refused_writes
from tests.sample import (
    Bug,
    Diff,
    Fix,
    Machine,
    Owner,
    Phase,
    Result,
    Secret,
    Talk,
    Verify,
    machine,
    mend,
    onward,
)


async def says_two(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Diff("first"), Talk(Trail[str]().add("one").add("two")))


def once_well_then(stage: Fix) -> Fix:
    """A stage that does well in the first iteration and then as *stage* does."""

    async def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return await (says_two(view, ctx) if view[Iteration].number == 1 else stage.run(view, ctx))

    def later(hook: Callable[[View[Any]], Any], first: Any) -> Callable[[View[Any]], Any]:
        return lambda view: first if view[Iteration].number == 1 else hook(view)

    return Fix(
        run,
        check=later(stage.check, None),
        ensure=later(stage.ensure, None),
        leave=later(stage.next, Phase.VERIFY),
        timeout=stage.timeout,
    )


async def never_passes(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Result(passed=False))


def never(old: View[Any], new: View[Any]) -> bool:
    return new[Iteration].number < 2 or new.get(Diff) is None


def misbehaving(way: Misbehaviour) -> Machine:
    invariants = [Invariant("no diffs", never)] if way.name == "invariant" else []
    return machine(once_well_then(way.stage), Verify(never_passes), invariants=invariants)


@pytest.mark.parametrize("way", WAYS, ids=[way.name for way in WAYS])
async def test_it_is_refused_by_a_typed_error_and_changes_nothing(way: Misbehaviour) -> None:
    """R1, R4, R5, R7, R9, R10, R11: an error of the stage's own, records as they were, one event in the log."""
    orchestrator = misbehaving(way)
    before = await orchestrator.step(await orchestrator.step(orchestrator.begin(Bug("b", {"a": 1}), Owner("ada"))))
    failed = await orchestrator.step(before)

    # typed, and said where: stage, lifecycle state, iteration, event, attempt and path
    error = failed.error
    assert error is not None
    assert LastError(way.kind, "Fix", "FIX", error.message, 2, 1, way.path, error.causes, len(before.log)) == error
    assert way.says in error.message
    assert (Outcome.FAILED, Phase.FAILED) == (failed.outcome, failed.lifecycle)

    # nothing but the failure has changed, and nothing of the patch can be read
    assert before.state.layer_digest(Business) == failed.state.layer_digest(Business)
    assert before.state.layer_digest(Metadata) == failed.state.layer_digest(Metadata)
    assert before.state == failed.state.lacking(LastError).entering(Phase.FIX)
    assert REFUSED not in repr(failed.state.lacking(LastError))

    # exactly one event more, whose fold gives the same error
    (event,) = failed.log[len(before.log) :]
    assert before.log == failed.log[: len(before.log)]
    assert failed.events[-1] is event
    assert ("failed", {}, error) == (failed.events[-1].kind, dict(failed.events[-1].patch), failed.events[-1].error)
    assert failed.state == orchestrator.replay(failed.log).state
    lines = orchestrator.lines(failed)
    assert failed.state == orchestrator.read(lines).state
    assert [] == [line for line in lines[: len(before.log)] if REFUSED in line]
    assert '"patch":{}' in lines[-1]


def test_each_way_has_an_error_of_its_own() -> None:
    """What is different in kind is told apart by the class of its error."""
    kinds = {way.name: way.kind for way in WAYS}
    names = ["read by index", "undeclared write", "mutates a record", "missing write", "wrong type", "raises", "hangs"]
    distinct = [kinds[name] for name in (*names, "exit")]

    assert len(distinct) == len({*distinct})


async def test_the_cause_of_what_a_stage_raised_is_kept() -> None:
    """R11: the chain of causes is in the event, as text."""
    run = await machine(Fix(raises)).run(Bug("b"))

    assert run.error is not None
    assert ("OSError: no editor for it", "KeyError: 'the first'") == run.error.causes
    assert run.error is run.events[-1].error


async def test_no_trace_of_a_failed_attempt_in_the_next_run() -> None:
    """R8: a run that fails after it staged records leaves nothing to one that comes after it."""
    broken = [True]

    async def sometimes(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(REFUSED), Secret(REFUSED)) if broken[0] else await mend(view, ctx)

    orchestrator = machine(Fix(sometimes))
    first = await orchestrator.run(Bug("b"))
    broken[0] = False
    second = await orchestrator.run(Bug("b"))
    clean = await machine().run(Bug("b"))

    assert (Outcome.FAILED, Outcome.FINISHED) == (first.outcome, second.outcome)
    assert clean.state == second.state
    assert [] == [line for line in orchestrator.lines(second) if REFUSED in line]


async def test_no_trace_of_a_refused_attempt_in_the_next_one() -> None:
    """R8: what an attempt had staged when it was refused is not in what the next one commits."""

    async def tries(view: View[Any], ctx: Context) -> StatePatch[Any]:
        if ctx.attempt == 1:
            return StatePatch(Diff(REFUSED), Talk(Trail[str]().add(REFUSED)))
        return await mend(view, ctx)

    fix = Fix(tries, ensure=lambda view: "no" if view.get(Talk) else None, retry=Retry(attempts=2))
    orchestrator = machine(fix)
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.FINISHED, None) == (run.outcome, run.get(Talk))
    assert [] == [line for line in orchestrator.lines(run) if REFUSED in line]


async def test_an_undeclared_record_is_named_with_the_nearest_declared_one() -> None:
    """R1: the stage, the key and what may have been meant."""
    run = await machine(refused_writes(Diff(), Result(passed=True))).run(Bug("b"))

    assert run.error is not None
    assert "Fix does not declare Result; the nearest declared is Diff" == run.error.message


def test_usual_exits_are_left_alone() -> None:
    """The sample itself does well."""
    assert Outcome.FINISHED is machine(Fix(leave=onward)).run_sync(Bug("b")).outcome
