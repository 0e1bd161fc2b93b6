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
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.postgres_server import postgres_server

from agentfsm import (
    AllowList,
    Business,
    Context,
    FSMOrchestrator,
    Happened,
    Iteration,
    Journal,
    Outcome,
    PostgresJournal,
    Run,
    Signal,
    Site,
    SqliteJournal,
    Stage,
    StatePatch,
    Store,
    Tool,
    ToolRefusedError,
    Trail,
    View,
    World,
    claim,
    record,
    tool,
)
from agentfsm.errors import LeaseError
from agentfsm.testing import ManualClock

ITERATIONS = 40
RUN = "run"


class Phase(Enum):
    THINK, ACT, DONE, FAILED = "think", "act", "done", "failed"


@record
class Given(Business):
    world: str


@record
class Said(Business):
    words: Trail[str]


@record(scope="iteration")
class Thought(Business):
    text: str


@tool(effect="idempotent")
class Put(Tool[str]):
    world: str
    text: str

    async def run(self, site: Site) -> str:
        did(self.world, "put", site.key)
        return self.text


@tool(effect="once")
class Send(Tool[str]):
    world: str
    text: str

    async def run(self, site: Site) -> str:
        did(self.world, "send", site.key)
        return f"sent {self.text}"

    async def probe(self, site: Site) -> Happened[str] | None:
        return Happened(f"sent {self.text}") if site.key in {key for _, key in done(self.world)} else None


@tool(effect="once")
class Shout(Tool[str]):
    """Like Send, but nobody can tell whether it was heard."""

    world: str

    async def run(self, site: Site) -> str:
        did(self.world, "shout", site.key)
        return "shouted"


def did(world: str, what: str, key: str) -> None:
    with Path(world).open("ab", buffering=0) as file:
        file.write(f"{what} {key}\n".encode())


def done(world: str) -> list[tuple[str, str]]:
    path = Path(world)
    lines = path.read_text().splitlines() if path.exists() else []
    return [(what, key) for what, _, key in (line.partition(" ") for line in lines)]


class Think(Stage[Given | Iteration | Said, Thought | Said, Literal[Phase.ACT]], enters=Phase.THINK):
    """Ask for two effects at the same time, and say so."""

    async def run(self, view: View[Given | Iteration | Said], ctx: Context) -> StatePatch[Thought | Said]:
        number, world = view[Iteration].number, view[Given].world
        answers = await ctx.gather(Put(world, f"put {number}"), Send(world, f"letter {number}"))
        said = Said(view[Said].words.add(f"{number}: {'; '.join(answers)}"))
        return StatePatch(Thought(f"thought {number}")) | StatePatch(said)


class Act(Stage[Given | Thought | Said | Iteration, Said, Literal[Phase.THINK, Phase.DONE]], enters=Phase.ACT):
    """Shout once in a while."""

    async def run(self, view: View[Given | Thought | Said | Iteration], ctx: Context) -> StatePatch[Said]:
        heard = "nothing"
        if view[Iteration].number % 4 == 0:
            try:
                heard = await ctx.call(Shout(view[Given].world))
            except ToolRefusedError:  # a person was asked whether to shout again, and had heard it
                heard = "shouted"
        return StatePatch(Said(view[Said].words.add(f"{view[Thought].text}: {heard}")))

    def next(self, view: View[Iteration]) -> Literal[Phase.THINK, Phase.DONE]:
        return Phase.THINK if view[Iteration].number < ITERATIONS else Phase.DONE


def machine(journal: Journal | None) -> FSMOrchestrator[Given | Said | Thought]:
    return FSMOrchestrator[Given | Said | Thought](
        [Think(), Act()],
        start=Phase.THINK,
        iterates=Phase.THINK,
        final={Phase.DONE},
        failed=Phase.FAILED,
        guards=[AllowList("Put", "Send", "Shout")],
        journal=journal,
        world=World(clock=ManualClock(step=1000), new_id=lambda: RUN),
        name="killed",
        snapshots=10,
    )


class Telling:
    """A store that writes down what it acknowledged, beyond the reach of whoever kills this process."""

    def __init__(self, store: Store, told: Path) -> None:
        self._store, self._told = store, told
        self.keep, self.kept, self.sent, self.send = store.keep, store.kept, store.sent, store.send
        self.runs, self.lease, self.release, self.close = store.runs, store.lease, store.release, store.close
        self.compact, self.latest, self.head = store.compact, store.latest, store.head

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        await self._store.append(run, expected, lines, session=session, fence=fence)
        with self._told.open("ab", buffering=0) as file:
            file.write("".join(f"{expected + place}\t{line}\n" for place, line in enumerate(lines)).encode())

    def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        return self._store.read(run, start)


def store_at(place: str) -> Store:
    return PostgresJournal(place.partition("|")[2], schema=place.partition("|")[0]) if "|" in place else SqliteJournal(place)


async def child(place: str, folder: Path) -> None:
    """Go on with the run from wherever it is, and answer as a person would who can look at the world."""
    store = Telling(store_at(place), folder / "told")
    leased = None
    while leased is None:
        try:
            leased = await claim(store, RUN, owner=str(os.getpid()), seconds=0.05)
        except LeaseError:
            await asyncio.sleep(0.01)  # the one that was killed holds it for a moment yet
    made = machine(leased)
    if await store.head(RUN):
        run = await made.reopen(RUN)
        run = await made.resume(run) if run.outcome is None else run
    else:
        run = await made.run(Given(str(folder / "world")), Said(Trail[str]()))
    while run.outcome is Outcome.SUSPENDED and run.halted is not None:
        did(str(folder / "asked"), "asked", run.halted.key)
        heard = run.halted.key in {key for _, key in done(str(folder / "world"))}
        run = await made.resume(run, Signal("reject" if heard else "approve", run.halted.key, "it was heard"))
    await store.close()
    (folder / "ended").write_text(run.lifecycle.name)


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
    ends = time.monotonic() + 20
    while time.monotonic() < ends and not (folder / "ended").exists():
        if told.exists() and told.stat().st_size > before:
            break
        time.sleep(0.0005)
    return chance.uniform(0, longest)


async def judged(place: str, folder: Path, expected: str) -> Counter[str]:
    """Hold journal, world and what was acknowledged against each other."""
    found: Counter[str] = Counter()
    store = store_at(place)
    lines = [line async for line in store.read(RUN)]
    for told in (folder / "told").read_text().split("\n")[:-1]:
        number, _, line = told.partition("\t")
        found["lost"] += int(number) >= len(lines) or lines[int(number)] != line
    try:
        run = machine(None).read(lines)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is counted
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
    parser.add_argument("--longest", type=float, default=0.02, help="seconds that a child works before it is killed")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        asyncio.run(child(given.child, given.folder))
        return
    report = {}
    for kind in given.journals.split(","):
        began = time.monotonic()
        found = rounds(kind, given.rounds, random.Random(given.seed), given.longest)
        bad = {what: found[what] for what in ("lost", "torn", "repeated", "different")}
        report[kind] = {"rounds": given.rounds, **{k: found[k] for k in ("kills", "lines", "asked")}, **bad}
        print(json.dumps({"journal": kind, **report[kind], "seconds": round(time.monotonic() - began, 1)}))
    sys.exit(any(each[what] for each in report.values() for what in ("lost", "torn", "repeated", "different")))


if __name__ == "__main__":
    main()
