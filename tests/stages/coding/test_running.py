"""The tools under an orchestrator: decided, recorded, in conflict, and cancelled with their run."""

from __future__ import annotations

import asyncio
import os
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest

from agentfsm import (
    AllowList,
    Business,
    CallEvent,
    Context,
    FSMOrchestrator,
    Outcome,
    Stage,
    StatePatch,
    Tool,
    View,
    Workspace,
    record,
)
from agentfsm_stages.coding import LS, Bash, Edit, Glob, Grep, Read, RunTests, Write
from tests.stages.coding.site import is_gone


class Phase(Enum):
    USE, DONE, FAILED = "use", "done", "failed"


@record
class Text(Business):
    text: str = ""


def user(*tools: Tool[Any], allowed: str = "*") -> FSMOrchestrator[Text]:
    """Return a machine that calls *tools* at the same time, where *allowed* lets it."""

    class Use(Stage[Text, Text, Literal[Phase.DONE]], enters=Phase.USE):
        async def run(self, view: View[Text], ctx: Context) -> StatePatch[Text]:
            return StatePatch(Text(" ".join(type(answer).__name__ for answer in await ctx.gather(*tools))))

    return FSMOrchestrator[Text](
        [Use()], start=Phase.USE, final={Phase.DONE}, failed=Phase.FAILED, guards=[AllowList(allowed)]
    )


async def test_answers_are_kept_and_read_back(tmp_path: Path) -> None:
    """Every tool's answer can be written to the log and replays to the same digest."""
    (tmp_path / "test_a.py").write_text("def test_a():\n    assert 1\n")
    tools = (Read("test_a.py"), Grep("assert"), Glob("*"), LS(), Edit("test_a.py", "1", "2"), Write("b", "b"))
    machine = user(*tools)

    run = await machine.run(Text(), Workspace(str(tmp_path)))

    assert Text("Excerpt Matches Paths Listing Change Change") == run.get(Text), run.error
    assert machine.read(machine.lines(run)).digest == run.digest


@pytest.mark.parametrize("call", [Bash("true"), RunTests()])
async def test_what_runs_programs_is_recorded_too(call: Tool[object], tmp_path: Path) -> None:
    """The intent stands before the effect, the answer after it."""
    machine = user(call)
    run = await machine.run(Text(), Workspace(str(tmp_path)))

    assert ["intent", "result"] == [entry.phase for entry in run.log if isinstance(entry, CallEvent)]
    assert machine.read(machine.lines(run)).digest == run.digest


async def test_two_spellings_of_one_file_conflict(tmp_path: Path) -> None:
    """R47: two calls that write one file are refused before either runs, however it is spelt."""
    run = await user(Write("a.txt", "1"), Write(".//a.txt", "2")).run(Text(), Workspace(str(tmp_path)))

    assert run.error is not None
    assert ("ConflictingCallsError", "a.txt") == (run.error.kind, run.error.path)
    assert not (tmp_path / "a.txt").exists()


async def test_cancelling_a_run_kills_what_it_started(tmp_path: Path) -> None:
    """R9: nothing goes on behind a run that was cancelled."""
    os.mkfifo(tmp_path / "started")
    machine = user(Bash("sleep 1000 & echo $! > child; echo > started; wait; echo late > late"))
    running = asyncio.create_task(machine.run(Text(), Workspace(str(tmp_path))))
    await asyncio.to_thread((tmp_path / "started").read_text)

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert is_gone(tmp_path / "child")
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        (Read, "pure"),
        (Grep, "pure"),
        (Glob, "pure"),
        (LS, "pure"),
        (Write, "idempotent"),
        (RunTests, "idempotent"),
        (Edit, "once"),
        (Bash, "once"),
    ],
)
def test_effects(tool: type[Tool[object]], effect: str) -> None:
    """What doing it twice means is said by each."""
    assert effect == tool.effect


async def test_a_refused_call_touches_nothing(tmp_path: Path) -> None:
    """A guard stands before the effect."""
    run = await user(Write("a", "a"), allowed="Read").run(Text(), Workspace(str(tmp_path)))

    assert Outcome.FAILED is run.outcome
    assert not (tmp_path / "a").exists()
