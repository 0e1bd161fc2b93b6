"""Orchestrators to put machines in: one whose edges a machine follows, and one that an agent leads by its calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any, Literal, TypeAlias

from agentfsm import (
    Business,
    CallEvent,
    Context,
    FSMOrchestrator,
    MemoryJournal,
    Run,
    Signal,
    Site,
    Stage,
    StatePatch,
    StatewrightGuard,
    Tool,
    ToolRefusedError,
    View,
    record,
    tool,
)
from agentfsm.statewright import Machine, Standing
from tests.sample import world

__all__ = (
    "BUGFIX",
    "DONE",
    "Bash",
    "Deploy",
    "Done",
    "Edit",
    "GitCommit",
    "GitPush",
    "Orchestrator",
    "Phase",
    "Read",
    "RunTests",
    "Script",
    "Work",
    "Write",
    "answered",
    "apply_patch",
    "codes",
    "follows",
    "leads",
    "made",
    "standing",
)

# What was done in the world, in order; each test begins with none.
DONE: list[str] = []


class _Noting(Tool[str]):
    async def run(self, site: Site) -> str:
        DONE.append(type(self).__name__)
        return "done"


@tool(effect="pure")
class Read(_Noting):
    file_path: str = "a.py"


@tool
class Edit(_Noting):
    path: str = "a.py"
    old: str = "1"
    new: str = "2"


@tool
class Write(_Noting):
    path: str = "a.py"
    text: str = "x"


@tool
class Bash(_Noting):
    command: str = "ls"


@tool
class RunTests(_Noting):
    targets: tuple[str, ...] = ()


@tool
class GitCommit(_Noting):
    message: str = "m"


@tool
class GitPush(_Noting):
    pass


@tool
class Deploy(_Noting):
    pass


@tool
class apply_patch(_Noting):  # the harness's name
    input: str = ""


class Phase(Enum):
    """Lifecycle states that are called otherwise than the machine's."""

    FIX, VERIFY, REVIEW, COMMIT, DONE, FAILED = "fix", "verify", "review", "commit", "done", "failed"


BUGFIX: Mapping[Enum, str] = {
    Phase.FIX: "implementing",
    Phase.VERIFY: "testing",
    Phase.REVIEW: "review",
    Phase.COMMIT: "committing",
}


@record
class Done(Business):
    """What came of each call: the code of its refusal, or its answer."""

    told: tuple[str, ...] = ()


Calls: TypeAlias = Sequence[Tool[str]]
Orchestrator: TypeAlias = FSMOrchestrator[Done]
Script: TypeAlias = Mapping[Enum, Calls]
Work: TypeAlias = Callable[[Context], Awaitable[StatePatch[Done]]]


async def made(calls: Calls, ctx: Context) -> StatePatch[Done]:
    """Make calls one after the other, going on after each refusal."""
    told: list[str] = []
    for each in calls:
        try:
            told.append(await ctx.call(each))
        except ToolRefusedError as error:
            told.append(error.code)
    return StatePatch(Done(tuple(told)))


class Fix(Stage[Done, Done, Literal[Phase.VERIFY]], enters=Phase.FIX):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def run(self, view: View[Done], ctx: Context) -> StatePatch[Done]:
        return await made(self.script.get(Phase.FIX, ()), ctx)


class Verify(Stage[Done, Done, Literal[Phase.REVIEW]], enters=Phase.VERIFY):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def run(self, view: View[Done], ctx: Context) -> StatePatch[Done]:
        return await made(self.script.get(Phase.VERIFY, ()), ctx)


class Review(Stage[Done, Done, Literal[Phase.COMMIT]], enters=Phase.REVIEW):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def run(self, view: View[Done], ctx: Context) -> StatePatch[Done]:
        return await made(self.script.get(Phase.REVIEW, ()), ctx)


class Commit(Stage[Done, Done, Literal[Phase.DONE]], enters=Phase.COMMIT):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def run(self, view: View[Done], ctx: Context) -> StatePatch[Done]:
        return await made(self.script.get(Phase.COMMIT, ()), ctx)


class Agent(Stage[Done, Done, Literal[Phase.DONE]], enters=Phase.FIX):
    """An agent that does what it was told in one stage."""

    def __init__(self, work: Work) -> None:
        self.work = work

    async def run(self, view: View[Done], ctx: Context) -> StatePatch[Done]:
        return await self.work(ctx)


def follows(machine: Machine, script: Script, *, states: Mapping[Any, str] = BUGFIX, **settings: Any) -> Orchestrator:
    """Four stages in a row that make the calls of *script*, guarded by a machine that follows."""
    usual: dict[str, Any] = {
        "guards": [StatewrightGuard(machine, states=states)],
        "journal": MemoryJournal(),
        "world": world(),
    }
    return FSMOrchestrator[Done](
        [Fix(script), Verify(script), Review(script), Commit(script)],
        start=Phase.FIX,
        final={Phase.DONE},
        failed=Phase.FAILED,
        **{**usual, **settings},
    )


def leads(machine: Machine, work: Calls | Work, **settings: Any) -> Orchestrator:
    """One stage that does *work*, or makes the calls that it names, guarded by a machine that they lead."""
    does: Work = work if callable(work) else partial(made, work)
    usual: dict[str, Any] = {"guards": [StatewrightGuard(machine)], "journal": MemoryJournal(), "world": world()}
    return FSMOrchestrator[Done](
        [Agent(does)], start=Phase.FIX, final={Phase.DONE}, failed=Phase.FAILED, **{**usual, **settings}
    )


def standing(run: Run[Any]) -> Standing:
    """Where the machine stands in a run."""
    found = run.state.records[Standing]
    assert isinstance(found, Standing)
    return found


def codes(run: Run[Any]) -> list[tuple[str, str]]:
    """Tool and code of every decision in the log, intents left out."""
    found = [entry for entry in run.log if isinstance(entry, CallEvent) and entry.decision and entry.phase != "intent"]
    return [(entry.tool, entry.decision.code if entry.decision else "") for entry in found]


async def answered(of: Orchestrator, run: Run[Any], action: Literal["approve", "reject"], why: str = "") -> Any:
    """Answer what a run waits for."""
    assert run.halted is not None
    return await of.resume(run, Signal(action, run.halted.key, why, by="ada"))
