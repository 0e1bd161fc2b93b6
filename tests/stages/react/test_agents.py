"""The classic agent, whole: permissions, edges, and runs from question to answer."""

from __future__ import annotations

import re

import pytest

from agentfsm import (
    AllowList,
    CallEvent,
    Iteration,
    Limits,
    MemoryJournal,
    ModelError,
    Outcome,
    Signal,
    Stage,
    ToolCall,
)
from agentfsm.guard import Decision
from agentfsm.models import ScriptedModel
from agentfsm.streaming import Chunk, Sealed
from agentfsm_stages.react import (
    Act,
    Observation,
    Observe,
    ReAct,
    Receive,
    Recover,
    Report,
    Session,
    Settings,
    Think,
    UserInput,
    classic,
    react,
)
from tests.stages.react.agents import Add, Break, Shout, asking

TOOLS = (Add, Shout, Break)
ALL = (AllowList("*"),)
SUM = '{"a": 2, "b": 1}'


@pytest.mark.parametrize(
    ("stage", "reads", "writes", "exits"),
    [
        (Receive, "session? user_input", "", "THINKING"),
        (Think, "iteration observation? session? user_input", "thought", "ACTING OBSERVING FAILED"),
        (Act, "iteration session? thought", "action", "OBSERVING FAILED"),
        (Observe, "action? iteration session? thought", "observation", "FINISHED THINKING FAILED"),
        (Report, "action? iteration session? thought", "observation", "FINISHED THINKING FAILED"),
        (Recover, "record?", "", "THINKING FAILED"),
    ],
)
def test_permissions(stage: type[Stage[object, object, ReAct]], reads: str, writes: str, exits: str) -> None:  # type: ignore[type-var]  # any stage
    """Each stage may do what the proposal lets it do, and nothing else; the recovery only names an edge."""
    sides = [" ".join(f.name + ("" if f.surely else "?") for f in side) for side in (stage.reads, stage.writes)]

    assert [reads, writes] == sides
    assert exits.split() == [state.name for state in stage.exits]


async def test_from_question_to_answer() -> None:
    """R14: two rounds through the states, the outputs of the first told to the second; the log replays."""
    model = ScriptedModel(asking("add them", ("Add", SUM)), "it is 3")
    agent = react(model, tools=TOOLS, guards=ALL, limits=Limits(iterations=2))

    run = await agent.run(UserInput("what is 2 + 1?"), Session("s"))

    assert Outcome.FINISHED is run.outcome
    assert "it is 3" == (run.get(Observation) or Observation("")).final_answer
    assert ["INITIALIZED", "THINKING", "ACTING", "OBSERVING", "THINKING", "OBSERVING", "FINISHED"] == [
        event.target.name for event in run.events
    ]
    assert Iteration(2) == run.state.records[Iteration]
    assert f"Observed so far:\n\nStep 1: add them\nAdd({SUM})\n3" == model.requests[1].messages[-1].text
    assert () == model.unused
    assert run.digest == agent.replay(run.log).digest == agent.read(agent.lines(run)).digest


async def test_the_tools_offered_are_those_allowed_now() -> None:
    """R63: a model is not shown a tool that it may not call."""
    model = ScriptedModel("done")

    await react(model, tools=TOOLS, guards=[AllowList("Add", "Break")]).run(UserInput("x"))

    assert ["Add", "Break"] == [tool.name for tool in model.requests[0].tools]


async def test_events_say_where_else_a_stage_could_have_gone() -> None:
    """R66: each step lists the exits that were considered, the one taken and those not chosen."""
    run = await react(ScriptedModel(asking("add", ("Add", SUM)), "3"), tools=TOOLS, guards=ALL).run(UserInput("x"))

    considered = {"ACTING": "taken", "OBSERVING": "not_chosen", "FAILED": "not_chosen"}
    assert considered == {exit.target.name: exit.code for exit in run.events[2].exits}


async def test_an_empty_answer_is_failed() -> None:
    """A loop that ends with nothing to say has not finished."""
    run = await react(ScriptedModel(" \n")).run(UserInput("x"))

    assert (Outcome.FAILED, ReAct.FAILED) == (run.outcome, run.lifecycle)
    assert "OBSERVING" == run.events[-1].source.name


