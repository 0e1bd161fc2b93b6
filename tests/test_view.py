"""A view is cut to its header, whatever the types let through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentfsm.errors import AbsentRecordError, FrozenViewError, UndeclaredReadError
from agentfsm.records import Business, Maybe, Metadata, Record, RecordSet, record
from agentfsm.view import View, view_of


class Domain(Business):
    """A layer of one's own."""


@record
class Bug(Business):
    report: str


@record
class Diff(Domain):
    text: str = ""


@record
class Secret(Metadata):
    text: str


ALL: dict[type, Record] = {Bug: Bug("x"), Diff: Diff("d"), Secret: Secret("s")}


def seen_by(hint: object, records: Any = ALL) -> tuple[Any, set[object]]:
    """Return a view of *records* cut to *hint*, and the set it notes its reads in."""
    seen: set[object] = set()
    return view_of(records, RecordSet.parse(hint), seen), seen


def test_what_is_declared_is_read_and_noted() -> None:
    """Each read is noted, also one that found nothing: the log tells actual reads from declared ones."""
    view, seen = seen_by(Bug | Maybe[Diff] | Maybe[Secret], {Bug: Bug("x"), Secret: Secret("s")})

    assert (Bug("x"), None) == (view[Bug], view.get(Diff))
    assert {Bug, Diff} == seen


@pytest.mark.parametrize(
    "read",
    [
        lambda view: view[Secret],
        lambda view: view.get(Secret),
        lambda view: view.find(Secret),
        Secret.of,
        Secret.maybe,
        lambda view: view[Metadata],
        lambda view: view["secret"],
        lambda view: view.get(int),
        lambda view: view[int],
        lambda view: view.secret,
        lambda view: view.records,
        list,
    ],
)
def test_what_is_not_declared_is_refused(read: Callable[[Any], object]) -> None:
    """By class, by name, by attribute and by iteration: nothing outside the header is read (R1, R5)."""
    view, seen = seen_by(Bug)

    with pytest.raises(UndeclaredReadError) as caught:
        read(view)
    assert caught.value.path
    assert set() == seen


def test_what_is_surely_there_and_is_not() -> None:
    """A missing record is an error of its own."""
    view, _ = seen_by(Bug, {})

    with pytest.raises(AbsentRecordError, match="Bug"):
        view[Bug]


def test_a_layer_admits_what_is_below_it() -> None:
    """`Maybe[Layer]` opens every record of that layer, and no other."""
    view, seen = seen_by(Maybe[Domain])

    assert (Diff("d"), Diff("d")) == (view.get(Diff), view[Diff])
    assert {Diff} == seen
    with pytest.raises(UndeclaredReadError):
        view.get(Bug)


@pytest.mark.parametrize(
    "change",
    [
        lambda view: setattr(view, "bug", 1),
        lambda view: setattr(view, "_records", {}),
        lambda view: delattr(view, "_records"),
        lambda view: view.__setitem__(Bug, Bug("y")),
        lambda view: view.__delitem__(Bug),
    ],
)
def test_a_view_does_not_change(change: Callable[[Any], object]) -> None:
    """An assignment is never silently lost (R7)."""
    view, _ = seen_by(Bug)

    with pytest.raises(FrozenViewError):
        change(view)
    assert Bug("x") == view[Bug]


def test_a_view_is_a_view() -> None:
    """The class that is faster to fill does not show, and attribute probes of the interpreter find nothing."""
    view, _ = seen_by(Bug | Maybe[Diff])

    assert View is type(view)
    assert "View(Bug, Diff)" == repr(view)
    assert not hasattr(view, "__length_hint__")
    assert Bug("x") == view_of({Bug: Bug("x")}, RecordSet.parse(Record), set())[Bug]
