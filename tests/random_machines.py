"""Machines drawn at random, whose stages do what a script says about the number of steps made so far."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Literal, TypeAlias, Union

from attrs import field, frozen
from hypothesis import strategies as st

from agentfsm import Business, FSMOrchestrator, Limits, Maybe, Retry, Stage, StatePatch, Trail, record
from agentfsm.errors import EnsureError
from tests.sample import world

__all__ = ("Act", "Drawn", "Script", "Steps", "built", "machines", "scripts")


@record
class Steps(Business):
    """Which stages have run, and so how many."""

    names: Trail[str] = field(factory=Trail[str])


@record
class Lasting(Business):
    number: int
    words: tuple[str, ...] = ()


@record(scope="iteration")
class Passing(Business):
    table: Mapping[str, int] = field(factory=dict[str, int])


@record(scope="session")
class Told(Business):
    """Grows by more than one item a step."""

    lines: Trail[tuple[int, str]] = field(factory=Trail[tuple[int, str]])


WRITABLE: tuple[type[Business], ...] = (Lasting, Passing, Told)
numbers = st.integers(-(2**70), 2**70)
words = st.text(max_size=8)


@frozen
class Act:
    """What a stage does in one step: what it writes, where it goes, how often it lets others run, how it goes wrong."""

    lasting: tuple[int, tuple[str, ...]] | None = None
    passing: Mapping[str, int] | None = None
    told: tuple[tuple[int, str], ...] = ()
    choice: int = 0
    lets: int = 0
    wrong: str = ""
    to: str = ""


Script: TypeAlias = tuple[Act, ...]
acts = st.builds(
    Act,
    lasting=st.none() | st.tuples(numbers, st.lists(words, max_size=3).map(tuple)),
    passing=st.none() | st.dictionaries(words, numbers, max_size=3),
    told=st.lists(st.tuples(numbers, words), max_size=3).map(tuple),
    choice=st.integers(0, 3),
    lets=st.integers(0, 3),
    wrong=st.sampled_from(("", "", "", "", "raises", "ensure", "type", "write", "exit", "shrinks")),
)
scripts = st.lists(acts, min_size=1, max_size=12).map(tuple)


@frozen
class Drawn:
    """A machine as it is drawn: how many states work is done in, the extra exits of each, which of them iterates."""

    size: int
    extra: tuple[tuple[int, ...], ...]
    iterates: int | None
    attempts: int

    def exits(self, place: int) -> tuple[int, ...]:
        """Where a state leads: the number of each target; that of the end is *size*."""
        return tuple(dict.fromkeys((place + 1, self.size, 0, *self.extra[place])))


@st.composite
def machines(draw: st.DrawFn) -> Drawn:
    """A machine in which each state leads to the next, to the end, to the first and, besides, to any."""
    size = draw(st.integers(1, 5))
    extra = draw(st.lists(st.lists(st.integers(0, size), max_size=3).map(tuple), min_size=size, max_size=size))
    return Drawn(size, tuple(extra), draw(st.none() | st.integers(0, size - 1)), draw(st.integers(1, 3)))


def built(drawn: Drawn, script: Script, **settings: Any) -> FSMOrchestrator[Business]:
    """The machine that *drawn* describes; it ends after the script's steps, going straight on."""
    names = [*(f"S{n}" for n in range(drawn.size)), "END", "FAILED"]
    states: Any = Enum("States", {name: name for name in names})  # type: ignore[misc]  # the names are drawn
    phases = [states(name) for name in names[:-1]]
    stages = []
    for place in range(drawn.size):
        exits = tuple(phases[n] for n in drawn.exits(place))
        stages.append(_stage(f"Stage{place}", phases[place], exits, script, drawn.attempts))
    iterates = None if drawn.iterates is None else phases[drawn.iterates]
    usual: dict[str, Any] = {"world": world(), "limits": Limits(stages=40)}
    return FSMOrchestrator[Business](
        stages,
        start=phases[0],
        final={states("END")},
        failed=states("FAILED"),
        iterates=iterates,
        **{**usual, **settings},
    )


def _stage(name: str, enters: Enum, exits: tuple[Enum, ...], script: Script, attempts: int) -> Stage[Any, Any, Any]:
    maybe: Any = Maybe
    base: Any = Stage
    union: Any = Union
    reads = union[tuple(maybe[kind] for kind in (Steps, *WRITABLE))]
    writes = union[(Steps, *(maybe[kind] for kind in WRITABLE))]

    def due(view: Any, made: int) -> Act:
        steps = view.get(Steps)
        number = (len(steps.names) if steps else 0) - made
        return script[number] if number < len(script) else Act()

    async def run(self: Any, view: Any, ctx: Any) -> StatePatch[Any]:
        act = due(view, 0)
        for _ in range(act.lets):
            await asyncio.sleep(0)
        steps = view.get(Steps) or Steps()
        return StatePatch(Steps(steps.names.add(name)), *_written(act, view, ctx.attempt))

    def ensure(self: Any, view: Any) -> str | None:
        return "as the script says" if due(view, 1).wrong == "ensure" else None

    def leave(self: Any, view: Any) -> Any:
        act = due(view, 1)
        if act.to:  # whether declared or not
            return type(enters)[act.to]
        return enters if act.wrong == "exit" and enters not in exits else exits[act.choice % len(exits)]

    hooks: dict[str, Callable[..., Any]] = {"run": run, "ensure": ensure, "next": leave}
    header = base[reads, writes, Literal[exits]]
    made = types.new_class(name, (header,), {"enters": enters}, lambda body: body.update(hooks))()
    made.retry = Retry(attempts, (EnsureError,))
    done: Stage[Any, Any, Any] = made
    return done


def _written(act: Act, view: Any, attempt: int) -> list[object]:
    if act.wrong == "raises":
        raise OSError("as the script says")
    untyped: Any = Lasting
    found: list[object] = []
    if act.lasting is not None:
        found.append(Lasting(*act.lasting))
    if act.passing is not None:
        found.append(Passing(act.passing))
    told = view.get(Told) or Told()
    if act.told:
        found.append(Told(told.lines.extend(act.told)))
    if act.wrong == "type":
        found = [untyped("no number")]
    if act.wrong == "write":
        found = [_Stranger()]
    if act.wrong == "shrinks" and len(told.lines):
        found = [Told()]
    return found


@record
class _Stranger(Business): ...
