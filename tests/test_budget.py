"""The budget guard: so many calls and tokens, for a run and for a lifecycle state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen

from agentfsm import (
    AllowList,
    Budget,
    BudgetGuard,
    BudgetSpent,
    Context,
    Site,
    StatePatch,
    Tool,
    ToolRefusedError,
    UsageError,
    View,
    tool,
)
from agentfsm.budget import Used
from tests.desk import DONE, Mail, asks, error_of
from tests.sample import Bug, Echo, Fix, Phase, Verify, machine, mend


@frozen
class Counted:
    """An answer that says what it cost."""

    text: str
    tokens: int


@tool(effect="pure")
class Think(Tool[Counted]):
    cost: int

    async def run(self, site: Site) -> Counted:
        return Counted("hm", self.cost)


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


@pytest.mark.parametrize("most", [0, 1, 2])
async def test_calls_are_exact(most: int) -> None:
    """R14: N calls are admitted and the next is refused, with its count."""
    orchestrator = machine(Fix(asks(Mail("a"), Mail("b"), Mail("c"))), guards=[AllowList("*"), BudgetGuard(calls=most)])
    run = await orchestrator.run(Bug("b"))

    assert most == len(DONE)
    assert f"Mail refused (budget_spent): the run has used {most} of {most} calls" == error_of(run)[1]
    assert BudgetSpent(Used(most), {"FIX": Used(most)} if most else {}) == run.get(BudgetSpent)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_a_state_has_its_own_budget() -> None:
    """What a lifecycle state may use is counted over all of its entries, and leaves the others alone."""
    told: list[str] = []

    async def calls(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            told.append(await ctx.call(Echo(ctx.lifecycle.name)))
        except ToolRefusedError as error:
            told.append(error.code)
        return await mend(view, ctx)

    guards = [AllowList("*"), BudgetGuard(states={Phase.FIX: Budget(calls=1)})]
    await machine(Fix(calls), Verify(), guards=guards).run(Bug("b"))

    assert ["FIX", "budget_spent"] == told


async def test_tokens_of_models_and_tools_count() -> None:
    """The question that goes over is the last; what it costs is known after it only."""
    told: list[str] = []

    async def asks_both(view: View[Any], ctx: Context) -> StatePatch[Any]:
        async def model() -> Counted:
            return Counted("reply", 60)

        await ctx.ask("model", {"say": "hello"}, Counted, model)
        for _ in range(3):
            try:
                told.append((await ctx.call(Think(30))).text)
            except ToolRefusedError as error:
                told.append(error.reason)
        return await mend(view, ctx)

    guards = [AllowList("*"), BudgetGuard(tokens=100)]
    run = await machine(Fix(asks_both, leave=lambda view: Phase.DONE), guards=guards).run(Bug("b"))

    assert ["hm", "hm"] == told[:2]
    assert "Think refused (budget_spent): the run has used 120 of 100 tokens" == told[2]
    assert BudgetSpent(Used(2, 120), {"FIX": Used(2, 120)}) == run.get(BudgetSpent)


async def test_nothing_is_offered_once_it_is_spent() -> None:
    """R63: a spent budget empties the list of tools."""
    seen: list[int] = []

    async def looks(view: View[Any], ctx: Context) -> StatePatch[Any]:
        seen.append(len(ctx.tools))
        await ctx.call(Echo("x"))
        seen.append(len(ctx.tools))
        return await mend(view, ctx)

    guards = [AllowList("*"), BudgetGuard(calls=1)]
    await machine(Fix(looks, leave=lambda view: Phase.DONE), guards=guards, tools=[Echo]).run(Bug("b"))

    assert [1, 0] == seen


def test_a_negative_budget_is_refused() -> None:
    """A budget is a number of things."""
    with pytest.raises(UsageError, match="Budget: calls is a whole number from 0 up, or None, not -1"):
        BudgetGuard(calls=-1)
