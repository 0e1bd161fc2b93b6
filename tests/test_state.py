"""The state is immutable; its digest costs what changed and says all that matters."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.errors import EncodeError, FrozenViewError, PatchError
from agentfsm.records import Business, Lifecycle, Metadata, record
from agentfsm.state import AgentState, Iteration, LastError, StatePatch, state_of
from agentfsm.trail import Trail


class Phase(Enum):
    FIX = 1
    DONE = 2


@record
class Bug(Business):
    report: str


@record
class Diff(Business):
    text: str = ""


@record
class Session(Metadata):
    id: str


@record
class Talk(Business):
    said: Trail[str] = Trail()


@record
class Loose(Business):
    value: float


EMPTY: AgentState[Business] = state_of(Phase.FIX, {}, {})
RECORDS = st.lists(
    st.one_of(
        st.builds(Bug, st.text()),
        st.builds(Diff, st.text()),
        st.builds(Session, st.text()),
        st.builds(Iteration, st.integers()),
    )
)


def test_a_patch_holds_a_record_once() -> None:
    """Two records of one class are refused, at once and built in steps."""
    patch: StatePatch[Business] = StatePatch(Bug("x"))

    assert {Bug: Bug("x"), Diff: Diff("d")} == (patch | StatePatch(Diff("d"))).records
    assert StatePatch(Bug("x")) == patch
    assert StatePatch(Bug("y")) != patch
    assert "StatePatch(Bug(report='x'))" == repr(patch)
    with pytest.raises(PatchError, match="twice"):
        StatePatch(Bug("x"), Bug("y"))
    with pytest.raises(PatchError, match="twice"):
        patch | StatePatch(Bug("y"))


def test_a_change_is_another_state() -> None:
    """The state that was is what it was (R2)."""
    before = EMPTY.having(Bug("x"))
    after = before.having(Bug("y"), Diff("d"))
    less = after.lacking(Bug)

    assert [{Bug: Bug("x")}, {Bug: Bug("y"), Diff: Diff("d")}, {Diff: Diff("d")}] == [
        dict(state.records) for state in (before, after, less)
    ]
    assert (Bug("x"), None) == (before.get(Bug), less.get(Bug))
    assert (Phase.DONE, Phase.FIX) == (before.entering(Phase.DONE).lifecycle, before.lifecycle)
    assert ([Diff("d")], True, False) == (list(less), Diff in less, Bug in less)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: setattr(state, "lifecycle", Phase.DONE),
        lambda state: delattr(state, "_records"),
        lambda state: state.records.__setitem__(Bug, Bug("y")),
    ],
)
def test_a_state_does_not_change(change: Callable[[Any], object]) -> None:
    """Neither by attribute nor through what it shows (R7)."""
    state = EMPTY.having(Bug("x"))

    with pytest.raises((FrozenViewError, AttributeError)):
        change(state)
    assert Bug("x") == state.get(Bug)


@given(RECORDS, RECORDS)
def test_the_digest_tells_states_apart(one: list[Any], other: list[Any]) -> None:
    """Equal states have equal digests, in whatever order their records came; other states have others."""
    left, right = EMPTY.having(*one), EMPTY.having(*other)

    assert (left == right) == (left.digest == right.digest)
    assert left.digest == state_of(Phase.FIX, dict(reversed(list(left.records.items()))), {}).digest
    assert left.digest != left.entering(Phase.DONE).digest
    assert left.having(*other).digest == state_of(Phase.FIX, dict(left.having(*other).records), {}).digest


def test_two_records_with_the_same_fields_have_two_digests() -> None:
    """A record's name is part of what is digested."""

    @record
    class Twin(Business):
        report: str

    assert EMPTY.having(Bug("x")).digest != state_of(Phase.FIX, {Twin: Twin("x")}, {}).digest


def test_the_digest_of_a_layer() -> None:
    """A layer's digest does not move with another layer."""
    before = EMPTY.having(Bug("x"), Session("s"), Iteration(1))
    after = before.having(Iteration(2))

    assert before.layer_digest(Business) == after.layer_digest(Business)
    assert before.layer_digest(Metadata) == after.layer_digest(Metadata)
    assert before.layer_digest(Lifecycle) != after.layer_digest(Lifecycle)


def test_a_growing_record_is_marked_for_what_it_gained() -> None:
    """A digest depends on the items of a trail, not on how it came about (R19)."""
    grown = EMPTY.having(Talk(Trail.of("a")))
    grown.digest  # noqa: B018  # what came before is digested first
    grown = grown.having(Talk(Trail.of("a").add("b")))

    assert EMPTY.having(Talk(Trail.of("a", "b"))).digest == grown.digest
    assert EMPTY.having(Talk(Trail.of("a", "c"))).digest != grown.digest


def test_a_state_without_a_digest_is_refused() -> None:
    """A record that could not be written has no digest either (R17)."""
    with pytest.raises(EncodeError, match=r"^\$\.value: nan"):
        EMPTY.having(Loose(float("nan"))).digest  # noqa: B018  # it is what raises


def test_a_state_is_seen_whole() -> None:
    """The view of a state shows every record."""
    view: Any = EMPTY.having(Bug("x"), Session("s")).view

    assert (Bug("x"), Session("s"), None) == (view[Bug], view[Session], view.get(Diff))


def test_copies_and_equality() -> None:
    """A copy is equal, a pickled one too; the lifecycle state is part of a state."""
    state = EMPTY.having(Bug("x"))

    assert state == copy.deepcopy(state) == pickle.loads(pickle.dumps(state))
    assert hash(state) == hash(EMPTY.having(Bug("y")))
    assert state != state.entering(Phase.DONE)
    assert state != {Bug: Bug("x")}
    assert "AgentState(FIX, Bug(report='x'))" == repr(state)


def test_the_failure_in_the_state_is_flat() -> None:
    """It holds text only, so it does not grow when one failure follows another."""
    error = LastError("StageError", "Fix", "FIX", "no", causes=("a", "b"))

    assert error == EMPTY.having(error).get(LastError)
