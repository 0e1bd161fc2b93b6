"""Proofs, and the counterexamples that broken machines give."""

from __future__ import annotations

import json
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.errors import UsageError
from agentfsm.statewright import Machine, ToolCall, prove, read_claim
from agentfsm.statewright.plain import Json
from agentfsm.statewright.proofs import Kind, Proof
from agentfsm_stages.coding.machines import load_machine
from tests.statewright.fake_shell import FakeShell
from tests.statewright.law_sample import machine, parsed
from tests.statewright.law_strategies import EVENTS, STATES, TOOL_NAMES, machines

States = dict[str, dict[str, Json]]


def proof(of: Machine, kind: Kind, text: str, without: str = "") -> Proof:
    return prove(of, read_claim(kind, text, without))


def broken(name: str, *path: str, value: Json) -> Machine:
    """A ready machine with one value changed."""
    definition = load_machine(name).definition.normalised  # type: ignore[arg-type]  # names are literals
    inner = cast("dict[str, dict[str, Json]]", definition)
    for part in path[:-1]:
        inner = cast("dict[str, dict[str, Json]]", inner[part])
    inner[path[-1]] = value  # type: ignore[assignment]  # any JSON
    return parsed(cast("dict[str, Json]", definition))


def planning(*tools: str) -> Machine:
    return broken("bugfix", "states", "planning", "allowed_tools", value=list(tools))


SENTENCES: tuple[tuple[str, Kind, str], ...] = (
    ("bugfix", "never", "planning:Write,Edit,MultiEdit,NotebookEdit,Delete"),
    ("bugfix", "never", "review:Bash"),
    ("bugfix", "only", "committing:GitAdd,GitCommit"),
    ("release", "approved", "READ_ONLY..Deploy"),
    ("bugfix", "must_pass", "planning..committing:review"),
    ("bugfix", "approved", "testing..committing"),
    ("bugfix", "reach", "planning..completed"),
)


@pytest.mark.parametrize(("name", "kind", "text"), SENTENCES, ids=str)
def test_the_sentences_hold(name: str, kind: Kind, text: str) -> None:
    """What the ready machines promise is proved of them."""
    found = proof(load_machine(name), kind, text)  # type: ignore[arg-type]  # names are literals

    assert found.holds
    assert found.text.startswith("holds: ")


@pytest.mark.parametrize(
    ("of", "kind", "text", "witness", "effect"),
    [
        (planning("Read", "write_file"), "never", "planning:Write", ("planning",), "Write"),
        (planning("Read", "W*"), "never", "planning:Write", ("planning",), "Write"),
        (broken("bugfix", "states", "planning", "allowed_tools", value=None), "never", "planning:Write", ("planning",),
         "Write"),
        (
            broken("bugfix", "states", "planning", "allowed_tools", value=["apply_patch"]),
            "never", "planning:Write", ("planning",), "Write by apply_patch",
        ),
        (
            broken("bugfix", "states", "review", "allowed_tools", value=["Read", "run_command"]),
            "never", "review:Bash",
            ("planning", "PLAN_READY", "implementing", "DONE", "testing", "TESTS_PASS", "review"), "Bash",
        ),
        (
            broken("bugfix", "states", "committing", "allowed_tools", value=["GitAdd", "GitCommit", "GitPush"]),
            "only", "committing:GitAdd,GitCommit",
            ("planning", "PLAN_READY", "implementing", "DONE", "testing", "TESTS_PASS", "review", "APPROVED",
             "committing"),
            "GitPush",
        ),
        (
            broken("release", "states", "approving", "on", "SHIP", value="deploying"),
            "approved", "READ_ONLY..Deploy", ("approving", "SHIP", "deploying"), "Deploy",
        ),
        (
            broken("release", "states", "approving", "safe_next", value="deploying"),
            "approved", "approving..Deploy", None, "",
        ),
        (
            broken("release", "states", "preparing", "safe_next", value="deploying"),
            "approved", "READ_ONLY..Deploy", ("preparing", "safe_next", "deploying"), "Deploy",
        ),
        (
            broken("bugfix", "states", "testing", "on", "SKIP", value="committing"),
            "must_pass", "planning..committing:review",
            ("planning", "PLAN_READY", "implementing", "DONE", "testing", "SKIP", "committing"), "",
        ),
    ],
)  # fmt: skip
def test_broken_machines_give_a_counterexample(
    of: Machine, kind: Kind, text: str, witness: tuple[str, ...] | None, effect: str
) -> None:
    """A machine broken on purpose breaks its sentence, and the witness is a path that a session can take."""
    found = proof(of, kind, text)

    assert (witness is None, witness or (), effect) == (found.holds, found.witness, found.effect)


