"""Observing: what came of an iteration, and whether another one is needed."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from agentfsm import Context, Iteration, Maybe, Record, Retry, Stage, StatePatch, View
from agentfsm.models import ChatModel, ChatRequest, Message, answered
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Action, Observation, Session, Thought
from agentfsm_stages.react.think import ONCE

__all__ = ("REPORT", "Observe", "Report", "newest", "step_text")

REPORT = """\
You keep the notes of an agent that works in steps. You are given the notes so far and the step that was just made. \
Write the notes anew: everything that is still needed, and nothing else. If the step made no call, it is the last one: \
then write the answer for the user instead."""

Reads: TypeAlias = Maybe[Session] | Iteration | Thought | Maybe[Action]
Exits: TypeAlias = Literal[ReAct.FINISHED, ReAct.THINKING, ReAct.FAILED]


class Observe(Stage[Reads, Observation, Exits], enters=ReAct.OBSERVING):
    """
    Note the step that was made: its calls and their outputs, or its answer.

    The notes are what is known of earlier steps; of more than *room* characters the oldest are left out.
    """

    def __init__(self, room: int = 24_000) -> None:
        self.room = room

    async def run(self, view: View[Reads], ctx: Context) -> StatePatch[Observation]:
        thought, action = view[Thought], view.get(Action)
        if action is None:
            return StatePatch(Observation(thought.reasoning, thought.reasoning))
        notes = "\n\n".join(filter(None, (thought.earlier, step_text(view[Iteration].number, thought, action))))
        return StatePatch(Observation(newest(notes, self.room), need_loop=True))

    def next(self, view: View[Observation]) -> Exits:
        seen = view[Observation]
        if seen.need_loop:
            return ReAct.THINKING
        return ReAct.FINISHED if seen.final_answer.strip() else ReAct.FAILED


class Report(Observe):
    """Let a model write the notes, or the answer, and show them while it does."""

    streams: ClassVar[tuple[type[Record], str] | None] = (Observation, "summary")

    def __init__(self, model: ChatModel, prompt: str = REPORT, *, room: int = 24_000, retry: Retry = ONCE) -> None:
        super().__init__(room)
        self.model = model
        self.prompt = prompt
        self.retry = retry

    async def run(self, view: View[Reads], ctx: Context) -> StatePatch[Observation]:
        thought, action = view[Thought], view.get(Action)
        step = step_text(view[Iteration].number, thought, action)
        asked = f"Notes so far:\n\n{thought.earlier or '(none)'}\n\nThe step:\n\n{newest(step, self.room)}"
        request = ChatRequest((Message("system", self.prompt), Message("user", asked)))
        text = (await answered(ctx, self.model, request)).text
        loops = action is not None
        return StatePatch(Observation(text, "" if loops else text, loops))


def step_text(number: int, thought: Thought, action: Action | None) -> str:
    """Return one step in words: what was thought, and what came of each call."""
    outputs = {output.call_id: output for output in action.outputs} if action is not None else {}
    lines = [f"Step {number}: {thought.reasoning or thought.intent}"]
    for call in action.calls if action is not None else ():
        lines.append(f"{call.name}({call.arguments})")
        if (output := outputs.get(call.id)) is not None:
            lines.append(output.text if output.status == "ok" else f"[{output.status}] {output.text}")
    return "\n".join(lines)


def newest(text: str, room: int) -> str:
    """Return the last *room* characters of a text, with a note of how many were left out."""
    return text if len(text) <= room else f"[{len(text) - room} characters left out]\n{text[-room:]}"
