"""Asking a model from within a stage: once, recorded, and shown in full."""

from __future__ import annotations

import json
from enum import Enum
from typing import ClassVar, Literal

import pytest

from agentfsm import (
    Business,
    CallEvent,
    Context,
    FSMOrchestrator,
    Limits,
    MemoryJournal,
    Outcome,
    Record,
    Signal,
    Stage,
    StatePatch,
    Tool,
    ToolCall,
    View,
    record,
    tool,
)
from agentfsm.guard import Decision
from agentfsm.models import ChatRequest, Message, Reply, ScriptedModel, Usage, answered
from agentfsm.models.digests import digest_of
from agentfsm.streaming import Chunk, Ended, Sealed


class Phase(Enum):
    SAY, DONE, FAILED = "say", "done", "failed"


@record
class Said(Business):
    text: str


@tool
class Publish(Tool[str]):
    text: str

    async def run(self, site: object) -> str:
        return "published"


class Say(Stage[Said, Said, Literal[Phase.DONE]], enters=Phase.SAY):
    """Asks, and publishes what it is told."""

    streams: ClassVar[tuple[type[Record], str] | None] = (Said, "text")

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model

    async def run(self, view: View[Said], ctx: Context) -> StatePatch[Said]:
        reply = await answered(ctx, self.model, request(view[Said].text))
        await ctx.call(Publish(reply.text))
        return StatePatch(Said(reply.text))


class Person:
    """A guard that asks a person."""

    def begins(self) -> None: ...

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision:
        return Decision("ask", "publishing", "may it?")

    def after(self, memory: None, call: ToolCall, answer: object, /) -> None: ...


def request(text: str) -> ChatRequest:
    return ChatRequest((Message("system", "x" * 500), Message("user", text)))


def machine(model: ScriptedModel, limits: Limits | None = None) -> FSMOrchestrator[Said]:
    return FSMOrchestrator[Said](
        [Say(model)],
        start=Phase.SAY,
        final={Phase.DONE},
        failed=Phase.FAILED,
        guards=[Person()],
        tools=[Publish],
        limits=limits or Limits(),
        journal=MemoryJournal(),
    )


@pytest.mark.parametrize("pieces", [0, 2])
async def test_a_resumed_stage_asks_nothing_twice(pieces: int) -> None:
    """R34: the reply comes from the log, and is shown again in full, so that what is committed was shown."""
    model = ScriptedModel("hello", pieces=pieces)
    agent = machine(model)
    items = [item async for item in agent.stream(Said("hi"))]
    assert "hello" == "".join(item.text for item in items if isinstance(item, Chunk))
    assert [] == [item for item in items if isinstance(item, Sealed)]
    (run,) = [item.run for item in items if isinstance(item, Ended)]
    assert Outcome.SUSPENDED is run.outcome
    assert run.halted is not None

    run = await agent.resume(run, Signal("approve", run.halted.key))

    assert (Outcome.FINISHED, Said("hello")) == (run.outcome, run.get(Said))
    assert (1, ()) == (len(model.requests), model.unused)


async def test_what_the_log_has_of_a_request() -> None:
    """R19: the digest that a cassette has too, and the end of it; not all that was said before."""
    agent = machine(ScriptedModel("hello"))

    run = await agent.run(Said("hi"))

    (call,) = [entry for entry in run.log if isinstance(entry, CallEvent) and entry.tool == "chat scripted"]
    expected = {"digest": digest_of(request("hi")), "messages": 2, "tools": [], "last": "hi"}
    assert expected == json.loads(call.arguments)
    assert "hello" == json.loads(call.result)["text"]


async def test_tokens_are_counted() -> None:
    """What a model used up, in and out, is in the log, also after the run waited in mid-stage."""
    agent = machine(ScriptedModel(Reply("hello", usage=Usage(90, 20))), Limits(tokens=100))
    run = await agent.run(Said("hi"))
    assert run.halted is not None

    run = await agent.resume(run, Signal("approve", run.halted.key))

    assert Outcome.FINISHED is run.outcome
    assert [110] == [entry.tokens for entry in run.log if isinstance(entry, CallEvent) and entry.tokens]


async def test_a_reply_that_is_not_what_was_shown() -> None:
    """R39: a model whose pieces do not add up to its reply is found out; nothing is committed."""

    class Liar(ScriptedModel):
        async def reply(self, request: ChatRequest, emit: object, /) -> Reply:
            assert callable(emit)
            await emit("good")
            return Reply("bad")

    class Allowing(Person):
        def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision:
            return Decision("allow")

    agent = FSMOrchestrator[Said](
        [Say(Liar())], start=Phase.SAY, final={Phase.DONE}, failed=Phase.FAILED, guards=[Allowing()], tools=[Publish]
    )

    run = await agent.run(Said("hi"))

    assert (Outcome.FAILED, Said("hi")) == (run.outcome, run.get(Said))
    assert run.error is not None
    assert ("EnsureError", "said.text") == (run.error.kind, run.error.path)
