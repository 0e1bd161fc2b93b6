"""The canonical tools: folds and rungs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentfsm.statewright import TOOLS, Rung, canonical_name
from agentfsm.statewright.law import FoldedLists
from agentfsm.statewright.tools import listed_name, rung_of
from tests.statewright.law_sample import decide, machine

HOOKS = Path(__file__).parents[3] / "shared" / "fixtures" / "hooks"


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("read_file", "Read"),
        ("read", "Read"),
        ("write_file", "Write"),
        ("create_file", "Write"),
        ("replace", "Edit"),
        ("edit", "Edit"),
        ("bash", "Bash"),
        ("Shell", "Bash"),
        ("run_shell_command", "Bash"),
        ("run_command", "Bash"),
        # a test runner is no shell
        ("run_test", "RunTests"),
        # not the same tool: http_request can do what WebFetch cannot
        ("http_request", "http_request"),
        # nobody knows what is behind these
        ("apply_patch", "apply_patch"),
        ("mcp__notes__Read", "mcp__notes__Read"),
        ("MCP:Read", "MCP:Read"),
        (" Read", " Read"),
        ("Reаd", "Reаd"),  # a Cyrillic letter
    ],
)  # fmt: skip
def test_canonical_names(name: str, tool: str) -> None:
    """A name folds to a canonical tool only when it means it."""
    assert tool == canonical_name(name)


def test_no_name_has_two_rows() -> None:
    """Each name, in any case, belongs to one tool."""
    names = [
        name.lower() for tool in TOOLS for name in {tool.name.lower(), *map(str.lower, (*tool.same, *tool.lesser))}
    ]

    assert len(names) == len(set(names))


def test_a_listed_part_does_not_open_the_whole() -> None:
    """Listing create_file opens create_file, not Write; where Write may, create_file may."""
    part = machine({"a": {"allowed_tools": ["create_file"], "on": {"FAIL": "failed"}}})
    whole = machine({"a": {"allowed_tools": ["Write"], "on": {"FAIL": "failed"}}})

    assert ["allow", "deny"] == [decide(part, part.start(), n).action for n in ("create_file", "Write")]
    assert ["allow", "allow"] == [decide(whole, whole.start(), n).action for n in ("create_file", "Write")]
    assert "create_file" == listed_name("create_file")


def test_a_banning_pattern_bans_the_tool() -> None:
    """What a pattern bans by one name cannot be had by another of the same tool; a lesser name bans itself alone."""
    of = machine({"a": {"disallowed_tools": ["*_file"], "on": {"FAIL": "failed"}}})
    lesser = machine({"a": {"disallowed_tools": ["create_*"], "on": {"FAIL": "failed"}}})

    assert ["disallowed"] * 3 == [decide(of, of.start(), name).code for name in ("Read", "read", "Write")]
    assert ["disallowed", "allowed"] == [decide(lesser, lesser.start(), name).code for name in ("create_file", "Write")]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: str(tool.name))
def test_a_fold_never_widens(tool: object) -> None:
    """Listing one tool by any of its names opens that tool's names and no other row's; banning closes them all."""
    held = next(each for each in TOOLS if each is tool)
    others = [each for each in TOOLS if each is not held]
    for name in (held.name, *held.same):
        of = machine({"a": {"allowed_tools": [name], "on": {"FAIL": "failed"}}})
        lists: FoldedLists = of.law.lists["a"]
        assert all(lists.objection(n) is None for n in (held.name, *held.same, *held.lesser))
        assert all(lists.objection(n) == "not_listed" for each in others for n in (each.name, *each.same, *each.lesser))
        banning = machine({"a": {"disallowed_tools": [name.upper()], "on": {"FAIL": "failed"}}}).law.lists["a"]
        assert all(banning.objection(n) == "disallowed" for n in (held.name, *held.same, *held.lesser))


@pytest.mark.parametrize(
    ("entry", "rung"),
    [("GREP", 0), ("create_file", 1), ("bash", 2), ("git_push", 3), ("WebSearch", 4), ("no_such", 4), ("Rea?", 4)],
)
def test_rungs(entry: str, rung: int) -> None:
    """The ladder knows the standard's names in any case; an unknown name and any pattern stand highest."""
    assert Rung(rung) == rung_of(entry)


@pytest.mark.skipif(not HOOKS.exists(), reason="the hook payloads are not beside this checkout")
def test_names_in_real_payloads_are_known() -> None:
    """Every built-in tool in the harnesses' payloads has a row; what has none is MCP or a patch."""
    strangers = set()
    for file in sorted(HOOKS.rglob("*.json")):
        payload = json.loads(file.read_text(encoding="utf-8-sig"))
        inner = payload.get("input") if isinstance(payload.get("input"), dict) else {}
        for name in (payload.get("tool_name"), payload.get("toolName"), inner.get("tool")):
            if isinstance(name, str) and canonical_name(name) not in {tool.name for tool in TOOLS}:
                strangers.add(name)

    assert {"apply_patch"} == {name for name in strangers if "notes" not in name and "mcp" not in name.lower()} - {
        "add_note"
    }
