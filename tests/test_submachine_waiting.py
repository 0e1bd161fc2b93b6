"""Sub-machines that wait, are cancelled or forked: their parents with them, and nothing done twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentfsm import (
    AllowList,
    Context,
    FSMOrchestrator,
    Journal,
    JsonlJournal,
    Limits,
    MemoryJournal,
    Outcome,
    Signal,
    StatePatch,
    View,
)
from agentfsm.errors import ReplayMismatchError
from tests.desk import DONE, Asking, Gate, Mail, error_of
from tests.nested import (
    Order,
    Piece,
    Work,
    outcome,
    part,
    whole,
)


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


def mails() -> list[str]:
    """The mails that went out."""
    return [text for text in DONE if text.startswith("mail")]


def asking() -> FSMOrchestrator[Order | Piece]:
    """An inner machine that mails a, and asks about b and c."""

    async def works(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        return StatePatch(Piece(" ".join([await ctx.call(Mail(name)) for name in "abc"])))

    gate = Asking("Mail")
    return part(
        Work(works),
        guards=[Gate(lambda call: gate.says(call) if call.arguments["to"] != "a" else None), AllowList("*")],
    )


@pytest.mark.parametrize("kind", ["same process", "memory", "files"])
async def test_what_a_child_asks_its_parent_waits_for(kind: str, tmp_path: Path) -> None:
    """R34, R35, R48: the answer goes through the parent, in a fresh process too; nothing in either is done twice."""
    journals: dict[str, Journal] = {"memory": MemoryJournal(), "files": JsonlJournal(tmp_path)}
    journal = journals.get(kind)
    orchestrator = whole(asking(), journal=journal)
    run = await orchestrator.run(Order("chair"))
    for sent in (["a"], ["a", "b"]):
        assert (Outcome.SUSPENDED, [f"mail {name}" for name in sent]) == (run.outcome, mails())
        assert run.halted == run.children["run-1/Build@1.1"].halted
        if journal is not None:
            orchestrator = whole(asking(), journal=journal)
            loaded = await orchestrator.load("run-1")
            assert (loaded.state, {}) == (run.state, loaded.children)
            run = loaded
        run = await orchestrator.resume(run, Signal("approve", run.halted.key if run.halted else ""))

    assert ((Outcome.FINISHED, "sent to a sent to b sent to c", "finished"), 3) == (outcome(run), len(mails()))
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_without_an_answer_parent_and_child_keep_waiting() -> None:
    """R35: resuming without an answer changes neither log."""
    orchestrator = whole(asking())
    run = await orchestrator.run(Order("chair"))
    again = await orchestrator.resume(run)

    assert (run.log, run.children["run-1/Build@1.1"].log) == (again.log, again.children["run-1/Build@1.1"].log)


async def test_a_rejected_call_of_a_child_is_its_failure() -> None:
    """R61: the child is told, fails, and its parent goes by that."""
    orchestrator = whole(asking())
    run = await orchestrator.run(Order("chair"))
    run = await orchestrator.resume(run, Signal("reject", run.halted.key if run.halted else "", "too dear"))

    assert ((Outcome.FINISHED, "", "failed"), ["mail a"]) == (outcome(run), mails())
    assert "Mail refused (rejected): too dear" == error_of(run.children["run-1/Build@1.1"])[1]


async def test_a_child_that_is_not_there_any_more_is_not_begun_again() -> None:
    """R34: without its child's log a parent that waits cannot go on, for what the child did would be done again."""
    orchestrator = whole(asking())
    run = await orchestrator.run(Order("chair"))
    alone = orchestrator.read(orchestrator.lines(run))
    with pytest.raises(ReplayMismatchError, match="no such run; resume where its journal is"):
        await orchestrator.resume(alone, Signal("approve", run.halted.key if run.halted else ""))

    assert ["mail a"] == mails()


async def test_a_fork_of_a_parent_takes_its_child_along() -> None:
    """R28: both branches go on from what the child did before, each with a child of its own."""
    journal = MemoryJournal()
    child = asking()
    orchestrator = whole(child, journal=journal)
    run = await orchestrator.run(Order("chair"))
    branch = orchestrator.fork(run, run.events[-1].seq)
    for waiting in (branch, run):
        while waiting.halted is not None:
            waiting = await orchestrator.resume(waiting, Signal("approve", waiting.halted.key))  # noqa: PLW2901  it goes on
        assert (Outcome.FINISHED, "sent to a sent to b sent to c", "finished") == outcome(waiting)

    assert {"mail a": 1, "mail b": 2, "mail c": 2} == {text: mails().count(text) for text in mails()}
    reading = child.with_journal(journal)
    kept = [await reading.load(f"{name}/Build@1.1") for name in ("run-1", "run-2")]
    assert [None, "run-1/Build@1.1"] == [
        each.events[0].header.forked[0] if each.events[0].header and each.events[0].header.forked else None
        for each in kept
    ]


async def test_cancelling_a_parent_cancels_its_child() -> None:
    """R42: each of the two logs ends once."""
    began = asyncio.Event()

    async def hangs(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        began.set()
        await asyncio.Event().wait()
        return StatePatch(Piece("never"))

    journal, child = MemoryJournal(), part(Work(hangs))
    task = asyncio.create_task(whole(child, journal=journal).run(Order("chair")))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    outer = await whole(child, journal=journal).load("run-1")
    inner = await child.with_journal(journal).load("run-1/Build@1.1")
    assert [Outcome.CANCELLED, Outcome.CANCELLED] == [outer.outcome, inner.outcome]
    assert [1, 1] == [sum(event.kind == "halted" for event in each.events) for each in (outer, inner)]


async def test_a_stage_timeout_is_for_the_whole_child() -> None:
    """A child that takes too long is cut off, and its parent has failed."""

    async def hangs(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        await asyncio.Event().wait()
        return StatePatch(Piece("never"))

    run = await whole(part(Work(hangs)), {"timeout": 0.001}).run(Order("chair"))

    assert (Outcome.FAILED, "StageTimeoutError") == (run.outcome, error_of(run)[0])
    assert Outcome.CANCELLED is run.children["run-1/Build@1.1"].outcome


async def test_a_paused_child_pauses_its_parent() -> None:
    """A child that stands still is gone on with when its parent is."""
    child = part(Work(least=99), limits=Limits(stages=5))

    async def adds(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        child.pause(ctx.run_id)
        piece = view.get(Piece)
        return StatePatch(Piece(f"{piece.text if piece else ''}x"))

    child = part(Work(adds, least=3))
    orchestrator = whole(child)
    run = await orchestrator.run(Order("chair"))
    for text in ("x", "xx"):
        assert (Outcome.SUSPENDED, Piece(text)) == (run.outcome, run.children["run-1/Build@1.1"].get(Piece))
        run = await orchestrator.resume(run)

    assert (Outcome.FINISHED, "xxx", "finished") == outcome(run)
