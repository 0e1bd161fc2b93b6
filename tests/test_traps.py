"""
Traps in the classic proposal that concern the core, each with a test that falls into it if we do.

* "Observing reached from Acting means that Action is present" also holds for an Action left over from before
* lifecycle in the patch and in `next`: two truths
* the permission lists let nobody write Iteration, yet it must rise
* FAILED has no way out in the diagram, but the text recovers from it
* a live exception in the state cannot be snapshotted; nested error states grow without end
* a suggested transition is not a taken one, and says when it needs approval
* a limit that fires one step late, or throws the work away
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal, Never

import pytest

from agentfsm import (
    Business,
    Context,
    Decision,
    DefinitionError,
    FSMOrchestrator,
    Invariant,
    Iteration,
    LastError,
    Limits,
    Maybe,
    Move,
    Outcome,
    Record,
    Run,
    Stage,
    StatePatch,
    View,
    monotonic,
    record,
)
from tests.desk import Gate, Mail, asks
from tests.sample import Again, Bug, Fix, Phase, failures, machine


class Step(Enum):
    THINKING, ACTING, OBSERVING, FINISHED, FAILED = range(5)


@record
class Question(Business):
    text: str


@record(scope="iteration")
class Thought(Business):
    acts: bool


@record(scope="iteration")
class Action(Business):
    output: str


@record
class Observation(Business):
    text: str


class Think(
    Stage[Question | Iteration | Maybe[Observation], Thought, Literal[Step.ACTING, Step.OBSERVING]],
    enters=Step.THINKING,
):
    """Acts in the first iteration and in no other."""

    async def run(self, view: View[Iteration], ctx: Context) -> StatePatch[Thought]:
        return StatePatch(Thought(view[Iteration].number == 1))

    def next(self, view: View[Thought]) -> Literal[Step.ACTING, Step.OBSERVING]:
        return Step.ACTING if view[Thought].acts else Step.OBSERVING


class Act(Stage[Thought, Action, Literal[Step.OBSERVING]], enters=Step.ACTING):
    async def run(self, view: View[Thought], ctx: Context) -> StatePatch[Action]:
        return StatePatch(Action("done"))


class Observe(
    Stage[Thought | Maybe[Action], Observation, Literal[Step.THINKING, Step.FINISHED]], enters=Step.OBSERVING
):
    """Says whether there is an action to look at."""

    async def run(self, view: View[Thought | Maybe[Action]], ctx: Context) -> StatePatch[Observation]:
        action = view.get(Action)
        return StatePatch(Observation(action.output if action is not None else "nothing was done"))

    def next(self, view: View[Thought]) -> Literal[Step.THINKING, Step.FINISHED]:
        return Step.THINKING if view[Thought].acts else Step.FINISHED


def acted(_: View[Maybe[Action]], new: View[Maybe[Action]]) -> bool:
    return new.get(Action) is not None


def react() -> FSMOrchestrator[Business]:
    return FSMOrchestrator[Business](
        [Think(), Act(), Observe()],
        start=Step.THINKING,
        iterates=Step.THINKING,
        final={Step.FINISHED},
        failed=Step.FAILED,
        invariants=[
            Invariant("acted", acted, edges=((Step.ACTING, Step.OBSERVING),)),
            monotonic(Iteration, lambda iteration: iteration.number),
        ],
    )


def test_an_action_of_an_earlier_iteration_is_not_there() -> None:
    """Observing in iteration 2, reached without acting, finds no action, though iteration 1 had one."""
    run = react().run_sync(Question("q"))

    texts = [event.patch[Observation] for event in run.events if Observation in event.patch]
    assert [Observation("done"), Observation("nothing was done")] == texts
    assert (Outcome.FINISHED, None) == (run.outcome, run.get(Action))


def test_where_a_run_goes_is_said_by_next_alone() -> None:
    """There is no record of the lifecycle state that a patch could hold, and no writing the orchestrator's records."""
    with pytest.raises(DefinitionError, match="stages write Business records alone"):

        class Jumping(Stage[Question, Iteration, Literal[Step.FINISHED]], enters=Step.THINKING): ...  # type: ignore[type-var]  # what is tried here

    run = react().run_sync(Question("q"))
    assert {Step} == {type(event.target) for event in run.events}
    assert not [kind for kind in run.state.records if kind.__name__.lower() == "lifecycle"]


def test_nobody_writes_the_iteration_and_it_rises() -> None:
    """It is the orchestrator's: 1 on the first entry, one more on each later one."""
    run = react().run_sync(Question("q"))

    assert [1, 1, 1, 2, 2, 2] == [event.after.iteration for event in run.events if event.after]
    assert [] == [event for event in run.events if Iteration in event.patch]


async def breaks(view: View[Any], ctx: Context) -> StatePatch[Never]:
    raise OSError("no editor")


def test_recovering_is_an_edge_before_failed() -> None:
    """FAILED is final: what recovers never enters it, and what entered it is over."""
    run = machine(Fix(breaks), recovery=Again()).run_sync(Bug("b"))

    targets = [event.target for event in run.events]
    assert Phase.FAILED not in targets[:-1]
    assert (Phase.FAILED, Outcome.FAILED) == (targets[-1], run.outcome)
    assert Phase.FAILED not in {node.state for node in machine(recovery=Again()).graph.nodes}


def test_a_failure_in_the_state_is_flat_text() -> None:
    """After any number of failures there is one, no larger than the first, and it can be written down."""

    class Round(Stage[LastError | Maybe[Record], Never, Literal[Phase.FIX]], enters=None):
        async def run(self, view: View[LastError], ctx: Context) -> StatePatch[Never]:
            return StatePatch()

    orchestrator = machine(Fix(breaks), recovery=Round(), limits=Limits(iterations=9))
    run = orchestrator.run_sync(Bug("b"))
    errors = [event.error for event in failures(run)]

    assert (9, Outcome.EXHAUSTED) == (len(errors), run.outcome)
    assert {("StageError", "OSError: no editor", ("OSError: no editor",))} == {
        (error.kind, error.message, error.causes) for error in errors if error
    }
    assert run.state == orchestrator.restore(orchestrator.snapshot(run).to_json()).state


def test_suggesting_is_not_taking() -> None:
    """The way on that a refusal names is text for the model: the run is where it was."""
    way = (Move("OPEN", "implementing", needs_approval=True),)
    gate = Gate(lambda call: Decision("deny", "closed", "not here", way))
    run = machine(Fix(asks(Mail("ada"))), guards=[gate]).run_sync(Bug("b"))

    assert run.error is not None
    assert "the way: OPEN to implementing (needs approval)" in run.error.message
    assert ("FIX", Phase.FAILED) == (run.error.lifecycle, run.lifecycle)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_limit_is_exact_and_keeps_the_work(most: int) -> None:
    """R14: N is neither N-1 nor N+1, and what was done is there."""

    def over(run: Run[Any]) -> int:
        return sum(event.kind == "step" for event in run.events)

    orchestrator = FSMOrchestrator[Business](
        [Think(), Act(), Observe()],
        start=Step.THINKING,
        iterates=Step.THINKING,
        final={Step.FINISHED},
        failed=Step.FAILED,
        limits=Limits(stages=most),
    )
    run = orchestrator.run_sync(Question("q"))

    assert (most, Outcome.EXHAUSTED, Question("q")) == (over(run), run.outcome, run.get(Question))
