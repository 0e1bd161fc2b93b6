"""The native tool-calling shape: a model and its tools take turns in one conversation, until it calls none."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from agentfsm import Context, Iteration, Limits, Maybe, ModelError, Record, Retry, Stage, StatePatch, Trail, View
from agentfsm.models import AskedCall, ChatModel, ChatRequest, Message, answered, spec_of
from agentfsm_stages.react.act import made
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Conversation, Observation, Session, Thought, UserInput
from agentfsm_stages.react.think import ONCE, intent_of, told_feedback

__all__ = ("LAST", "LOOP_PROMPT", "Converse", "Hear", "Perform")

LOOP_PROMPT = "You work on a task with the tools you are given. When it is done, answer without calling any."
LAST = "There is no time for further calls. Answer now, with what you know."
CUT_OFF = "[failed] the call was cut off; what came of it is not known"

Heard: TypeAlias = Maybe[Session] | UserInput | Maybe[Conversation]
Known: TypeAlias = Maybe[Session] | UserInput | Iteration | Maybe[Limits] | Maybe[Conversation]
Asked: TypeAlias = Maybe[Session] | Iteration | Thought | Conversation
Exits: TypeAlias = Literal[ReAct.ACTING, ReAct.FINISHED, ReAct.FAILED]


class Hear(Stage[Heard, Conversation, Literal[ReAct.THINKING]], enters=ReAct.INITIALIZED):
    """Add the input to the conversation of the session."""

    async def run(self, view: View[Heard], ctx: Context) -> StatePatch[Conversation]:
        return StatePatch(heard(view[UserInput], view.get(Conversation)))


class Converse(Stage[Known, Thought | Conversation | Maybe[Observation], Exits], enters=ReAct.THINKING):
    """
    Ask the model for the next turn: calls of tools, or the answer.

    The last entry that the limits admit offers no tools, so that the answer is inside the budget.
    """

    streams: ClassVar[tuple[type[Record], str] | None] = (Thought, "reasoning")

    def __init__(self, model: ChatModel, prompt: str = LOOP_PROMPT, retry: Retry = ONCE) -> None:
        self.model = model
        self.prompt = prompt
        self.retry = retry

    async def run(self, view: View[Known], ctx: Context) -> StatePatch[Thought | Conversation | Observation]:
        earlier = view.get(Conversation) or heard(view[UserInput], None)
        said = closed(earlier.messages)
        is_last = is_last_entry(view)
        reply = await answered(ctx, self.model, self.request(tuple(said), ctx, is_last=is_last))
        if is_last and reply.calls:
            raise ModelError(f"the model asks for {reply.calls[0].name} where no tool is offered: it has to answer")
        intent = "" if reply.stop == "refused" else intent_of(reply)
        said = said.add(Message("assistant", reply.text, reply.calls))
        patch = StatePatch[Thought | Conversation | Observation](
            Thought(intent, reply.text, reply.calls), Conversation(said)
        )
        return patch if reply.calls else patch | StatePatch(Observation(reply.text, reply.text))

    def request(self, said: tuple[Message, ...], ctx: Context, *, is_last: bool) -> ChatRequest:
        """Return what the model is asked."""
        system = Message("system", f"{self.prompt}\n\n{LAST}" if is_last else self.prompt)
        tools = () if is_last else tuple(map(spec_of, ctx.tools))
        return ChatRequest((system, *said, *told_feedback(ctx.feedback)), tools)

    def next(self, view: View[Thought | Maybe[Observation]]) -> Exits:
        thought, seen = view[Thought], view.get(Observation)
        if not thought.intent:
            return ReAct.FAILED
        if thought.tool_calls:
            return ReAct.ACTING
        return ReAct.FINISHED if seen is not None and seen.final_answer.strip() else ReAct.FAILED


class Perform(Stage[Asked, Conversation, Literal[ReAct.THINKING]], enters=ReAct.ACTING):
    """Make each call that the model asked for, and tell it what came of it."""

    async def run(self, view: View[Asked], ctx: Context) -> StatePatch[Conversation]:
        said = view[Conversation].messages
        for call in view[Thought].tool_calls:
            output = await made(call, ctx)
            text = output.text if output.status == "ok" else f"[{output.status}] {output.text}"
            said = said.add(Message("tool", text, call_id=output.call_id))
        return StatePatch(Conversation(said))


def heard(given: UserInput, earlier: Conversation | None) -> Conversation:
    """Return the conversation with the input at its end."""
    said = closed(earlier.messages) if earlier is not None else Trail[Message]()
    return Conversation(said.add(Message("user", given.text)))


def is_last_entry(view: View[Iteration | Maybe[Limits]]) -> bool:
    """Tell whether the limits admit no further entry of the lifecycle state that counts iterations."""
    limits = view.get(Limits)
    return limits is not None and limits.iterations is not None and view[Iteration].number >= limits.iterations


def closed(said: Trail[Message]) -> Trail[Message]:
    """Return a conversation with an answer for each call that a failure left without one: no model takes a gap."""
    asked: tuple[AskedCall, ...] = ()
    done: set[str] = set()
    for message in reversed(said):
        if message.role != "tool":
            asked = message.calls
            break
        done.add(message.call_id)
    return said.extend(Message("tool", CUT_OFF, call_id=call.id) for call in asked if call.id not in done)
