"""Views: what a stage is given, exactly the records that its header declares."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from agentfsm.errors import FrozenViewError, UndeclaredReadError
from agentfsm.records import Declared, DeclaredMaybe, Record, RecordSet, name_of

__all__ = ("View", "view_of", "view_of_all", "views_of_all")

T = TypeVar("T")
Rec = TypeVar("Rec", bound=Record)
V_contra = TypeVar("V_contra", contravariant=True)


class View(Generic[V_contra]):
    """
    What a stage is given: exactly what it declares.

    Contravariant: a view of more is a view of less, and ``View[object]`` is a view of anything. Cut to the header at
    run time too, so silencing the types does not widen it: everything else raises `UndeclaredReadError`, and an
    assignment `FrozenViewError`.
    """

    __slots__ = ("_open", "_reads", "_records", "_seen")
    _records: Any  # a mapping by class, in which the value under a key is of that class: no annotation can say it
    _reads: RecordSet
    _open: Container[object]  # what is declared record by record: found without asking for layers
    _seen: set[object]

    def __getitem__(self, kind: Declared[View[V_contra], T]) -> T:
        if kind in self._open:
            found: T | None = self._records.get(kind)
            if found is not None:
                self._seen.add(kind)
                return found
        _refuse_foreign(kind)
        return kind.of(self)

    def get(self, kind: DeclaredMaybe[View[V_contra], T]) -> T:
        """Return a record that the header declares as `Maybe`, or None where it is absent."""
        if kind in self._open:
            self._seen.add(kind)
            found: T = self._records.get(kind)
            return found
        _refuse_foreign(kind)
        return kind.maybe(self)

    def find(self, kind: type[Rec]) -> Rec | None:
        """For `Record` alone; the types do not guard it."""
        if kind not in self._open and not self._reads.covers(kind):
            declared = ", ".join(sorted(self._reads.names)) or "no record"
            raise UndeclaredReadError(f"{kind.__name__} is not declared; the header has {declared}", path=name_of(kind))
        self._seen.add(kind)
        found: Rec | None = self._records.get(kind)
        return found

    # Hidden from the checkers: to them a view has no attributes, and nothing of it can be set.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("__"):
                raise AttributeError(name)
            raise UndeclaredReadError(f"a view has no attribute {name!r}; read a record by class: view[...]", path=name)

        def __setattr__(self, name: str, value: object) -> NoReturn:
            raise FrozenViewError(f"a view does not change; return a StatePatch to write {name}", path=name)

        def __delattr__(self, name: str) -> NoReturn:
            raise FrozenViewError(f"a view does not change; {name} stays", path=name)

        def __setitem__(self, kind: object, value: object) -> NoReturn:
            raise FrozenViewError("a view does not change; return a StatePatch to write", path=_named(kind))

        def __delitem__(self, kind: object) -> NoReturn:
            raise FrozenViewError("a view does not change", path=_named(kind))

    def __repr__(self) -> str:
        return f"View({', '.join(sorted(self._reads.names))})"


class _Open(View[V_contra]):
    """A view while it is filled; becoming a `View` is then one assignment, a third of what freezing costs."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # until it is filled it does change
    __delattr__ = object.__delattr__  # both, or each assignment looks this one up


def view_of(records: Mapping[Any, Any], reads: RecordSet, seen: set[object]) -> View[Any]:
    """Return a view of *records* cut to *reads*; what is read through it is added to *seen*."""
    view: Any = _Open()
    view._records = records
    view._reads = reads
    view._open = reads.all
    view._seen = seen
    view.__class__ = View
    made: View[Any] = view
    return made


def view_of_all(records: Mapping[Any, Any], everything: RecordSet, seen: set[object]) -> View[Any]:
    """Return a view of all of *records*, for those who may read anything."""
    view: Any = _Open()
    view._records = view._open = records
    view._reads = everything
    view._seen = seen
    view.__class__ = View
    made: View[Any] = view
    return made


def views_of_all(
    old: Mapping[Any, Any], new: Mapping[Any, Any], everything: RecordSet, seen: set[object]
) -> tuple[View[Any], View[Any]]:
    """Return two such views, of what was and of what is: for invariants, which are asked at every commit."""
    was: Any = _Open()
    was._records = was._open = old
    was._reads, was._seen = everything, seen
    was.__class__ = View
    now: Any = _Open()
    now._records = now._open = new
    now._reads, now._seen = everything, seen
    now.__class__ = View
    return was, now


def _named(kind: object) -> str:
    return name_of(kind) if isinstance(kind, type) else repr(kind)


def _refuse_foreign(kind: object) -> None:
    if not (isinstance(kind, type) and issubclass(kind, Record)):
        raise UndeclaredReadError(f"a view is read by record class, not by {kind!r}", path=_named(kind))
