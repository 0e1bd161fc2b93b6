"""Trails: immutable append-only sequences for facts that grow, such as messages and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Generic, TypeVar, cast, overload

from agentfsm.errors import TrailError

__all__ = ("Trail",)

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

_ROOT = b"\0" * 16


class Trail(Sequence[T_co], Generic[T_co]):
    """
    An immutable sequence that grows at its end: ``Trail.of(a).add(b)``.

    `add` costs the same at any length and shares everything before it, like a commit on its parent: two trails that
    grow from one do not disturb each other. A trail read back from a log may be a *tail*: it holds what was added and
    knows how much came before (`start`) and the digest there; `onto` joins it to the trail it extends.

    The newest items are the cheapest to reach; `last` and iteration are what a window over messages needs.
    """

    __slots__ = ("_digest", "_item", "_length", "_mark", "_parent", "_start")
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # equal by content, and content may be long

    _parent: Trail[T_co] | None
    _item: T_co
    _length: int
    _start: int
    _digest: bytes | None
    _mark: Callable[[object], bytes]  # what the digest was made with; set together with it

    def __init__(self) -> None:
        _fill(self, None, None, 0, 0, _ROOT)

    @classmethod
    def of(cls, *items: T) -> Trail[T]:
        """Return a trail of *items*, oldest first."""
        return cast("Trail[T]", cls()).extend(items)

    @classmethod
    def tail(cls, start: int, digest: bytes, items: Iterable[T]) -> Trail[T]:
        """Return what was added after *start* items whose digest was *digest*."""
        root = cast("Trail[T]", cls())
        _fill(root, None, None, start, start, digest)
        return root.extend(items)

    def add(self, item: T) -> Trail[T_co | T]:
        """Return this trail with *item* after its last one."""
        grown = _new(Trail)
        _fill(grown, self, item, self._length + 1, self._start, None)
        return grown

    def extend(self, items: Iterable[T]) -> Trail[T_co | T]:
        """Return this trail with each of *items* added."""
        grown: Trail[Any] = self
        for item in items:
            grown = grown.add(item)
        return grown

    @property
    def start(self) -> int:
        """How many items came before the ones that are here: 0 unless this is a tail."""
        return self._start

    def last(self, count: int) -> tuple[T_co, ...]:
        """Return the newest *count* items, oldest first."""
        return tuple(self._newest(max(0, min(count, self._length - self._start))))[::-1]

    def since(self, length: int) -> tuple[T_co, ...]:
        """Return the items after the first *length*, oldest first."""
        return self.last(self._length - length)

    def extends(self, earlier: Trail[object]) -> bool:
        """
        Tell whether this trail is *earlier* with nothing or something added.

        A tail is held to the length alone of what came before it; `onto` holds it to the digest.
        """
        node: Trail[object] = self
        while node._parent is not None and node._length > earlier._length:
            node = node._parent
        if node._parent is None and node._start:
            return node._start == earlier._length
        return node == earlier

    def onto(self, earlier: Trail[T], mark: Callable[[object], bytes]) -> Trail[T_co | T]:
        """
        Return this tail joined to the trail it extends; a whole trail comes back as it is.

        *mark* gives the bytes of an item, see `digest`. Raises `TrailError` when *earlier* is not what came before.
        """
        if not self._start:
            return self
        if self._start != len(earlier) or self.before != earlier.digest(mark):
            raise TrailError(f"a tail after {self._start} items does not fit a trail of {len(earlier)}")
        return earlier.extend(self.since(self._start))

    def digest(self, mark: Callable[[object], bytes]) -> bytes:
        """
        Return a digest of all items in order, each folded into the one before it.

        *mark* gives an item's canonical bytes. What was digested once with a *mark* is kept: growing costs only what
        was added.
        """
        pending: list[Trail[T_co]] = []
        node: Trail[T_co] = self
        while node._parent is not None and (node._digest is None or node._mark is not mark):
            pending.append(node)
            node = node._parent
        found = node._digest or _ROOT
        for grown in reversed(pending):
            found = blake2b(found + mark(grown._item), digest_size=16).digest()
            _set_digest(grown, found)
            _set_mark(grown, mark)
        return found

    @property
    def before(self) -> bytes:
        """The digest of what came before the items that are here."""
        return self._root()._digest or _ROOT

    def _root(self) -> Trail[T_co]:
        node = self
        while node._parent is not None:
            node = node._parent
        return node

    def _newest(self, count: int) -> Iterator[T_co]:
        node: Trail[T_co] | None = self
        while node is not None and count:
            yield node._item
            node, count = node._parent, count - 1

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T_co]:
        self._whole()
        return iter(self.last(self._length))

    def __reversed__(self) -> Iterator[T_co]:
        self._whole()
        return self._newest(self._length)

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        place = index + self._length if index < 0 else index
        if not self._start <= place < self._length:
            raise IndexError(f"no item {index} in a trail of {self._length} that starts at {self._start}")
        return self.last(self._length - place)[0]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Trail):
            return NotImplemented
        if (self._length, self._start) != (other._length, other._start):
            return False
        mine, theirs = _nodes(self), _nodes(other)
        for left, right in zip(mine, theirs, strict=True):
            if left is right:
                return True
            if left._parent is not None and left._item != right._item:
                return False
        return True

    def __repr__(self) -> str:
        before = f"..{self._start}.., " if self._start else ""
        return f"Trail({before}{', '.join(map(repr, self.since(self._start)))})"

    def __setattr__(self, name: str, value: object) -> None:
        if name == "__orig_class__":  # ``Trail[int]()`` tries, and expects this answer of one that has no room for it
            raise AttributeError(name)
        raise TrailError("a trail does not change; add() returns a new one", path=name)

    def __delattr__(self, name: str) -> None:
        raise TrailError("a trail does not change; add() returns a new one", path=name)

    def __reduce__(self) -> tuple[object, ...]:
        return Trail.tail, (self._start, self.before, self.since(self._start))

    def __copy__(self) -> Trail[T_co]:
        return self

    def _whole(self) -> None:
        if self._start:
            raise TrailError(f"only the items after the first {self._start} are here; see Trail.onto")


def _nodes(trail: Trail[T]) -> Iterator[Trail[T]]:
    node: Trail[T] | None = trail
    while node is not None:
        yield node
        node = node._parent


def _new(kind: type[Trail[Any]]) -> Trail[Any]:
    return object.__new__(kind)


# A slot is set through its descriptor, past the class's own refusal; at half of what object.__setattr__ costs.
_SLOTS = vars(Trail)
_set_parent, _set_item = _SLOTS["_parent"].__set__, _SLOTS["_item"].__set__
_set_length, _set_start = _SLOTS["_length"].__set__, _SLOTS["_start"].__set__
_set_digest, _set_mark = _SLOTS["_digest"].__set__, _SLOTS["_mark"].__set__


def _fill(
    trail: Trail[Any], parent: Trail[Any] | None, item: object, length: int, start: int, digest: bytes | None
) -> None:
    _set_parent(trail, parent)
    _set_item(trail, item)
    _set_length(trail, length)
    _set_start(trail, start)
    _set_digest(trail, digest)
