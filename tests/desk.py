"""Tools and guards to try calls with: they note what is done, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from attrs import define, field

from agentfsm import (
    Answer,
    CallEvent,
    Context,
    Decision,
    Metadata,
    Run,
    Site,
    StatePatch,
    Tool,
    ToolCall,
    View,
    record,
    tool,
)
from tests.sample import Diff, Work

__all__ = (
    "DONE",
    "Asking",
    "Counting",
    "Flaky",
    "Gate",
    "Mail",
    "Meet",
    "Push",
    "Seen",
    "Write",
    "asks",
    "calls",
    "error_of",
    "phases",
)

# What was done in the world, in order; each test begins with none.
DONE: list[str] = []


@tool
class Mail(Tool[str]):
    """Must not be done twice."""

    to: str

    async def run(self, site: Site) -> str:
        DONE.append(f"mail {self.to}")
        return f"sent to {self.to}"


@tool(effect="idempotent")
class Write(Tool[str]):
    """Writes a file."""

    path: str
    text: str = ""

    async def run(self, site: Site) -> str:
        DONE.append(f"write {self.path}")
        return self.path

    def writes(self) -> tuple[str, ...]:
        return (self.path,)


@tool(effect="pure")
class Meet(Tool[str]):
    """Ends only when *until* others have begun."""

    name: str
    until: int = 1

    async def run(self, site: Site) -> str:
        DONE.append(f"begin {self.name}")
        while sum(text.startswith("begin") for text in DONE) < self.until:  # noqa: ASYNC110  no event across tests' loops
            await asyncio.sleep(0)
        for _ in range(20 - len(self.name)):  # those that are named later end sooner
            await asyncio.sleep(0)
        DONE.append(f"end {self.name}")
        return self.name


@tool
class Flaky(Tool[str]):
    """Raises."""

    text: str

    async def run(self, site: Site) -> str:
        DONE.append(f"flaky {self.text}")
        raise OSError(self.text)


@tool(effect="pure", timeout=0.001)
class Push(Tool[str]):
    """Never ends."""

    async def run(self, site: Site) -> str:
        await asyncio.Event().wait()
        return "never"


@record
class Seen(Metadata):
    """What a guard remembers."""

    calls: int = 0


@define
class Gate:
    """A guard that says what it is told to say; other things it can be told to do are to raise."""

    says: Callable[[ToolCall], Decision | None]
    asked: list[str] = field(factory=list[str])

    def begins(self) -> None:
        return None

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        self.asked.append(call.name)
        DONE.append(f"asked {call.name}")
        return self.says(call)

    def after(self, memory: None, call: ToolCall, answer: Answer, /) -> None:
        return None


def Asking(*names: str) -> Gate:
    """A guard that asks about calls of these tools and allows the rest."""
    return Gate(lambda call: Decision("ask", "risky", f"may {call.name}?") if call.name in names else Decision("allow"))


@define
class Counting:
    """A guard that allows so many calls and remembers how many there were."""

    most: int

    def begins(self) -> Seen:
        return Seen()

    def offered(self, memory: Seen, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools if memory.calls < self.most else ()

    def decide(self, memory: Seen, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        if memory.calls < self.most:
            return Decision("allow")
        return Decision("deny", "enough", f"{memory.calls} calls were made")

    def after(self, memory: Seen, call: ToolCall, answer: Answer, /) -> Seen:
        return Seen(memory.calls + 1)


def calls(run: Run[Any] | Iterable[object]) -> list[CallEvent]:
    """The calls in a run's log."""
    entries = run.log if isinstance(run, Run) else run
    return [entry for entry in entries if isinstance(entry, CallEvent)]


def phases(run: Run[Any] | Iterable[object]) -> list[tuple[str, str]]:
    """What the log says about calls: phase and tool."""
    return [(call.phase, call.tool) for call in calls(run)]


def asks(*tools: Any) -> Work:
    """Work that makes these calls one after the other in the first iteration, and writes their answers."""

    async def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(" | ".join([str(await ctx.call(tool)) for tool in tools])))

    return run


def error_of(run: Run[Any]) -> tuple[str, str]:
    """Kind and message of the failure that a run is in."""
    assert run.error is not None, run.outcome
    return run.error.kind, run.error.message
