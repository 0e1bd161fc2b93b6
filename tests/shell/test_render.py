"""How a classification is shown."""

from __future__ import annotations

import json

from agentfsm.shell import classify
from agentfsm.shell.render import as_json, as_text, as_tree

ANSWER = classify("timeout 5 rm x > log")


def test_text_lists_classes_reasons_and_files() -> None:
    """The text begins with the classes and names the files."""
    lines = as_text(ANSWER).splitlines()

    assert "FileWrite, Destructive (resolved)" == lines[0]
    assert "written: log" in lines
    assert "deleted: x" in lines


def test_json_reads_back() -> None:
    """The JSON form holds the classes in the standard's order, and every command."""
    found = json.loads(as_json(ANSWER))

    assert ["FileWrite", "Destructive"] == found["classes"]
    assert [["timeout", "5", "rm", "x"], ["rm", "x"]] == found["commands"]


def test_the_tree_puts_effects_below_their_command() -> None:
    """An effect stands below the command that has it; a redirection belongs to none."""
    lines = as_tree(ANSWER).splitlines()

    assert lines[1].startswith("|- FileWrite")
    assert lines.index("|- rm x") < next(i for i, line in enumerate(lines) if "deletes" in line)


def test_controls_are_shown_as_escapes() -> None:
    """A control character in a command does not reach the terminal."""
    assert "\x1b" not in as_text(classify("rm $'\\e[2J'"))
