"""Acting: the calls that a model asked for are made, and what comes of each is said in words it can act on."""

from __future__ import annotations

from typing import Literal, TypeAlias

from agentfsm import Context, Iteration, Maybe, Stage, StatePatch, ToolError, ToolRefusedError, View
from agentfsm.models import AskedCall, answer_text
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Action, Output, Session, Status, Thought

__all__ = ("Act", "made")

Reads: TypeAlias = Maybe[Session] | Iteration | Thought


class Act(Stage[Reads, Action, Literal[ReAct.OBSERVING, ReAct.FAILED]], enters=ReAct.ACTING):
    """Make each call of the thought, one after the other."""

    async def run(self, view: View[Reads], ctx: Context) -> StatePatch[Action]:
        calls = view[Thought].tool_calls
        return StatePatch(Action(calls, tuple([await self.output(call, ctx) for call in calls])))

    async def output(self, call: AskedCall, ctx: Context) -> Output:
        """Return what comes of one call."""
        return await made(call, ctx)

    def next(self, view: View[Thought | Action]) -> Literal[ReAct.OBSERVING, ReAct.FAILED]:
        done = {output.call_id for output in view[Action].outputs}
        return ReAct.OBSERVING if done >= {call.id for call in view[Thought].tool_calls} else ReAct.FAILED


async def made(call: AskedCall, ctx: Context) -> Output:
    """
    Make a call that a model asked for, and return what came of it.

    A refusal says by which rule, why, and the legal way on; an error says what is wrong. Neither ends the stage.
    """

    def output(status: Status, text: str) -> Output:
        return Output(call.id, call.name, status, text)

    try:
        arguments = call.parsed()
    except ToolError as error:
        return output("malformed", error.reason)
    try:
        return output("ok", answer_text(await ctx.call_named(call.name, arguments)))
    except ToolRefusedError as error:
        return output("malformed" if error.code == "unknown_tool" else "refused", error.reason)
    except ToolError as error:
        return output("failed", error.reason)
