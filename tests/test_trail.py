"""Trails grow at their end, share what came before, and are told apart by their digest."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.errors import TrailError
from agentfsm.trail import Trail


def mark(item: object) -> bytes:
    """The canonical bytes of an item, for these tests."""
    return repr(item).encode()


def test_two_trails_grow_from_one() -> None:
    """What is added to one is not seen in the other, nor in the trail both came from (R2)."""
    start = Trail.of(1, 2)
    left, right = start.add(3), start.add(4)

    assert [(1, 2), (1, 2, 3), (1, 2, 4)] == [tuple(start), tuple(left), tuple(right)]


@given(st.lists(st.integers()), st.integers(-12, 12), st.integers(0, 12))
def test_a_trail_reads_as_a_tuple(items: list[int], place: int, count: int) -> None:
    """Length, order, indexing, slices, windows and membership are those of the tuple of the items."""
    trail, plain = Trail.of(*items), tuple(items)

    assert (len(plain), plain, plain[::-1]) == (len(trail), tuple(trail), tuple(reversed(trail)))
    assert (plain[place:], plain[:place:2]) == (trail[place:], trail[:place:2])
    assert (plain[-count:] if count else (), plain[count:]) == (trail.last(count), trail.since(count))
    if -len(plain) <= place < len(plain):
        assert plain[place] == trail[place]
    else:
        with pytest.raises(IndexError, match=f"no item {place} "):
            trail[place]


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_equality_is_that_of_the_items(one: list[int], other: list[int]) -> None:
    """Two trails are equal when their items are, however they came about; so are their digests."""
    left, right = Trail.of(*one), Trail[int]().extend(other)

    assert (one == other) == (left == right) == (left.digest(mark) == right.digest(mark))


def test_a_trail_equals_no_tuple() -> None:
    """A sequence of another kind is another value."""
    assert Trail.of(1) != (1,)


@given(st.lists(st.integers(0, 1)), st.lists(st.integers(0, 1)))
def test_extends_is_the_prefix_relation(earlier: list[int], later: list[int]) -> None:
    """A trail extends another exactly when the other's items are its first ones, shared or not."""
    assert (later[: len(earlier)] == earlier) == Trail.of(*later).extends(Trail.of(*earlier))
    assert Trail.of(*earlier).extend(later).extends(Trail.of(*earlier))


def test_a_digest_costs_what_was_added() -> None:
    """An item is marked once, however often the trail is digested while it grows."""
    marked: list[object] = []

    def counting(item: object) -> bytes:
        marked.append(item)
        return mark(item)

    trail = Trail.of(1, 2)
    trail.digest(counting)
    trail.add(3).digest(counting)
    trail.digest(counting)

    assert [1, 2, 3] == marked


def test_a_digest_of_another_mark_is_not_taken_over() -> None:
    """A trail handed to a field whose items are written differently is digested as that field writes them."""

    def other(item: object) -> bytes:
        return b"other " + mark(item)

    trail = Trail.of(1, 2)
    trail.digest(mark)

    assert Trail.of(1, 2).digest(other) == trail.digest(other)
    assert Trail.of(1, 2).digest(mark) == trail.digest(mark)


def test_a_tail_joins_what_it_continues() -> None:
    """A tail knows how much came before, and with which digest; joined, it is the whole trail."""
    whole = Trail.of(1, 2, 3)
    earlier = Trail.of(1, 2)
    tail = Trail.tail(2, earlier.digest(mark), [3])

    assert (2, 3, (3,)) == (tail.start, len(tail), tail.since(2))
    assert whole.digest(mark) == tail.digest(mark)
    assert whole == tail.onto(earlier, mark)
    assert whole is whole.onto(earlier, mark)
    assert (True, False) == (tail.extends(earlier), tail.extends(whole))
    assert tail.add(4).extends(tail)
    assert not tail.extends(tail.add(4))


@pytest.mark.parametrize("earlier", [Trail.of(1), Trail.of(1, 3), Trail.of(1, 2, 3)], ids=repr)
def test_a_tail_fits_one_trail_only(earlier: Trail[int]) -> None:
    """Another length or another digest before it is refused."""
    tail = Trail.tail(2, Trail.of(1, 2).digest(mark), [3])

    with pytest.raises(TrailError, match="does not fit"):
        tail.onto(earlier, mark)


def ends(trail: Trail[int]) -> object:
    """Iterate forwards."""
    return list(trail)


@pytest.mark.parametrize("read", [ends, lambda trail: list(reversed(trail)), lambda trail: trail[:1]])
def test_a_tail_is_no_whole_sequence(read: Callable[[Trail[int]], object]) -> None:
    """Reading all of a tail is refused, for the first items are not there; single items that are there are read."""
    tail = Trail.tail(2, b"x" * 16, [3, 4])

    with pytest.raises(TrailError, match="only the items after the first 2"):
        read(tail)
    assert (3, 4) == (tail[2], tail[-1])
    with pytest.raises(IndexError):
        tail[1]


def test_a_trail_does_not_change() -> None:
    """Assignment and deletion are refused (R7)."""
    trail: Any = Trail.of(1)

    with pytest.raises(TrailError):
        trail._item = 2
    with pytest.raises(TrailError):
        del trail._item
    with pytest.raises(TypeError, match="unhashable"):
        hash(trail)
    assert (1,) == tuple(trail)


@pytest.mark.parametrize("trail", [Trail.of(1, 2), Trail.tail(2, b"x" * 16, [3])], ids=repr)
def test_copies(trail: Trail[int]) -> None:
    """A copy is the trail itself; a pickled one is equal, with the digest of what came before."""
    read = pickle.loads(pickle.dumps(trail))

    assert trail is copy.copy(trail)
    assert trail == read == copy.deepcopy(trail)
    assert trail.before == read.before
    assert trail.digest(mark) == read.digest(mark)


def test_a_long_trail_is_let_go_of() -> None:
    """A long chain is freed, compared and digested without recursion."""
    trail, other = Trail.of(*range(100_000)), Trail.of(*range(100_000))

    assert trail == other
    assert trail.digest(mark) == other.digest(mark)
    del trail, other
    gc.collect()


def test_repr_shows_what_is_there() -> None:
    """A tail shows how many items are not."""
    assert "Trail(1, 2)" == repr(Trail.of(1, 2))
    assert "Trail(..2.., 3)" == repr(Trail.tail(2, b"x" * 16, [3]))