SHELL: States = {
    "a": {"allowed_tools": ["Read", "Bash"], "on": {"B": "b", "C": "c", "D": "d", "E": "e", "F": "f", "G": "g"}},
    "b": {"allowed_tools": ["Bash"], "allowed_commands": ["make"]},
    "c": {"allowed_tools": ["Bash", "Destructive"]},
    "d": {"allowed_tools": ["Bash", "__GIT_WRITE__"]},
    "e": {"allowed_tools": ["Bash", "Read"], "allowed_commands": []},
    "f": {"allowed_tools": ["create_file"]},
    "g": {"allowed_tools": ["Patch"], "disallowed_tools": ["Delete"]},
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        # the classifier keeps a command to what the list opens
        ("a:Write", True),
        ("a:GitPush", True),
        # allowed_commands is a key: nobody knows what make does
        ("b:Write", False),
        ("c:Write", False),
        ("d:GitPush", False),
        ("d:Write", True),
        # no command runs at all
        ("e:Grep", True),
        ("a:Grep", False),
        # a tool that does a part of it, and one that does more
        ("f:Write", False),
        ("f:Edit", True),
        # a patch does all three, but for what is banned
        ("g:Edit", False),
        ("g:Delete", True),
    ],
)
def test_effects_through_the_shell(text: str, holds: bool) -> None:
    """A claim about a tool is about its effect, commands included."""
    assert holds == proof(machine(SHELL), "never", text).holds


DETOUR: States = {
    "a": {"allowed_tools": ["Edit"], "on": {"GO": {"target": "b", "requires_approval": True}}},
    "b": {"allowed_tools": ["Deploy"], "on": {"END": "completed"}},
    "h": {"allowed_tools": ["Read"], "on": {"OUT": "b", "OK": "$return"}},
}


def test_interrupts_are_edges() -> None:
    """A detour leads round an approval, and the proof sees it; without a tool that edits there is no detour."""
    interrupts: Json = {"i": {"trigger": {"file_pattern": "*"}, "target": "h"}}
    found = proof(machine(DETOUR, interrupts=interrupts), "approved", "a..Deploy")
    reading: States = {**DETOUR, "a": {**DETOUR["a"], "allowed_tools": ["Read"]}}

    assert ("a", "interrupt i", "h", "OUT", "b") == found.witness
    assert proof(machine(reading, interrupts=interrupts), "approved", "a..Deploy").holds


def test_forks_are_edges() -> None:
    """A fork's end is reached over its branches, not past them."""
    fork: Json = {"fork": {"branches": {"x": {"initial": "work", "terminal": "done"}}, "on_complete": "ship"}}
    states: States = {
        "a": {"allowed_tools": [], "on": {"GO": fork}},
        "work": {"allowed_tools": ["Edit"], "on": {"OK": {"target": "done", "requires_approval": True}}},
        "done": {"allowed_tools": []},
        "ship": {"allowed_tools": ["Deploy"], "on": {"END": "completed"}},
    }

    assert proof(machine(states), "must_pass", "a..ship:work").holds
    assert proof(machine(states), "approved", "a..Deploy").holds
    assert ("a", "GO", "work", "OK", "done", "join", "ship") == proof(machine(states), "reach", "a..ship").witness


