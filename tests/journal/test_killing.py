"""Processes are killed at random moments, for real; `bench/kill_everywhere.py --rounds 200` does so for longer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.checkout import ROOT


@pytest.mark.parametrize("journal", ["sqlite", "postgres"])
def test_a_killed_process_loses_and_repeats_nothing(journal: str) -> None:
    """
    R34: over 20 runs that are killed again and again, nothing that was acknowledged is lost or torn, no effect is
    repeated silently, and every run ends as one that nobody killed.
    """
    program = [sys.executable, str(ROOT / "bench" / "kill_everywhere.py"), "--rounds", "20", "--journals", journal]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=ROOT)
    assert 0 == done.returncode, done.stdout + done.stderr
    found = json.loads(done.stdout)

    assert [0, 0, 0, 0] == [found[what] for what in ("lost", "torn", "repeated", "different")]
    assert found["kills"] >= found["rounds"] == 20
    assert found["acknowledged"] > 100 * found["rounds"]
