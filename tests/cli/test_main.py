"""The command line as a whole: help, version, usage, and a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agentfsm import __version__
from agentfsm.cli.main import COMMANDS, group
from tests.checkout import ROOT
from tests.cli.calling import call
from tests.stages.coding.site import is_gone

TARGET = "tests.cli.machines:works"
# What a shell starts in the background ignores SIGINT, and so does all that this starts: a terminal's does not.
COMMAND_LINE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from agentfsm.cli import main
main()
"""


def process(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    paths = os.pathsep.join(str(ROOT / each) for each in ("src", "stages", ""))
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", COMMAND_LINE, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is one line."""
    assert f"agentfsm {__version__}\n" == call(capsys, "--version").out


@pytest.mark.parametrize("name", [*COMMANDS, "shell classify"])
def test_every_command_has_help_and_json(name: str) -> None:
    """Help says what a command takes; each can answer in JSON."""
    done = CliRunner().invoke(group, [*name.split(), "--help"])

    assert 0 == done.exit_code
    assert "--json" in done.output or "COMMAND" in done.output


def test_the_page_names_every_command() -> None:
    """`docs/cli.md` begins with all of them."""
    first = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("Each has `--help`")[0]

    assert set(COMMANDS) == set(re.findall(r"`([\w-]+)`", first))


def test_help_names_every_command_without_importing_it() -> None:
    """Neither the version nor the help waits for rich, the bridge or a parser of YAML."""
    late = ("rich", "agentfsm.cli.run", "agentfsm.bridge", "transitions", "yaml", "cattrs", "agentfsm.workflow")
    code = f"""
import sys
from agentfsm.cli import main
try:
    main(["--help"])
except SystemExit:
    print([name for name in {late!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert all(f"\n  {name}" in done.stdout for name in COMMANDS)
    assert "[]" == done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("nothing",),
        ("run",),
        ("run", TARGET, "--limit-seconds", "0"),
        ("run", TARGET, "--limit-iterations", "-1"),
        ("graph", TARGET, "--format", "png"),
        ("import", "nowhere.traj"),
    ],
)
def test_wrong_usage_is_2(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """What click refuses is on standard error, and so is all of it."""
    done = call(capsys, *arguments)

    assert (2, "") == (done.code, done.out)
    assert "Traceback" not in done.err


def test_a_process_answers_on_standard_output_alone(tmp_path: Path) -> None:
    """The timeline is on standard error, so that the answer can be piped."""
    with process("run", TARGET, "echo hello", "--json", "--output", "run.jsonl", cwd=tmp_path) as running:
        out, err = running.communicate(timeout=60)

    said = json.loads(out)
    assert (0, "finished", "run.jsonl") == (running.returncode, said["outcome"], said["output"])
    assert {"command": "echo hello", "wanted": ""} == said["records"]["order"]
    assert "● WORK  Work, iteration 1" in err
    assert "→ Bash(command='echo hello'" in err


def test_an_interrupt_is_130_and_the_log_says_so(tmp_path: Path) -> None:
    """Ctrl-C ends the run once: its tool is killed, its log is whole and says that it was cancelled."""
    os.mkfifo(tmp_path / "started")
    command = f"cd {tmp_path}; sleep 1000 & echo $! > child; echo > started; wait"
    with process("run", TARGET, command, "--output", "run.jsonl", cwd=tmp_path) as running:
        (tmp_path / "started").read_text()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)

    with process("replay", "run.jsonl", "--target", TARGET, "--json", cwd=tmp_path) as replaying:
        said, _ = replaying.communicate(timeout=60)

    assert 130 == running.returncode, err
    assert "agentfsm: interrupted" == err.splitlines()[-1]
    assert "cancelled" == json.loads(said)["outcome"]
    assert is_gone(tmp_path / "child")
