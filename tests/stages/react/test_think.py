"""Thinking: what the model is asked, and what its reply means."""

from __future__ import annotations

import pytest

from agentfsm import ModelError, Outcome, Retry
from agentfsm.models import AskedCall, Reply, ScriptedModel
from agentfsm_stages.react import Act, Observe, ReAct, Settings, Think, Thought, UserInput, classic
from agentfsm_stages.react.think import intent_of
from tests.stages.react.agents import Add


@pytest.mark.parametrize(
    ("reply", "intent"),
    [
        (Reply("\n  look at it \nand more"), "look at it"),
        (Reply("", (AskedCall("1", "Read"), AskedCall("2", "Grep"))), "call Read, Grep"),
        (Reply("why", (AskedCall("1", "Read"),)), "why"),
        (Reply(" "), "say nothing"),
    ],
)
def test_intent_of(reply: Reply, intent: str) -> None:
    """The first line that says something, or else what is called."""
    assert intent == intent_of(reply)


async def test_what_the_model_is_asked() -> None:
    """System prompt, input and tools, with the schema of their arguments."""
    model = ScriptedModel("done")
    agent = classic(Think(model, "be brief"), Act(), Observe(), Settings((Add,)))

    await agent.run(UserInput("2 + 1?"))

    (request,) = model.requests
    assert [("system", "be brief"), ("user", "2 + 1?")] == [(m.role, m.text) for m in request.messages]
    assert () == request.tools  # without a guard there are none to offer


async def test_a_refusal_of_the_model_is_failed() -> None:
    """A model that will not do it leads to FAILED, with its words in the thought."""
    model = ScriptedModel(Reply("I will not.", stop="refused"))
    run = await classic(Think(model), Act(), Observe()).run(UserInput("x"))

    assert (Outcome.FAILED, "THINKING") == (run.outcome, run.events[-1].source.name)
    assert ("", "I will not.") == ((t.intent, t.reasoning) if (t := run.get(Thought)) else None)
    assert ReAct.FAILED is run.lifecycle


async def test_a_retry_is_told_why() -> None:
    """An attempt that failed is asked again with the reason, where the stage is given a retry."""
    model = ScriptedModel(ModelError("cut off in mid-sentence"), "done")
    run = await classic(Think(model, retry=Retry(attempts=2)), Act(), Observe()).run(UserInput("x"))

    assert Outcome.FINISHED is run.outcome
    assert "Your last reply could not be used:\n- cut off in mid-sentence" == model.requests[1].messages[-1].text
