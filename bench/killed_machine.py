"""The machine that `kill_everywhere.py` kills, in its process: tools add to a file, which is the world outside."""

from __future__ import annotations

import asyncio
import os
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Literal

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

__all__ = ("RUN", "Given", "Said", "Thought", "acknowledged", "child", "done", "machine", "store_at")


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
            file.write("".join(_told(expected + place, line) for place, line in enumerate(lines)).encode())

    def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        return self._store.read(run, start)


def _told(number: int, line: str) -> str:
    """A kill can tear this, too: it begins a line of its own, and has a checksum that tells whether it is whole."""
    return f"\n{zlib.crc32(f'{number} {line}'.encode())}\t{number}\t{line}\n"


def acknowledged(told: Path) -> Iterator[tuple[int, str]]:
    """Give what was written down whole of what was acknowledged: each line with its number."""
    for each in told.read_text().split("\n"):
        check, _, rest = each.partition("\t")
        number, _, line = rest.partition("\t")
        if check == str(zlib.crc32(f"{number} {line}".encode())):
            yield int(number), line


def store_at(place: str) -> Store:
    return (
        PostgresJournal(place.partition("|")[2], schema=place.partition("|")[0])
        if "|" in place
        else SqliteJournal(place)
    )


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
        did(str(folder / "asked"), "asked", run.halted.call)
        heard = run.halted.call in {key for _, key in done(str(folder / "world"))}
        run = await made.resume(run, Signal("reject" if heard else "approve", run.halted.key, "it was heard"))
    await store.close()
    (folder / "ended").write_text(run.lifecycle.name)
