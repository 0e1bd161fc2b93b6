"""Snapshots kept, reopened and compacted, and answers that wait in an inbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentfsm import (
    Context,
    Decision,
    Iteration,
    JsonlJournal,
    MemoryJournal,
    Outcome,
    Signal,
    SqliteJournal,
    StatePatch,
    Store,
    Trail,
    UsageError,
    View,
    World,
)
from agentfsm.errors import CorruptLogError, JournalError
from agentfsm.testing import CrashingJournal, ManualClock
from tests.desk import DONE, Gate, Mail, asks
from tests.mailing import Mailing
from tests.sample import Bug, Diff, Fix, Result, Talk, Verify, machine


async def talk(view: View[Any], ctx: Context) -> StatePatch[Any]:
    said = (view.get(Talk) or Talk()).said
    return StatePatch(Diff("x"), Talk(said.add(f"message {len(said)} of a conversation that goes on and on")))


def until(number: int) -> Verify:
    async def work(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Result(view[Iteration].number >= number))

    return Verify(work)


@pytest.fixture(params=["memory", "jsonl", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    made: dict[str, Store] = {
        "memory": MemoryJournal(),
        "jsonl": JsonlJournal(tmp_path),
        "sqlite": SqliteJournal(tmp_path / "runs.db"),
    }
    return made[request.param]


async def test_a_snapshot_in_the_middle_of_a_stage_knows_what_was_answered(store: Store) -> None:
    """R34, R36: what happened before the run stood still is not done again after a snapshot, under the same keys."""
    whole, cut = Mailing(MemoryJournal()), Mailing(store)
    straight = whole.machine(whole.journal())
    expected = await whole.go_on(straight, await whole.go_on(straight, await whole.begin(straight)))
    run = await cut.begin(cut.machine(store))
    for _ in range(2):
        fresh = cut.machine(store)
        text = fresh.snapshot(run).to_json()
        run = await cut.go_on(fresh, await reread(fresh, text))
    await store.close()

    assert (Outcome.FINISHED, Outcome.FINISHED) == (expected.outcome, run.outcome)
    assert {1} == cut.outside.times("Mail") == cut.outside.times("Put")
    assert 4 == len([key for tool, key in cut.outside.done if tool == "Put"])


async def reread(fresh: Any, text: str) -> Any:
    """A run as a fresh process has it from a snapshot's text."""
    from agentfsm.keeping import from_snapshot

    return await from_snapshot(fresh.machine, fresh.restore(text))


async def test_a_run_is_reopened_from_its_newest_snapshot(store: Store) -> None:
    """The state is that of the whole log, and the run goes on from there."""
    made = machine(Fix(talk), until(20), journal=store, snapshots=10)
    run = await made.run(Bug("b"))
    kept = await store.kept(run.id)
    again = await made.reopen(run.id)

    assert kept is not None
    assert 10 <= kept.entries <= 40
    assert (await made.load(run.id)).digest == again.digest == run.digest
    assert kept.entries == again.log.end - len([e for e in again.log if e.seq >= kept.entries])
    await store.close()


@pytest.mark.parametrize("way", ["at once", "step by step", "reopened each time"])
async def test_snapshots_never_outgrow_the_log(way: str) -> None:
    """R19: a snapshot of a growing conversation is taken when the log has grown as much as the last one."""
    sizes: list[int] = []

    class Counting(MemoryJournal):
        async def keep(self, run: str, entries: int, text: str) -> None:
            sizes.append(len(text))
            await super().keep(run, entries, text)

    journal = Counting()
    made = machine(Fix(talk), until(200), journal=journal, snapshots=1)
    run = await made.run(Bug("b")) if way == "at once" else await made.step(made.begin(Bug("b")))
    while run.outcome is None:
        run = await made.step(await made.reopen(run.id) if way == "reopened each time" else run)
    (stored,) = await journal.runs()

    assert Outcome.FINISHED is run.outcome
    assert 3 < len(sizes) < 100
    assert sum(sizes) <= 2 * stored.size


async def test_a_log_grows_with_what_is_new() -> None:
    """R19: ten times the turns of a conversation are at most eleven times the bytes."""
    sizes: list[int] = []
    for turns in (20, 200):
        journal = MemoryJournal()
        await machine(Fix(talk), until(turns), journal=journal).run(Bug("b"))
        sizes += [stored.size for stored in await journal.runs()]

    assert sizes[1] <= 11 * sizes[0]


async def test_what_is_compacted_goes_on_but_has_no_past(store: Store) -> None:
    """R19: pruning is asked for; afterwards a run goes on, and says why it cannot be replayed."""
    made = machine(Fix(talk), until(4), journal=store)
    run = await made.step(await made.step(made.begin(Bug("b"))))
    dropped = await made.compact(run, keep=1)
    with pytest.raises(UsageError, match="compacted"):
        await made.load(run.id)
    reopened = await made.reopen(run.id)
    with pytest.raises(UsageError, match="goes on from a snapshot"):
        made.at(reopened, 0)
    ended = await made.resume(reopened)
    await store.close()

    assert 2 == dropped
    assert Outcome.FINISHED is ended.outcome
    assert (Talk(Trail.of(*[f"message {n} of a conversation that goes on and on" for n in range(4)]))) == ended.get(
        Talk
    )


@pytest.mark.parametrize("keep", [-1, -5])
async def test_less_than_nothing_is_kept_by_nobody(keep: int) -> None:
    """A wrong number drops nothing."""
    made = machine(journal=MemoryJournal())
    run = await made.run(Bug("b"))
    with pytest.raises(UsageError, match="at least 0"):
        await made.compact(run, keep=keep)

    assert run.digest == (await made.load(run.id)).digest