async def test_one_iteration_too_few_is_exhausted() -> None:
    """R14: N iterations are N, the state is kept, and with more the same run goes on."""
    model = ScriptedModel(asking("", ("Add", SUM)), asking("", ("Add", SUM)), "3")
    agent = react(model, tools=TOOLS, guards=ALL, limits=Limits(iterations=2), journal=MemoryJournal())

    run = await agent.run(UserInput("x"))

    assert (Outcome.EXHAUSTED, 2) == (run.outcome, len(model.requests))
    run = await agent.resume(run, Limits(iterations=3))
    assert (Outcome.FINISHED, Iteration(3)) == (run.outcome, run.state.records[Iteration])


class Asking:
    """A guard that wants a person to say yes."""

    def begins(self) -> None: ...

    def offered(self, memory: None, lifecycle: object, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: object, call: ToolCall, /) -> Decision:
        return Decision("ask" if call.name == "Add" else "allow", "risky", "sums are risky")

    def after(self, memory: None, call: ToolCall, answer: object, /) -> None: ...


async def test_an_approval_in_the_middle_of_acting() -> None:
    """R34: a run that waits in its second call makes the first one once, and asks the model nothing again."""
    made: list[str] = []

    class Heard(Asking):
        def after(self, memory: None, call: ToolCall, answer: object, /) -> None:
            made.append(call.name)

    model = ScriptedModel(asking("", ("Shout", '{"text": "a"}'), ("Add", SUM)), "3")
    agent = react(model, tools=TOOLS, guards=[Heard()], journal=MemoryJournal())

    run = await agent.run(UserInput("x"))
    assert (Outcome.SUSPENDED, "Add") == (run.outcome, run.halted.tool if run.halted else "")
    run = await agent.resume(await agent.load(run.id), Signal("approve", run.halted.key if run.halted else ""))

    assert (Outcome.FINISHED, 2) == (run.outcome, len(model.requests))
    results = [entry.tool for entry in run.log if isinstance(entry, CallEvent) and entry.phase == "result"]
    assert ["chat scripted", "Shout", "Add", "chat scripted"] == results


async def test_what_was_shown_is_what_is_committed() -> None:
    """R39: the pieces of a thought add up to the committed one, also where the model gave no pieces."""
    for size in (0, 3):
        agent = react(ScriptedModel("it is three", pieces=size))
        items = [item async for item in agent.stream(UserInput("x"))]

        assert "it is three" == "".join(item.text for item in items if isinstance(item, Chunk))
        assert ["it is three"] == [item.text for item in items if isinstance(item, Sealed)]


async def test_a_report_is_shown_too() -> None:
    """R39: a model that writes the observation streams it, and the commit equals it."""
    thinks = ScriptedModel(asking("add", ("Add", SUM)), "it is 3")
    reports = ScriptedModel("2 + 1 was 3", "The sum is 3.", pieces=4)
    agent = classic(Think(thinks), Act(), Report(reports), Settings(TOOLS, ALL))

    items = [item async for item in agent.stream(UserInput("x"))]

    assert ["add", "2 + 1 was 3", "it is 3", "The sum is 3."] == [i.text for i in items if isinstance(i, Sealed)]
    assert "Notes so far:\n\n2 + 1 was 3" == reports.requests[1].messages[1].text[:26]
    assert thinks.requests[1].messages[-1].text.endswith("2 + 1 was 3")


async def test_the_log_keeps_a_request_by_its_digest() -> None:
    """R19: what was said before is not written again with every request."""
    model = ScriptedModel("done")
    agent = react(model)

    lines = agent.lines(await agent.run(UserInput("a" * 5000)))

    assert ["a" * 5000] == re.findall("a{500,}", "".join(lines))
    assert 1 == len(re.findall("[^a]a{200}[^a]", "".join(lines)))


async def test_a_model_that_is_not_there() -> None:
    """R11: what a model failed with is what the run ends with, and in the log."""
    run = await react(ScriptedModel(ModelError("connection refused"))).run(UserInput("x"))

    assert Outcome.FAILED is run.outcome
    assert ("ModelError", "connection refused") == ((run.error.kind, run.error.message) if run.error else None)
