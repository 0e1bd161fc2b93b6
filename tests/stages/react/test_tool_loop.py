"""The loop of a model that calls its tools: one conversation, and the answer inside the budget."""

from __future__ import annotations

import pytest

from agentfsm import AllowList, Iteration, Limits, MemoryJournal, ModelError, Outcome, Run, Trail
from agentfsm.models import AskedCall, Message, ScriptedModel
from agentfsm_stages.react import Conversation, Converse, Hear, Loop, Observation, Perform, ReAct, UserInput, tool_loop
from agentfsm_stages.react.tool_loop import CUT_OFF, LAST, closed
from tests.stages.react.agents import Add, Break, asking

TOOLS = (Add, Break)
ALL = (AllowList("*"),)
SUM = ("Add", '{"a": 2, "b": 1}')


def said(run: Run[Loop]) -> list[tuple[str, str]]:
    conversation = run.get(Conversation)
    return [(m.role, m.text) for m in conversation.messages] if conversation is not None else []


def test_edges() -> None:
    """Thinking and Acting take turns, and Thinking alone finishes."""
    exits = {stage.enters: stage.exits for stage in (Hear, Converse, Perform)}

    assert {
        ReAct.INITIALIZED: (ReAct.THINKING,),
        ReAct.THINKING: (ReAct.ACTING, ReAct.FINISHED, ReAct.FAILED),
        ReAct.ACTING: (ReAct.THINKING,),
    } == exits


async def test_from_question_to_answer() -> None:
    """R14: each turn is in the conversation once, each call is answered by its id, and the log replays."""
    model = ScriptedModel(asking("add", SUM, ("Break", "{}")), "it is 3")
    agent = tool_loop(model, tools=TOOLS, guards=ALL)

    run = await agent.run(UserInput("2 + 1?"))

    assert Outcome.FINISHED is run.outcome
    assert "it is 3" == (run.get(Observation) or Observation("")).final_answer
    assert [
        ("user", "2 + 1?"),
        ("assistant", "add"),
        ("tool", "3"),
        ("tool", "[failed] it broke"),
        ("assistant", "it is 3"),
    ] == said(run)
    assert ["1", "2"] == [m.call_id for m in model.requests[1].messages if m.role == "tool"]
    assert run.digest == agent.read(agent.lines(run)).digest


async def test_the_last_entry_offers_no_tools() -> None:
    """R14: with N entries of Thinking the answer is in the N-th: it offers no tools and says so."""
    model = ScriptedModel(asking("", SUM), asking("", SUM), "about 3")
    agent = tool_loop(model, tools=TOOLS, guards=ALL, limits=Limits(iterations=3))

    run = await agent.run(UserInput("x"))

    assert (Outcome.FINISHED, Iteration(3)) == (run.outcome, run.state.records[Iteration])
    assert [2, 2, 0] == [len(request.tools) for request in model.requests]
    assert [False, False, True] == [LAST in request.messages[0].text for request in model.requests]


async def test_a_call_where_none_is_offered() -> None:
    """A model that calls in spite of that gets no effect and no entry more."""
    model = ScriptedModel(asking("", SUM))
    agent = tool_loop(model, tools=TOOLS, guards=ALL, limits=Limits(iterations=1))

    run = await agent.run(UserInput("x"))

    assert Outcome.EXHAUSTED is run.outcome
    assert "asks for Add where no tool is offered" in next(e.error.message for e in run.events if e.error)
    assert () == model.unused


@pytest.mark.parametrize("text", ["", " \n"])
async def test_an_empty_answer_is_failed(text: str) -> None:
    """Neither words nor calls: the run has not finished."""
    run = await tool_loop(ScriptedModel(text)).run(UserInput("x"))

    assert (Outcome.FAILED, "THINKING") == (run.outcome, run.events[-1].source.name)


async def test_a_session_goes_on() -> None:
    """R16: the next run of a session sees the conversation so far, and nothing else of the run before."""
    model = ScriptedModel("hello", "you said hi")
    agent = tool_loop(model, journal=MemoryJournal())

    await agent.run(UserInput("hi"), session="s")
    run = await agent.run(UserInput("what did I say?"), session="s")

    assert [
        ("user", "hi"),
        ("assistant", "hello"),
        ("user", "what did I say?"),
        ("assistant", "you said hi"),
    ] == said(run)
    assert "you said hi" == (run.get(Observation) or Observation("")).final_answer
    assert Iteration(1) == run.state.records[Iteration]


async def test_the_log_grows_with_what_is_said() -> None:
    """R19: ten times the turns are less than eleven times the bytes."""
    sizes = []
    for turns in (10, 100):
        model = ScriptedModel(*[asking("add", SUM)] * turns, "done")
        agent = tool_loop(model, tools=TOOLS, guards=ALL)
        sizes.append(sum(map(len, agent.lines(await agent.run(UserInput("x"))))))

    assert sizes[1] < 11 * sizes[0]


async def test_a_failure_leaves_no_gap() -> None:
    """A model that comes back after a failure finds the conversation as it was."""
    model = ScriptedModel(asking("", SUM), ModelError("overloaded"), "done")
    agent = tool_loop(model, tools=TOOLS, guards=ALL, limits=Limits(iterations=5))

    run = await agent.run(UserInput("x"))

    assert Outcome.FINISHED is run.outcome
    assert model.requests[1].messages == model.requests[2].messages


ASKED = Message("assistant", "", (AskedCall("1", "Add"), AskedCall("2", "Add")))


@pytest.mark.parametrize(
    ("messages", "added"),
    [
        ((), ()),
        ((Message("user", "x"),), ()),
        ((ASKED,), ("1", "2")),
        ((ASKED, Message("tool", "3", call_id="1")), ("2",)),
        ((ASKED, Message("tool", "3", call_id="1"), Message("tool", "3", call_id="2")), ()),
        ((ASKED, Message("user", "x")), ()),
    ],
)
def test_closed(messages: tuple[Message, ...], added: tuple[str, ...]) -> None:
    """Each call that nothing answered is answered, at the end, where only an answer may stand."""
    found = closed(Trail.of(*messages))

    assert (*messages, *(Message("tool", CUT_OFF, call_id=key) for key in added)) == tuple(found)
