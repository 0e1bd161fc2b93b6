"""`agentfsm run`: targets, input, limits, logs and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import call

WORKS = "tests.cli.machines:works"
GRAPH = """\
machine: work
enum: tests.cli.machines:Phase
start: WORK
final: [DONE]
failed: FAILED
iterates: WORK
stages:
  - name: Work
    enters: WORK
    reads: [order]
    writes: [printed]
    exits: [WORK, DONE]
    class: tests.cli.machines:Work
"""


@pytest.mark.parametrize(
    ("arguments", "code", "outcome"),
    [
        ((WORKS, "echo hello"), 0, "finished"),
        ((WORKS, "true"), 1, "failed"),
        (("tests.cli.machines:asks", "echo hello"), 3, "suspended"),
        ((WORKS, "--input", '{"order": {"command": "echo a", "wanted": "b"}}'), 4, "exhausted"),
        ((WORKS, "echo hello", "--limit-iterations", "0"), 4, "exhausted"),
        ((WORKS, "echo hello", "--limit-tool-calls", "0"), 4, "exhausted"),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, outcome: str, capsys: pytest.CaptureFixture[str]) -> None:
    """How the run ended is the exit code."""
    done = call(capsys, "run", *arguments, "--json")

    assert (code, outcome) == (done.code, json.loads(done.out)["outcome"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        # targets
        (("nonsense",), "is no target; give pkg.module:name, graph.yaml or machine.json"),
        (("nowhere:a",), "there is no module nowhere"),
        (("tests.cli.machines:nothing",), "it has works"),
        (("tests.cli.machines:wroks",), "did you mean works?"),
        (("tests.cli.calling:main_machine",), "it has no orchestrator: name a function of it that returns one"),
        (("tests.cli.machines:number",), "is a int, not an FSMOrchestrator"),
        (("tests.cli.machines:Order",), "lacks|raised TypeError"),
        (("machine.json",), "not what it does"),
        (("nowhere.yaml",), "nowhere.yaml"),
        # input
        ((WORKS, "a", "--input", "{}"), "not both"),
        ((WORKS,), "WORK requires order, and a run is given it: a text, or --input JSON"),
        ((WORKS, "--input", "{}"), "WORK requires order"),
        ((WORKS, "--input", "{"), "--input is no JSON: Expecting"),
        ((WORKS, "--input", "order.json"), "give the JSON itself, or - to read it from standard input"),
        ((WORKS, "--input", "[]"), "an object of records by name"),
        ((WORKS, "--input", '{"ordre": {}}'), "--input names 'ordre'; this machine has order, printed"),
        ((WORKS, "--input", '{"order": []}'), "order is an object of command, wanted"),
        ((WORKS, "--input", '{"order": {"comand": "a"}}'), "order has no field 'comand'; it has command, wanted"),
        ((WORKS, "--input", '{"order": {}}'), "order lacks the field 'command'"),
        ((WORKS, "--input", '{"order": {"command": 1}}'), "order.command"),
        (("tests.cli.machines:notes", "--limit-iterations", "3"), "notes has no state that begins one"),
        ((WORKS, "a", "--allow", "Bash"), "--allow is for a graph document"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistake is a usage error that names the thing and the way out; nothing is run, nothing is printed."""
    done = call(capsys, "run", *arguments)

    assert done.code in {1, 2}
    assert "" == done.out
    assert any(part in done.err for part in said.split("|"))
    assert 1 == len(done.err.splitlines())


def test_what_a_module_raises_is_said_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody's code that cannot be imported, or called, is named with what it raised."""
    done = call(capsys, "run", "tests.cli.machines:breaks")

    said = "agentfsm: tests.cli.machines:breaks() raised ZeroDivisionError: no machine today"
    assert (1, "", True) == (done.code, done.out, done.err.startswith(said))


def test_a_graph_document_runs_with_the_tools_that_are_allowed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without --allow its calls are denied."""
    path = tmp_path / "work.yaml"
    path.write_text(GRAPH)
    order = ("--input", '{"order": {"command": "echo hello"}}', "--json")

    assert 1 == call(capsys, "run", str(path), *order).code
    assert 0 == call(capsys, "run", str(path), *order, "--allow", "Bash").code


def test_a_log_is_never_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file that is there is refused before anything runs."""
    path = tmp_path / "run.jsonl"

    assert 0 == call(capsys, "run", WORKS, "echo hello", "--output", str(path)).code
    before = path.read_bytes()
    again = call(capsys, "run", WORKS, f"touch {tmp_path}/ran", "--output", str(path))

    assert 2 == again.code
    assert "is there already" in again.err
    assert before == path.read_bytes()
    assert not (tmp_path / "ran").exists()


def test_input_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads the text, or the JSON, from there."""
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("echo from stdin"))
    assert "from stdin" in call(capsys, "run", WORKS, "-", "--quiet").out

    monkeypatch.setattr("sys.stdin", io.StringIO('{"order": {"command": "echo json"}}'))
    assert '"json\\n"' in call(capsys, "run", WORKS, "--input", "-", "--quiet").out


def test_a_trail_is_shown_item_by_item(capsys: pytest.CaptureFixture[str]) -> None:
    """What a run leaves is told whole: a person and a program both want what is in a trail, not its digest."""
    done = call(capsys, "run", "tests.cli.machines:notes", "--json", "--quiet")
    lines = call(capsys, "run", "tests.cli.machines:notes", "--quiet").out.splitlines()

    assert {"lines": ["one", "two"], "more": []} == json.loads(done.out)["records"]["notes"]
    assert 'notes    {"lines":["one","two"],"more":[]}' in lines


def test_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a timeline standard error is empty, and the answer is for people."""
    done = call(capsys, "run", WORKS, "echo hello", "--quiet")

    assert "" == done.err
    assert "finished in DONE, iteration 1, 2 events" == done.out.splitlines()[0]


def test_what_a_person_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """A run that waits says for what, and by which key it is answered."""
    done = call(capsys, "run", "tests.cli.machines:asks", "echo hello")

    assert "needs approval (risky): a command can do anything" in done.err
    assert "halted   approval: Bash(" in done.out
