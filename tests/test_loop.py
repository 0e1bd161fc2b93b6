"""The loop: what it takes, what it commits and what its events say."""

from __future__ import annotations

from typing import Any

import pytest

from agentfsm import (
    Business,
    Context,
    Halted,
    Iteration,
    Limits,
    MemoryJournal,
    Metadata,
    Outcome,
    StatePatch,
    UsageError,
    View,
    record,
)
from tests.sample import Bug, Diff, Fix, Owner, Phase, machine, mend


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((Bug("a"), Bug("b")), "Bug is given twice"),
        ((Iteration(3),), "a run is given Business and Metadata records"),
        ((Limits(),), "a run is given Business and Metadata records"),
        (("text",), "a run is given Business and Metadata records"),
        ((Bug,), "a run is given Business and Metadata records"),
    ],
)
async def test_input_that_cannot_be_used(given: tuple[Any, ...], says: str) -> None:
    """Bad input is refused before the run begins."""
    with pytest.raises(UsageError, match=says):
        await machine().run(*given)


async def test_input_of_the_wrong_type_is_refused() -> None:
    """R4: values are held to their annotations on the way in too."""
    report: Any = 3

    with pytest.raises(UsageError, match=r"Bug: report: found int, expected str"):
        await machine().run(Bug(report))


@record
class Strange(Metadata): ...


async def test_input_that_no_stage_knows() -> None:
    """A record that nothing in the machine could read is a mistake."""
    with pytest.raises(UsageError, match="no stage of machine knows Strange; name it in records="):
        await machine().run(Bug("b"), Strange())


async def test_steps_one_by_one_are_the_run() -> None:
    """R26: a run taken step by step has the log and the state of one that ran through."""
    orchestrator, other = machine(), machine()
    run = orchestrator.begin(Bug("b"), Owner("ada"))
    while run.outcome is None:
        run = await orchestrator.step(run)

    whole = await other.run(Bug("b"), Owner("ada"))
    assert whole.state == run.state
    assert [event.edge for event in whole.events] == [event.edge for event in run.events]


async def test_pause_takes_effect_at_the_next_commit() -> None:
    """A run that is asked to pause commits what is under way, stands still, and goes on when resumed."""

    async def pausing(view: View[Any], ctx: Context) -> StatePatch[Any]:
        if view[Iteration].number == 1:
            orchestrator.pause(ctx.run_id)
        return await mend(view, ctx)

    orchestrator = machine(Fix(pausing))
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.SUSPENDED, Halted("paused"), Diff("attempt 1")) == (run.outcome, run.halted, run.get(Diff))
    assert Outcome.FINISHED is (await orchestrator.resume(run)).outcome


async def test_a_run_that_is_over_is_not_resumed() -> None:
    """R14: there is nothing to go on with; the way out is a fork."""
    orchestrator = machine()
    run = await orchestrator.run(Bug("b"))

    with pytest.raises(UsageError, match="is over: it is DONE; fork it"):
        await orchestrator.resume(run)


@pytest.mark.parametrize("kept", [True, False])
async def test_a_journal_changes_nothing(kept: bool) -> None:
    """R31: what is kept and what is not kept are the same events."""
    orchestrator = machine(journal=MemoryJournal() if kept else None, limits=Limits(iterations=3))
    run = await orchestrator.run(Bug("b"))
    bare = await machine(limits=Limits(iterations=3)).run(Bug("b"))

    assert bare.events == run.events
    assert bare.state.layer_digest(Business) == run.state.layer_digest(Business)


async def test_candidates_and_codes_are_in_the_event() -> None:
    """R66: an event lists every exit that was considered, and which was taken; a failure says what comes of it."""
    run = await machine().run(Bug("b"))

    considered = [[(exit.target, exit.code) for exit in event.exits] for event in run.events]
    fix = [(Phase.VERIFY, "taken"), (Phase.DONE, "not_chosen")]
    assert [
        [],
        fix,
        [(Phase.FIX, "taken"), (Phase.DONE, "not_chosen")],
        fix,
        [(Phase.FIX, "not_chosen"), (Phase.DONE, "taken")],
    ] == considered


async def test_actual_reads_are_told_where_they_differ() -> None:
    """An event names what a stage read, unless it read all that it declares."""
    run = await machine().run(Bug("b"))

    assert [frozenset({"Iteration"}), frozenset({"Iteration"})] == [event.reads for event in run.events[1:3]]
