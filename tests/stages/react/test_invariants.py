"""The invariants of the proposal, each broken once by a stage that misbehaves within its permissions."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest

from agentfsm import (
    AllowList,
    Business,
    Context,
    FSMOrchestrator,
    Iteration,
    Maybe,
    Outcome,
    Record,
    Run,
    Stage,
    StatePatch,
    View,
)
from agentfsm.models import ScriptedModel
from agentfsm_stages.react import (
    INVARIANTS,
    Act,
    Action,
    Classic,
    Observation,
    Observe,
    ReAct,
    Receive,
    Settings,
    Think,
    Thought,
    UserInput,
    classic,
)
from agentfsm_stages.react import invariants as law
from tests.stages.react.agents import Add, asking

SUM = ("Add", '{"a": 2, "b": 1}')
SETTINGS = Settings((Add,), (AllowList("*"),))


def broken(run: Run[Classic]) -> str:
    """The invariant that a run ended with."""
    assert Outcome.FAILED is run.outcome
    assert run.error is not None
    assert "InvariantError" == run.error.kind
    return run.error.path


@pytest.mark.parametrize("early", [Thought("x"), Action((), ()), Observation("x")])
async def test_initialized_has_the_input_alone(early: Business) -> None:
    """A run that is given a thought, an action or an observation does not begin."""
    agent = classic(Think(ScriptedModel("done")), Act(), Observe())

    run = await agent.run(UserInput("x"), early)  # type: ignore[arg-type]  # one of the three

    assert law.BEGINS_WITH_INPUT_ALONE.name == broken(run)


async def test_acting_has_an_intent() -> None:
    """A thought without an intent does not lead to acting."""

    class Idle(Think):
        streams: ClassVar[tuple[type[Record], str] | None] = None

        async def run(self, view: View[UserInput], ctx: Context) -> StatePatch[Thought]:
            return StatePatch(Thought(" ", "", asking("", SUM).calls))

    agent = classic(Idle(ScriptedModel()), Act(), Observe(), SETTINGS)

    assert law.ACTING_HAS_AN_INTENT.name == broken(await agent.run(UserInput("x")))


class Forgetful(Stage[Iteration | Thought, Maybe[Action], Literal[ReAct.OBSERVING, ReAct.FAILED]], enters=ReAct.ACTING):
    """Says what it did in the first iteration only."""

    async def run(self, view: View[Iteration | Thought], ctx: Context) -> StatePatch[Action]:
        first = view[Iteration].number == 1
        return StatePatch(Action(view[Thought].tool_calls, ())) if first else StatePatch()

    def next(self, view: View[Thought]) -> Literal[ReAct.OBSERVING]:
        return ReAct.OBSERVING


async def test_an_action_left_over_does_not_count() -> None:
    """An action of iteration 1 is not there when iteration 2 observes after acting."""
    agent = FSMOrchestrator[Classic](
        [Receive(), Think(ScriptedModel(asking("one", SUM), asking("two", SUM))), Forgetful(), Observe()],
        start=ReAct.INITIALIZED,
        iterates=ReAct.THINKING,
        final={ReAct.FINISHED},
        failed=ReAct.FAILED,
        invariants=INVARIANTS,
    )

    run = await agent.run(UserInput("x"))

    assert law.OBSERVING_HAS_ITS_ACTION.name == broken(run)
    assert Iteration(2) == run.state.records[Iteration]
    assert ["OBSERVING", "THINKING", "ACTING", "FAILED"] == [event.target.name for event in run.events[-4:]]


async def test_the_iteration_rises_on_the_way_into_thinking_alone() -> None:
    """By one on each entry of Thinking, and never else: in every pair of states of a run, as the invariants say."""
    model = ScriptedModel(asking("one", SUM), asking("two", SUM), "three")
    agent = classic(Think(model), Act(), Observe(), SETTINGS)
    run = await agent.run(UserInput("x"))
    assert Outcome.FINISHED is run.outcome

    views = [agent.at(run, event.seq).state.view for event in run.events]
    for event, old, new in zip(run.events[1:], views, views[1:], strict=False):
        entered = event.target is ReAct.THINKING

        assert (entered, not entered) == (law.ITERATION_RISES.holds(old, new), law.ITERATION_STAYS.holds(old, new))
        applies = (law.ITERATION_RISES, law.ITERATION_STAYS)
        assert [entered, not entered] == [each.applies(event.source, event.target) for each in applies]
    assert not law.ITERATION_RISES.holds(views[0], views[-1])


async def test_finished_has_an_answer() -> None:
    """An observation that ends the loop without an answer does not finish the run."""

    class Content(Observe):
        def next(self, view: View[Observation]) -> Literal[ReAct.FINISHED]:
            return ReAct.FINISHED

    agent = classic(Think(ScriptedModel(" ")), Act(), Content())

    assert law.FINISHED_HAS_AN_ANSWER.name == broken(await agent.run(UserInput("x")))
