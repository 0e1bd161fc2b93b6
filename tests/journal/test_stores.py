"""What each store does beyond the suite that all pass: two writers of a run, damage, places that cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentfsm import (
    ConflictError,
    JsonlJournal,
    MemoryJournal,
    Outcome,
    PostgresJournal,
    Signal,
    SqliteJournal,
    Store,
    UsageError,
    claim,
)
from agentfsm.errors import CorruptLogError, JournalError, LeaseError
from agentfsm.store import store_of
from agentfsm.testing.racing import race
from tests.mailing import Mailing


@pytest.fixture(params=["memory", "jsonl", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "postgres":
        return PostgresJournal(request.getfixturevalue("postgres"), schema=f"stores_{os.urandom(4).hex()}")
    made: dict[str, Store] = {
        "memory": MemoryJournal(),
        "jsonl": JsonlJournal(tmp_path),
        "sqlite": SqliteJournal(tmp_path / "runs.db"),
    }
    return made[request.param]


async def test_of_two_that_go_on_with_a_run_one_wins(store: Store) -> None:
    """R44: the loser gets a typed conflict, does nothing to the world and leaves no entry behind."""
    scenario = Mailing(store)
    run = await scenario.begin(scenario.machine(store))
    key = run.halted.key if run.halted else ""
    one, other = scenario.machine(store), scenario.machine(store)
    mine, its = await one.load(run.id), await other.load(run.id)
    won = await one.resume(mine, Signal("approve", key, by="ann"))
    with pytest.raises(ConflictError) as lost:
        await other.resume(its, Signal("approve", key, by="bob"))
    lines = [line async for line in store.read(run.id)]
    await store.close()

    assert (its.log.end, won.log.end) == (lost.value.expected, lost.value.found)
    assert {1} == scenario.outside.times("Mail")
    assert list(one.lines(won)) == lines


async def test_whoever_takes_a_run_over_is_alone(store: Store) -> None:
    """R44: a machine whose lease was taken over does not get as far as an effect."""
    scenario = Mailing(store)
    run = await scenario.begin(scenario.machine(store))
    key = run.halted.key if run.halted else ""
    stalled = scenario.machine(await claim(store, run.id, owner="stalled", seconds=0))
    waiting = await stalled.load(run.id)
    taker = await claim(store, run.id, owner="taker", seconds=600)
    with pytest.raises(LeaseError, match="taker holds it, not the writer with fence"):
        await stalled.resume(waiting, Signal("approve", key))
    made = scenario.machine(taker)
    done = await made.resume(await made.load(run.id), Signal("approve", key))
    await taker.release()
    await store.close()

    assert Outcome.SUSPENDED is done.outcome  # before the second mail
    assert {1} == scenario.outside.times("Mail")


def test_one_step_of_two_processes_has_one_winner(tmp_path: Path) -> None:
    """R44: two real processes that write as fast as they can lose and double nothing."""
    path = tmp_path / "runs.db"
    counts = race(partial(SqliteJournal, path), writers=2, lines=100)
    file = sqlite3.connect(path)
    lines = [line for (line,) in file.execute("SELECT line FROM entries ORDER BY seq")]
    file.close()

    assert sum(counts) == len(lines) == len(set(lines)) >= 100


async def test_only_what_keeps_more_than_lines_is_a_store() -> None:
    """What a journal lacks is named."""

    class Lines:
        async def head(self, run: str) -> int:
            return 0

    lines: Any = Lines()
    with pytest.raises(UsageError, match="Lines is no store: it lacks runs, keep"):
        store_of(lines)
    leased = await claim(MemoryJournal(), "a", owner="me", seconds=1)

    assert leased.store is store_of(leased)
    assert (0, None) == (await leased.head("a"), await leased.latest("s"))


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda folder: folder / "nowhere" / "runs.db", "is no folder"),
        (lambda folder: _database(folder, "CREATE TABLE runs (a)"), "a database of something else"),
        (lambda folder: _database(folder, None), "schema 7; this version of agentfsm reads 1"),
        (lambda folder: _file(folder / "runs.db", b"no database at all, whatever it is" * 100), "not a database"),
    ],
    ids=["no folder", "other tables", "other version", "no database"],
)
def test_a_file_that_is_no_journal_is_refused(made: Any, says: str, tmp_path: Path) -> None:
    """R20: it is named, and not written to."""
    path = made(tmp_path)
    before = path.read_bytes() if path.exists() else b""
    with pytest.raises(JournalError, match=says):
        asyncio.run(SqliteJournal(path).append("a", 0, ["0"]))

    assert before == (path.read_bytes() if path.exists() else b"")


def _database(folder: Path, statement: str | None) -> Path:
    path = folder / "runs.db"
    if statement is None:
        asyncio.run(_begun(path))
    file = sqlite3.connect(path)
    file.execute(statement or "PRAGMA user_version = 7")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    return path


async def _begun(path: Path) -> None:
    store = SqliteJournal(path)
    await store.append("a", 0, ["0"])
    await store.close()


def _file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_writer_waits_for_another_and_then_gives_up(tmp_path: Path) -> None:
    """A file that stays locked is a typed error, after the patience that was asked for."""

    async def scenario() -> None:
        path = tmp_path / "runs.db"
        await _begun(path)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store = SqliteJournal(path, patience=0.01)
        with pytest.raises(JournalError, match="locked"):
            await store.append("a", 1, ["1"])
        patient = SqliteJournal(path)
        waiting = asyncio.ensure_future(patient.append("a", 1, ["1"]))
        await asyncio.sleep(0)
        other.execute("COMMIT")
        other.close()
        await waiting
        assert 2 == await store.head("a")
        await store.close()
        await patient.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(("synchronous", "level"), [("normal", 1), ("full", 2)])
async def test_durability_is_what_was_asked_for(synchronous: Any, level: int, tmp_path: Path) -> None:
    """The pragmas are set on the connection that writes."""
    store = SqliteJournal(tmp_path / "runs.db", synchronous=synchronous)
    await store.head("a")

    assert ("wal", level) == tuple(
        store._opened().execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    )
    await store.close()
    with pytest.raises(UsageError, match="'normal' or 'full'"):
        SqliteJournal(tmp_path / "runs.db", synchronous="off")  # type: ignore[arg-type]  # as untyped code may


async def test_a_torn_line_was_never_acknowledged(tmp_path: Path) -> None:
    """A last line without its end is read as if absent, and cut off by whoever adds the next."""
    store = JsonlJournal(tmp_path, sync=True)
    await store.append("a", 0, ["0", "1"])
    with (tmp_path / "a.jsonl").open("ab") as file:
        file.write(b'{"torn')
    again = JsonlJournal(tmp_path)

    assert ["0", "1"] == [line async for line in again.read("a")]
    await again.append("a", 2, ["2"])
    assert b"0\n1\n2\n" == (tmp_path / "a.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("file", "content", "ask"),
    [
        ("a.jsonl", b"\xff\n", lambda store: store.head("a")),
        ("a.jsonl", b'{"compacted":x}\n', lambda store: store.head("a")),
        ("a.snapshot", b"x\ntext\n", lambda store: store.kept("a")),
        ("a.signals", b"[1]\n", lambda store: store.sent("a")),
        ("runs.index", b"nothing\n", lambda store: store.runs()),
    ],
)
async def test_damaged_files_are_typed_errors(file: str, content: bytes, ask: Any, tmp_path: Path) -> None:
    """R18: what is no line, number or pair is damage, with the file named."""
    (tmp_path / file).write_bytes(content)

    with pytest.raises(CorruptLogError, match=file):
        await ask(JsonlJournal(tmp_path))


@pytest.mark.parametrize("run", ["", "x" * 300, "ä" * 60])
async def test_a_run_that_names_no_file_is_refused(run: str, tmp_path: Path) -> None:
    """A name without letters, or longer than files may be called, writes nothing."""
    with pytest.raises(UsageError, match="names no file"):
        await JsonlJournal(tmp_path).append(run, 0, ["0"])

    assert () == await JsonlJournal(tmp_path).runs()


async def test_a_server_that_is_not_there_is_a_typed_error(postgres: str) -> None:
    """Neither a place without a server nor a schema of another version is written to."""
    with pytest.raises(JournalError, match="postgres: "):
        await PostgresJournal("host=/nowhere user=nobody").head("a")
    with pytest.raises(UsageError, match="no name for a schema"):
        PostgresJournal(postgres, schema="x; DROP TABLE runs")
    store = PostgresJournal(postgres, schema="older")
    await store.head("a")
    await store._rows("UPDATE format SET version = 7 RETURNING 1")
    await store.close()
    with pytest.raises(JournalError, match="version 7"):
        await store.head("a")


async def test_being_cancelled_leaves_no_step_in_the_air(postgres: str) -> None:
    """R44: whoever asks after a cancelled step sees it whole or not at all, and can go on."""
    store = PostgresJournal(postgres, schema="cancelled")
    await store.append("a", 0, ["0"])
    for number in range(1, 20):
        task = asyncio.ensure_future(store.append("a", number, [str(number)]))
        for _ in range(number % 5):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if await store.head("a") == number:
            await store.append("a", number, [str(number)])
    lines = [line async for line in store.read("a")]
    await store.close()

    assert [str(number) for number in range(20)] == lines
