"""`agentfsm check` with claims, `explain`, and `shell classify`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from agentfsm_stages.coding import machines
from tests.cli.calling import call

FOLDER = Path(machines.__file__).parent
BUGFIX, RELEASE = str(FOLDER / "bugfix.json"), str(FOLDER / "release.json")
DEMO = """{"id": "demo", "initial": "planning", "states": {
  "planning": {"allowed_tools": ["read_file", "grep", "git_log"],
    "on": {"PLAN_READY": "implementing", "FAIL": "failed"}},
  "implementing": {"allowed_tools": ["read_file", "write_file", "edit_file", "run_test"], "on": {"DONE": "review"}},
  "review": {"allowed_tools": ["read_file", "git_diff"], "on": {"APPROVED": "completed", "REJECTED": "implementing"}},
  "completed": {"type": "final"}, "failed": {"type": "final"}}}"""


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The well-known small demo as `demo.json` in the present folder."""
    (tmp_path / "demo.json").write_text(DEMO)
    monkeypatch.chdir(tmp_path)


def broken(tmp_path: Path, source: str, change: str) -> str:
    """Return a copy of a machine that was broken on purpose: *change* is old -> new, in its JSON without spaces."""
    old, new = change.split(" -> ")
    text = json.dumps(json.loads(Path(source).read_text()), separators=(",", ":"))
    assert 1 == text.count(old), text.count(old)
    path = tmp_path / "broken.json"
    path.write_text(text.replace(old, new))
    return str(path)


