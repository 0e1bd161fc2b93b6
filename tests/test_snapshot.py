"""Snapshots: a verified cache of a log, refused in the middle of a step and where it is damaged or another's."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from agentfsm import (
    AgentFSMError,
    Business,
    Context,
    Iteration,
    Limits,
    MemoryJournal,
    Outcome,
    Retry,
    StatePatch,
    View,
)
from agentfsm.errors import BusyError, CorruptSnapshotError, IdentityError
from agentfsm.snapshot import Snapshot
from tests.sample import Again, Bug, Diff, Fix, Phase, Secret, Talk, machine, mend


async def talks(view: View[Any], ctx: Context) -> StatePatch[Any]:
    talk = view.get(Talk) or Talk()
    return StatePatch(Diff(f"attempt {view[Iteration].number}"), Talk(talk.said.add(f"said {len(talk.said)}")))


async def test_a_snapshot_says_which_machine_and_run_it_is_of() -> None:
    """R22: machine, version, structural hash, place in the log and digest are in it."""
    orchestrator = machine(name="repair", version="7")
    run = await orchestrator.run(Bug("b"))
    snapshot = orchestrator.snapshot(run)
    text = snapshot.to_json()

    assert ("repair", "7", orchestrator.table.hash, run.id, 5) == (
        snapshot.machine,
        snapshot.version,
        snapshot.hash,
        snapshot.run,
        snapshot.entries,
    )
    assert f'"digest":"{run.digest.hex()}"' in text
    assert run.state == orchestrator.restore(text).state


async def test_a_snapshot_of_another_machine_is_refused() -> None:
    """R21, R22: and what it lacks is named."""
    text = machine(recovery=Again()).snapshot(await machine(recovery=Again()).run(Bug("b"))).to_json()
    with pytest.raises(IdentityError, match="the snapshot is of machine 1"):
        machine().restore(text)

    text = machine().snapshot(await machine().run(Bug("b"), Secret("x"))).to_json()
    with pytest.raises(IdentityError, match="machine machine has no record secret"):
        machine(records=[]).restore(text)


@pytest.mark.parametrize("place", [0, 1, 50, 100, 200, -60, -40, -2, -1])
async def test_a_damaged_snapshot_is_refused(place: int) -> None:
    """R18: one letter that is another is enough."""
    orchestrator = machine(Fix(talks))
    text = orchestrator.snapshot(await orchestrator.run(Bug("b"))).to_json()
    at = place % len(text)
    damaged = text[:at] + ("x" if text[at] != "x" else "y") + text[at + 1 :]

    with pytest.raises((CorruptSnapshotError, IdentityError)):
        orchestrator.restore(damaged)
    with pytest.raises(CorruptSnapshotError):
        orchestrator.restore(text[:at])


async def test_going_on_from_a_snapshot_is_going_on() -> None:
    """R25: a fresh process with the text alone ends where the run would have."""
    limits = Limits(stages=2)
    orchestrator, other = machine(Fix(talks), limits=limits), machine(Fix(talks), limits=limits)
    run = await orchestrator.run(Bug("b"))
    text = orchestrator.snapshot(run).to_json()
    gone_on = await other.resume(other.restore(text), Limits())
    whole = await orchestrator.resume(run, Limits())

    assert whole.state.layer_digest(Business) == gone_on.state.layer_digest(Business)
    assert (Outcome.FINISHED, whole.get(Iteration)) == (gone_on.outcome, gone_on.get(Iteration))
    assert [event.seq for event in whole.events[3:]] == [event.seq for event in gone_on.events]


async def test_a_snapshot_of_a_run_between_attempts() -> None:
    """R24: the attempt that is due is in it."""
    fix = Fix(ensure=lambda view: None if view[Diff].text == "again" else "no good", retry=Retry(attempts=2))
    orchestrator = machine(fix)
    run = await orchestrator.step(orchestrator.begin(Bug("b")))

    assert 2 == orchestrator.restore(orchestrator.snapshot(run).to_json()).attempt


async def test_no_snapshot_in_the_middle_of_a_step() -> None:
    """R23: a snapshot that is asked for inside a stage, an `ensure` or a `next` is refused."""
    refused: list[str] = []

    def ask(where: str) -> None:
        with pytest.raises(BusyError, match="in the middle of a step; take the snapshot after it"):
            orchestrator.snapshot(begun)
        refused.append(where)

    async def work(view: View[Any], ctx: Context) -> StatePatch[Any]:
        ask("run")
        return await mend(view, ctx)

    def leave(view: View[Any]) -> Phase:
        ask("next")
        return Phase.VERIFY

    def check(view: View[Any]) -> None:
        ask("check")

    def ensure(view: View[Any]) -> None:
        ask("ensure")

    fix = Fix(work, check=check, ensure=ensure, leave=leave)
    orchestrator = machine(fix)
    begun = orchestrator.begin(Bug("b"))
    run = await orchestrator.step(begun)

    assert ["check", "run", "ensure", "next"] == refused
    assert run.state == orchestrator.restore(orchestrator.snapshot(run).to_json()).state


async def test_a_thousand_instants_give_no_torn_snapshot() -> None:
    """R23: whenever a snapshot is taken from outside, it is refused, or it goes on to the same end."""
    chance, taken = random.Random(7), 0

    async def lingers(view: View[Any], ctx: Context) -> StatePatch[Any]:
        for _ in range(3):
            await asyncio.sleep(0)
        return await talks(view, ctx)

    orchestrator = machine(Fix(lingers))
    end = (await orchestrator.run(Bug("b"))).state
    while taken < 1000:
        run = orchestrator.begin(Bug("b"))
        while run.outcome is None and taken < 1000:
            step = asyncio.ensure_future(orchestrator.step(run))
            for _ in range(chance.randrange(6)):
                await asyncio.sleep(0)
            taken += 1
            try:
                snapshot: Snapshot[Any] | None = orchestrator.snapshot(run)
            except BusyError:
                snapshot = None
            run = await step
            if snapshot is not None and taken % 25 == 0:
                restored = orchestrator.restore(snapshot.to_json())
                assert end == (await machine(Fix(lingers)).resume(restored)).state


def untyped(value: object) -> Any:
    return value


async def test_what_was_restored_does_not_reach_the_store() -> None:
    """R2, R3: nothing that can be reached from a run, a snapshot or the input can be changed."""
    lines = {"a": 1}
    given = Bug("b", lines)
    orchestrator = machine(Fix(talks), journal=MemoryJournal())
    run = await orchestrator.run(given)
    texts = orchestrator.lines(run)
    lines["a"] = 2
    restored = orchestrator.restore(orchestrator.snapshot(run).to_json())
    attempts: list[Any] = [
        lambda: setattr(restored.state, "lifecycle", Phase.FIX),
        lambda: restored.state.records.update({}),  # type: ignore[attr-defined]  # there is no such thing
        lambda: setattr(restored, "entries", 0),
        lambda: setattr(restored.state.get(Bug), "report", "x"),
        lambda: untyped(restored.state.get(Bug)).lines.update(b=1),
        lambda: setattr(run.events[1], "iteration", 9),
        lambda: untyped(run.events[1].patch).pop(Diff),
        lambda: setattr(run, "state", run.state),
        lambda: untyped(run.log).append(run.log[0]),
    ]
    for attempt in attempts:
        with pytest.raises((AgentFSMError, AttributeError)):
            attempt()

    assert (texts, Bug("b", {"a": 1})) == (orchestrator.lines(run), run.get(Bug))
    assert texts == orchestrator.lines(await orchestrator.load(run.id))
