"""A machine within a machine, to try sub-machines on: the inner one makes a piece of an order."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Literal

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    LastError,
    Maybe,
    Metadata,
    Outcome,
    Retry,
    Run,
    Stage,
    StatePatch,
    SubMachine,
    Trail,
    View,
    record,
)
from tests.sample import world

__all__ = (
    "Built",
    "Hidden",
    "Order",
    "Part",
    "Piece",
    "Plan",
    "Talk",
    "Visitor",
    "Whole",
    "Work",
    "gives",
    "goes",
    "outcome",
    "part",
    "takes",
    "whole",
)


class Part(Enum):
    WORK, DONE, FAILED = "work", "done", "failed"


class Whole(Enum):
    PLAN, BUILD, DONE, FAILED = "plan", "build", "done", "failed"


@record
class Order(Business):
    text: str


@record
class Piece(Business):
    text: str


@record
class Hidden(Business):
    text: str


@record
class Built(Business):
    text: str
    ended: str = ""


@record(scope="session")
class Talk(Business):
    said: Trail[str]


@record
class Visitor(Metadata):
    name: str


Doing = Callable[[View[Any], Context], Any]


async def shape(view: View[Any], ctx: Context) -> StatePatch[Piece]:
    """Make a piece of the order."""
    return StatePatch(Piece(f"a {view[Order].text}"))


class Work(Stage[Order | Maybe[Piece], Piece, Literal[Part.WORK, Part.DONE]], enters=Part.WORK):
    """Works until what it made is at least so long."""

    def __init__(self, do: Doing = shape, *, least: int = 0, retry: Retry | None = None) -> None:
        self._do, self._least, self.retry = do, least, retry or Retry()

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Piece]:
        patch: StatePatch[Piece] = await self._do(view, ctx)
        return patch

    def next(self, view: View[Piece]) -> Literal[Part.WORK, Part.DONE]:
        return Part.DONE if len(view[Piece].text) >= self._least else Part.WORK


def part(work: Work | None = None, **settings: Any) -> FSMOrchestrator[Order | Piece]:
    """The inner machine."""
    return FSMOrchestrator[Order | Piece](
        [work or Work()], start=Part.WORK, final={Part.DONE}, failed=Part.FAILED, name="part", **settings
    )


class Plan(Stage[Order | Maybe[Hidden] | Maybe[Talk], Talk, Literal[Whole.BUILD]], enters=Whole.PLAN):
    """Says something, so that there is a step before the child."""

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Talk]:
        talk: Talk = view.get(Talk) or Talk(Trail())
        return StatePatch(Talk(talk.said.add(view[Order].text)))


def takes(view: View[Order]) -> tuple[Order]:
    """Hand the order over, and nothing else."""
    return (view[Order],)


def gives(run: Run[Order | Piece]) -> StatePatch[Built]:
    """Take the piece over, and how its making ended."""
    piece = run.get(Piece)
    return StatePatch(Built(piece.text if piece else "", run.outcome.value if run.outcome else ""))


def goes(view: View[Order | Built]) -> Literal[Whole.DONE]:
    """End."""
    return Whole.DONE


def whole(child: FSMOrchestrator[Order | Piece], stage: dict[str, Any] | None = None, **settings: Any) -> Any:
    """The outer machine: a step, and then the inner machine as a stage."""
    building = SubMachine(child, enters=Whole.BUILD, takes=takes, gives=gives, goes=goes, name="Build", **(stage or {}))
    return FSMOrchestrator[Business](
        [Plan(), building],
        start=Whole.PLAN,
        final={Whole.DONE},
        failed=Whole.FAILED,
        **{"world": world(), "records": [Hidden, Visitor, LastError], "name": "whole", **settings},
    )


def outcome(run: Run[Any]) -> tuple[Outcome | None, str, str]:
    """How a run ended, and what its child left it."""
    built = run.get(Built)
    return run.outcome, built.text if built else "", built.ended if built else ""
