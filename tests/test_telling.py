"""Telling: how a call or a stage failed is in the log, whatever its error is, and reads back as it was met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import pytest
from attrs import frozen

from agentfsm import (
    AllowList,
    Context,
    Limits,
    MemoryJournal,
    Outcome,
    Signal,
    Site,
    StatePatch,
    Tool,
    ToolError,
    View,
    tool,
)
from agentfsm.errors import ReplayMismatchError, UnknownOutcomeError
from tests.desk import Asking, Mail, asks, error_of, phases
from tests.sample import Bug, Diff, Fix, machine


@tool
class Sudden(Tool[str]):
    """Raises before there is anything to await."""

    def run(self, site: Site) -> NoReturn:
        raise OSError("at once")


class Special(ToolError):
    """A tool's own error."""


@tool
class Picky(Tool[str]):
    """Raises an error of its own."""

    async def run(self, site: Site) -> str:
        raise Special("it will not")


@pytest.mark.parametrize(
    ("made", "kind", "says"),
    [(Sudden(), UnknownOutcomeError, "Sudden: OSError: at once"), (Picky(), ToolError, "it will not")],
    ids=["sudden", "own"],
)
async def test_an_error_is_the_same_when_the_stage_is_entered_again(
    made: Tool[str], kind: type[ToolError], says: str
) -> None:
    """R11, R37: how a tool failed is in the log, and a stage meets on re-entry what it met at first."""
    met: list[tuple[type[BaseException], str]] = []

    async def meets(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            await ctx.call(made)
        except ToolError as error:
            met.append((type(error), error.reason))
        await ctx.call(Mail("ada"))
        return StatePatch(Diff())

    orchestrator = machine(Fix(meets), guards=[Asking("Mail")])
    run = await orchestrator.run(Bug("b"))
    assert [("intent", type(made).__name__), ("error", type(made).__name__)] == phases(run)

    await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))
    assert 2 * [(kind, says)] == met[:2]


@frozen
class Tokens:
    """An answer that is about tokens, and is no bill."""

    tokens: str


@tool(effect="pure")
class Split(Tool[Tokens]):
    """Answers in tokens."""

    async def run(self, site: Site) -> Tokens:
        return Tokens("a|b")


async def test_only_a_count_of_tokens_is_spent() -> None:
    """R17: an answer with a field of that name costs nothing, and the log reads back."""
    orchestrator = machine(Fix(asks(Split())), guards=[AllowList("*")], limits=Limits(tokens=1))
    run = await orchestrator.run(Bug("b"))

    assert Outcome.FINISHED is run.outcome
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_an_answer_that_no_longer_fits_is_a_difference() -> None:
    """R29: the log's answer is of another type than the code now asks for."""
    kinds: Iterator[type[Any]] = iter((str, int))

    async def changes(view: View[Any], ctx: Context) -> StatePatch[Any]:
        kind = next(kinds)

        async def said() -> Any:
            return kind(7)

        await ctx.ask("model", None, kind, said)
        await ctx.call(Mail("ada"))
        return StatePatch(Diff())

    orchestrator = machine(Fix(changes), guards=[Asking("Mail")])
    run = await orchestrator.run(Bug("b"))
    with pytest.raises(ReplayMismatchError, match="an answer of another type"):
        await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))


async def test_a_tools_own_validators_refuse_a_models_json() -> None:
    """A class that will not be built from what a model said is a ToolError, like any other misfit."""

    @tool
    class Even(Tool[str]):
        number: int

        def __attrs_post_init__(self) -> None:
            if self.number % 2:
                raise ValueError("odd")

    async def names(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await ctx.call_named("Even", {"number": 3})
        return StatePatch(Diff())

    run = await machine(Fix(names), guards=[AllowList("*")], tools=[Even]).run(Bug("b"))

    assert ("ToolError", "Even: odd") == error_of(run)


class Mute(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise OSError("no words")


UNTOLD: Any = 123


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (Mute(), "Mute: (its text cannot be told: OSError)"),
        (OSError("a \udc80 name"), "OSError: a \udc80 name"),
        (OSError("x" * 20_000_000), f"OSError: {'x' * 49_991}... (20000009 characters)"),
        (ToolError(UNTOLD), "123"),
    ],
    ids=["mute", "surrogate", "huge", "no text"],
)
async def test_any_error_is_an_event(error: Exception, says: str) -> None:
    """R11: whatever an error's text is, it is told, within bounds, and the log reads back."""

    async def raises(view: View[Any], ctx: Context) -> StatePatch[Any]:
        raise error

    orchestrator = machine(Fix(raises), journal=MemoryJournal())
    run = await orchestrator.run(Bug("b"))

    assert (Outcome.FAILED, says) == (run.outcome, error_of(run)[1])
    assert run.state == (await orchestrator.load(run.id)).state
