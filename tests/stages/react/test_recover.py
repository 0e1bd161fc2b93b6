"""Recovering: what is worth another thought, and what is not."""

from __future__ import annotations

import pytest

from agentfsm import Iteration, Limits, ModelError, Outcome
from agentfsm.models import ScriptedModel
from agentfsm_stages.react import UserInput, react


async def test_a_model_that_comes_back() -> None:
    """After a failure that may pass, the agent thinks again; the failure counts as an iteration."""
    model = ScriptedModel(ModelError("overloaded"), "done")

    run = await react(model, limits=Limits(iterations=3)).run(UserInput("x"))

    assert (Outcome.FINISHED, Iteration(2)) == (run.outcome, run.state.records[Iteration])
    assert [("failed", "Think"), ("step", "Recover")] == [(e.kind, e.stage) for e in run.events[2:4]]
    assert run.error is None


async def test_a_model_that_does_not() -> None:
    """R14: failures use up the iterations, and then the run is exhausted."""
    model = ScriptedModel(*[ModelError("overloaded")] * 3)

    run = await react(model, limits=Limits(iterations=3)).run(UserInput("x"))

    assert (Outcome.EXHAUSTED, ()) == (run.outcome, model.unused)


@pytest.mark.parametrize(
    ("raised", "limits", "kind"),
    [
        (ModelError("overloaded"), Limits(), "ModelError"),
        (ModelError("overloaded"), Limits(stages=50), "ModelError"),
        (ZeroDivisionError("a bug"), Limits(), "ModelError"),
    ],
)
async def test_giving_up(raised: Exception, limits: Limits, kind: str) -> None:
    """R11: without a limit on iterations nothing is tried again, and the run keeps the failure that it ended with."""
    agent = react(ScriptedModel(raised), limits=limits)

    run = await agent.run(UserInput("x"))

    assert Outcome.FAILED is run.outcome
    assert run.error is not None
    assert (kind, "Think") == (run.error.kind, run.error.stage)
    assert ("step", "Recover", "FAILED") == (run.events[-1].kind, run.events[-1].stage, run.events[-1].target.name)
    assert run.state == agent.read(agent.lines(run)).state
