"""A machine that does things to a world outside: it puts a file, and sends a mail that a person has to approve."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from itertools import count
from typing import Any, Literal

from attrs import define, field

from agentfsm import (
    Business,
    Context,
    Decision,
    FSMOrchestrator,
    Happened,
    Iteration,
    Journal,
    Outcome,
    Run,
    Signal,
    Site,
    Stage,
    StatePatch,
    Store,
    Tool,
    ToolCall,
    ToolRefusedError,
    View,
    World,
    record,
    tool,
)
from agentfsm.testing import ManualClock, Scenario

__all__ = ("Mailing", "Outside", "Phase", "Told", "mailing")


class Phase(Enum):
    WRITE, SEND, DONE, FAILED = "write", "send", "done", "failed"


@define
class Outside:
    """What was done to the world, by idempotency key; it outlives every crash."""

    done: Counter[tuple[str, str]] = field(factory=Counter[tuple[str, str]])

    def times(self, name: str) -> set[int]:
        """How often each call of one tool was really done."""
        return {number for (tool, _), number in self.done.items() if tool == name}


WORLD: dict[str, Outside] = {}  # a tool is a value: it names the world it changes


@record
class Told(Business):
    name: str
    times: int = 2


@record(scope="iteration")
class Draft(Business):
    text: str
    at: int


@record
class Sent(Business):
    receipt: str


@tool(effect="pure")
class Look(Tool[str]):
    place: str

    async def run(self, site: Site) -> str:
        return f"at {self.place}"


@tool(effect="idempotent")
class Put(Tool[str]):
    place: str
    text: str

    async def run(self, site: Site) -> str:
        WORLD[self.place].done["Put", site.key] = 1  # twice is once
        return self.text


@tool(effect="once")
class Mail(Tool[str]):
    place: str
    text: str

    async def run(self, site: Site) -> str:
        WORLD[self.place].done["Mail", site.key] += 1
        return f"sent {self.text}"


@tool(effect="once")
class TracedMail(Mail):
    async def probe(self, site: Site) -> Happened[str] | None:
        return Happened(f"sent {self.text}") if WORLD[self.place].done["Mail", site.key] else None


class Write(Stage[Told | Iteration, Draft, Literal[Phase.SEND]], enters=Phase.WRITE):
    async def run(self, view: View[Told | Iteration], ctx: Context) -> StatePatch[Draft]:
        name = view[Told].name
        seen, text = await ctx.gather(Look(name), Put(name, f"draft {view[Iteration].number}"))
        return StatePatch(Draft(f"{text} {seen} {ctx.random()}", ctx.now() * 0))


class Send(Stage[Told | Iteration | Draft, Sent, Literal[Phase.WRITE, Phase.DONE]], enters=Phase.SEND):
    def __init__(self, mail: type[Mail]) -> None:
        self._mail = mail

    async def run(self, view: View[Told | Draft], ctx: Context) -> StatePatch[Sent]:
        name = view[Told].name
        await ctx.call(Put(name, "about to send"))
        try:
            receipt = await ctx.call(self._mail(name, view[Draft].text))
        except ToolRefusedError as refused:
            return StatePatch(Sent(f"{refused.code}: {refused}"))
        return StatePatch(Sent(receipt))

    def next(self, view: View[Told | Iteration]) -> Literal[Phase.WRITE, Phase.DONE]:
        return Phase.WRITE if view[Iteration].number < view[Told].times else Phase.DONE


class AskForMail:
    """Allows everything but a mail, which a person has to approve."""

    def begins(self) -> None:
        return None

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...]) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall) -> Decision:
        return Decision("ask", "mail", "shall it go out?") if "Mail" in call.name else Decision("allow")

    def after(self, memory: None, call: ToolCall, answer: object) -> None:
        return None


def mailing(journal: Journal | None, mail: type[Mail] = TracedMail) -> FSMOrchestrator[Told | Draft | Sent]:
    """The machine, in a world that tells the same each time."""
    numbers = count(1)
    world = World(clock=ManualClock(step=1000), new_id=lambda: f"run-{next(numbers)}", random=lambda: 0.25)
    return FSMOrchestrator[Told | Draft | Sent](
        [Write(), Send(mail)],
        start=Phase.WRITE,
        iterates=Phase.WRITE,
        final={Phase.DONE},
        failed=Phase.FAILED,
        guards=[AskForMail()],
        journal=journal,
        world=world,
        name="mailing",
    )


class Mailing(Scenario):
    """The machine, its world, and the person who answers: whoever finds a mail that may be out looks outside."""

    def __init__(self, store: Store, mail: type[Mail] = TracedMail) -> None:
        self.name = f"world-{len(WORLD)}"
        self.outside = WORLD[self.name] = Outside()
        self.answered: list[tuple[str, str]] = []
        self._store, self._mail = store, mail

    def journal(self) -> Store:
        return self._store

    def machine(self, journal: Journal) -> FSMOrchestrator[Any]:
        return mailing(journal, self._mail)

    async def begin(self, machine: FSMOrchestrator[Any]) -> Run[Any]:
        return await machine.run(Told(self.name))

    async def go_on(self, machine: FSMOrchestrator[Any], run: Run[Any]) -> Run[Any]:
        if run.outcome is not Outcome.SUSPENDED or run.halted is None:
            return await machine.resume(run)
        self.answered.append((run.halted.reason, run.halted.call))
        out = run.halted.reason == "unknown_outcome" and self.outside.done["Mail", run.halted.call]
        return await machine.resume(run, Signal("reject" if out else "approve", run.halted.key, "it is out"))
