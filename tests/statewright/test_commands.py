"""Commands: what a state lets a shell do."""

from __future__ import annotations

import pytest

from agentfsm.guard import Move
from agentfsm.statewright import ToolCall
from agentfsm.statewright.moving import begin
from agentfsm.statewright.plain import Json
from tests.statewright.fake_shell import FakeShell
from tests.statewright.law_sample import decide, machine, sent

States = dict[str, dict[str, Json]]


def test_without_a_classifier_every_command_is_destructive() -> None:
    """Without one, Bash passes only where Destructive is opened by name, and nothing is limited (R60)."""
    closed = machine(
        {
            "a": {"allowed_tools": ["Bash", "Write", "*"], "on": {"GO": "b"}},
            "b": {"allowed_tools": ["Bash", "Destructive"]},
        }
    )
    session = closed.start()

    assert ("destructive", (Move("GO", "b"),)) == (
        decide(closed, session, "Bash", command="ls").code,
        decide(closed, session, "Bash", command="ls").way,
    )
    assert "allowed" == decide(closed, sent(closed, session, "GO"), "Bash", command="ls").code
    limited = machine({"a": {"allowed_tools": ["Bash", "Destructive"], "allowed_commands": ["ls"]}})
    assert "command_not_listed" == decide(limited, limited.start(), "Bash", command="ls").code


SHELL: States = {
    "planning": {"allowed_tools": ["Read", "Bash"], "on": {"PLAN_READY": "implementing", "FAIL": "failed"}},
    "implementing": {"allowed_tools": ["Read", "Write", "Bash"], "blocked_env": ["TOKEN"], "on": {"DONE": "testing"}},
    "testing": {"allowed_tools": ["Bash"], "allowed_commands": ["pytest"], "on": {"END": "none_at_all"}},
    "none_at_all": {"allowed_tools": ["Bash"], "allowed_commands": [], "on": {"END": "open"}},
    "open": {"disallowed_tools": ["Write"], "env_overrides": {"CI": "1"}},
}


@pytest.mark.parametrize(
    ("state", "command", "code"),
    [
        ("planning", "cat f", "allowed"),
        ("planning", "cat > f << EOF", "blocked_effect"),
        ("implementing", "cat > f", "allowed"),
        ("implementing", "rm f", "blocked_effect"),
        ("implementing", "cat $TOKEN", "blocked_env"),
        ("implementing", "TO'KE'N=1 cat f", "blocked_env"),
        ("implementing", "cat MY_TOKENS", "allowed"),
        ("testing", "pytest -q", "allowed"),
        ("testing", "cat f", "command_not_listed"),
        ("none_at_all", "cat f", "command_not_listed"),
        ("open", "cat f", "allowed"),
        ("open", "cat > f", "blocked_effect"),
        # a state without a list opens no sentinel
        ("open", "rm f", "blocked_effect"),
        ("open", "agentfsm approve runs.db", "control_command"),
        ("open", "agent''fsm rej\\ect x", "control_command"),
        ("open", "cat src/agentfsm/guard.py", "allowed"),
    ],
)
def test_commands(state: str, command: str, code: str) -> None:
    """A command is held to what its state allows, through the classifier (R58, R59)."""
    of = machine(SHELL, shell=FakeShell())

    assert code == decide(of, begin(of.law, "r", state=state), "Bash", command=command).code


def test_a_refused_command_names_the_event_that_unlocks_it() -> None:
    """`cat > f` in planning is refused with Write and PLAN_READY in the message."""
    of = machine(SHELL, shell=FakeShell())
    told = decide(of, of.start(), "run_shell_command", command="cat > f << EOF")

    assert (Move("PLAN_READY", "implementing"),) == told.way
    assert "Write" in told.reason
    assert "PLAN_READY" in told.reason


@pytest.mark.parametrize("arguments", [{}, {"command": 5}, {"command": "cat f", "cmd": "rm f"}, {"command": ["ls", 1]}])
def test_a_command_that_cannot_be_read_is_refused(arguments: dict[str, object]) -> None:
    """No command, no text, or two of them: nobody knows what would run."""
    of = machine(SHELL, shell=FakeShell())

    assert "command_unreadable" == of.decide(of.start(), ToolCall("Bash", arguments)).code


def test_a_list_of_words_is_a_command() -> None:
    """Codex hands over words; they are joined as a shell would need them."""
    of = machine(SHELL, shell=FakeShell())

    assert "allowed" == decide(of, of.start(), "Bash", command=["cat", "f"]).code


def test_another_tool_can_carry_commands() -> None:
    """allowed_commands_tool names a further tool that is held to allowed_commands."""
    of = machine(
        {
            "a": {
                "allowed_tools": ["mcp__box__run"],
                "allowed_commands_tool": "mcp__box__run",
                "allowed_commands": ["pytest"],
            }
        },
        shell=FakeShell(),
    )

    assert "allowed" == decide(of, of.start(), "mcp__box__run", command="pytest -q").code
    assert "command_not_listed" == decide(of, of.start(), "MCP__box__run", command="rm x").code


def test_the_shell_tools_environment() -> None:
    """Overrides and blocked variables are there for the tool that starts processes."""
    of = machine(SHELL, shell=FakeShell())

    assert {"CI": "1"} == of.environment(begin(of.law, "r", state="open")).overrides
    assert ("TOKEN",) == of.environment(begin(of.law, "r", state="implementing")).blocked
