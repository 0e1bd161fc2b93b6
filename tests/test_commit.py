"""Commit: one pure function, with its rules in order, which leaves everything as it was where one is broken."""

from __future__ import annotations

from typing import Any, cast

import pytest
from attrs import frozen

from agentfsm import Business, Invariant, Iteration, StatePatch, Trail, View, monotonic, write_once
from agentfsm.commit import Committed, commit
from agentfsm.errors import (
    EnsureError,
    InvariantError,
    MissingWriteError,
    RunError,
    ScopeError,
    TrailError,
    UndeclaredExitError,
    UndeclaredWriteError,
    ValueTypeError,
)
from agentfsm.state import AgentState, state_of
from tests.sample import Bug, Diff, Fix, Machine, Note, Phase, Result, Secret, Talk, machine


def said(*texts: str) -> Trail[str]:
    return Trail[str].of(*texts)


def begun(*records: Any) -> AgentState[Any]:
    """A state in FIX, in iteration 1."""
    every = (Bug("b"), Iteration(1), *records)
    return state_of(Phase.FIX, {type(each): each for each in every}, {})


def committed(orchestrator: Machine, state: AgentState[Any], *records: Any) -> Committed:
    return commit(orchestrator.table.named["Fix"], state, StatePatch(*records))


def test_a_patch_replaces_and_the_rest_stays() -> None:
    """The state after is another one, in the target, with what was written in place of what was there."""
    before = begun(Talk(said("one")))
    after, leave = committed(machine(), before, Diff("x"))

    assert (Phase.VERIFY, Phase.VERIFY) == (leave.target, after.lifecycle)
    assert {Bug: Bug("b"), Iteration: Iteration(1), Talk: Talk(said("one")), Diff: Diff("x")} == dict(after.records)
    assert begun(Talk(said("one"))) == before


NEVER: Invariant[Iteration] = Invariant("never", lambda old, new: False)


@frozen
class Order:
    """A patch that breaks several rules at once, and the first of them."""

    name: str
    records: tuple[Any, ...]
    stage: Fix
    first: type[RunError]


ORDERS = [
    Order("undeclared before all", (Secret("x"),), Fix(ensure=lambda v: "no"), UndeclaredWriteError),
    Order("value before missing", (Note(cast("Any", 3)),), Fix(ensure=lambda v: "no"), ValueTypeError),
    Order("missing before ensure", (Note(),), Fix(ensure=lambda v: "no"), MissingWriteError),
    Order("trail before ensure", (Diff(), Talk(said("x"))), Fix(ensure=lambda v: "no"), TrailError),
    Order("ensure before next", (Diff(),), Fix(ensure=lambda v: "no", leave=lambda v: Phase.FIX), EnsureError),
    Order("exit before scope", (Diff(), Note()), Fix(leave=lambda v: Phase.FIX), UndeclaredExitError),
    Order("scope before invariants", (Diff(), Note()), Fix(leave=lambda v: Phase.DONE), ScopeError),
    Order("invariants last", (Diff(),), Fix(), InvariantError),
]


@pytest.mark.parametrize("order", ORDERS, ids=[order.name for order in ORDERS])
def test_rules_are_held_in_order(order: Order) -> None:
    """R4, R9: the first rule that is broken is the one that is told, and nothing has changed."""
    orchestrator = machine(order.stage, invariants=[NEVER])
    before = begun(Talk(said("one", "two")))
    digest = before.digest
    with pytest.raises(order.first):
        committed(orchestrator, before, *order.records)

    assert (begun(Talk(said("one", "two"))), digest) == (before, before.digest)


def test_ensure_and_next_see_the_merged_records() -> None:
    """They are asked about what would be, not about what was."""
    seen: list[object] = []

    def ensure(view: View[Any]) -> None:
        seen.append(view[Diff])

    def leave(view: View[Any]) -> Phase:
        seen.append(view[Diff])
        return Phase.VERIFY

    committed(machine(Fix(ensure=ensure, leave=leave)), begun(), Diff("new"))

    assert [Diff("new"), Diff("new")] == seen


