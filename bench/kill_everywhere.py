"""
Kill a process that runs a machine, at random moments, again and again until its run ends; count what that cost.

Each round runs one conversation with the world in child processes that are killed with SIGKILL and started anew. The
world outside is a file that tools add to. Afterwards the journal and the world are held against each other:

* lost: lines that a child was told were kept and that are not there, or not the same
* torn: logs that do not read back and replay
* repeated: effects that were done more often than once without a person having been asked
* different: runs whose end is not that of a run that nobody killed
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from killed_machine import RUN, Given, Said, Thought, acknowledged, child, done, machine, store_at

from agentfsm import Run, Trail
from agentfsm.errors import AgentFSMError
from tests.postgres_server import postgres_server

# Seconds: about a third of what a run takes that nobody kills.
LONGEST = {"sqlite": 0.02, "postgres": 0.15}


def killed(place: str, folder: Path, chance: random.Random, longest: float) -> int:
    """Run children until one ends by itself; return how many were killed."""
    kills = 0
    while not (folder / "ended").exists():
        process = subprocess.Popen([sys.executable, __file__, "--child", place, "--folder", str(folder)])
        try:
            process.wait(_moment(folder, chance, longest))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
        process.wait()
        if process.returncode > 0:
            raise RuntimeError(f"a child ended with {process.returncode}")
    return kills


def _moment(folder: Path, chance: random.Random, longest: float) -> float:
    """Wait until the child does something, so that it is killed at work and not while Python starts; then a while."""
    told, before = folder / "told", (folder / "told").stat().st_size if (folder / "told").exists() else 0
    ends, never = time.monotonic() + 20, threading.Event()
    while time.monotonic() < ends and not (folder / "ended").exists():
        if told.exists() and told.stat().st_size > before:
            break
        never.wait(0.0005)
    return chance.uniform(0, longest)


async def judged(place: str, folder: Path, expected: str) -> Counter[str]:
    """Hold journal, world and what was acknowledged against each other."""
    found: Counter[str] = Counter()
    store = store_at(place)
    lines = [line async for line in store.read(RUN)]
    for number, line in acknowledged(folder / "told"):
        found["acknowledged"] += 1
        if number >= len(lines) or lines[number] != line:
            print(f"{place}: line {number} of {len(lines)} was acknowledged as {line}", file=sys.stderr)
            found["lost"] += 1
    try:
        run = machine(None).read(lines)
    except AgentFSMError as error:
        print(f"{place}: {error}", file=sys.stderr)
        found["torn"] += 1
    else:
        found["different"] += expected != _end(run, folder)
    asked = {key for _, key in done(str(folder / "asked"))}
    times = Counter(each for each in done(str(folder / "world")) if each[0] != "put")
    found["repeated"] += sum(number > 1 for number in times.values())
    found["asked"] += len(asked)
    found["lines"] += len(lines)
    await store.close()
    return found


def _end(run: Run[Given | Said | Thought], folder: Path) -> str:
    """What a run came to, whatever its folder is called."""
    words = run.get(Said)
    return json.dumps([run.lifecycle.name, list(words.words) if words else []]).replace(str(folder), "")


async def uninterrupted() -> str:
    with tempfile.TemporaryDirectory() as name:
        run = await machine(None).run(Given(f"{name}/world"), Said(Trail[str]()))
        return _end(run, Path(name))


@contextmanager
def places(kind: str) -> Iterator[Iterator[str]]:
    """Give a new place for each round."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        conninfo = stack.enter_context(postgres_server()) if kind == "postgres" else ""
        numbers = iter(range(1_000_000))
        yield (f"round_{n}|{conninfo}" if conninfo else f"{folder}/{n}.db" for n in numbers)


def rounds(kind: str, count: int, chance: random.Random, longest: float) -> Counter[str]:
    found: Counter[str] = Counter()
    expected = asyncio.run(uninterrupted())
    with places(kind) as where:
        for place in (next(where) for _ in range(count)):
            with tempfile.TemporaryDirectory() as folder:
                found["kills"] += killed(place, Path(folder), chance, longest)
                found += asyncio.run(judged(place, Path(folder), expected))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200, help="runs for each journal")
    parser.add_argument("--journals", default="sqlite,postgres", help="which, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=float, help="seconds that a child works at most before it is killed")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        asyncio.run(child(given.child, given.folder))
        return
    report = {}
    for kind in given.journals.split(","):
        began = time.monotonic()
        longest = LONGEST[kind] if given.longest is None else given.longest
        found = rounds(kind, given.rounds, random.Random(given.seed), longest)
        bad = {what: found[what] for what in ("lost", "torn", "repeated", "different")}
        counts = {what: found[what] for what in ("kills", "lines", "acknowledged", "asked")}
        report[kind] = {"rounds": given.rounds, **counts, **bad}
        print(json.dumps({"journal": kind, **report[kind], "seconds": round(time.monotonic() - began, 1)}))
    sys.exit(any(each[what] for each in report.values() for what in ("lost", "torn", "repeated", "different")))


if __name__ == "__main__":
    main()
