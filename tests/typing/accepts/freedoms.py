"""What else users may write: guards with a memory, layers of their own, gathers, chunks, and stages in functions."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Literal, Never

from attrs import field

from agentfsm import (
    AllowList,
    Answer,
    Business,
    Context,
    Decision,
    FSMOrchestrator,
    Maybe,
    Metadata,
    Outcome,
    Record,
    Site,
    Stage,
    StatePatch,
    Tool,
    ToolCall,
    Trail,
    View,
    record,
    tool,
)


class Phase(Enum):
    FIX, VERIFY, DONE, FAILED = "fix", "verify", "done", "failed"


@tool(effect="idempotent", timeout=5)
class Edit(Tool[str]):
    path: str
    text: str = ""

    async def run(self, site: Site) -> str:
        return f"{self.path}: {self.text}"


@tool
class Count(Tool[int]):
    words: tuple[str, ...]

    async def run(self, site: Site) -> int:
        return len(self.words)


@record
class Bug(Business):
    report: str


@record
class Diff(Business):
    text: str = ""


@record(scope="session")
class Talk(Business):
    said: Trail[str] = field(factory=Trail[str])


@record
class Seen(Metadata):
    calls: int = 0


class InTheRepository:
    """A guard with a memory of its own."""

    def begins(self) -> Seen:
        return Seen()

    def offered(self, memory: Seen, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: Seen, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        outside = str(call.arguments.get("path")).startswith("/")
        return Decision("deny", "outside", "outside the repository") if outside else Decision("allow")

    def after(self, memory: Seen, call: ToolCall, answer: Answer, /) -> Seen:
        return Seen(memory.calls + 1)


class Chatting(Business):
    """A layer of one's own."""

    __slots__ = ()


@record
class Line(Chatting):
    text: str


@record
class Mood(Chatting):
    kind: Literal["calm", "cross"] = "calm"


class Chat(Stage[Line | Maybe[Chatting], Maybe[Chatting], Literal[Phase.VERIFY]], enters=Phase.FIX):
    """Reads and writes whatever is in a layer."""

    async def run(self, view: View[Line | Maybe[Chatting]], ctx: Context) -> StatePatch[Mood]:
        return StatePatch(view.get(Mood) or Mood("cross" if view[Line].text.isupper() else "calm"))


class Listen(Stage[Maybe[Chatting], Never, Literal[Phase.DONE]], enters=Phase.VERIFY):
    async def run(self, view: View[Maybe[Mood]], ctx: Context) -> StatePatch[Never]:
        view.get(Mood)
        return StatePatch()


chatting = FSMOrchestrator[Chatting](
    [Chat(), Listen()], start=Phase.FIX, final={Phase.DONE}, failed=Phase.FAILED, records=[Mood, Seen]
)


class Gathering(Stage[Bug, Diff, Literal[Phase.VERIFY]], enters=Phase.FIX):
    """Calls of one type give a tuple of it; `ask` gives what it is told to."""

    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        one, two = await ctx.gather(Edit("a", "1"), Edit("b", "2"))
        number: int = await ctx.call(Count((one, two)))

        async def answer() -> str:
            return f"{number} {ctx.now()} {ctx.new_id()} {ctx.random()}"

        return StatePatch(Diff(await ctx.ask("model", {"words": (one, two)}, str, answer)))


class Talking(Stage[Maybe[Talk] | Diff, Talk | Diff, Literal[Phase.DONE]], enters=Phase.VERIFY):
    """Growing facts are trails; what is emitted adds up to a field of text."""

    streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "text")
    keeps_partial = True

    async def run(self, view: View[Maybe[Talk]], ctx: Context) -> StatePatch[Talk | Diff]:
        talk = view.get(Talk) or Talk()
        await ctx.emit("hello")
        return StatePatch(Talk(talk.said.add("hello")), Diff("hello"))


guarded = FSMOrchestrator[Bug | Diff | Talk](
    [Gathering(), Talking()],
    start=Phase.FIX,
    final={Phase.DONE},
    failed=Phase.FAILED,
    guards=[InTheRepository(), AllowList("*")],
)


def in_a_function() -> Outcome | None:
    @record
    class Local(Business):
        parts: tuple[Bug, ...] = ()

    class Stop(Stage[Bug, Maybe[Local], Literal[Phase.DONE]], enters=Phase.FIX):
        async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Local]:
            return StatePatch(Local((view[Bug],)))

    machine = FSMOrchestrator[Bug | Local]([Stop()], start=Phase.FIX, final={Phase.DONE}, failed=Phase.FAILED)
    run = machine.run_sync(Bug("x"))
    assert run.get(Local) == Local((Bug("x"),))
    return run.outcome


def main() -> None:
    run = guarded.run_sync(Bug("login"))
    assert run.outcome is Outcome.FINISHED, run.error
    talk: Talk | None = run.get(Talk)
    assert talk is not None
    assert ["hello"] == list(talk.said)
    assert chatting.run_sync(Line("HI")).outcome is Outcome.FINISHED
    assert in_a_function() is Outcome.FINISHED


if __name__ == "__main__":
    main()