def test_an_invariant_sees_the_state_before_and_after() -> None:
    """After the edge has retired what it ends, and with the iteration that it began."""
    seen: list[tuple[object, ...]] = []

    def look(old: View[Any], new: View[Any]) -> bool:
        seen.append((old.get(Diff), new.get(Diff), new[Iteration].number))
        return True

    orchestrator = machine(invariants=[Invariant("look", look)])
    state = state_of(Phase.VERIFY, {type(r): r for r in (Bug("b"), Iteration(1), Diff("x"))}, {})
    commit(orchestrator.table.named["Verify"], state, StatePatch(Result(passed=False)))

    assert [(Diff("x"), None, 2)] == seen


@pytest.mark.parametrize(
    ("settings", "held"),
    [
        ({}, True),
        ({"states": (Phase.VERIFY,)}, True),
        ({"states": (Phase.DONE,)}, False),
        ({"edges": ((Phase.FIX, Phase.VERIFY),)}, True),
        ({"edges": ((Phase.FIX, Phase.DONE),)}, False),
        ({"states": (Phase.DONE,), "edges": ((Phase.FIX, Phase.VERIFY),)}, True),
    ],
)
def test_an_invariant_has_a_place(settings: dict[str, Any], held: bool) -> None:
    """Always, on entering a state, or on an edge."""
    orchestrator = machine(invariants=[Invariant("never", lambda old, new: False, **settings)])
    if not held:
        assert Phase.VERIFY is committed(orchestrator, begun(), Diff())[1].target
        return
    with pytest.raises(InvariantError, match="invariant broken: never"):
        committed(orchestrator, begun(), Diff())


def test_monotonic() -> None:
    """What it measures may stay or rise, come and go, and not fall."""
    rising = monotonic(Diff, lambda diff: len(diff.text))
    orchestrator = machine(invariants=[rising])

    committed(orchestrator, begun(), Diff("x"))
    committed(orchestrator, begun(Diff("x")), Diff("y"))
    with pytest.raises(InvariantError, match="Diff is monotonic"):
        committed(orchestrator, begun(Diff("longer")), Diff("x"))


def test_write_once() -> None:
    """What is there stays what it is."""
    orchestrator = machine(invariants=[write_once(Talk)])

    talk = Talk(said("x"))
    committed(orchestrator, begun(), Diff(), talk)
    committed(orchestrator, begun(talk), Diff())
    with pytest.raises(InvariantError, match="Talk is written once"):
        committed(orchestrator, begun(talk), Diff(), Talk(talk.said.add("y")))


def test_a_trail_extends_what_is_committed() -> None:
    """R4: what it gained is held to its type; what it lost, or another trail, is refused."""
    talk = Talk(said("one"))
    untyped: Any = talk.said

    after, _ = committed(machine(), begun(talk), Diff(), Talk(talk.said.add("two")))
    assert Talk(said("one", "two")) == after.records[Talk]
    with pytest.raises(TrailError, match="does not extend the committed one of 1"):
        committed(machine(), begun(talk), Diff(), Talk(said("other", "two")))
    with pytest.raises(ValueTypeError, match=r"talk\.said\[1\]: .*found int, expected str"):
        committed(machine(), begun(talk), Diff(), Talk(untyped.add(3)))


def test_digests_do_not_depend_on_the_order_of_writing() -> None:
    """The same facts have the same digest, however they came about."""
    one, _ = committed(machine(), begun(), Diff("x"), Talk(said("a")))
    two, _ = committed(machine(), begun(), Talk(said("a")), Diff("x"))

    assert one.digest == two.digest
    assert one.layer_digest(Business) == two.layer_digest(Business)
    assert one.digest != committed(machine(), begun(), Diff("y"), Talk(said("a")))[0].digest


def test_the_work_itself_is_not_run() -> None:
    """A commit is about a patch: it needs no stage to have run."""
    after, _ = committed(machine(Fix(cast("Any", None))), begun(), Diff("x"))

    assert Diff("x") == after.records[Diff]
