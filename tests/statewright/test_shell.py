"""Machines and the real shell classifier."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentfsm.statewright import BASH, Machine, explain, load_text
from agentfsm.statewright.plain import Json
from tests.statewright.law_sample import call, decide
from tests.statewright.law_sample import machine as law

STATES: dict[str, Json] = {
    "planning": {"allowed_tools": ["Read", "Grep", "Bash"], "on": {"PLAN_READY": "implementing", "FAIL": "failed"}},
    "implementing": {"allowed_tools": ["Read", "Write", "Edit", "Bash"], "on": {"DONE": "committing"}},
    "committing": {"allowed_tools": ["Read", "Bash", "GitWrite"], "on": {"DONE": "completed"}},
    "checking": {"allowed_tools": ["RunTests"], "allowed_commands_tool": "RunTests", "allowed_commands": ["pytest"]},
}


def test_a_here_document_in_planning_names_write_and_the_event() -> None:
    """R58: the file is written by a redirect; the refusal says what it needs and which event unlocks it."""
    of = law(STATES, shell=BASH)
    decision = decide(of, of.start(), "Bash", command="cat > f << EOF\nx\nEOF")

    assert ("deny", ["PLAN_READY"]) == (decision.action, [move.event for move in decision.way])
    assert "needs Write" in decision.reason
    assert "PLAN_READY to implementing" in decision.reason


@pytest.mark.parametrize(
    ("state", "command", "action"),
    [
        # reading
        ("planning", "cat a.py | grep -n x", "allow"),
        ("planning", "git log --oneline", "allow"),
        # writing by another door
        ("planning", "echo x > a.py", "deny"),
        ("planning", "sed -i s/a/b/ a.py", "deny"),
        ("planning", 'python -c \'open("a", "w")\'', "deny"),
        ("planning", "ls; rm -rf x", "deny"),
        ("planning", "bash -c 'tee a.py'", "deny"),
        ("planning", "cat $(", "deny"),
        ("implementing", "echo x > a.py", "allow"),
        ("implementing", "git commit -m x", "deny"),
        ("committing", "git commit -m x", "allow"),
        # answering requests
        ("committing", "agentfsm approve run.jsonl", "deny"),
        ("committing", "'agent'fsm reject run.jsonl", "deny"),
    ],
)
def test_commands_are_held_to_what_their_state_opens(state: str, command: str, action: str) -> None:
    """R58, R59: what a command could do decides, not its name; what cannot be read is refused."""
    of = law(STATES, shell=BASH)

    assert action == explain(of, state, "Bash", {"command": command}).decision.action


@pytest.mark.parametrize(
    ("command", "action"),
    [("pytest -q", "allow"), ("pytest -q; rm x", "deny"), ("rm x", "deny"), ("pytest > x", "deny")],
)
def test_a_further_tool_that_carries_commands_is_held_to_the_same(command: str, action: str) -> None:
    """`allowed_commands_tool` needs no Bash beside it, and is no way round what Bash is held to."""
    of = law(STATES, shell=BASH)

    assert action == explain(of, "checking", "RunTests", {"command": command}).decision.action


def test_a_written_file_sets_off_its_interrupt() -> None:
    """The files that a command writes are edits."""
    states: dict[str, Json] = {
        "work": {"allowed_tools": ["Bash", "Write", "Read"], "on": {"END": "completed"}},
        "audit": {"allowed_tools": ["Read"], "on": {"CLEAN": "$return"}},
    }
    interrupts: dict[str, Json] = {"env": {"trigger": {"file_pattern": "**/*.env"}, "target": "audit"}}
    of = law(states, shell=BASH, context={}, interrupts=interrupts)

    assert "audit" == of.after(of.start(), call("Bash", command="echo x > k/.env; echo y > k/a.env")).session.state


def test_loading_gives_a_machine_the_classifier(tmp_path: Path) -> None:
    """`Machine.load`, `of` and `parse` use it unless they are given another."""
    states: dict[str, Json] = {"a": {"allowed_tools": ["Bash"], "on": {"END": "end"}}, "end": {"type": "final"}}
    text = json.dumps({"id": "m", "initial": "a", "states": states})
    path = tmp_path / "m.json"
    path.write_text(text)
    made = (Machine.load(path), Machine.parse(text), Machine.of(load_text(text).sound()))

    assert [BASH] * 3 == [of.law.shell for of in made]
    assert "allow" == made[0].decide(made[0].start(), call("Bash", command="echo x")).action
