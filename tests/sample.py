"""A machine to try things on: two stages whose work each test says, in a world that tells the same every time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from itertools import count
from typing import Any, Literal, Never, TypeAlias

from attrs import field

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Iteration,
    LastError,
    Maybe,
    Metadata,
    Record,
    Retry,
    Run,
    Site,
    Stage,
    StatePatch,
    StateTransitionEvent,
    Tool,
    Trail,
    View,
    World,
    record,
    tool,
)
from agentfsm.testing import ManualClock

__all__ = (
    "Again",
    "Bug",
    "Diff",
    "Echo",
    "Fix",
    "Machine",
    "Note",
    "Owner",
    "Phase",
    "Result",
    "Secret",
    "Talk",
    "Verify",
    "Work",
    "failures",
    "machine",
    "world",
)


class Phase(Enum):
    FIX, VERIFY, DONE, FAILED = "fix", "verify", "done", "failed"


@record
class Owner(Metadata):
    name: str


@record
class Bug(Business):
    report: str
    lines: Mapping[str, int] = field(factory=dict[str, int])


@record
class Secret(Business):
    key: str


@record(scope="iteration")
class Diff(Business):
    text: str = ""
    files: tuple[str, ...] = ()


@record(scope=Phase.VERIFY)
class Note(Business):
    text: str = ""


@record
class Talk(Business):
    said: Trail[str] = field(factory=Trail[str])


@record
class Result(Business):
    passed: bool


@tool(effect="pure")
class Echo(Tool[str]):
    text: str

    async def run(self, site: Site) -> str:
        return self.text


FixReads: TypeAlias = Bug | Maybe[Result] | Maybe[Talk] | Iteration | Maybe[Owner]
FixWrites: TypeAlias = Diff | Maybe[Note] | Maybe[Talk]
Work: TypeAlias = Callable[[View[Any], Context], Awaitable[StatePatch[Any]]]
Hook: TypeAlias = Callable[[View[Any]], Any]
Machine: TypeAlias = FSMOrchestrator[Business]


async def mend(view: View[FixReads], ctx: Context) -> StatePatch[Diff]:
    """Write the number of the iteration."""
    return StatePatch(Diff(f"attempt {view[Iteration].number}"))


async def pass_at_second(view: View[Diff | Iteration], ctx: Context) -> StatePatch[Result]:
    """Pass in the second iteration."""
    return StatePatch(Result(view[Iteration].number > 1))


def onward(view: View[Any]) -> Phase:
    """Go on to verify."""
    return Phase.VERIFY


def by_tests(view: View[Result]) -> Phase:
    """Go where the tests say."""
    return Phase.DONE if view[Result].passed else Phase.FIX


def fine(view: View[Any]) -> None:
    """Say nothing."""


class Fix(Stage[FixReads, FixWrites, Literal[Phase.VERIFY, Phase.DONE]], enters=Phase.FIX):
    """A stage of which each part can be another."""

    def __init__(
        self,
        work: Work = mend,
        *,
        check: Hook = fine,
        ensure: Hook = fine,
        leave: Hook = onward,
        retry: Retry | None = None,
        timeout: float | None = None,
    ) -> None:
        self._work, self._check, self._ensure, self._leave = work, check, ensure, leave
        self.retry, self.timeout = retry or Retry(), timeout

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
        return await self._work(view, ctx)

    def check(self, view: View[Any]) -> str | None:
        said: str | None = self._check(view)
        return said

    def ensure(self, view: View[Any]) -> str | None:
        said: str | None = self._ensure(view)
        return said

    def next(self, view: View[Any]) -> Any:
        return self._leave(view)


class Verify(Stage[Diff | Iteration | Maybe[Note], Result, Literal[Phase.FIX, Phase.DONE]], enters=Phase.VERIFY):
    """The stage after it."""

    def __init__(self, work: Work = pass_at_second) -> None:
        self._work = work

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
        return await self._work(view, ctx)

    def next(self, view: View[Any]) -> Any:
        return by_tests(view)


class Again(Stage[LastError | Maybe[Record], Never, Literal[Phase.FIX, Phase.FAILED]], enters=None):
    """A recovery that begins anew once."""

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Never]:
        return StatePatch()

    def next(self, view: View[Maybe[Record]]) -> Literal[Phase.FIX, Phase.FAILED]:
        number = (view.get(Iteration) or Iteration()).number
        return Phase.FIX if number < 2 else Phase.FAILED


def world() -> World:
    """A world in which runs are run-1, run-2 and so on, and each look at the clock takes a microsecond."""
    numbers = count(1)
    return World(clock=ManualClock(step=1000), new_id=lambda: f"run-{next(numbers)}", random=lambda: 0.25)


def machine(fix: Fix | None = None, verify: Verify | None = None, **settings: Any) -> Machine:
    """A machine of these stages and settings."""
    usual: dict[str, Any] = {"iterates": Phase.FIX, "world": world(), "records": [Owner, Secret]}
    return FSMOrchestrator[Business](
        [fix or Fix(), verify or Verify()],
        start=Phase.FIX,
        final={Phase.DONE},
        failed=Phase.FAILED,
        **{**usual, **settings},
    )


def failures(run: Run[Any]) -> tuple[StateTransitionEvent, ...]:
    """The failures of a run."""
    return tuple(event for event in run.events if event.kind == "failed")
