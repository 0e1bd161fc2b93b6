"""Function stages: plain functions whose annotations are the header, held to it like any stage."""

from __future__ import annotations

import functools
from enum import Enum
from typing import Any, Literal, Never, TypeAlias

import pytest

from agentfsm import (
    AllowList,
    Business,
    Context,
    DefinitionError,
    FSMOrchestrator,
    LastError,
    Maybe,
    Outcome,
    Record,
    Retry,
    Stage,
    StatePatch,
    View,
    record,
    stage,
)
from tests.desk import Mail, error_of
from tests.sample import world


class Step(Enum):
    LOOK, FIX, DONE, FAILED = "look", "fix", "done", "failed"


@record
class Task(Business):
    text: str


@record
class Found(Business):
    count: int


@record
class Aside(Business):
    text: str


Exits: TypeAlias = Literal[Step.FIX, Step.DONE]


async def look_at(view: View[Task], ctx: Context) -> StatePatch[Found]:
    """Count the letters."""
    return StatePatch(Found(len(view[Task].text)))


def after(view: View[Task | Found]) -> Exits:
    """Fix what is long."""
    return Step.FIX if view[Found].count > 3 else Step.DONE


async def fix(view: View[Found], ctx: Context) -> StatePatch[Found]:
    """Count down."""
    return StatePatch(Found(view[Found].count - 1))


def once_more(view: View[Found]) -> Exits:
    """Until it is short."""
    return Step.FIX if view[Found].count > 3 else Step.DONE


def machine(*stages: Stage[Any, Any, Step], **settings: Any) -> FSMOrchestrator[Any]:
    """A machine that looks, and then fixes."""
    given = stages or (stage(look_at, enters=Step.LOOK, next=after), stage(fix, enters=Step.FIX, next=once_more))
    return FSMOrchestrator[Business](
        given, start=Step.LOOK, final={Step.DONE}, failed=Step.FAILED, world=world(), **settings
    )


def test_annotations_are_the_header() -> None:
    """R6: reads, writes and exits are what a class of that header would have; the name is the function's."""
    look = stage(look_at, enters=Step.LOOK, next=after)

    class Look(Stage[Task, Found, Literal[Step.FIX, Step.DONE]], enters=Step.LOOK):
        async def run(self, view: View[Task], ctx: Context) -> StatePatch[Found]:
            return await look_at(view, ctx)

        def next(self, view: View[Task | Found]) -> Literal[Step.FIX, Step.DONE]:
            return after(view)

    assert (Look.reads, Look.writes, Look.exits, Look.enters) == (look.reads, look.writes, look.exits, look.enters)
    assert "look_at" == look.name


async def test_functions_run_as_stages() -> None:
    """R6: the run, its log and its replay are a machine's like any other."""
    orchestrator = machine()
    run = await orchestrator.run(Task("mended"))

    assert (Outcome.FINISHED, Found(3)) == (run.outcome, run.get(Found))
    assert ["", "look_at", "fix", "fix", "fix"] == [event.stage for event in run.events]
    assert run.state == machine().read(orchestrator.lines(run)).state


async def test_one_exit_needs_no_function() -> None:
    """The only exit is named itself."""
    only = stage(look_at, enters=Step.LOOK, next=Step.DONE)
    run = await machine(only).run(Task("mended"))

    assert ((Step.DONE,), Outcome.FINISHED) == (only.exits, run.outcome)


async def test_hooks_are_hooks() -> None:
    """`check` refuses before, `ensure` after, and its text is the feedback of the next attempt."""
    told: list[tuple[str, ...]] = []

    async def tries(view: View[Task], ctx: Context) -> StatePatch[Found]:
        told.append(ctx.feedback)
        return StatePatch(Found(len(told)))

    def busy(view: View[Task]) -> str | None:
        return None if view[Task].text else "nothing to do"

    def enough(view: View[Task | Found]) -> str | None:
        return None if view[Found].count > 1 else "too few"

    look = stage(tries, enters=Step.LOOK, next=Step.DONE, check=busy, ensure=enough, retry=Retry(2), timeout=60.0)
    assert (Retry(2), 60.0) == (look.retry, look.timeout)
    refused = await machine(look).run(Task(""))
    assert (("CheckError", "nothing to do"), []) == (error_of(refused), told)

    run = await machine(look).run(Task("x"))
    assert (Found(2), [(), ("too few",)]) == (run.get(Found), told)


async def test_what_may_be_left_out_is_named() -> None:
    """The records of a patch that are optional are `Maybe` in the header; the others stay sure."""

    async def may(view: View[Task | Maybe[Aside]], ctx: Context) -> StatePatch[Found | Aside]:
        patch: StatePatch[Any] = StatePatch(Found(1))
        return patch

    look = stage(may, enters=Step.LOOK, next=Step.DONE, optional=(Aside,))
    run = await machine(look).run(Task("x"))

    assert (frozenset({Found}), frozenset({Aside})) == (look.writes.surely, look.writes.perhaps)
    assert (frozenset({Task}), frozenset({Aside})) == (look.reads.surely, look.reads.perhaps)
    assert (Outcome.FINISHED, None) == (run.outcome, run.get(Aside))


