"""`agentfsm import`: recordings of other harnesses become logs that replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.cli.calling import call

RECORDED = ROOT.parent / "shared" / "fixtures" / "trajectories"
STEP = {"response": "look\n```\nls\n```", "thought": "look", "action": "ls", "observation": "a.py", "state": "{}"}
SUBMIT = {**STEP, "action": "submit", "response": "done\n```\nsubmit\n```", "observation": "", "thought": "done"}
OURS = {
    "environment": "swe_main",
    "trajectory": [STEP, SUBMIT],
    "history": [{"role": "system", "content": "s"}, {"role": "user", "content": "mend it"}],
    "info": {"exit_status": "submitted", "submission": "diff"},
}


def test_a_recording_becomes_a_log_that_replays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The counts are equal, the log is whole, and it replays by the installed machine of its name."""
    (tmp_path / "a.traj").write_text(json.dumps(OURS))

    done = call(capsys, "import", str(tmp_path / "a.traj"), "--output", str(tmp_path / "a.jsonl"), "--json")
    replayed = call(capsys, "replay", str(tmp_path / "a.jsonl"), "--json")

    said = json.loads(done.out)
    assert (0, 2, 2, "finished") == (done.code, said["recorded_actions"], said["imported_actions"], said["outcome"])
    assert (0, said["digest"]) == (replayed.code, json.loads(replayed.out)["digest"])


def test_the_counts_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """For people too."""
    (tmp_path / "a.traj").write_text(json.dumps(OURS))

    assert "actions  2 recorded, 2 imported" in call(capsys, "import", str(tmp_path / "a.traj")).out


def test_what_is_no_recording(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """It is refused with its place, and no log is left."""
    (tmp_path / "a.traj").write_text('{"trajectory": 1}')

    done = call(capsys, "import", str(tmp_path / "a.traj"), "--output", str(tmp_path / "a.jsonl"))

    assert (1, "") == (done.code, done.out)
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize(
    "path", sorted(RECORDED.glob("*.traj*")) or [None], ids=lambda path: getattr(path, "name", "-")
)
def test_real_recordings(path: Path | None, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every recorded action of the fixtures is in a log that replays."""
    if path is None:
        pytest.skip("the recordings are not beside this checkout")
    done = call(capsys, "import", str(path), "--output", str(tmp_path / "a.jsonl"), "--json")

    said = json.loads(done.out)
    assert said["recorded_actions"] == said["imported_actions"] > 0
    assert 0 == call(capsys, "replay", str(tmp_path / "a.jsonl")).code
