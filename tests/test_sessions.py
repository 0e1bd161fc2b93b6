"""Sessions and scopes: what crosses runs, what ends with one, and what ends with an iteration or a state."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest
from attrs import field

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Iteration,
    Journal,
    JsonlJournal,
    Maybe,
    MemoryJournal,
    Metadata,
    Outcome,
    Stage,
    StatePatch,
    Trail,
    UsageError,
    View,
    record,
)
from tests.sample import Bug, Diff, Fix, Note, Phase, Verify, failures, machine, world


@record(scope="session")
class Heard(Business):
    """Grows from run to run."""

    lines: Trail[str] = field(factory=Trail[str])


@record(scope="session")
class Person(Metadata):
    name: str


@record
class Line(Business):
    text: str


@record
class Count(Business):
    number: int


Reads: TypeAlias = Line | Maybe[Heard] | Maybe[Count] | Maybe[Person]


class Listen(Stage[Reads, Heard | Count, Literal[Phase.DONE]], enters=Phase.FIX):
    """Takes a line into what was heard, and counts from nothing."""

    async def run(self, view: View[Reads], ctx: Context) -> StatePatch[Heard | Count]:
        heard, count = view.get(Heard) or Heard(), view.get(Count) or Count(0)
        await asyncio.sleep(0)
        return StatePatch(Heard(heard.lines.add(view[Line].text)), Count(count.number + 1))


def listening(journal: Journal | None) -> FSMOrchestrator[Business]:
    return FSMOrchestrator[Business](
        [Listen()], start=Phase.FIX, final={Phase.DONE}, failed=Phase.FAILED, journal=journal, world=world()
    )


@pytest.fixture(params=["memory", "jsonl"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Journal:
    return MemoryJournal() if request.param == "memory" else JsonlJournal(tmp_path)


async def test_session_records_cross_runs_and_run_records_do_not(journal: Journal) -> None:
    """R16: what is of the session is there in the next run, what is of the run begins anew; both are declared."""
    orchestrator = listening(journal)
    await orchestrator.run(Line("one"), Person("ada"), session="s")
    second = await orchestrator.run(Line("two"), session="s")

    assert (Heard(Trail[str]().add("one").add("two")), Count(1)) == (second.get(Heard), second.get(Count))
    assert Person("ada") == second.get(Person)
    assert second.state == (await orchestrator.load(second.id)).state


async def test_sessions_are_apart(journal: Journal) -> None:
    """R16: one session knows nothing of another, nor of runs without one."""
    orchestrator = listening(journal)
    await orchestrator.run(Line("one"), session="s")
    await orchestrator.run(Line("none"))
    other = await orchestrator.run(Line("two"), session="t")
    alone = await orchestrator.run(Line("three"))

    assert [Heard(Trail[str]().add("two")), Heard(Trail[str]().add("three"))] == [other.get(Heard), alone.get(Heard)]


async def test_what_is_given_replaces_what_is_carried() -> None:
    """R16: a caller may begin a session's record anew."""
    orchestrator = listening(MemoryJournal())
    await orchestrator.run(Line("one"), Person("ada"), session="s")
    run = await orchestrator.run(Line("two"), Heard(), Person("bob"), session="s")

    assert (Heard(Trail[str]().add("two")), Person("bob")) == (run.get(Heard), run.get(Person))


async def test_records_of_an_iteration_end_with_it() -> None:
    """R16: a stale diff of iteration 1 cannot be taken for one of iteration 2."""
    orchestrator = machine()
    run = orchestrator.begin(Bug("b"))
    diffs: list[Diff | None] = []
    while run.outcome is None:
        run = await orchestrator.step(run)
        diffs.append(run.get(Diff))

    # written by Fix, there in Verify, gone on entering Fix again
    assert [Diff("attempt 1"), None, Diff("attempt 2"), Diff("attempt 2")] == diffs


async def test_records_of_a_state_end_outside_it() -> None:
    """A record that lives in one lifecycle state may be written on the way in, and is retired on the way out."""

    async def notes(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(), Note("look here"))

    orchestrator = machine(Fix(notes))
    first = await orchestrator.step(orchestrator.begin(Bug("b")))
    second = await orchestrator.step(first)

    assert (Note("look here"), None) == (first.get(Note), second.get(Note))


async def test_a_record_that_does_not_live_in_the_target_is_refused() -> None:
    """Written on an edge that leads out of its states, it is a ScopeError."""

    async def notes(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Diff(), Note("look here"))

    run = await machine(Fix(notes, leave=lambda view: Phase.DONE)).run(Bug("b"))

    assert ["ScopeError"] == [event.error.kind for event in failures(run) if event.error]


async def test_the_iteration_is_the_orchestrators() -> None:
    """It is 1 on the first entry of the state that iterates and one more on each later one, never else."""
    run = await machine().run(Bug("b"))
    plain = await machine(Fix(leave=lambda view: Phase.DONE), iterates=None).run(Bug("b"))

    assert [1, 1, 2, 2, 2] == [event.after.iteration for event in run.events if event.after]
    assert Iteration(0) == plain.get(Iteration)


async def test_a_hundred_sessions_at_once() -> None:
    """R45: one orchestrator serves them all, and none sees another's facts."""
    orchestrator = listening(MemoryJournal())

    async def session(number: int) -> list[str]:
        heard: Heard | None = None
        for turn in range(3):
            run = await orchestrator.run(Line(f"{number}/{turn}"), Person(str(number)), session=f"s{number}")
            assert (Outcome.FINISHED, Person(str(number)), Count(1)) == (run.outcome, run.get(Person), run.get(Count))
            heard = run.get(Heard)
        return list(heard.lines) if heard is not None else []

    found = await asyncio.gather(*(session(number) for number in range(100)))

    assert [[f"{number}/{turn}" for turn in range(3)] for number in range(100)] == found


# One way in for each world ---------------------------------------------------------------------------------------


def test_sync_and_async_logs_are_equal() -> None:
    """R43: the door that is not async is one `asyncio.run`, and the log is equal event for event."""
    sync, other = machine(journal=MemoryJournal()), machine(journal=MemoryJournal())
    run, same = sync.run_sync(Bug("b")), asyncio.run(other.run(Bug("b")))

    assert run.events == same.events
    assert sync.lines(run) == other.lines(same)


async def test_the_wrong_door_raises_at_once() -> None:
    """R43: inside a loop, `run_sync` says what to do instead and leaves nothing behind."""
    journal = MemoryJournal()
    orchestrator = machine(Fix(), Verify(), journal=journal)
    with pytest.raises(UsageError, match=r"await run\(\.\.\.\) there"):
        orchestrator.run_sync(Bug("b"))

    assert 0 == await journal.head("run-1")
