"""Invoked machines."""

from __future__ import annotations

import pytest

from agentfsm.statewright import Bounds, Machine, Session
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import decide, machine, parsed, sent

States = dict[str, dict[str, Json]]

CHILD: States = {
    "look": {"allowed_tools": ["Grep"], "on": {"FOUND": "found", "GIVE_UP": "failed", "SELF": "look"}},
    "found": {"type": "final"},
}
PARENT: States = {
    "work": {
        "allowed_tools": ["Edit"],
        "on": {
            "DEBUG": {"invoke": "child", "on_complete": "mend", "on_fail": "stuck", "input": {"scope": "last", "n": 1}},
            "HARD": {"invoke": "child", "on_complete": "mend"},
        },
    },
    "mend": {"allowed_tools": ["Write"], "on": {"END": {"target": "completed", "guard": "sure"}}},
    "stuck": {"on": {"END": "failed"}},
}
SURE: Json = {"sure": {"field": "cause", "op": "exists"}}


def family(bounds: Bounds | None = None, outputs: Json = ("cause",)) -> tuple[Machine, Session]:
    child = machine(CHILD, context={"own": True, "n": 0}, meta={"outputs": list(outputs)}, bounds=bounds)  # type: ignore[arg-type]  # a tuple of names
    of = machine(PARENT, context={"secret": 7}, guards=SURE, machines={"child": child}, bounds=bounds)
    return of, sent(of, of.start("run"), "DEBUG")


def test_the_child_sees_its_input_and_nothing_else() -> None:
    """Its context is its own with the input laid over it; the parent's stays outside (R49)."""
    _, inside = family()

    assert inside.child is not None
    assert {"own": True, "n": 1, "scope": "last"} == inside.child.session.data
    assert ("work", {"secret": 7}) == (inside.state, inside.data)


def test_tools_and_events_are_the_childs() -> None:
    """While it runs, the child's states decide."""
    of, inside = family()

    assert ["allowed", "not_listed"] == [decide(of, inside, name).code for name in ("Grep", "Edit")]
    assert ("Grep",) == of.offered(inside, ["Grep", "Edit"])
    assert "no_transition" == getattr(of.send(inside, "END").refused, "code", None)


def test_only_declared_output_returns() -> None:
    """What meta.outputs lists comes back, the rest is gone (R49)."""
    of = machine(
        PARENT, context={"secret": 7}, machines={"child": machine(CHILD, context={}, meta={"outputs": ["cause"]})}
    )
    inside = sent(of, of.start(), "DEBUG")
    after = of.send(inside, "FOUND", {"cause": "typo", "noise": 1}).session

    assert ("mend", {"secret": 7, "cause": "typo"}, None) == (after.state, after.data, after.child)


def test_a_child_cannot_forge_what_the_parent_guards() -> None:
    """An output that the parent's guards read is closed to the child's agent too."""
    of, inside = family()
    step = of.send(inside, "FOUND", {"cause": "typo"})

    assert ("protected_context", ("cause",)) == (
        step.refused and step.refused.code,
        step.refused and step.refused.about,
    )
    assert inside == step.session


@pytest.mark.parametrize(("event", "state"), [("DEBUG", "stuck"), ("HARD", "failed")])
def test_a_failed_child(event: str, state: str) -> None:
    """Its `failed` leads to on_fail, and without one to `failed`."""
    of, _ = family()
    assert state == sent(of, of.start(), event, "GIVE_UP").state


def nested(depth: int, bounds: Bounds) -> Machine:
    """A machine that invokes another, and so on, *depth* deep."""
    of = machine({"s0": {"on": {"END": "completed"}}}, bounds=bounds)
    for _ in range(depth):
        states: States = {"s0": {"on": {"IN": {"invoke": "inner", "on_complete": "completed"}, "END": "completed"}}}
        of = machine(states, machines={"inner": of}, bounds=bounds)
    return of


@pytest.mark.parametrize("limit", [0, 1, 8])
def test_max_depth_is_exact(limit: int) -> None:
    """Of N levels N are possible, the one below them is refused and changes nothing."""
    of = nested(limit + 1, Bounds(max_depth=limit))
    session = sent(of, of.start(), *["IN"] * limit)
    step = of.send(session, "IN")

    assert "depth_exceeded" == getattr(step.refused, "code", None)
    assert session == step.session


def test_ends_come_back_through_every_level() -> None:
    """The end of the innermost is the end of each that waited for nothing else."""
    of = nested(3, Bounds())

    assert "completed" == sent(of, of.start(), "IN", "IN", "IN", "END").state


def test_max_child_steps_is_exact() -> None:
    """The child makes its N moves; the one after them is not made, and it has failed."""
    of, inside = family(Bounds(max_child_steps=3))
    used = sent(of, inside, "SELF", "SELF", "SELF")
    step = of.send(used, "SELF")

    assert used.child is not None
    assert 3 == used.child.moves
    assert ("stuck", "child_steps_exhausted") == (step.session.state, step.refused and step.refused.code)
    assert "mend" == sent(of, sent(of, inside, "SELF", "SELF"), "FOUND").state


def test_a_machine_that_was_not_given_is_refused() -> None:
    """An invoke of nobody changes nothing."""
    of = machine(PARENT)

    assert "unknown_machine" == getattr(of.send(of.start(), "DEBUG").refused, "code", None)


def test_an_approval_inside_a_child() -> None:
    """A request below is found and answered from above."""
    child = machine({"ask": {"on": {"GO": {"target": "completed", "requires_approval": True}, "NO": "failed"}}})
    of = machine(PARENT, machines={"child": child})
    parked = of.send(sent(of, of.start("r"), "DEBUG"), "GO", now=5).session
    (request,) = of.waiting(parked)

    assert "awaiting_approval" == decide(of, parked, "Grep").code
    assert "mend" == of.approve(parked, request.id, by="ada", now=6).session.state


def test_a_failure_that_nobody_takes_up_leaves_the_session_where_it_was() -> None:
    """Without on_fail and without a state `failed` the machine stays where it invoked, and says so."""
    child = machine(CHILD)
    value: dict[str, Json] = {
        "id": "m",
        "initial": "a",
        "states": {"a": {"on": {"GO": {"invoke": "kid", "on_complete": "end"}}}, "end": {"type": "final"}},
    }
    of = parsed(value, machines={"kid": child})
    step = of.send(sent(of, of.start(), "GO"), "GIVE_UP")

    assert ("a", None, "failed_without_way") == (
        step.session.state,
        step.session.child,
        step.refused and step.refused.code,
    )
