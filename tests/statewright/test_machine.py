"""Machines: deciding, sending, and that nothing is changed in place."""

from __future__ import annotations

import json

import pytest
from attrs import asdict, evolve
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.errors import UsageError
from agentfsm.guard import Move
from agentfsm.statewright import Bounds, Machine, ToolCall
from agentfsm.statewright.plain import Json
from agentfsm.statewright.stepping import decide as decide_slowly
from tests.statewright.law_sample import DEMO, decide, machine, parsed, sent
from tests.statewright.law_strategies import TOOL_NAMES, machines

CHAIN: dict[str, dict[str, Json]] = {
    "a": {"allowed_tools": ["Read"], "on": {"GO": "b", "FAIL": "failed"}},
    "b": {"allowed_tools": ["Grep"], "on": {"UP": {"target": "c", "requires_approval": True}, "FAIL": "failed"}},
    "c": {"allowed_tools": ["mcp__site__*"], "disallowed_tools": ["mcp__site__drop"], "on": {"END": "completed"}},
}


def test_a_refusal_tells_the_whole_way() -> None:
    """The way on is the shortest path of events, each with its approval flag."""
    of = machine(CHAIN)
    told = decide(of, of.start(), "mcp__site__put")

    assert ("deny", "not_listed") == (told.action, told.code)
    assert (Move("GO", "b"), Move("UP", "c", needs_approval=True)) == told.way
    assert "GO to b, then UP to c (needs approval)" in told.reason


def test_two_branches_of_one_event_are_one_step() -> None:
    """Ways that differ in nothing but the branch taken are equally short, and one of them is told."""
    both: dict[str, Json] = {"allowed_tools": [], "on": {"GO": "end"}}
    branches: Json = [{"target": "x", "guard": "g"}, {"target": "y"}]
    of = machine(
        {"a": {"allowed_tools": [], "on": {"GO": branches}}, "x": both, "y": both, "end": {"allowed_tools": ["Deploy"]}}
    )

    assert ["GO", "GO"] == [move.event for move in decide(of, of.start(), "Deploy").way]


def test_no_way_is_told_too() -> None:
    """What no state allows has no way, and the answer says so."""
    of = machine(CHAIN)

    assert () == decide(of, of.start(), "mcp__site__drop").way
    assert "no event leads" in decide(of, of.start(), "mcp__site__drop").reason


def test_names_fold_before_the_tables() -> None:
    """A harness's own spelling is judged as the tool it means."""
    of = Machine.parse(json.dumps(DEMO))
    session = of.start()

    assert ["allow", "allow", "deny", "deny"] == [
        decide(of, session, name).action for name in ("Read", "READ_FILE", "Write", "no_such_tool")
    ]


def test_the_same_question_has_the_same_object() -> None:
    """The answer of the tables is worked out once."""
    of = machine(CHAIN)
    session = of.start()

    assert decide(of, session, "Read") is decide(of, session, "Read")
    assert decide(of, session, "nonsense") is decide(of, session, "nonsense")


def test_names_without_end_are_not_kept() -> None:
    """An agent that invents names cannot fill the memory; its answers stay right."""
    of = machine(CHAIN)
    session = of.start()
    told = {decide(of, session, f"tool_{number}").code for number in range(6000)}

    assert {"not_listed"} == told
    assert 4096 >= max(map(len, of._table.values()))


def test_a_session_of_another_machine_is_refused() -> None:
    """A session is bound to its definition by digest (R22)."""
    of, other = machine(CHAIN), machine({**CHAIN, "z": {"on": {"FAIL": "failed"}}, "a": {"on": {"GO": "z", "ON": "b"}}})

    assert "other_machine" == decide(other, of.start(), "Read").code
    assert "other_machine" == getattr(other.send(of.start(), "GO").refused, "code", None)
    lost = decide(of, evolve(of.start(), state="nowhere"), "Read")
    assert ("deny", "unknown_state") == (lost.action, lost.code)


def test_a_session_is_plain_and_frozen() -> None:
    """It can be written as JSON, and nothing in it can be changed."""
    of = machine(CHAIN, context={"n": [1]})
    session = of.start("run-1")

    assert json.loads(json.dumps(asdict(session)))["state"] == "a"
    with pytest.raises(FrozenInstanceError):
        session.state = "b"  # type: ignore[misc]  # that is the point
    session.data["n"].append(2)  # type: ignore[index, union-attr, call-overload]  # a copy, whatever is done to it
    assert {"n": [1]} == session.data


