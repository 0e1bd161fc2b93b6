"""Thinking: a model is asked what to do next."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from agentfsm import Context, Iteration, Maybe, Record, Retry, Stage, StatePatch, View
from agentfsm.models import ChatModel, ChatRequest, Message, Reply, answered, spec_of
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Observation, Session, Thought, UserInput

__all__ = ("ONCE", "PROMPT", "Think", "intent_of", "told_feedback")

PROMPT = """\
You work on a task in steps. In each step, either call the tools that take you further, or, when the task is done, \
answer without calling any. Before you call, say in one line what you are after. What you observed so far is told to \
you; nothing else of the earlier steps is."""

ONCE = Retry()

Reads: TypeAlias = Maybe[Session] | UserInput | Iteration | Maybe[Observation]
Exits: TypeAlias = Literal[ReAct.ACTING, ReAct.OBSERVING, ReAct.FAILED]


class Think(Stage[Reads, Thought, Exits], enters=ReAct.THINKING):
    """Ask the model, with what was observed so far and the tools that may be called now."""

    streams: ClassVar[tuple[type[Record], str] | None] = (Thought, "reasoning")

    def __init__(self, model: ChatModel, prompt: str = PROMPT, retry: Retry = ONCE) -> None:
        self.model = model
        self.prompt = prompt
        self.retry = retry

    async def run(self, view: View[Reads], ctx: Context) -> StatePatch[Thought]:
        reply = await self.reply(view, ctx)
        earlier = view.get(Observation)
        intent = "" if reply.stop == "refused" else intent_of(reply)
        return StatePatch(Thought(intent, reply.text, reply.calls, earlier.summary if earlier else ""))

    async def reply(self, view: View[Reads], ctx: Context) -> Reply:
        """Return what the model says to the request."""
        return await answered(ctx, self.model, self.request(view, ctx))

    def request(self, view: View[Reads], ctx: Context) -> ChatRequest:
        """Return what the model is asked."""
        earlier = view.get(Observation)
        messages = [Message("system", self.prompt), Message("user", view[UserInput].text)]
        if earlier is not None:
            messages.append(Message("user", f"Observed so far:\n\n{earlier.summary}"))
        return ChatRequest((*messages, *told_feedback(ctx.feedback)), tuple(map(spec_of, ctx.tools)))

    def next(self, view: View[Thought]) -> Exits:
        thought = view[Thought]
        if not thought.intent:
            return ReAct.FAILED
        return ReAct.ACTING if thought.tool_calls else ReAct.OBSERVING


def intent_of(reply: Reply) -> str:
    """Return in one line what a reply is after: its first line of text, or else the tools that it asks for."""
    line = next((line.strip() for line in reply.text.splitlines() if line.strip()), "")
    return line or (f"call {', '.join(call.name for call in reply.calls)}" if reply.calls else "say nothing")


def told_feedback(feedback: tuple[str, ...]) -> tuple[Message, ...]:
    """Return the reasons why earlier attempts were refused, as a message; none where there are none."""
    if not feedback:
        return ()
    listed = "\n".join(f"- {text}" for text in feedback)
    return (Message("user", f"Your last reply could not be used:\n{listed}"),)