def test_invokes_are_edges() -> None:
    """The states of an invoked machine are part of the claim; one that is not given may do anything."""
    parent: States = {"a": {"allowed_tools": ["Read"], "on": {"GO": {"invoke": "kid", "on_complete": "completed"}}}}
    kid = machine({"k": {"allowed_tools": ["Deploy"], "on": {"END": "completed"}}})
    given = proof(machine(parent, machines={"kid": kid}), "approved", "a..Deploy")
    unknown = proof(machine(parent), "approved", "a..Deploy")

    assert ("a", "GO", "kid/k") == given.witness
    assert ("a", "GO", "kid/?") == unknown.witness
    assert proof(machine(parent, machines={"kid": kid}), "must_pass", "a..completed:kid/k").holds


RUNS = st.lists(
    st.one_of(
        st.sampled_from((*EVENTS, *STATES, "anything")),
        st.builds(lambda n: ToolCall(n, {"file_path": "a.env", "command": "cat > a.env"}), st.sampled_from(TOOL_NAMES)),
    ),
    max_size=15,
)


@settings(deadline=None)
@given(machines(), RUNS, st.sampled_from(("Deploy", "Write", "Edit", "Read", "GitPush")))
def test_what_is_proved_no_run_refutes(value: dict[str, Json], run: list[str | ToolCall], tool: str) -> None:
    """A run that nobody approves never has an effect that was proved to need approval, nor one that was proved away."""
    of = parsed(value, shell=FakeShell())
    asks = proof(of, "approved", f"s0..{tool}").holds
    never = {state: proof(of, "never", f"{state}:{tool}").holds for state in STATES}
    session = of.start("run")
    for act in run:
        step = of.send(session, act) if isinstance(act, str) else of.admit(session, act)[1]
        session = of.reject(step.session, step.pending.id, by="ada", now=0).session if step.pending else step.session
        allowed = of.decide(session, ToolCall(tool, {"file_path": "x.py"})).action == "allow"
        assert not (allowed and (asks or never[session.state]))


def test_reach_without() -> None:
    """A way that avoids a state, when there is one."""
    of = load_machine("bugfix")

    assert not proof(of, "reach", "planning..completed", without="testing").holds
    assert ("planning", "FAIL", "failed") == proof(of, "reach", "planning..failed", without="testing").witness


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("never", "planing:Write"),
        ("never", "planning:Wriet"),
        ("only", "committing:GitAd"),
        ("approved", "READONLY..Deploy"),
        ("reach", "planning..nowhere"),
        ("must_pass", "planning..completed:nowhere"),
        ("never", "Write:planning"),
    ],
)
def test_a_claim_about_nothing_is_refused(kind: Kind, text: str) -> None:
    """A misspelt name would make a claim hold of itself (R60)."""
    with pytest.raises(UsageError, match="is no state"):
        proof(load_machine("bugfix"), kind, text)


@pytest.mark.parametrize(
    ("kind", "text"), [("never", "planning"), ("never", ":x"), ("reach", "a"), ("must_pass", "a..b")]
)
def test_claims_that_cannot_be_read(kind: Kind, text: str) -> None:
    """The message shows the form that is wanted."""
    with pytest.raises(UsageError, match="wants"):
        read_claim(kind, text)


def test_five_hundred_states() -> None:
    """A long machine is proved like a short one, with the whole path as witness."""
    states: States = {
        f"s{n}": {
            "allowed_tools": ["Read"] if n < 499 else ["Deploy"],
            "on": {"N": f"s{n + 1}" if n < 499 else "failed"},
        }
        for n in range(500)
    }
    found = proof(machine(states), "approved", "s0..Deploy")

    assert 999 == len(found.witness)
    assert json.dumps(found.witness).count("N") == 499
