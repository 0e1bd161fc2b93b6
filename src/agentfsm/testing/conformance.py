"""What every journal has to do, as tests: subclass, say where yours keeps its lines, and pytest runs them all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol, TypeVar

from agentfsm.errors import AgentFSMError, ConflictError, LeaseError, UsageError
from agentfsm.store import Kept, Lease, Store, StoredRun, claim
from agentfsm.testing.racing import race

__all__ = ("JournalConformance", "Place")

E = TypeVar("E", bound=AgentFSMError)


class Place(Protocol):
    """Opens a store over one and the same place each time; has to be picklable where stores are `shared`."""

    def __call__(self) -> Store:
        """Return a store over that place."""


class JournalConformance:
    """
    The tests that a journal passes. A subclass is named ``Test...`` and has a fixture *place*, a `Place` that is empty.

    With *shared* false, as for memory, two processes cannot meet there, and two threads race instead.
    """

    shared: ClassVar[bool] = True

    def test_a_run_that_is_not_there_is_empty(self, place: Place) -> None:
        """Nothing was written, so nothing is read, and no session has a run."""

        async def scenario(store: Store) -> None:
            assert [] == await _lines(store, "a")
            assert 0 == await store.head("a")
            assert await store.latest("s") is None
            assert await store.kept("a") is None
            assert () == await store.sent("a")
            assert () == await store.runs()

        _run(place, scenario)

    def test_lines_come_back_as_they_were(self, place: Place) -> None:
        """Lines are given back in order, from any number on, and by another store over the same place."""
        lines = [f'{{"seq":{number},"text":"\\ud83d\\u0000 {number * "x"}"}}' for number in range(2500)]

        async def write(store: Store) -> None:
            await store.append("a", 0, lines[:1])
            await store.append("a", 1, lines[1:])

        async def read(store: Store) -> None:
            assert lines == await _lines(store, "a")
            assert lines[2400:] == await _lines(store, "a", 2400)
            assert [] == await _lines(store, "a", 2500)
            assert 2500 == await store.head("a")

        _run(place, write)
        _run(place, read)

    def test_a_stale_writer_is_refused(self, place: Place) -> None:
        """R44: who is wrong about the head gets a conflict that says where it is, and changes nothing."""

        async def scenario(store: Store) -> None:
            await store.append("a", 0, ["0", "1"])
            for stale in (0, 1, 3):
                refused = await _refused(ConflictError, store.append("a", stale, ["x"]))
                assert ("a", stale, 2) == (refused.run, refused.expected, refused.found)
            missing = await _refused(ConflictError, store.append("b", 2, ["x"]))
            assert (2, 0) == (missing.expected, missing.found)
            assert ["0", "1"] == await _lines(store, "a")
            assert ["a"] == [run.run for run in await store.runs()]

        _run(place, scenario)

    def test_appending_nothing_changes_nothing(self, place: Place) -> None:
        """No lines make no run, but a wrong head is refused all the same."""

        async def scenario(store: Store) -> None:
            await store.append("a", 0, [], session="s")
            assert () == await store.runs()
            assert await store.latest("s") is None
            await _refused(ConflictError, store.append("a", 1, []))

        _run(place, scenario)

    def test_runs_do_not_touch(self, place: Place) -> None:
        """Names that begin alike, and names of sub-machines' runs, are names of their own."""
        names = ["a", "a/Fix@0.1", "a/Fix@0.10", "a.b", "a/Ä b@0.1", "b"]

        async def scenario(store: Store) -> None:
            for name in names:
                await store.append(name, 0, [f'"{names.index(name)}"'])
            for name in names:
                assert [f'"{names.index(name)}"'] == await _lines(store, name)
            assert names == [run.run for run in await store.runs()]

        _run(place, scenario)

    def test_a_session_has_a_newest_run(self, place: Place) -> None:
        """The newest is the one that began last, whichever went on last; no session at all has none."""

        async def scenario(store: Store) -> None:
            await store.append("a", 0, ["0"], session="s")
            await store.append("b", 0, ["0"], session="s")
            await store.append("c", 0, ["0"], session="t")
            await store.append("d", 0, ["0"])
            await store.append("a", 1, ["1"], session="s")
            assert ("b", "c") == (await store.latest("s"), await store.latest("t"))
            assert await store.latest("") is None

        _run(place, scenario)

    def test_runs_are_listed_with_their_size(self, place: Place) -> None:
        """A list says session, head, first line and bytes of each run, oldest first."""

        async def scenario(store: Store) -> None:
            await store.append("b", 0, ["12", "345"], session="s")
            await store.append("a", 0, ["6"])
            assert (StoredRun("b", "s", 2, 0, 5), StoredRun("a", "", 1, 0, 1)) == await store.runs()

        _run(place, scenario)

    def test_the_newest_snapshot_is_kept(self, place: Place) -> None:
        """An older one changes nothing, and one of lines that are not there is refused."""

        async def scenario(store: Store) -> None:
            await store.append("a", 0, ["0", "1", "2"])
            await store.keep("a", 2, '{"two":"\\u00e4"}')
            await store.keep("a", 1, "one")
            assert Kept(2, '{"two":"\\u00e4"}') == await store.kept("a")
            await store.keep("a", 3, "three")
            assert Kept(3, "three") == await store.kept("a")
            await _refused(UsageError, store.keep("a", 4, "four"))
            await _refused(UsageError, store.keep("b", 1, "one"))
            assert await store.kept("b") is None

        _run(place, scenario)

    def test_lines_go_only_where_a_snapshot_makes_up_for_them(self, place: Place) -> None:
        """R19: pruning is asked for, never silent; numbers stay, and what is gone is said to be gone."""

        async def scenario(store: Store) -> None:
            await store.append("a", 0, ["0", "1", "2", "3"])
            await _refused(UsageError, store.compact("a", 1))
            await store.keep("a", 3, "snapshot")
            await _refused(UsageError, store.compact("a", 4))
            assert 2 == await store.compact("a", 2)
            assert 0 == await store.compact("a", 2)
            assert ["2", "3"] == await _lines(store, "a", 2)
            await _refused(UsageError, _lines(store, "a"))
            assert 4 == await store.head("a")
            await store.append("a", 4, ["4"])
            assert (StoredRun("a", "", 5, 2, 3),) == await store.runs()
            assert ["3", "4"] == await _lines(store, "a", 3)

        _run(place, scenario)

    def test_a_signal_is_kept_once(self, place: Place) -> None:
        """R35: a signal may come before its run; a second one of its key is told so and changes nothing."""

        async def scenario(store: Store) -> None:
            assert await store.send("a", "k1", "first")
            assert not await store.send("a", "k1", "second")
            assert await store.send("a", "k0", "third")
            assert await store.send("b", "k1", "fourth")
            assert ("first", "third") == await store.sent("a")
            assert ("fourth",) == await store.sent("b")
            assert () == await store.runs()

        _run(place, scenario)

    def test_a_lease_keeps_others_out(self, place: Place) -> None:
        """While a run is held, another owner cannot hold it, and nobody adds to it without the lease."""

        async def scenario(store: Store) -> None:
            mine = await claim(store, "a", owner="me", seconds=600)
            assert "me" == (await _refused(LeaseError, store.lease("a", "you", 1))).owner
            await _refused(LeaseError, store.append("a", 0, ["x"]))
            await mine.append("a", 0, ["0"])
            await mine.append("b", 0, ["0"])
            await mine.release()
            await store.append("a", 1, ["1"])
            assert ["0", "1"] == await _lines(store, "a")

        _run(place, scenario)

    def test_a_stalled_owner_is_fenced_off(self, place: Place) -> None:
        """Once somebody took a run over, its former owner adds nothing, though its head is the right one."""

        async def scenario(store: Store) -> None:
            stalled = await claim(store, "a", owner="stalled", seconds=0)
            await stalled.append("a", 0, ["0"])
            taker = await claim(store, "a", owner="taker", seconds=600)
            assert taker.holding.fence > stalled.holding.fence
            refused = await _refused(LeaseError, stalled.append("a", 1, ["stale"]))
            assert ("a", "taker", stalled.holding.fence) == (refused.run, refused.owner, refused.fence)
            await stalled.release()
            await _refused(LeaseError, store.append("a", 1, ["x"]))
            await taker.append("a", 1, ["1"])
            again = await claim(store, "a", owner="taker", seconds=600)
            await _refused(LeaseError, taker.append("a", 2, ["x"]))
            await again.append("a", 2, ["2"])
            assert ["0", "1", "2"] == await _lines(store, "a")
            await _refused(LeaseError, store.append("b", 0, ["x"], fence=1))
            await _refused(UsageError, store.lease("b", "", 1))
            await store.release(Lease("b", "nobody", 1))

        _run(place, scenario)

    def test_two_writers_race(self, place: Place) -> None:
        """R44: of two that add to one run, each step has one winner; what was acknowledged is there once, in order."""
        counts = race(place, writers=2, lines=60, shared=self.shared)

        async def read(store: Store) -> None:
            lines = await _lines(store, "raced")
            assert sum(counts) == len(lines) == len(set(lines))
            for writer, count in enumerate(counts):
                own = [line for line in lines if line.startswith(f"[{writer},")]
                assert [f"[{writer},{number}]" for number in range(count)] == own

        _run(place, read)


def _run(place: Place, scenario: Callable[[Store], Awaitable[None]]) -> None:
    async def whole() -> None:
        store = place()
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(whole())


async def _lines(store: Store, run: str, start: int = 0) -> list[str]:
    return [line async for line in store.read(run, start)]


async def _refused(kind: type[E], work: Awaitable[object]) -> E:
    """Await *work*, which has to raise a *kind*, and return that."""
    try:
        await work
    except AgentFSMError as error:
        if isinstance(error, kind):
            return error
        raise AssertionError(f"{kind.__name__} was expected, not {error!r}") from error
    raise AssertionError(f"{kind.__name__} was expected, and nothing was raised")