async def test_the_header_holds_at_run_time_too() -> None:
    """R1: what a function reads or writes beyond its annotations is refused as it is for a class."""

    async def sneaks(view: View[Task], ctx: Context) -> StatePatch[Found]:
        hidden: Any = view
        return StatePatch(Found(hidden[Aside].text))

    run = await machine(stage(sneaks, enters=Step.LOOK, next=Step.DONE), records=[Aside]).run(Task("x"), Aside("no"))

    assert "UndeclaredReadError" == error_of(run)[0]


async def test_functions_call_tools() -> None:
    """A function's context is a stage's."""

    async def calls(view: View[Task], ctx: Context) -> StatePatch[Aside]:
        return StatePatch(Aside(await ctx.call(Mail("ada"))))

    run = await machine(stage(calls, enters=Step.LOOK, next=Step.DONE), guards=[AllowList("Mail")]).run(Task("x"))

    assert Aside("sent to ada") == run.get(Aside)


async def test_a_method_and_a_function_of_a_function_are_functions() -> None:
    """What is called is what counts: bound methods, closures over local records."""

    @record
    class Local(Business):
        text: str

    class Looker:
        async def look(self, view: View[Task], ctx: Context) -> StatePatch[Local]:
            return StatePatch(Local(view[Task].text))

    run = await machine(stage(Looker().look, enters=Step.LOOK, next=Step.DONE)).run(Task("x"))

    assert (Local("x"), ["", "look"]) == (run.get(Local), [event.stage for event in run.events])


async def test_a_function_may_be_the_recovery() -> None:
    """A recovery reads the error and names where to go on."""

    async def breaks(view: View[Task], ctx: Context) -> StatePatch[Found]:
        raise OSError("no")

    async def recover(view: View[LastError | Maybe[Record]], ctx: Context) -> StatePatch[Never]:
        return StatePatch()

    def anyway(view: View[LastError | Maybe[Record]]) -> Literal[Step.DONE]:
        return Step.DONE

    broken = stage(breaks, enters=Step.LOOK, next=Step.DONE)
    run = await machine(broken, recovery=stage(recover, enters=None, next=anyway)).run(Task("x"))

    assert (Outcome.FINISHED, ["", "breaks", "recover"]) == (run.outcome, [event.stage for event in run.events])


def unsaid(view: Any, ctx: Any) -> Any:
    """Says nothing."""


def misspelt(view: View[Tusk], ctx: Context) -> StatePatch[Found]:  # type: ignore[name-defined]  # noqa: F821  on purpose
    """Reads what is not there."""
    raise AssertionError(view, ctx)


async def no_record(view: View[int], ctx: Context) -> StatePatch[Found]:
    """Reads what is no record."""
    return StatePatch(Found(0))


async def metadata(view: View[Task], ctx: Context) -> StatePatch[LastError]:
    """Writes what is the orchestrator's."""
    return StatePatch()


async def no_patch(view: View[Task], ctx: Context) -> Found:
    """Returns a record and no patch."""
    return Found(0)


def anywhere(view: View[Found]) -> Step:
    """Leads to any state."""
    return Step.DONE


@pytest.mark.parametrize(
    ("run", "next", "says"),
    [
        (unsaid, Step.DONE, r"unsaid has to say View\[...\] in its annotations"),
        (no_patch, Step.DONE, r"no_patch has to say StatePatch\[...\]"),
        (look_at, anywhere, r"anywhere has to say Literal\[...\]"),
        (misspelt, Step.DONE, "misspelt: name 'Tusk' is not defined"),
        (no_record, Step.DONE, "a header names records, not <class 'int'>"),
        (metadata, Step.DONE, "metadata writes LastError; stages write Business records alone"),
        (look_at, unsaid, r"unsaid has to say Literal\[...\] in its annotations"),
        (look_at, lambda view: Step.DONE, r"<lambda> has to say Literal\[...\]"),
        (functools.partial(look_at), Step.DONE, "functools.partial"),
        ("look_at", Step.DONE, "'look_at'"),
        (look_at, "DONE", "'DONE'"),
    ],
)
def test_annotations_that_say_no_header(run: Any, next: Any, says: str) -> None:
    """What cannot be a stage is refused when it is made, with the function's name and this place."""
    with pytest.raises(DefinitionError, match=says) as caught:
        stage(run, enters=Step.LOOK, next=next)

    assert "test_functions.py" in caught.value.findings[0].place


def test_what_is_optional_is_written() -> None:
    """A record that the function does not write cannot be left out of its patch."""
    with pytest.raises(DefinitionError, match="look_at does not write Aside, so it cannot be optional"):
        stage(look_at, enters=Step.LOOK, next=Step.DONE, optional=(Aside,))


def test_two_functions_of_one_name_are_told_apart_by_whoever_wires_them() -> None:
    """A log names stages, so one name is one stage."""
    two = functools.partial(stage, look_at)
    with pytest.raises(DefinitionError, match="look_at"):
        machine(two(enters=Step.LOOK, next=Step.FIX), two(enters=Step.FIX, next=Step.DONE))


async def test_a_name_of_its_own() -> None:
    """One function may be two stages, when they are given names."""
    first = stage(look_at, enters=Step.LOOK, next=after, name="first")
    second = stage(look_at, enters=Step.FIX, next=Step.DONE, name="second")
    run = await machine(first, second).run(Task("a long one"))

    assert ["", "first", "second"] == [event.stage for event in run.events]
    assert run.state == machine(first, second).read(machine(first, second).lines(run)).state
