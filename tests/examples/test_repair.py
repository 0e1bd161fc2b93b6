"""The repair demo: a failing suite, an agent, a green suite, and a log that replays."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT

DEMO = ROOT / "examples" / "repair" / "demo.py"


def demo(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(path), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def test_the_demo_repairs_the_package(tmp_path: Path) -> None:
    """The tests fail before and pass after; a wrong guess and a refused call are on the way; the log is verified."""
    done = demo(DEMO, tmp_path)

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "20 failed, 16 passed" in done.stdout
    assert "36 passed" in done.stdout
    assert "✗ Bash refused (not_listed)" in done.stdout
    assert done.stdout.rstrip().endswith("verified")
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text().splitlines()]
    reports = [json.loads(line["result"]) for line in lines if line.get("tool") == "RunTests" and "result" in line]
    assert ["failed", "failed", "failed", "passed"] == [report["verdict"] for report in reports]


def test_the_demo_leaves_the_example_as_it_is(tmp_path: Path) -> None:
    """What is repaired is a copy: the next one who runs it finds it broken."""
    before = everything()

    demo(DEMO, tmp_path)

    assert before == everything()


def test_a_repair_that_does_not_come_off_is_exit_code_1(tmp_path: Path) -> None:
    """Without the last repair the suite stays red, and the demo says so."""
    example = tmp_path / "repair"
    subprocess.run(["cp", "-r", str(DEMO.parent), str(example)], check=True)
    replies = (example / "replies.jsonl").read_text()
    (example / "replies.jsonl").write_text(replies.replace("if invoice.discount.cents else", "if True else"))

    done = demo(example / "demo.py", tmp_path)

    assert 1 == done.returncode, done.stdout + done.stderr
    assert "1 failed, 35 passed" in done.stdout


def everything() -> dict[str, bytes]:
    files = (path for path in DEMO.parent.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): path.read_bytes() for path in files}
