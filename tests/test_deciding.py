"""Decisions: made before the effect, by all guards, and closed where anything is not understood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agentfsm import (
    AllowList,
    Context,
    Decision,
    Halted,
    Limits,
    Move,
    Outcome,
    StatePatch,
    ToolCall,
    ToolError,
    ToolRefusedError,
    View,
)
from tests.desk import DONE, Asking, Counting, Flaky, Gate, Mail, Push, Seen, Write, asks, calls, error_of, phases
from tests.sample import Bug, Diff, Echo, Fix, Phase, machine, mend


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


async def test_a_decision_is_made_before_the_effect() -> None:
    """Guards stand before effects: each is asked, then the intent is recorded, then it is done, then the result is."""
    orchestrator = machine(Fix(asks(Mail("ada"))), guards=[Asking(), AllowList("*")])
    run = await orchestrator.run(Bug("b"))

    assert ["asked Mail", "mail ada"] == DONE[:2]
    assert [("intent", "Mail"), ("result", "Mail")] == phases(run)[:2]
    assert "allow" == (calls(run)[0].decision or Decision("deny")).action
    assert Diff("sent to ada") == run.get(Diff)


@pytest.mark.parametrize(
    ("guards", "code"),
    [
        ([], "no_guard"),
        ([AllowList("Echo")], "not_listed"),
        ([AllowList("*"), Gate(lambda call: Decision("deny", "no", "not today"))], "no"),
        ([AllowList("*"), Gate(lambda call: 1 / 0)], "guard_failed"),  # type: ignore[arg-type, return-value]  # on purpose
        ([AllowList("*"), Gate(lambda call: "allow")], "guard_failed"),  # type: ignore[arg-type, return-value]  # as above
    ],
)
async def test_what_is_denied_is_not_done(guards: list[Any], code: str) -> None:
    """R60: without a guard, with one that denies, that raises or that answers nonsense, nothing is done."""
    run = await machine(Fix(asks(Mail("ada"))), guards=guards).run(Bug("b"))

    kind, message = error_of(run)
    assert ("ToolRefusedError", True) == (kind, f"Mail refused ({code})" in message)
    assert [("refused", "Mail")] == phases(run)
    assert [] == [text for text in DONE if text.startswith("mail")]


async def test_a_stage_may_go_on_after_a_refusal() -> None:
    """A refusal carries its code and the way on, which is a suggestion and not taken."""
    way = (Move("OPEN", "implementing", needs_approval=True),)
    told: list[ToolRefusedError] = []

    async def careful(view: View[Any], ctx: Context) -> StatePatch[Any]:
        with pytest.raises(ToolRefusedError) as caught:
            await ctx.call(Mail("ada"))
        told.append(caught.value)
        return await mend(view, ctx)

    gate = Gate(lambda call: Decision("deny", "closed", "not in this state", way))
    run = await machine(Fix(careful), guards=[gate]).run(Bug("b"))

    assert Outcome.FINISHED is run.outcome
    assert ("Mail", "closed") == (told[0].tool, told[0].code)
    assert "the way: OPEN to implementing (needs approval)" == told[0].way


async def test_if_all_abstain_a_person_is_asked() -> None:
    """A guard without an opinion does not allow."""
    run = await machine(Fix(asks(Mail("ada"))), guards=[Gate(lambda call: None)]).run(Bug("b"))

    assert (Outcome.SUSPENDED, "approval") == (run.outcome, run.halted.reason if run.halted else "")
    assert ["asked Mail"] == DONE


async def test_a_guards_memory_replays() -> None:
    """What a guard remembers is in the log: it decides by it, and it folds and forks."""
    orchestrator = machine(Fix(asks(Echo("a"), Echo("b"), Echo("c"))), guards=[Counting(2)])
    run = await orchestrator.run(Bug("b"))

    assert ("ToolRefusedError", "Echo refused (enough): 2 calls were made") == error_of(run)
    assert Seen(2) == run.get(Seen)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_the_tools_offered_are_the_tools_allowed() -> None:
    """R63: `ctx.tools` holds what the guards would not deny outright, now."""
    offered: list[list[str]] = []

    async def looks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for text in "ab":
            offered.append([tool.__name__ for tool in ctx.tools])
            await ctx.call(Echo(text))
        offered.append([tool.__name__ for tool in ctx.tools])
        return await mend(view, ctx)

    guards = [AllowList("Echo", "Mail"), Counting(2)]
    await machine(Fix(looks), guards=guards, tools=[Echo, Write, Mail], limits=Limits(stages=1)).run(Bug("b"))

    assert [["Echo", "Mail"], ["Echo", "Mail"], []] == offered


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "says"),
    [
        ("Nope", {}, ToolRefusedError, "there is no tool Nope; there are: Echo"),
        ("Echo", {"text": "x", "more": 1}, ToolError, "Echo has no argument 'more'; it has: text"),
        ("Echo", {}, ToolError, "Echo lacks the argument 'text'"),
        ("Echo", {"text": 3}, ToolError, "Echo: text: found a JSON integer, expected str"),
        ("Echo", ["x"], ToolError, "the arguments are an object"),
    ],
)
async def test_a_models_own_json_is_held_to_the_tool(
    name: str, arguments: object, kind: type[Exception], says: str
) -> None:
    """`call_named` refuses what is no tool or does not fit it, before anybody is asked."""

    async def names(view: View[Any], ctx: Context) -> StatePatch[Any]:
        with pytest.raises(kind, match=says):
            await ctx.call_named(name, arguments)
        return StatePatch(Diff(str(await ctx.call_named("Echo", {"text": "fine"}))))

    run = await machine(Fix(names), guards=[AllowList("*")], tools=[Echo], limits=Limits(stages=1)).run(Bug("b"))

    assert Diff("fine") == run.get(Diff)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (Echo, r"Echo is a class: call it with its arguments, Echo\(...\)"),
        (len, r"<built-in function len> is no tool: decorate a Tool subclass with @tool"),
    ],
)
async def test_what_is_no_call_is_refused(given: Any, says: str) -> None:
    """The near misses of a call are told from one, by what was given."""

    async def names(view: View[Any], ctx: Context) -> StatePatch[Any]:
        with pytest.raises(ToolError, match=says):
            await ctx.call(given)
        return StatePatch(Diff("told"))

    run = await machine(Fix(names), guards=[AllowList("*")], limits=Limits(stages=1)).run(Bug("b"))

    assert Diff("told") == run.get(Diff)


async def test_a_tool_that_raises_is_a_tool_error() -> None:
    """R11: what a tool raised is recorded and raised again as a ToolError with its cause."""
    run = await machine(Fix(asks(Flaky("wires"))), guards=[AllowList("*")]).run(Bug("b"))

    assert ("UnknownOutcomeError", "Flaky: OSError: wires") == error_of(run)
    assert [("intent", "Flaky"), ("error", "Flaky")] == phases(run)
    assert ("OSError: wires",) == (run.error.causes if run.error else ())


async def test_a_tool_that_hangs_is_a_timeout() -> None:
    """A tool has its own limit."""
    run = await machine(Fix(asks(Push())), guards=[AllowList("*")]).run(Bug("b"))

    assert ("ToolTimeoutError", "Push took longer than 0.001 s") == error_of(run)


@pytest.mark.parametrize(("most", "done"), [(0, 0), (1, 1), (2, 2), (3, 3)])
async def test_tool_calls_are_admitted_exactly(most: int, done: int) -> None:
    """R14: N tool calls are N; the run halts before the next one, and goes on with more."""
    fix = Fix(asks(Mail("a"), Mail("b"), Mail("c")), leave=lambda view: Phase.DONE)
    orchestrator = machine(fix, guards=[AllowList("*")], limits=Limits(tool_calls=most))
    run = await orchestrator.run(Bug("b"))

    assert done == len(DONE)
    if most == 3:
        assert Outcome.FINISHED is run.outcome
        return
    assert (Outcome.EXHAUSTED, Halted("tool_calls")) == (run.outcome, run.halted)
    again = await orchestrator.resume(run, Limits(tool_calls=3))
    assert (Outcome.FINISHED, ["mail a", "mail b", "mail c"]) == (again.outcome, DONE)
    assert again.state == orchestrator.read(orchestrator.lines(again)).state


@pytest.mark.parametrize("denied", ["a", "b", "c"])
async def test_a_slow_guard_and_fast_tools(denied: str) -> None:
    """R61: however long a guard thinks, and whichever call it denies, nothing has happened by then."""
    done_meanwhile: list[int] = []

    def slow(call: ToolCall) -> Decision:
        done_meanwhile.extend(sum(text.startswith("mail") for text in DONE) for _ in range(1000))
        return Decision("deny", "no", "no") if call.arguments["to"] == denied else Decision("allow")

    async def at_once(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.gather(Mail("a"), Mail("b"), Mail("c"))
        return await mend(view, ctx)

    run = await machine(Fix(at_once), guards=[Gate(slow)]).run(Bug("b"))

    assert ("ToolRefusedError", {0}) == (error_of(run)[0], set(done_meanwhile))
    assert [("refused", "Mail")] == phases(run)
