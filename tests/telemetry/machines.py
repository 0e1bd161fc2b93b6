"""What the tests of telemetry run: machines of `tests.sample`, each with something to see in it."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any, Literal

from agentfsm import (
    Context,
    Decision,
    FSMOrchestrator,
    Invariant,
    Iteration,
    Retry,
    Run,
    Site,
    StatePatch,
    SubMachine,
    Tool,
    ToolCall,
    ToolError,
    ToolRefusedError,
    View,
    tool,
)
from agentfsm.errors import EnsureError, StageError
from agentfsm.models import ChatRequest, Message, Reply, ScriptedModel, Usage, answered
from tests import sample
from tests.sample import Bug, Diff, Fix, Machine, Phase

__all__ = ("Edit", "Look", "Strict", "asking", "every", "failing", "hanging", "nested", "retried")


@tool
class Edit(Tool[str]):
    text: str

    async def run(self, site: Site) -> str:
        if self.text == "break":
            raise ToolError("it broke", path="Edit.text")
        if self.text == "wait":
            await asyncio.Event().wait()
        return f"{self.text}!"


@tool(effect="pure")
class Look(Tool[str]):
    text: str = "here"

    async def run(self, site: Site) -> str:
        return self.text


class Strict:
    """Denies Look, and says of all else what it was made with."""

    def __init__(self, action: Literal["allow", "ask"] = "allow") -> None:
        self._action: Literal["allow", "ask"] = action

    def begins(self) -> None:
        """It remembers nothing."""

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision:
        if call.name == "Look":
            return Decision("deny", "no_looking", "do not look", guard="Strict")
        return Decision(self._action, "by_rule", "as the rule says", guard="Strict")

    def after(self, memory: None, call: ToolCall, answer: object, /) -> None:
        """It remembers nothing."""


def grows(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number >= old[Iteration].number


def every(**settings: Any) -> Machine:
    """Model calls, tool calls at the same time, one that breaks and one that is refused; two iterations."""
    model = ScriptedModel(*(Reply("so", usage=Usage(5, 2)) for _ in range(9)))

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        await answered(ctx, model, ChatRequest((Message("user", view[Bug].report),)), shown=False)
        await ctx.gather(Edit("a"), Edit("b"))
        for refused in (Edit("break"), Look()):
            try:
                await ctx.call(refused)
            except (ToolError, ToolRefusedError):
                continue
        return StatePatch(Diff("done"))

    usual = {"guards": [Strict()], "iterates": Phase.FIX, "invariants": [Invariant("grows", grows)]}
    return sample.machine(Fix(work), **{**usual, **settings})


async def edit(view: View[Any], ctx: Context) -> StatePatch[Diff]:
    return StatePatch(Diff(await ctx.call(Edit("a"))))


async def wait(view: View[Any], ctx: Context) -> StatePatch[Diff]:
    return StatePatch(Diff(await ctx.call(Edit("wait"))))


async def fail(view: View[Any], ctx: Context) -> StatePatch[Diff]:
    raise StageError("it cannot be done", path="fix.run")


def asking(**settings: Any) -> Machine:
    """Waits for an answer before its first edit."""
    return sample.machine(Fix(edit), **{"guards": [Strict("ask")], **settings})


def hanging(**settings: Any) -> Machine:
    """Hangs in a tool until it is cancelled."""
    return sample.machine(Fix(wait), **{"guards": [Strict()], **settings})


def failing(**settings: Any) -> Machine:
    """Fails in its first stage."""
    return sample.machine(Fix(fail), **settings)


def retried(**settings: Any) -> Machine:
    """Fails twice, with a call each time, and then does it."""

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        await ctx.call(Edit(f"attempt {ctx.attempt}"))
        if ctx.attempt < 3:
            raise EnsureError("not yet", path="fix.run")
        return StatePatch(Diff("done"))

    return sample.machine(Fix(work, retry=Retry(attempts=3)), **{"guards": [Strict()], **settings})


def nested(**settings: Any) -> Machine:
    """Has the whole of `asking`'s sibling as its first stage."""
    child = sample.machine(Fix(edit), guards=[Strict()], name="child")

    def takes(view: View[Bug]) -> tuple[Bug, ...]:
        return (view[Bug],)

    def gives(run: Run[Any]) -> StatePatch[Diff]:
        return StatePatch(Diff("by the child"))

    def goes(view: View[Diff]) -> Literal[Phase.VERIFY]:
        return Phase.VERIFY

    first: Any = SubMachine(child, enters=Phase.FIX, takes=takes, gives=gives, goes=goes)
    return FSMOrchestrator[Any](
        [first, sample.Verify()],
        start=Phase.FIX,
        final={Phase.DONE},
        failed=Phase.FAILED,
        **{"iterates": Phase.FIX, "name": "parent", "world": sample.world(), **settings},
    )