@pytest.mark.parametrize(
    ("machine", "claim"),
    [
        (BUGFIX, ("--never", "planning:Write")),
        (BUGFIX, ("--never", "review:Bash")),
        (BUGFIX, ("--only", "committing:GitAdd,GitCommit")),
        (BUGFIX, ("--must-pass", "planning..committing:review")),
        (BUGFIX, ("--approved", "READ_ONLY..GitCommit")),
        (BUGFIX, ("--reach", "planning..committing")),
        (RELEASE, ("--approved", "READ_ONLY..Deploy")),
        (RELEASE, ("--never", "preparing:Write")),
        (RELEASE, ("--reach", "preparing..Deploy")),
        (RELEASE, ("--must-pass", "preparing..deploying:approving")),
    ],
)
def test_the_sentences_are_proved(machine: str, claim: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Planning cannot write, review cannot run Bash, committing only adds and commits, nothing deploys unasked."""
    done = call(capsys, "check", machine, *claim)

    assert (0, "holds: ") == (done.code, done.out.splitlines()[1][:7])


@pytest.mark.parametrize(
    ("machine", "change", "claim", "witness"),
    [
        (BUGFIX, '"planning":{"allowed_tools":["Read" -> "planning":{"allowed_tools":["Write","Read"',
         ("--never", "planning:Write"), "planning allows Write"),
        (BUGFIX, '"planning":{"allowed_tools":["Read" -> "planning":{"allowed_tools":["apply_patch","Read"',
         ("--never", "planning:Write"), "planning allows Write by apply_patch"),
        (BUGFIX, '"review":{"allowed_tools":[ -> "review":{"allowed_tools":["run_command",',
         ("--never", "review:Bash"), "implementing -[DONE]-> testing -[TESTS_PASS]-> review allows Bash"),
        (BUGFIX, '["GitAdd","GitCommit"] -> ["GitAdd","GitCommit","Bash","GitWrite"]',
         ("--only", "committing:GitAdd,GitCommit"), "committing allows Bash"),
        (RELEASE, '"preparing":{ -> "preparing":{"safe_next":"deploying",',
         ("--approved", "READ_ONLY..Deploy"), "preparing -[safe_next]-> deploying"),
        (BUGFIX, '"TESTS_FAIL":"implementing" -> "TESTS_FAIL":"committing"',
         ("--must-pass", "planning..committing:review"), "testing -[TESTS_FAIL]-> committing"),
    ],
)  # fmt: skip
def test_a_machine_broken_on_purpose_has_a_witness(
    machine: str, change: str, claim: tuple[str, str], witness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1 and the path that breaks the claim."""
    done = call(capsys, "check", broken(tmp_path, machine, change), *claim)

    assert 1 == done.code
    assert witness in done.out
    assert f"does not hold: {claim[0][2:].replace('-', '_')}" in done.out


def test_claims_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Each claim with its verdict and its path."""
    done = call(capsys, "check", BUGFIX, "--reach", "planning..completed", "--without", "review", "--json")

    assert (1, [{"claim": "reach planning..completed without review", "holds": False, "witness": []}]) == (
        done.code,
        json.loads(done.out)["claims"],
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--never", "planing:Write"), "planning"),
        (("--never", "planning"), "STATE:TOOL"),
        (("--approved", "READ_ONLY"), "A..B"),
        (("--must-pass", "planning..review"), "A..B:C"),
        (("--without", "review"), "give --reach A..B"),
        (("--with", "nowhere.json", "--never", "planning:Write"), "there is no such file"),
    ],
)
def test_claims_about_nothing(arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim that names what is not there is misuse, never true."""
    done = call(capsys, "check", BUGFIX, *arguments)

    assert (2, True) == (done.code, says in done.err), done.err


def test_claims_are_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    """Code has other proofs."""
    done = call(capsys, "check", "tests.cli.machines:works", "--never", "plan:Write")

    assert (2, True) == (done.code, "for a statewright machine" in done.err)


def test_five_hundred_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chain of 500 states is proved to its end."""
    states = {f"s{n}": {"allowed_tools": ["Read"], "on": {"GO": f"s{n + 1}", "FAIL": "failed"}} for n in range(500)}
    states |= {"s500": {"type": "final"}, "failed": {"type": "final"}}
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"id": "long", "initial": "s0", "states": states}))
    done = call(capsys, "check", str(path), "--must-pass", "s0..s500:s250", "--never", "s499:Write")

    assert (0, 2) == (done.code, done.out.count("holds: "))


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    ("state", "tool", "arguments", "code", "says"),
    [
        ("planning", "write_file", [], 1, ["write_file (counts as Write) is not allowed in planning.", "PLAN_READY"]),
        ("planning", "deploy", [], 1, ["deploy (counts as Deploy) is not allowed", "way: none"]),
        ("planning", "read_file", ["a.py"], 0, ["is allowed in planning"]),
        ("implementing", "run_test", [], 0, ["is allowed in implementing"]),
        ("implementing", "deploy", [], 1, ["way: none"]),
        ("completed", "read_file", [], 1, ["final_state", "way: none"]),
        ("planning", "Bash", ["rm -rf x"], 1, ["not_listed"]),
    ],
)
def test_explain(
    state: str, tool: str, arguments: list[str], code: int, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Allowed or not, why, and the shortest legal way: the well-known small demo."""
    done = call(capsys, "explain", "demo.json", state, tool, *arguments)

    assert (code, []) == (done.code, [each for each in says if each not in done.out]), done.out


def test_explain_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command is classified; the refusal names Write and the event that unlocks it."""
    path = tmp_path / "demo.json"
    path.write_text(DEMO.replace('"grep"', '"grep", "Bash"').replace('"run_test"', '"Bash"'))
    done = call(capsys, "explain", str(path), "planning", "Bash", "cat > f << EOF\nx\nEOF", "--json")
    said = json.loads(done.out)

    assert (1, "deny", ["PLAN_READY"]) == (done.code, said["action"], [move["event"] for move in said["way"]])
    assert "needs Write" in said["reason"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("nowhere.json", "a", "Read"), 2, "there is no such file"),
        ((BUGFIX, "planing", "Read"), 2, "did you mean 'planning'?"),
        ((BUGFIX, "planning", "Read", "a.py", "b.py"), 2, "one word too many"),
    ],
)
def test_explain_misused(arguments: tuple[str, ...], code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each mistake is named."""
    done = call(capsys, "explain", *arguments)

    assert (code, True) == (done.code, says in done.err), done.err


def test_classify(capsys: pytest.CaptureFixture[str]) -> None:
    """As text, as JSON and as a tree."""
    assert call(capsys, "shell", "classify", "cat a > b").out.startswith("FileWrite, FileRead (resolved)")
    assert {"FileWrite", "FileRead"} == set(
        json.loads(call(capsys, "shell", "classify", "--json", "cat a > b").out)["classes"]
    )
    assert "|- cat a" in call(capsys, "shell", "classify", "--tree", "cat a > b").out
    assert 2 == call(capsys, "shell", "classify", "--tree", "--json", "ls").code


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_classify_reads_standard_input(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes that are no text are unresolved, not an error."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"rm -rf \xff; $(\n")))
    done = call(capsys, "shell", "classify", *arguments)

    assert (0, True) == (done.code, done.out.startswith("Destructive (unresolved)")), done.out


def test_a_machine_of_code_is_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """`explain` is about machines of the law: code that is named is told from a file that is not there."""
    code = call(capsys, "explain", "tests.cli.machines:works", "WORK", "Bash")
    file = call(capsys, "explain", "nowhere.json", "WORK", "Bash")

    assert (2, 2) == (code.code, file.code)
    assert "tests.cli.machines:works is code; this command asks a statewright machine" in code.err
    assert "nowhere.json cannot be read: there is no such file" in file.err
