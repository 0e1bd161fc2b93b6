"""Snapshots restored: what they still know, what is refused by name, and that any process goes on from one."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Iteration,
    MemoryJournal,
    Outcome,
    Retry,
    Run,
    SqliteJournal,
    Stage,
    StatePatch,
    View,
    record,
)
from agentfsm.errors import CorruptSnapshotError, IdentityError, StageError
from agentfsm.snapshot import _check
from tests.mailing import Mailing
from tests.sample import Bug, Diff, Fix, Machine, Result, Verify, machine

PLACE = Path(__file__).parent / "formats"


async def interrupted(made: Machine, steps: int) -> Run[Any]:
    """A run after so many stages."""
    run = made.begin(Bug("b"))
    for _ in range(steps):
        run = await made.step(run)
    return run


@pytest.mark.parametrize(
    ("changes", "kind", "says"),
    [
        ({"hash": "0" * 32}, IdentityError, "the snapshot is of machine 1"),
        ({"format": 2}, IdentityError, "no snapshot of a format"),
        ({"digest": "0" * 32}, CorruptSnapshotError, "do not have the digest"),
        ({"lifecycle": "MENDING"}, IdentityError, "machine machine has no state MENDING"),
        ({"attempt": True}, CorruptSnapshotError, "True is no number of attempt"),
        ({"entries": -1}, CorruptSnapshotError, "-1 is no number of entries"),
        ({"chain": "xy"}, CorruptSnapshotError, "is no chain"),
        ({"tail": [1]}, CorruptSnapshotError, "found a JSON integer"),
        ({"tail": {}}, CorruptSnapshotError, "expected an array"),
        ({"tail": ["{}"]}, CorruptSnapshotError, "is torn"),
        ({"tail": ["", ""]}, CorruptSnapshotError, "a tail of 2 is no part of 2 entries"),
        ({"records": {"burr": {}}}, IdentityError, "has no record burr"),
    ],
)
async def test_what_does_not_belong_here_is_refused(changes: dict[str, Any], kind: type[Exception], says: str) -> None:
    """R21, R22: a state or a record that the machine lacks is named with the machine; another identity is refused."""
    made = machine()
    text = made.snapshot(await interrupted(made, 1)).to_json()
    body = json.dumps({**json.loads(text.rpartition(',"check":"')[0] + "}"), **changes}, separators=(",", ":"))

    with pytest.raises(kind, match=says):
        made.restore(f'{body[:-1]},"check":"{_check(body)}"}}')


async def test_two_round_trips_change_nothing() -> None:
    """R21, R24: what is pending, answered and said is there after any number of round trips."""
    scenario = Mailing(MemoryJournal())
    made = scenario.machine(scenario.journal())
    run = await scenario.begin(made)
    text = made.snapshot(run).to_json()
    again = made.restore(made.restore(text).to_json())

    assert text == again.to_json()
    assert 3 == len(again.tail)  # intent, result, and that it waits
    assert run.state == again.state


async def test_why_attempts_failed_is_kept() -> None:
    """R24: a run between two attempts knows after a snapshot which one is due and why the others failed."""
    told: list[tuple[int, tuple[str, ...]]] = []

    async def fails_twice(view: View[Any], ctx: Context) -> StatePatch[Any]:
        told.append((ctx.attempt, ctx.feedback))
        if ctx.attempt < 3:
            raise StageError(f"no {ctx.attempt}")
        return StatePatch(Diff("x"))

    made = machine(Fix(fails_twice, retry=Retry(attempts=3, on=(StageError,), wait=0)))
    run = await interrupted(made, 1)
    run = await made.resume(made.restore(made.snapshot(run).to_json()))

    assert [(1, ()), (2, ("no 1",)), (3, ("no 1", "no 2"))] == told[:3]


def go_on(path: str, text: str) -> tuple[str, str]:
    """What another process makes of a snapshot: with an event loop of its own, and the journal's file."""

    async def work() -> tuple[str, str]:
        store = SqliteJournal(path)
        made = machine(journal=store)
        run = await made.resume(made.restore(text))
        await store.close()
        return run.lifecycle.name, run.digest.hex()

    return asyncio.run(work())


