"""What is wrong with a machine as a whole is said when it is wired, all at once, and before any run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, Literal, Never, TypeVar

import pytest

from agentfsm import (
    AllowList,
    Business,
    Context,
    DefinitionError,
    FSMOrchestrator,
    Invariant,
    Limits,
    Maybe,
    Metadata,
    Stage,
    StatePatch,
    Tool,
    View,
    record,
    tool,
)
from tests.sample import Again, Bug, Diff, Phase, Result, machine

Wrong = Callable[[], object]
Q = TypeVar("Q", bound=Business)


class Colour(Enum):
    RED, GREEN = 1, 2


class Writing(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff())


def lines_of(function: Wrong) -> range:
    source, first = inspect.getsourcelines(function)
    return range(first, first + len(source))


def wired(*stages: Any, **settings: Any) -> object:
    """An orchestrator, with whatever the types would have refused."""
    usual = {"start": Phase.FIX, "final": {Phase.DONE}, "failed": Phase.FAILED}
    return FSMOrchestrator[Business](stages, **{**usual, **settings})


class Pattern(Stage[Q, Never, Literal[Phase.DONE]], Generic[Q]):
    async def run(self, view: View[Q], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


class Late(Stage[Result, Never, Literal[Phase.DONE]], enters=Phase.VERIFY):
    async def run(self, view: View[Result], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


class Dangling(Stage[Bug, Diff, Literal[Phase.VERIFY]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff())


class Perhaps(Stage[Bug, Maybe[Result], Literal[Phase.VERIFY]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Result]:
        return StatePatch()


class Round(Stage[Bug, Never, Literal[Phase.FIX]], enters=Phase.VERIFY):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


class Nobodys(Stage[Bug, Never, Literal[Phase.DONE]], enters=Phase.VERIFY):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


class Painting(Stage[Bug, Never, Literal[Colour.GREEN]], enters=Colour.RED):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


class Rescuing(Stage[Bug, Diff, Literal[Phase.DONE]], enters=None):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff())


def homonym(name: str) -> type[Business]:
    """A record of the orchestrator's own name, or of another's."""

    @record
    class Other(Business): ...

    Other.__name__ = name
    return Other


class Naming(Stage[Bug, Never, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Never]:
        return StatePatch()


@record
class Count(Metadata):
    number: int = 0


class Remembering(AllowList):
    def begins(self) -> Any:
        return Count()


class Lying(AllowList):
    def begins(self) -> Any:
        return 3


class Timed(Writing):
    timeout: float | None = -1.0


class Worded(Writing):
    timeout: Any = "1"


class Retried(Writing):
    retry: Any = 3


class Undecorated(Business):
    """What was meant to be a record."""

    text: str


class Forgetful(Stage[Bug, Undecorated, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Undecorated]:
        return StatePatch()


@tool
class Look(Tool[int]):
    path: str


def true(old: View[Any], new: View[Any]) -> bool:
    return True


UNDECLARED = (Phase.FIX, Phase.VERIFY)
WIRINGS: list[tuple[str, Wrong, list[str], str]] = [
    ("class", lambda: wired(Writing), ["no_stage"], "is no stage: give an instance"),
    ("pattern", lambda: wired(Pattern()), ["open_header"], "Pattern is a pattern"),
    ("recovery pattern", lambda: wired(Writing(), recovery=Pattern()), ["open_header"], "Pattern is a pattern"),
    ("recovery among stages", lambda: wired(Writing(), Again()), ["no_state"], "Again enters no state"),
    ("recovery that writes", lambda: wired(Writing(), recovery=Rescuing()), ["bad_recovery"], "Rescuing writes Diff"),
    ("timeout", lambda: wired(Timed()), ["bad_timeout"], "Timed has a timeout of -1.0"),
    ("timeout in words", lambda: wired(Worded()), ["bad_timeout"], "Worded has a timeout of '1'"),
    ("retry", lambda: wired(Retried()), ["bad_retry"], "Retried has a retry of 3; it is Retry(attempts=...)"),
    ("bare record", lambda: wired(Forgetful()), ["no_record"], "Undecorated is a layer with no record below it"),
    (
        "limit that nothing counts",
        lambda: wired(Writing(), limits=Limits(iterations=3)),
        ["no_iterates"],
        "limits has iterations=3, but nothing begins one: say iterates=",
    ),
    ("one guard", lambda: wired(Writing(), guards=AllowList("x")), ["definition"], "guards is AllowList(names=('x',)"),
    ("one final state", lambda: wired(Writing(), final=Phase.DONE), ["definition"], "put it into a list or a set"),
    (
        "class of a guard",
        lambda: wired(Writing(), guards=[AllowList]),
        ["no_guard"],
        "AllowList is the class of",
    ),
    ("guard", lambda: wired(Writing(), guards=[3]), ["no_guard"], "3 is no guard: it has no begins"),
    ("guard memory", lambda: wired(Writing(), guards=[Lying()]), ["definition"], "Lying.begins returned 3"),
    (
        "two memories",
        lambda: wired(Writing(), guards=[Remembering(), Remembering()]),
        ["shared_memory"],
        "two guards remember in Count",
    ),
    ("tool", lambda: wired(Writing(), tools=[Bug]), ["no_tool"], "is no tool: give a Tool subclass"),
    ("two tools", lambda: wired(Writing(), tools=[Look, Look]), ["shared_name"], "two tools are called Look"),
    (
        "two records",
        lambda: wired(Writing(), records=[homonym("Bug")]),
        ["shared_name"],
        "two records are called bug in logs",
    ),
    ("owned record", lambda: wired(Writing(), records=[homonym("Iteration")]), ["shared_name"], "called iteration"),
    ("start", lambda: wired(Writing(), start=Phase.DONE), ["bad_start"], "a run is over"),
    ("start in words", lambda: wired(Writing(), start="fix"), ["mixed_enums"], "start is 'fix', which is no lifecycle"),
    ("start of another enum", lambda: wired(Painting()), ["mixed_enums", "mixed_enums"], "use one enum"),
    ("failed of another enum", lambda: wired(Writing(), failed=Colour.RED), ["mixed_enums"], "failed is Colour.RED"),
    ("iterates", lambda: wired(Writing(), iterates=Colour.RED), ["mixed_enums"], "iterates is Colour.RED"),
    ("final", lambda: wired(Writing(), final=set()), ["bad_final", "dangling_exit"], "final is empty"),
    ("two stages", lambda: wired(Writing(), Writing()), ["two_stages"], "one stage a state"),
    ("dangling", lambda: wired(Dangling()), ["dangling_exit"], "Dangling leads to Phase.VERIFY"),
    (
        "unreachable",
        lambda: wired(Writing(), Nobodys()),
        ["unreachable_stage"],
        "no way leads from Phase.FIX to Phase.VERIFY",
    ),
    ("trap", lambda: wired(Dangling(), Round()), ["trap", "trap", "dead_write"], "no way"),
    ("not written", lambda: wired(Perhaps(), Late()), ["not_surely_written"], "Late requires Result"),
    (
        "invariant elsewhere",
        lambda: wired(Writing(), invariants=[Invariant("true", true, states=(Colour.RED,))]),
        ["mixed_enums"],
        "'true' speaks of Colour.RED, which is no Phase",
    ),
    (
        "invariant on no edge",
        lambda: wired(Writing(), invariants=[Invariant("true", true, edges=(UNDECLARED,))]),
        ["no_edge"],
        "FIX -> VERIFY, which no stage declares",
    ),
]


@pytest.mark.parametrize(("wrong", "codes", "says"), [row[1:] for row in WIRINGS], ids=[row[0] for row in WIRINGS])
def test_refused_when_an_orchestrator_is_built(wrong: Wrong, codes: list[str], says: str) -> None:
    """Each fault of the whole is refused, with a stable code, at the file and line of the wiring."""
    with pytest.raises(DefinitionError) as caught:
        wrong()

    found = caught.value.findings
    assert sorted(codes) == sorted(finding.code for finding in found)
    assert says in str(caught.value)
    assert {__file__} == {finding.place.rpartition(":")[0] for finding in found}
    assert all(int(finding.place.rpartition(":")[2]) in lines_of(wired) for finding in found)


def test_every_finding_is_in_one_error() -> None:
    """A machine that is wrong in several ways says so once, with all of them."""
    with pytest.raises(DefinitionError) as caught:
        wired(Perhaps(), Late(), Nobodys(), failed=Phase.DONE)

    codes = {finding.code for finding in caught.value.findings}
    assert {"two_stages", "bad_final", "not_surely_written"} <= codes
    assert len(caught.value.findings) == str(caught.value).count("\n") + 1


def test_a_machine_that_is_sound_is_built() -> None:
    """The sample has no findings, with a recovery or without."""
    assert Phase.FIX is machine().graph.start
    assert Phase.FIX is machine(recovery=Again()).graph.start
