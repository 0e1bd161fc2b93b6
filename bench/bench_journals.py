"""
Measure what keeping a run costs: appends against raw sqlite3, a step beside other frameworks' SQLite stores on the same
pragmas, resuming and replaying, and the bytes on the disk. CPU time, medians of rounds; sides take turns.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent))

import agentfsm_side
from peers.case import MESSAGE, TRANSITIONS, cpu, cpu_async

from agentfsm import JsonlJournal, MemoryJournal, SqliteJournal, Store, Trail

LINE = '{"seq":1,"kind":"step","text":"' + "x" * 300 + '"}'
APPENDS, BATCH = 1000, 10
ITERATIONS = 334  # 1002 transitions
PRAGMAS = "journal_mode=WAL synchronous=NORMAL"


def raw(path: Path) -> float:
    """Seconds an append with sqlite3 alone: one table, one INSERT, one transaction."""
    file = sqlite3.connect(path / "raw.db", isolation_level=None)
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=NORMAL")
    file.execute("CREATE TABLE entries (run INTEGER, seq INTEGER, line TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID")

    def work() -> None:
        for number in range(APPENDS):
            file.execute("BEGIN IMMEDIATE")
            file.execute("INSERT INTO entries VALUES (1, ?, ?)", (number, LINE))
            file.execute("COMMIT")

    seconds = cpu(work) / APPENDS
    file.close()
    return seconds


def appends(store: Store, batch: int) -> float:
    """Seconds a line, in batches."""

    async def work() -> None:
        for number in range(0, APPENDS, batch):
            await store.append("run", number, [LINE] * batch)

    seconds = cpu_async(work) / APPENDS
    asyncio.run(store.close())
    return seconds


def step(path: Path) -> float:
    """Seconds a transition with the SQLite journal."""
    store = SqliteJournal(path / "steps.db")
    machine = agentfsm_side.machine_of(store)
    seconds = cpu_async(lambda: machine.run(agentfsm_side.Goal(ITERATIONS))) / (ITERATIONS * TRANSITIONS)
    asyncio.run(store.close())
    return seconds


def peer(name: str, path: Path) -> float | None:
    """Seconds a transition with another framework's SQLite store, where it is installed."""
    needed = {"langgraph": "langgraph.checkpoint.sqlite", "burr": "burr.core"}[name]
    if find_spec(needed.partition(".")[0]) is None or find_spec(needed) is None:
        return None
    measure: Callable[[Path, int], float] = getattr(import_module("peers.durable"), name)
    return measure(path, ITERATIONS)


def resumed(path: Path) -> float:
    """Seconds to have a run back from its snapshot after 1002 transitions."""
    store = SqliteJournal(path / "resumed.db")
    machine = agentfsm_side.machine_of(store)

    async def prepare() -> str:
        run = await machine.run(agentfsm_side.Goal(ITERATIONS))
        await machine.keep(run)
        return run.id

    async def work() -> float:
        await machine.reopen(name)  # opens the file
        began = time.process_time()
        await machine.reopen(name)
        seconds = time.process_time() - began
        await store.close()
        return seconds

    name = asyncio.run(prepare())
    return asyncio.run(work())


def replayed(path: Path) -> float:
    """Seconds to read, fold and verify 1003 lines."""
    machine = agentfsm_side.machine_of(MemoryJournal())
    lines = machine.lines(asyncio.run(machine.run(agentfsm_side.Goal(ITERATIONS))))
    machine.read(lines)
    return cpu(lambda: machine.read(lines))


def folded(path: Path) -> float:
    """Seconds to fold and verify 1003 events."""
    machine = agentfsm_side.machine_of(None)
    run = asyncio.run(machine.run(agentfsm_side.Goal(ITERATIONS)))
    return cpu(lambda: machine.replay(run.events))


def stored(path: Path) -> tuple[int, int]:
    """Bytes of a run of 1002 transitions that adds a message each third: on the disk, and of the messages alone."""
    store = SqliteJournal(path / "grown.db")
    machine = agentfsm_side.conversing(store, ITERATIONS)
    asyncio.run(machine.run(agentfsm_side.Goal(ITERATIONS), agentfsm_side.Messages(Trail.of(MESSAGE))))
    asyncio.run(store.close())
    size = sum(each.stat().st_size for each in path.glob("grown.db*"))
    return size, ITERATIONS * (len(MESSAGE) + len("look") + len("read") + len("seen"))


ROWS: tuple[tuple[str, Callable[[Path], float | None]], ...] = (
    ("an append, raw sqlite3", raw),
    ("an append, SqliteJournal", lambda path: appends(SqliteJournal(path / "one.db"), 1)),
    ("an append in batches of 10, SqliteJournal", lambda path: appends(SqliteJournal(path / "ten.db"), BATCH)),
    ("an append, JsonlJournal", lambda path: appends(JsonlJournal(path / "lines"), 1)),
    ("an append, MemoryJournal", lambda path: appends(MemoryJournal(), 1)),
    ("a step, agentfsm with SqliteJournal", step),
    ("a step, burr with SQLitePersister", lambda path: peer("burr", path)),
    ("a step, langgraph with SqliteSaver", lambda path: peer("langgraph", path)),
    ("a run of 1002 steps back from its snapshot", resumed),
    ("1003 lines read, folded and verified", replayed),
    ("1003 events folded and verified", folded),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(f"SQLite {sqlite3.sqlite_version}, {PRAGMAS}, {given.rounds} rounds, medians of CPU time")
    found: dict[str, list[float]] = {what: [] for what, _ in ROWS}
    for number in range(given.rounds + 1):  # the first warms up
        for what, measure in ROWS:
            with tempfile.TemporaryDirectory() as name:
                seconds = measure(Path(name))
            if number and seconds is not None:
                found[what].append(seconds)
    ours = median(found["a step, agentfsm with SqliteJournal"])
    for what, times in found.items():
        middle = median(times) if times else None
        told = "not installed here" if middle is None else f"{middle * 1e6:9.1f} us"
        more = f"  ({middle / ours:.1f}x)" if middle is not None and what.startswith("a step") else ""
        print(f"{what:45} {told}{more}")
    with tempfile.TemporaryDirectory() as name:
        size, facts = stored(Path(name))
    print(f"1002 steps with {ITERATIONS} messages: {size} bytes on the disk, {size - facts} beyond the facts' own")


if __name__ == "__main__":
    main()
