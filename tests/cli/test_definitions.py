"""`agentfsm check` and `agentfsm graph`: machines proved and drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentfsm.bridge import mermaid
from tests.cli.calling import call
from tests.cli.machines import works
from tests.cli.test_run import GRAPH

WORKS = "tests.cli.machines:works"
MACHINE = """{"id": "m", "initial": "plan", "states": {
  "plan": {"on": {"GO": "done", "FAIL": "failed"}, "allowed_tools": ["Read"]},
  "done": {"type": "final"}, "failed": {"type": "final"}}}"""


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "work.yaml"
    path.write_text(GRAPH)
    return path


def test_a_sound_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """What was proved is said in a line."""
    assert f"{WORKS}: sound, 1 stages, 2 edges\n" == call(capsys, "check", WORKS).out


def test_an_unsound_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """Every finding is a line with its code, and the exit code is 1."""
    done = call(capsys, "check", "tests.cli.machines:unsound", "--json")

    said = json.loads(done.out)
    assert (1, False) == (done.code, said["sound"])
    assert any("dangling" in each for each in said["errors"]), said


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("", "", 0, "sound, 1 stages, 2 edges"),
        ("exits: [WORK, DONE]", "exits: [DONE]", 1, "work.yaml:8: Work: exits lacks WORK"),
        ("reads: [order]", "reads: [ordre]", 1, "work.yaml:10"),
        ("machines:Work", "machines:Wrok", 1, "work.yaml:13"),
        ("start: WORK", "strat: WORK", 1, "strat"),
        ("start: WORK", "start: [", 1, "work.yaml"),
    ],
)
def test_a_document_is_held_to_its_classes(
    old: str, new: str, code: int, said: str, document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each disagreement has its file and line."""
    document.write_text(GRAPH.replace(old, new, 1))

    done = call(capsys, "check", str(document))

    assert code == done.code, done
    assert said in done.out


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("", "", 0, "sound, 3 states"),
        ('"GO": "done"', '"GO": "nowhere"', 1, "nowhere"),
        ('"initial": "plan"', '"inital": "plan"', 1, "inital"),
        ("{", "", 1, "machine.json"),
    ],
)
def test_a_statewright_machine(
    old: str, new: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine of states and tools is held to its structure and its safety."""
    path = tmp_path / "machine.json"
    path.write_text(MACHINE.replace(old, new, 1))

    done = call(capsys, "check", str(path))

    assert code == done.code, done
    assert said in done.out


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """It is a usage error, not a finding."""
    assert 2 == call(capsys, "check", "nowhere.json").code


def test_the_diagram_is_of_the_table_that_runs(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Code and its document are drawn alike."""
    drawn = call(capsys, "graph", WORKS).out

    assert mermaid(works.graph, title="work") == drawn
    assert drawn == call(capsys, "graph", str(document)).out
    assert call(capsys, "graph", WORKS, "--format", "dot").out.startswith('digraph "work" {')


def test_the_table_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The rows, with what may be absent marked."""
    said = json.loads(call(capsys, "graph", WORKS, "--json").out)

    row = {"name": "Work", "enters": "WORK", "reads": ["order"], "writes": ["printed"], "exits": ["WORK", "DONE"]}
    assert ("WORK", ["DONE"], "FAILED", [row]) == (said["start"], said["final"], said["failed"], said["stages"])


def test_a_statewright_machine_is_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    """It has no stages."""
    assert 2 == call(capsys, "graph", "machine.json").code
