"""Explanations and texts for people."""

from __future__ import annotations

import pytest

from agentfsm.errors import UsageError
from agentfsm.statewright import explain, read_arguments
from agentfsm_stages.coding.machines import load_machine


def test_a_refusal_reads_well() -> None:
    """Whether, why and the way, one a line."""
    told = explain(load_machine("bugfix"), "planning", "write_file", read_arguments("write_file", ["a.py"]))

    assert not told.allowed
    assert [
        "write_file (counts as Write) is not allowed in planning.",
        "  way: PLAN_READY to implementing",
    ] == told.text.splitlines()[::2]
    assert "[not_listed]" in told.text


def test_an_allowed_call_reads_well() -> None:
    """No way is told where none is needed."""
    told = explain(load_machine("bugfix"), "planning", "Read")

    assert told.allowed
    assert "Read is allowed in planning.\n  why: planning allows Read [allowed]" == told.text


@pytest.mark.parametrize(
    ("tool", "words", "arguments"),
    [
        ("Bash", ["FOO=1 make x=2"], {"command": "FOO=1 make x=2"}),
        (
            "Edit",
            ["a.py", "old_string=x", "new_string=a=b"],
            {"file_path": "a.py", "old_string": "x", "new_string": "a=b"},
        ),
        ("Grep", ["def add"], {"pattern": "def add"}),
        ("mcp__x__y", [], {}),
    ],
)
def test_arguments(tool: str, words: list[str], arguments: dict[str, object]) -> None:
    """A bare word is what the tool is about, `key=value` is anything else."""
    assert arguments == read_arguments(tool, words)


def test_mistakes_are_told() -> None:
    """A word too many, and a state that is not there."""
    with pytest.raises(UsageError, match="quote"):
        read_arguments("Bash", ["rm", "x"])
    with pytest.raises(UsageError, match="did you mean 'planning'"):
        explain(load_machine("bugfix"), "planing", "Read")
