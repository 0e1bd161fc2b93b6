"""Machines for the commands to work on, named on the command line as `tests.cli.machines:name`."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from agentfsm import (
    AllowList,
    Answer,
    Business,
    Context,
    Decision,
    FSMOrchestrator,
    Limits,
    Maybe,
    Stage,
    StatePatch,
    ToolCall,
    Trail,
    View,
    record,
)
from agentfsm_stages.coding import Bash


class Phase(Enum):
    """The lifecycle states."""

    WORK, DONE, FAILED = "work", "done", "failed"


@record
class Order(Business):
    """A command to run, and what it has to print."""

    command: str
    wanted: str = ""


@record
class Printed(Business):
    """What it printed."""

    text: str


class Work(Stage[Order, Printed, Literal[Phase.WORK, Phase.DONE]], enters=Phase.WORK):
    """Run the command until it prints what is wanted."""

    async def run(self, view: View[Order], ctx: Context) -> StatePatch[Printed]:
        return StatePatch(Printed((await ctx.call(Bash(view[Order].command))).text))

    def ensure(self, view: View[Printed]) -> str | None:
        return "it printed nothing" if not view[Printed].text else None

    def next(self, view: View[Order | Printed]) -> Literal[Phase.WORK, Phase.DONE]:
        return Phase.DONE if view[Order].wanted in view[Printed].text else Phase.WORK


class Ask:
    """A guard that asks a person about everything."""

    def begins(self) -> None:
        """It remembers nothing."""

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        return Decision("ask", "risky", "a command can do anything")

    def after(self, memory: None, call: ToolCall, answer: Answer, /) -> None:
        """It remembers nothing."""


def machine(guard: AllowList | Ask) -> FSMOrchestrator[Order | Printed]:
    return FSMOrchestrator[Order | Printed](
        [Work()],
        start=Phase.WORK,
        iterates=Phase.WORK,
        final={Phase.DONE},
        failed=Phase.FAILED,
        guards=[guard],
        limits=Limits(iterations=3),
        name="work",
    )


works = machine(AllowList("Bash"))
number = 3


def asks() -> FSMOrchestrator[Order | Printed]:
    """Return one that waits."""
    return machine(Ask())


@record
class Notes(Business):
    """Some lines, one after the other."""

    lines: Trail[str] = Trail[str]()
    more: Trail[int] = Trail[int]()


class Note(Stage[Maybe[Notes], Notes, Literal[Phase.DONE]], enters=Phase.WORK):
    """Write two of them."""

    async def run(self, view: View[Maybe[Notes]], ctx: Context) -> StatePatch[Notes]:
        return StatePatch(Notes(Trail[str]().add("one").add("two")))


def notes() -> FSMOrchestrator[Notes]:
    """Return one that needs nothing and leaves a trail."""
    return FSMOrchestrator[Notes]([Note()], start=Phase.WORK, final={Phase.DONE}, failed=Phase.FAILED, name="notes")


def unsound() -> FSMOrchestrator[Order | Printed]:
    """Return none: its final state cannot be reached and is not where its stage leads."""
    return FSMOrchestrator[Order | Printed](
        [Work()], start=Phase.WORK, final={Phase.FAILED}, failed=Phase.FAILED, name="unsound"
    )


def breaks() -> FSMOrchestrator[Order | Printed]:
    """Raise something that is not ours."""
    raise ZeroDivisionError("no machine today")


def other() -> FSMOrchestrator[Order | Printed]:
    """Return a machine of another structure under the same name."""
    return FSMOrchestrator[Order | Printed](
        [Work()], start=Phase.WORK, final={Phase.DONE}, failed=Phase.FAILED, name="work"
    )