async def test_a_process_hands_over_to_another(tmp_path: Path) -> None:
    """R25: a process that was spawned, not forked, goes on from the text alone, over the same file."""
    expected = await machine().run(Bug("b"))
    store = SqliteJournal(tmp_path / "runs.db")
    made = machine(journal=store)
    run = await interrupted(made, 1)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(go_on, str(tmp_path / "runs.db"), made.snapshot(run).to_json()).result()
    await store.close()

    assert ("DONE", expected.digest.hex()) == found


async def test_a_hundred_runs_at_once_do_not_touch(tmp_path: Path) -> None:
    """R45: one orchestrator serves any number of sessions at once; none sees anything of another."""

    async def own(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await asyncio.sleep(0)
        return StatePatch(Diff(view[Bug].report))

    async def same(view: View[Any], ctx: Context) -> StatePatch[Any]:
        await asyncio.sleep(0)
        return StatePatch(Result(view[Iteration].number > 2))

    store = SqliteJournal(tmp_path / "runs.db")
    made = machine(Fix(own), Verify(same), journal=store)
    runs = await asyncio.gather(*(made.run(Bug(f"bug {n}"), session=f"session {n}") for n in range(100)))
    latest = [await store.latest(f"session {n}") for n in range(100)]
    kept = [(await made.load(run.id)).digest for run in runs]
    await store.close()

    assert 100 == len({run.id for run in runs})
    assert [Diff(f"bug {n}") for n in range(100)] == [run.get(Diff) for run in runs]
    assert [run.id for run in runs] == latest
    assert [run.digest for run in runs] == kept
    assert {Outcome.FINISHED} == {run.outcome for run in runs}


class Old(Enum):
    FIRST, DONE, FAILED = "first", "done", "failed"


@record
class Noted(Business):
    text: str
    count: int


class First(Stage[Noted, Noted, Literal[Old.FIRST, Old.DONE]], enters=Old.FIRST):
    """The one stage of the machine that the kept logs are of. It must not change."""

    async def run(self, view: View[Noted], ctx: Context) -> StatePatch[Noted]:
        return StatePatch(Noted(view[Noted].text + "!", view[Noted].count + 1 + ctx.now() * 0))

    def next(self, view: View[Noted]) -> Literal[Old.FIRST, Old.DONE]:
        return Old.DONE if view[Noted].count >= 3 else Old.FIRST


def old(**settings: Any) -> FSMOrchestrator[Noted]:
    return FSMOrchestrator[Noted](
        [First()], start=Old.FIRST, iterates=Old.FIRST, final={Old.DONE}, failed=Old.FAILED, name="old", **settings
    )


@pytest.mark.parametrize("folder", sorted(PLACE.iterdir()), ids=lambda folder: f"format {folder.name}")
def test_a_log_of_every_format_loads(folder: Path) -> None:
    """R20: a log and a snapshot of each format that was ever released stay here, and load."""
    lines = (folder / "run.jsonl").read_text().splitlines()
    run = old().read(lines)
    snapshot = old().restore((folder / "snapshot.json").read_text())

    assert (Outcome.FINISHED, Noted("hello!!!", 3)) == (run.outcome, run.get(Noted))
    assert Noted("hello!", 1) == snapshot.state.get(Noted)


async def test_a_format_of_tomorrow_is_named() -> None:
    """R20: what only a later version can read is refused, and the message says which formats this one reads."""
    made = old()
    first, *_ = made.lines(await made.run(Noted("hello", 0)))
    with pytest.raises(IdentityError, match="format 2 cannot be read; this version reads 1"):
        made.read(rechained(first.replace('"format":1', '"format":2')))


def rechained(line: str) -> list[str]:
    from agentfsm.entries import chained

    return [chained(b"", line.rpartition(',"chain"')[0] + "}")[0]]
