"""agentfsm: the same loop in three async stages, with everything on, and with digests and the in-memory journal."""

from __future__ import annotations

import asyncio
from enum import Enum
from importlib.metadata import version as installed
from typing import Literal

from peers.case import GROWTH_ITERATIONS, MESSAGE, TRANSITIONS, cpu, cpu_async

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Invariant,
    Iteration,
    Journal,
    Limits,
    Maybe,
    MemoryJournal,
    Stage,
    StatePatch,
    Trail,
    View,
    record,
)

NAME = "agentfsm"
STARTUP = """
from enum import Enum
from typing import Literal
from agentfsm import Business, Context, FSMOrchestrator, Stage, StatePatch, View, record

class Phase(Enum):
    FIX, VERIFY, DONE, FAILED = "fix", "verify", "done", "failed"

@record
class Bug(Business):
    report: str

@record(scope="iteration")
class Diff(Business):
    text: str = ""

@record
class Tests(Business):
    passed: bool

class Fix(Stage[Bug, Diff, Literal[Phase.VERIFY]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff("x"))

class Verify(Stage[Diff, Tests, Literal[Phase.FIX, Phase.DONE]], enters=Phase.VERIFY):
    async def run(self, view: View[Diff], ctx: Context) -> StatePatch[Tests]:
        return StatePatch(Tests(passed=True))

    def next(self, view: View[Tests]) -> Literal[Phase.FIX, Phase.DONE]:
        return Phase.DONE if view[Tests].passed else Phase.FIX

FSMOrchestrator[Bug | Diff | Tests](
    [Fix(), Verify()], start=Phase.FIX, iterates=Phase.FIX, final={Phase.DONE}, failed=Phase.FAILED
)
"""


class Phase(Enum):
    THINKING, ACTING, OBSERVING = "thinking", "acting", "observing"
    FINISHED, FAILED = "finished", "failed"


@record
class Goal(Business):
    iterations: int


@record
class Messages(Business):
    said: Trail[str]


@record(scope="iteration")
class Thought(Business):
    text: str


@record(scope="iteration")
class Action(Business):
    text: str


@record
class Observation(Business):
    text: str


class Think(Stage[Maybe[Observation], Thought, Literal[Phase.ACTING]], enters=Phase.THINKING):
    """Write a thought."""

    async def run(self, view: View[Maybe[Observation]], ctx: Context) -> StatePatch[Thought]:
        return StatePatch(Thought("look"))


class Recall(Stage[Messages, Thought, Literal[Phase.ACTING]], enters=Phase.THINKING):
    """Write a thought about a conversation, of which it looks at the end."""

    async def run(self, view: View[Messages], ctx: Context) -> StatePatch[Thought]:
        return StatePatch(Thought("look" if view[Messages].said.last(1) else "wait"))


class Act(Stage[Thought, Action, Literal[Phase.OBSERVING]], enters=Phase.ACTING):
    """Write an action."""

    async def run(self, view: View[Thought], ctx: Context) -> StatePatch[Action]:
        return StatePatch(Action("read"))

    def check(self, view: View[Thought]) -> str | None:
        return None if view[Thought].text else "nothing was thought"


class Observe(
    Stage[Goal | Iteration | Action, Observation, Literal[Phase.THINKING, Phase.FINISHED]], enters=Phase.OBSERVING
):
    """Write an observation, and go on until the goal is reached."""

    async def run(self, view: View[Action], ctx: Context) -> StatePatch[Observation]:
        return StatePatch(Observation("seen"))

    def next(self, view: View[Goal | Iteration]) -> Literal[Phase.THINKING, Phase.FINISHED]:
        return Phase.THINKING if view[Iteration].number < view[Goal].iterations else Phase.FINISHED


class Converse(
    Stage[Goal | Iteration | Action | Messages, Observation | Messages, Literal[Phase.THINKING, Phase.FINISHED]],
    enters=Phase.OBSERVING,
):
    """Observe, and add a message to the conversation."""

    async def run(self, view: View[Messages], ctx: Context) -> StatePatch[Observation | Messages]:
        said = Messages(view[Messages].said.add(MESSAGE))
        return StatePatch(Observation("seen")) | StatePatch(said)

    def next(self, view: View[Goal | Iteration]) -> Literal[Phase.THINKING, Phase.FINISHED]:
        return Phase.THINKING if view[Iteration].number < view[Goal].iterations else Phase.FINISHED


def rises(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number >= old[Iteration].number


def aims(_: View[Maybe[Goal]], new: View[Maybe[Goal]]) -> bool:
    return new.get(Goal) is not None


def thought(_: View[Maybe[Thought]], new: View[Maybe[Thought] | Maybe[Action]]) -> bool:
    return new.get(Action) is None or new.get(Thought) is not None


# All three hold at every step.
INVARIANTS = (
    Invariant("iteration rises", rises),
    Invariant("the goal stays", aims),
    Invariant("no action without a thought", thought),
)

Schema = Goal | Messages | Thought | Action | Observation


def version() -> str:
    return installed("agentfsm")


def bare(iterations: int) -> float | None:
    machine = machine_of(None)
    return cpu_async(lambda: machine.run(Goal(iterations))) / (iterations * TRANSITIONS)


def kept(iterations: int) -> float | None:
    machine = machine_of(MemoryJournal())
    return cpu_async(lambda: machine.run(Goal(iterations))) / (iterations * TRANSITIONS)


def growth(messages: int) -> float | None:
    machine = conversing(MemoryJournal(), GROWTH_ITERATIONS)
    given = Messages(Trail.of(*[MESSAGE] * messages))
    # What the first entry costs is the input's, not a step's: it is kept with the first step, which is not measured.
    begun = asyncio.run(machine.step(machine.begin(Goal(GROWTH_ITERATIONS), given)))
    return cpu_async(lambda: machine.resume(begun)) / (GROWTH_ITERATIONS * TRANSITIONS - 1)


def load(iterations: int) -> float | None:
    machine = machine_of(None)
    text = machine.snapshot(asyncio.run(machine.run(Goal(iterations)))).to_json()
    return cpu(lambda: machine.restore(text))


def fold(iterations: int) -> float | None:
    machine = machine_of(None)
    run = asyncio.run(machine.run(Goal(iterations)))
    return cpu(lambda: machine.replay(run.events))


def conversing(journal: Journal | None, iterations: int) -> FSMOrchestrator[Schema]:
    """The loop that begins with a look at the conversation and ends with a message, with a limit to count for."""
    return FSMOrchestrator[Schema](
        [Recall(), Act(), Converse()],
        start=Phase.THINKING,
        iterates=Phase.THINKING,
        final={Phase.FINISHED},
        failed=Phase.FAILED,
        invariants=INVARIANTS,
        limits=Limits(iterations=iterations),
        journal=journal,
    )


def machine_of(journal: Journal | None) -> FSMOrchestrator[Schema]:
    return FSMOrchestrator[Schema](
        [Think(), Act(), Observe()],
        start=Phase.THINKING,
        iterates=Phase.THINKING,
        final={Phase.FINISHED},
        failed=Phase.FAILED,
        invariants=INVARIANTS,
        journal=journal,
    )