async def test_a_run_that_is_not_kept_has_no_snapshot_kept() -> None:
    """A snapshot stands for lines; without them it would stand for nothing."""
    made, elsewhere = machine(journal=MemoryJournal()), machine()
    run = await elsewhere.run(Bug("b"))

    with pytest.raises(UsageError, match="not in this journal"):
        await made.keep(run)
    with pytest.raises(UsageError, match="no store"):
        await elsewhere.keep(run)


async def test_an_answer_waits_in_the_inbox(store: Store) -> None:
    """R35: an answer sent while nobody runs is taken by whoever resumes, once; a second one changes nothing."""
    scenario = Mailing(store)
    run = await scenario.begin(scenario.machine(store))
    key = run.halted.key if run.halted else ""
    person = scenario.machine(store)
    assert await person.send(run.id, Signal("reject", key, "not today", "ann"))
    assert not await person.send(run.id, Signal("approve", key))
    worker = scenario.machine(store)
    second = await worker.resume(await worker.load(run.id))
    again = await worker.resume(second)

    assert Outcome.SUSPENDED is second.outcome is again.outcome
    assert second.halted is not None
    assert key != second.halted.key
    assert second.log.end == again.log.end  # the answer to the first question is none to the second
    assert [Signal("reject", key, "not today", "ann")] == [s for event in second.events for s in event.signals]
    assert set() == scenario.outside.times("Mail")
    await store.close()


async def test_answers_too_early_and_too_late_are_refused(store: Store) -> None:
    """R35: an answer to what a run does not ask, not yet or no longer, is refused and kept nowhere."""
    scenario = Mailing(store)
    made = scenario.machine(store)
    run = await scenario.begin(made)
    key = run.halted.key if run.halted else ""
    with pytest.raises(UsageError, match=f"it waits for {key}"):
        await made.send(run.id, Signal("approve", "0" * 32))
    ended = await scenario.go_on(made, await scenario.go_on(made, run))
    with pytest.raises(UsageError, match="waits for nothing"):
        await made.send(run.id, Signal("approve", key))

    assert Outcome.FINISHED is ended.outcome
    assert () == await store.sent(run.id)
    await store.close()


@pytest.mark.parametrize("text", ["", "{}", '["burn","k","",""]', '["approve","k"]', "[1,2,3,4]"])
async def test_an_inbox_with_something_else_in_it_is_damaged(text: str) -> None:
    """R18: what is no signal is a typed error."""
    scenario = Mailing(MemoryJournal())
    store = scenario.journal()
    run = await scenario.begin(scenario.machine(store))
    await store.send(run.id, "q", text)

    with pytest.raises(CorruptLogError, match="no signal"):
        await scenario.machine(store).resume(run)


async def test_a_kept_snapshot_of_another_run_is_not_gone_on_from(store: Store) -> None:
    """R22: a snapshot in the wrong place is refused."""
    made = machine(journal=store)
    one, other = await made.run(Bug("a")), await made.run(Bug("b"))
    await store.keep(one.id, one.log.end, made.snapshot(other).to_json())

    with pytest.raises(CorruptLogError, match="is of run-2"):
        await made.reopen(one.id)
    await store.close()


async def test_an_answer_in_the_inbox_lapses_with_its_asking(store: Store) -> None:
    """R35, R62: an answer that nobody took in time is none; the run asks anew, and takes the answer to that."""
    clock = ManualClock()
    guard = Gate(lambda call: Decision("ask", "risky", "may it?", seconds=60))
    made = machine(Fix(asks(Mail("a"))), guards=[guard], world=World(clock=clock), journal=store)
    before = DONE.count("mail a")
    run = await made.run(Bug("b"))
    key = run.halted.key if run.halted else ""
    assert await made.send(run.id, Signal("approve", key))
    clock.move(60)
    with pytest.raises(UsageError, match="it waits for nothing"):
        await made.send(run.id, Signal("approve", key))
    again = await made.resume(await made.load(run.id))

    assert (Outcome.SUSPENDED, before) == (again.outcome, DONE.count("mail a"))
    assert again.halted is not None
    assert await made.send(run.id, Signal("approve", again.halted.key))
    await made.resume(await made.load(run.id))
    assert before + 1 == DONE.count("mail a")
    await store.close()


async def test_where_no_snapshots_can_be_kept() -> None:
    """What is asked for and cannot be is refused before anything runs."""
    with pytest.raises(UsageError, match="not every -1"):
        machine(snapshots=-1)
    with pytest.raises(UsageError, match="is no store: it lacks runs, keep"):
        machine(journal=CrashingJournal(MemoryJournal()), snapshots=5)
    with pytest.raises(UsageError, match="is no store: it lacks runs, keep"):
        machine(snapshots=5).with_journal(CrashingJournal(MemoryJournal()))


class Full(MemoryJournal):
    """Has room for lines, and for no snapshot."""

    async def keep(self, run: str, entries: int, text: str) -> None:
        raise JournalError("the disk is full")


async def test_a_snapshot_that_cannot_be_kept_is_no_failure_of_a_stage() -> None:
    """The step before it stands, and the run goes on from there."""
    full = Full()
    made = machine(journal=full, snapshots=2)
    with pytest.raises(JournalError, match="the disk is full"):
        await made.run(Bug("b"))
    run = await machine(journal=full).load("run-1")

    assert ["began", "step"] == [event.kind for event in run.events]
    assert Outcome.FINISHED is (await machine(journal=full).resume(run)).outcome
