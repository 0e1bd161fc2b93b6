"""Acting: whatever a model asks for, it is told what came of it."""

from __future__ import annotations

from typing import Any

import pytest

from agentfsm import AllowList, Guard, Outcome, Run
from agentfsm.guard import Decision, Move
from agentfsm.models import ScriptedModel
from agentfsm_stages.react import Action, Classic, Output, UserInput, react
from tests.stages.react.agents import Add, Break, Shout, asking


async def acted(*calls: tuple[str, str], guards: tuple[Guard[Any], ...] = (AllowList("Add", "Break"),)) -> Run[Classic]:
    agent = react(ScriptedModel(asking("go", *calls), "done"), tools=(Add, Shout, Break), guards=guards)
    run = await agent.run(UserInput("x"))
    assert Outcome.FINISHED is run.outcome
    assert run.digest == agent.read(agent.lines(run)).digest
    return run


def outputs(run: Run[Classic]) -> tuple[Output, ...]:
    (action,) = (r for event in run.events for r in event.patch.values() if isinstance(r, Action))
    return action.outputs


@pytest.mark.parametrize(
    ("call", "status", "said"),
    [
        (("Add", '{"a": 2, "b": 1}'), "ok", "3"),
        (("Shout", '{"text": "a"}'), "refused", "Shout refused (not_listed): Shout is not listed; listed: Add, Break"),
        (("Break", ""), "failed", "it broke"),
        (("Add", '{"a": 2'), "malformed", "Add: the arguments are no JSON: "),
        (("Add", "[2, 1]"), "malformed", "Add: the arguments are no JSON object but"),
        (("Add", '{"a": 2}'), "failed", "Add lacks the argument 'b'"),
        (("Add", '{"a": 2, "b": "1"}'), "failed", "Add: b: found a JSON string, expected int"),
        (("Add", '{"a": 2, "b": 1, "c": 0}'), "failed", "Add has no argument 'c'; it has: a, b"),
        (("Sub", "{}"), "malformed", "Sub refused (unknown_tool): there is no tool Sub; there are: Add, Shout, Break"),
        (("", "{}"), "malformed", "there is no tool"),
    ],
)
async def test_what_comes_of_a_call(call: tuple[str, str], status: str, said: str) -> None:
    """R11: an answer, a refusal or an error: the model is told which, and why, in words that it can act on."""
    (output,) = outputs(await acted(call))

    assert ("1", call[0], status) == (output.call_id, output.tool, output.status)
    assert said in output.text


async def test_calls_of_one_thought_keep_their_order() -> None:
    """One call that goes wrong does not lose the others."""
    run = await acted(("Add", '{"a": 1, "b": 1}'), ("Break", "{}"), ("Add", '{"a": 2, "b": 2}'))

    assert [("1", "2"), ("2", "it broke"), ("3", "4")] == [(o.call_id, o.text) for o in outputs(run)]


class OneWay:
    """A guard that says how to get there."""

    def begins(self) -> None: ...

    def offered(self, memory: None, lifecycle: object, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: object, call: object, /) -> Decision:
        return Decision("deny", "blocked_tool", "not while planning", (Move("start", "WORKING", needs_approval=True),))

    def after(self, memory: None, call: object, answer: object, /) -> None: ...


async def test_a_refusal_says_the_legal_way() -> None:
    """The model is told what would allow the call, and that it takes an approval."""
    (output,) = outputs(await acted(("Add", '{"a": 1, "b": 1}'), guards=(OneWay(),)))

    assert "refused" == output.status
    assert output.text.startswith("Add refused (blocked_tool): not while planning; the way: start to WORKING (needs a")


async def test_without_a_guard_nothing_is_called() -> None:
    """R60: an agent without a guard is told so for every call."""
    (output,) = outputs(await acted(("Add", '{"a": 1, "b": 1}'), guards=()))

    assert ("refused", True) == (output.status, "no_guard" in output.text)
