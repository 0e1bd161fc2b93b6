"""Calls that are to be made once, began, and of which no outcome is known: asked about, never repeated silently."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from agentfsm import (
    AllowList,
    Context,
    Happened,
    MemoryJournal,
    ModelError,
    Outcome,
    Retry,
    Run,
    Signal,
    Site,
    StatePatch,
    Tool,
    ToolError,
    View,
    tool,
)
from agentfsm.errors import RunError
from tests.sample import Bug, Diff, Fix, Machine, failures, machine

DONE: list[str] = []
CALLS: list[str] = []


@pytest.fixture(autouse=True)
def _fresh() -> None:
    DONE.clear()
    CALLS.clear()


@tool(effect="once")
class Pay(Tool[str]):
    """Pays, and the first time ends as it is told to; tells afterwards what it is told to tell."""

    ends: str = "fine"
    tells: str = "nothing"

    async def run(self, site: Site) -> str:
        CALLS.append(site.key)
        first = 1 == len(CALLS)
        if self.ends != "refuses" or not first:
            DONE.append(site.key)
        if first and self.ends == "breaks":
            raise OSError("the line is cut")
        if first and self.ends == "has no model":
            raise ModelError("no answer")
        if first and self.ends == "refuses":
            raise ToolError("no funds")
        if first and self.ends == "hangs":
            await asyncio.Event().wait()
        return "paid"

    async def probe(self, site: Site) -> Happened[str] | None:
        if self.tells == "it did":
            return Happened("paid before")
        if self.tells == "it did not":
            return None
        if self.tells == "nonsense":
            return Happened(7)  # type: ignore[arg-type]  # what a wrong tool may answer
        if self.tells == "breaks":
            raise OSError("no line")
        if self.tells == "hangs":
            await asyncio.Event().wait()
        raise ToolError("cannot tell")


@tool(effect="once", timeout=0.01)
class PaySoon(Pay):
    """The same, within a moment."""


@tool(effect="idempotent")
class PayAgain(Pay):
    """The same, and paying twice is paying once."""


def paying(call: Tool[str], *, timeout: float | None = None, attempts: int = 2, **settings: Any) -> Machine:
    """A machine whose first stage pays, and is attempted again."""

    async def pays(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(await ctx.call(call)))

    retry = Retry(attempts=attempts, on=(RunError,), wait=0)
    return machine(
        Fix(pays, retry=retry, timeout=timeout, leave=lambda _: Fix.exits[1]), guards=[AllowList("*")], **settings
    )


def last(run: Run[Any]) -> tuple[Outcome | None, str]:
    return run.outcome, run.halted.reason if run.halted else ""


@pytest.mark.parametrize(
    ("call", "timeout"),
    [
        (Pay("breaks"), None),
        (Pay("has no model"), None),
        (PaySoon("hangs"), None),
        (Pay("hangs"), 0.01),
        (Pay("breaks", "nonsense"), None),
        (Pay("breaks", "breaks"), None),
        (PaySoon("breaks", "hangs"), None),
    ],
    ids=[
        "broke",
        "broke with an error that is no tool's",
        "took too long",
        "its stage took too long",
        "its probe talks nonsense",
        "its probe broke",
        "its probe took too long",
    ],
)
async def test_the_next_attempt_does_not_repeat_it(call: Tool[str], timeout: float | None) -> None:
    """R34, R37: an attempt that failed over it is followed by a question, not by a second effect."""
    run = await paying(call, timeout=timeout).run(Bug("b"))

    assert (Outcome.SUSPENDED, "unknown_outcome") == last(run)
    assert 1 == len(DONE) == len(failures(run))
    assert "result" not in {entry.phase for entry in run.log if hasattr(entry, "phase")}


async def test_a_person_decides() -> None:
    """R35: who approves has it made again, once; who rejects has it refused."""
    made = paying(Pay("breaks"), journal=MemoryJournal())
    run = await made.run(Bug("b"))
    key = run.halted.key if run.halted else ""
    again = await made.resume(await made.load(run.id), Signal("approve", key))
    done = tuple(DONE)
    DONE.clear()
    CALLS.clear()
    other = await made.run(Bug("b"))
    refused = await made.resume(other, Signal("reject", other.halted.key if other.halted else ""))

    assert (Outcome.FINISHED, Diff("paid")) == (again.outcome, again.get(Diff))
    assert 2 * (run.halted.call if run.halted else "",) == done
    assert 1 == len(DONE)
    assert Outcome.FAILED is refused.outcome


@pytest.mark.parametrize("reloaded", [False, True], ids=["in one process", "in another"])
async def test_whoever_refuses_it_says_nothing_about_what_came_of_it(reloaded: bool) -> None:
    """R34: after a person refused that it is made again, yet another attempt still does not know, and asks."""
    made = paying(Pay("breaks"), attempts=3, journal=MemoryJournal())
    run = await made.run(Bug("b"))
    refused = await made.resume(run, Signal("reject", run.halted.key if run.halted else ""))
    if reloaded:
        assert last(await made.resume(await made.load(run.id))) == last(refused)
        cut = MemoryJournal()
        lines = [line async for line in cast("MemoryJournal", made.machine.journal).read(run.id)]
        await cut.append(run.id, 0, lines[:-1])  # all but that the third attempt waits
        made = paying(Pay("breaks"), attempts=3, journal=cut)
        refused = await made.resume(await made.load(run.id))

    assert (Outcome.SUSPENDED, "unknown_outcome") == last(refused)
    assert (1, 2) == (len(DONE), len(failures(refused)))


@pytest.mark.parametrize(
    ("call", "effects", "text"),
    [
        (Pay("breaks", "it did"), 1, "paid before"),
        (Pay("breaks", "it did not"), 2, "paid"),
        (Pay("refuses"), 1, "paid"),
        (PayAgain("breaks"), 2, "paid"),
    ],
    ids=["it happened", "it did not happen", "it said that it was not done", "twice is once"],
)
async def test_where_it_is_known_nobody_is_asked(call: Tool[str], effects: int, text: str) -> None:
    """R34, R37: what happened is taken as the answer, what did not is made, with the key that it had."""
    run = await paying(call).run(Bug("b"))

    assert (Outcome.FINISHED, Diff(text)) == (run.outcome, run.get(Diff))
    assert (effects, 1) == (len(DONE), len(set(DONE)))


async def test_an_answer_to_one_call_is_none_to_the_next() -> None:
    """R35: an approval is used up when its call begins: a crash after that asks again."""
    journal = MemoryJournal()
    made = paying(Pay("breaks"), journal=journal)
    run = await made.run(Bug("b"))
    await made.resume(run, Signal("approve", run.halted.key if run.halted else ""))
    lines = [line async for line in journal.read(run.id)]
    began = max(number for number, line in enumerate(lines) if '"phase":"intent"' in line)
    cut = MemoryJournal()
    await cut.append(run.id, 0, lines[: began + 1])
    elsewhere = paying(Pay("breaks"), journal=cut)
    again = await elsewhere.resume(await elsewhere.load(run.id))

    assert (Outcome.SUSPENDED, "unknown_outcome") == last(again)


async def test_a_fork_does_not_repeat_it_either() -> None:
    """R28, R34: a fork has other keys, but what its parent does not know, it does not know."""
    made = paying(Pay("breaks"), journal=MemoryJournal())
    run = await made.run(Bug("b"))
    other = made.fork(run, run.events[-1].seq)
    asked = await made.resume(other, Signal("approve", other.halted.key if other.halted else ""))

    assert (Outcome.SUSPENDED, "unknown_outcome") == last(asked)
    assert 1 == len(DONE)


async def test_a_stage_that_goes_on_regardless_begins_afresh_next_time() -> None:
    """What was unknown in one visit says nothing about the same call in the next."""

    async def shrugs(view: View[Any], ctx: Context) -> StatePatch[Any]:
        try:
            return StatePatch(Diff(await ctx.call(Pay("breaks"))))
        except ToolError:
            return StatePatch(Diff("never mind"))

    run = await machine(Fix(shrugs), guards=[AllowList("*")]).run(Bug("b"))

    assert (Outcome.FINISHED, Diff("paid")) == (run.outcome, run.get(Diff))
