"""The loop guard: warned, then refused, unless something has changed."""

from __future__ import annotations

from typing import Any

import pytest

from agentfsm import AllowList, Answer, Context, LoopGuard, Repeats, StatePatch, ToolCall, ToolRefusedError, View
from tests.desk import Mail, calls
from tests.sample import Bug, Echo, Fix, Phase, machine, mend

FINE = Answer(ok=True)


def told(guard: LoopGuard, *made: ToolCall) -> list[str]:
    """What the guard says of each call, all that it does not refuse being made."""
    memory, found = guard.begins(), list[str]()
    for call in made:
        said = guard.decide(memory, Phase.FIX, call)
        found.append("" if said is None else said.code)
        if said is None or said.action == "allow":
            memory = guard.after(memory, call, FINE)
    return found


def look(text: str = "x") -> ToolCall:
    return ToolCall("Echo", {"text": text}, Echo(text))


def mail(to: str) -> ToolCall:
    return ToolCall("Mail", {"to": to}, Mail(to))


WARNED, REFUSED = "repeated_call_warning", "repeated_call"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([look()] * 6, ["", "", WARNED, WARNED, REFUSED, REFUSED]),
        # other arguments are another call
        ([look("a"), look("b")] * 3, ["", "", "", "", WARNED, WARNED]),
        # what has an effect begins the count anew, unless it is itself the repetition
        ([look(), look(), mail("a"), look(), look(), mail("b"), look()], [""] * 7),
        ([mail("a")] * 5, ["", "", WARNED, WARNED, REFUSED]),
        ([look(), mail("a")] * 5, [*[""] * 5, *[WARNED] * 4, REFUSED]),
        # no tool at hand: it may have an effect
        ([ToolCall("x", {"a": [1]})] * 3, ["", "", WARNED]),
        ([ToolCall("x", {"a": 1, "b": 2}), *[ToolCall("x", {"b": 2, "a": 1})] * 2], ["", "", WARNED]),
    ],
)  # fmt: skip
def test_what_repeats(made: list[ToolCall], said: list[str]) -> None:
    """The third time is warned of and the fifth refused."""
    assert said == told(LoopGuard(), *made)


def test_the_memory_is_bounded() -> None:
    """A run of a thousand different looks remembers the last of them."""
    guard, memory = LoopGuard(), LoopGuard().begins()
    for number in range(1000):
        memory = guard.after(memory, look(str(number)), FINE)

    assert 64 == len(memory.recent)


async def test_in_a_run() -> None:
    """The warning is in the log with the decision; the refusal reaches the stage; it replays."""
    codes: list[str] = []

    async def circles(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for _ in range(4):
            try:
                codes.append(await ctx.call(Echo("x")))
            except ToolRefusedError as error:
                codes.append(error.code)
        return await mend(view, ctx)

    guards = [LoopGuard(warn_at=2, refuse_at=4), AllowList("*")]
    orchestrator = machine(Fix(circles, leave=lambda view: Phase.DONE), guards=guards)
    run = await orchestrator.run(Bug("b"))

    assert ["x", "x", "x", REFUSED] == codes
    assert ["listed", WARNED, WARNED, REFUSED] == [call.decision.code if call.decision else "" for call in calls(run)]
    assert 3 == len((run.get(Repeats) or Repeats()).recent)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state
