"""Function stages: plain functions whose annotations are the header."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Literal, Never

import pytest

from agentfsm import (
    Business,
    Context,
    DefinitionError,
    FSMOrchestrator,
    Maybe,
    Outcome,
    Retry,
    StatePatch,
    View,
    record,
    stage,
)
from tests.sample import world


class Spot(Enum):
    LOOK, TELL, DONE, FAILED = range(4)


@record
class Place(Business):
    name: str


@record
class Seen(Business):
    text: str


@record
class Aside(Business):
    text: str


async def look_at(view: View[Place | Maybe[Aside]], ctx: Context) -> StatePatch[Seen | Aside]:
    return StatePatch(Seen(f"{view[Place].name} {ctx.attempt}"))


def after(view: View[Seen]) -> Literal[Spot.TELL, Spot.DONE]:
    return Spot.TELL if view[Seen].text.startswith("near") else Spot.DONE


async def tell_of(view: View[Seen], ctx: Context) -> StatePatch[Never]:
    view[Seen]
    return StatePatch()


def machine_of(**more: Any) -> FSMOrchestrator[Business]:
    look = stage(look_at, enters=Spot.LOOK, next=after, optional=(Aside,), **more)
    tell = stage(tell_of, enters=Spot.TELL, next=Spot.DONE)
    return FSMOrchestrator[Business](
        [look, tell], start=Spot.LOOK, final={Spot.DONE}, failed=Spot.FAILED, world=world()
    )


def test_annotations_are_the_header() -> None:
    """R6: what a function says it reads, returns and leads to is what its stage declares."""
    look = stage(look_at, enters=Spot.LOOK, next=after, optional=(Aside,))

    assert ("look_at", Spot.LOOK, (Spot.TELL, Spot.DONE)) == (look.name, look.enters, look.exits)
    assert ({Place}, {Aside}) == (set(look.reads.surely), set(look.reads.perhaps))
    assert ({Seen}, {Aside}) == (set(look.writes.surely), set(look.writes.perhaps))


@pytest.mark.parametrize(("name", "stages"), [("near", 2), ("far", 1)])
async def test_they_run_like_classes(name: str, stages: int) -> None:
    """R6: the same loop, the same records, the same log."""
    orchestrator = machine_of()
    run = await orchestrator.run(Place(name))

    assert (Outcome.FINISHED, Seen(f"{name} 1"), stages) == (run.outcome, run.get(Seen), len(run.events) - 1)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_they_have_hooks_and_policies() -> None:
    """A check, an ensure, a retry and a timeout are given beside the function."""

    def ensure(view: View[Any]) -> str | None:
        return None if view[Seen].text.endswith("2") else "look again"

    run = await machine_of(ensure=ensure, retry=Retry(attempts=2), timeout=60.0).run(Place("far"))
    assert (Outcome.FINISHED, Seen("far 2")) == (run.outcome, run.get(Seen))

    run = await machine_of(check=lambda view: "closed").run(Place("far"))
    assert "CheckError" == (run.error.kind if run.error else "")


async def says_nothing(view, ctx):  # type: ignore[no-untyped-def]  # what is tried here
    return StatePatch()


async def returns_something(view: View[Place], ctx: Context) -> Seen:
    return Seen("x")


def anywhere(view: View[Seen]) -> Spot:
    return Spot.DONE


async def misspelt(view: View[Plaice], ctx: Context) -> StatePatch[Seen]:  # type: ignore[name-defined]  # noqa: F821  as above
    return StatePatch(Seen("x"))


@pytest.mark.parametrize(
    ("run", "leave", "says"),
    [
        (says_nothing, Spot.DONE, "says_nothing has to say View[...] in its annotations; it says None"),
        (returns_something, Spot.DONE, "returns_something has to say StatePatch[...]"),
        (look_at, anywhere, "anywhere has to say Literal[...]"),
        (misspelt, Spot.DONE, "misspelt: name 'Plaice' is not defined"),
    ],
)
def test_annotations_that_do_not_say_enough(run: Any, leave: Any, says: str) -> None:
    """What is read, written and led to is said, or the stage is refused, with file and line."""
    with pytest.raises(DefinitionError) as caught:
        stage(run, enters=Spot.LOOK, next=leave)

    (finding,) = caught.value.findings
    assert says in finding.message
    assert __file__ == finding.place.rpartition(":")[0]


def test_local_functions_see_local_records() -> None:
    """A stage may be made of functions and records that are defined inside another function."""

    @record
    class Local(Business):
        text: str = ""

    async def note(view: View[Place], ctx: Context) -> StatePatch[Local]:
        return StatePatch(Local(view[Place].name))

    made: Callable[..., Any] = stage
    noting = made(note, enters=Spot.LOOK, next=Spot.DONE)
    orchestrator = FSMOrchestrator[Business]([noting], start=Spot.LOOK, final={Spot.DONE}, failed=Spot.FAILED)

    assert Local("here") == orchestrator.run_sync(Place("here")).get(Local)
