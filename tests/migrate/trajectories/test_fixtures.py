"""Runs that others recorded, kept as they published them; skipped where they are not at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentfsm.migrate.trajectories import Trajectory, read_bytes

FILES = Path(__file__).parents[4] / "shared" / "fixtures" / "trajectories"

pytestmark = pytest.mark.skipif(not FILES.is_dir(), reason="the recorded runs are not beside this checkout")


def read(name: str) -> Trajectory:
    return read_bytes((FILES / name).read_bytes(), name)


@pytest.mark.parametrize(
    ("name", "tools", "outcome", "answer"),
    [
        ("sweagent_function_calling_simple.traj", "Glob Read Edit Bash GitDiff", "finished", "diff --git "),
        ("sweagent_testrepo_1c2844.traj", "Glob Read Edit Bash GitDiff", "finished", "diff --git "),
        ("sweagent_humanevalfix_0.traj", "Bash Read Edit Bash GitDiff", "finished", "diff --git "),
        ("sweagent_ctf_forensics_flash.traj", "Bash Bash Bash GitDiff", "finished", "flag{b3l0w_th3_r4dar}"),
        (
            "sweagent_marshmallow_1867_function_calling.traj",
            "Write Edit Bash Bash Glob Read Edit Edit Bash Bash GitDiff",
            "finished",
            "diff --git ",
        ),
        (
            "sweagent_pydicom_1458.traj",
            "Write Edit Bash Glob Read Edit Edit Edit Edit Bash Bash GitDiff",
            "finished",
            "diff --git ",
        ),
        ("minisweagent_github_issue.traj.json", " ".join(["Bash"] * 10), "finished", "diff --git "),
        ("minisweagent_local.traj.json", "Bash Bash", "failed", "submitted: the submission is empty"),
    ],
)
def test_a_recorded_run(name: str, tools: str, outcome: str, answer: str) -> None:
    """Every recorded action comes through, folded into canonical tools, and the ending is the recorded one."""
    found = read(name)

    assert tools.split() == [call.name for call in found.calls]
    assert len(tools.split()) == found.recorded_actions == found.imported_actions
    assert outcome == found.ending.outcome
    assert found.ending.text.lstrip().startswith(answer)
    assert found.task


def test_edits_name_the_file_that_was_open() -> None:
    """The recorded editor edits what is open; the call says which file that was."""
    edits = [call.arguments["path"] for call in read("sweagent_pydicom_1458.traj").calls if call.name == "Edit"]

    handler = "/pydicom__pydicom/pydicom/pixel_data_handlers/numpy_handler.py"
    assert ["/pydicom__pydicom/reproduce_bug.py", *[handler] * 4] == edits


def test_times_are_there_where_they_were_recorded() -> None:
    """Newer files say how long each action took, older ones and messages do not."""
    assert all(step.seconds for step in read("sweagent_testrepo_1c2844.traj").steps)
    assert all(step.seconds is None for step in read("sweagent_pydicom_1458.traj").steps)
    assert all(step.at is None for step in read("minisweagent_local.traj.json").steps)