def test_data_is_copied_on_the_way_in() -> None:
    """What the sender does to its data afterwards does not reach the session (R2)."""
    of = machine(CHAIN, context={})
    data: dict[str, Json] = {"list": [1]}
    after = of.send(of.start(), "GO", data).session
    data["list"] = []

    assert {"list": [1]} == after.data


def test_data_has_to_be_json() -> None:
    """Data that cannot be written is the caller's mistake, told as such."""
    of = machine(CHAIN)

    with pytest.raises(UsageError, match="has to be JSON"):
        of.send(of.start(), "GO", {"x": float("nan")})
    with pytest.raises(UsageError, match="has to be JSON"):
        of.send(of.start(), "GO", {"x": object()})  # type: ignore[dict-item]  # that is the point


def test_the_end_is_the_end() -> None:
    """Left open by the standard: a final state's own events never fire."""
    of = machine({"a": {"on": {"GO": "b"}}, "b": {"type": "final", "on": {"AGAIN": "a"}}})
    over = sent(of, of.start(), "GO")

    assert "run_over" == getattr(of.send(over, "AGAIN").refused, "code", None)
    assert "final_state" == decide(of, over, "Read").code


def test_offered_equals_allowed() -> None:
    """The list offered to a model is the list a call can pass (R63)."""
    of = machine(CHAIN)
    session = of.start()

    assert ("read_file", "Read") == of.offered(session, ["read_file", "Write", "Read", "Bash"])
    assert () == of.offered(of.cancel(session).session, ["Read"])


@given(machines(), st.sampled_from(TOOL_NAMES), st.booleans())
def test_offered_equals_allowed_on_any_machine(value: dict[str, Json], name: str, upper: bool) -> None:
    """A tool that is not offered is never allowed; one that is offered is refused only for its arguments (R63)."""
    of = parsed(value)
    session = of.start()
    asked = name.upper() if upper else name
    decision = of.decide(session, ToolCall(asked))
    by_name = decision.code in ("not_listed", "disallowed", "final_state", "iterations_exhausted")

    if of.offered(session, [asked]):
        assert not by_name or name == "apply_patch"
    else:
        assert "deny" == decision.action


@given(machines(), st.sampled_from(TOOL_NAMES))
def test_the_tables_say_what_the_rules_say(value: dict[str, Json], name: str) -> None:
    """The fast way and the thorough way agree."""
    of = parsed(value)
    session = of.start()

    assert decide_slowly(of.law, session, ToolCall(name)) == of.decide(session, ToolCall(name))


def test_what_is_worn_out_is_not_offered() -> None:
    """Used-up iterations and a spent budget take tools off the list; a patch is on it if a part could pass (R63)."""
    of = machine(
        {
            "a": {"allowed_tools": ["Read", "Edit"], "max_iterations": 1},
            "b": {"allowed_tools": ["Read", "Edit"], "context_budget_bytes": 1},
        }
    )
    session = of.start()
    used = of.after(session, ToolCall("Read"), read=5).session
    there = of.after(evolve(session, state="b"), ToolCall("Read"), read=5).session

    assert ("Read", "apply_patch") == of.offered(session, ["Read", "Write", "apply_patch"])
    assert () == of.offered(used, ["Read", "Edit"])
    assert ("Edit",) == of.offered(there, ["Read", "Edit"])


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("mcp__agentfsm__approve", "control_tool"),
        ("AgentFSM_Reject", "control_tool"),
        ("mcp__agentfsm__transition", "allowed"),
        ("x" * 257, "name_too_long"),
        ("", "allowed"),
    ],
)
def test_names_that_no_list_opens(name: str, code: str) -> None:
    """Even where everything passes, no tool answers a request (R59), and no name is endless."""
    of = machine({"a": {"on": {"FAIL": "failed"}}})

    assert code == decide(of, of.start(), name).code


def test_arguments_without_end_are_no_trouble() -> None:
    """A call nested as deep as can be is counted like any other."""
    of = machine(CHAIN)
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    _, step = of.admit(of.start(), ToolCall("Read", {"a": deep}))

    assert 1 == step.session.calls


def test_bounds_are_checked() -> None:
    """A bound that makes no sense is refused when it is written."""
    with pytest.raises(UsageError, match="queue"):
        Bounds(queue=0)
