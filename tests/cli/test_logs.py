"""`agentfsm replay` and `agentfsm show`: logs verified, and shown."""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from agentfsm import JsonlJournal
from tests.cli.calling import call
from tests.cli.machines import Order, works

WORKS = "tests.cli.machines:works"


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    """The log of a run of two iterations, with a call in each."""
    path = tmp_path / "run.jsonl"
    order = {"command": f"echo a >> {tmp_path}/count; wc -l < {tmp_path}/count", "wanted": "2"}
    call(capsys, "run", WORKS, "--input", json.dumps({"order": order}), "--output", str(path), "--quiet")
    return path


def test_replay_verifies(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The state is folded again; no command runs a third time."""
    done = call(capsys, "replay", str(log), "--target", WORKS, "--json")

    said = json.loads(done.out)
    assert (0, True, "finished", 2) == (done.code, said["verified"], said["outcome"], said["iteration"])
    assert "a\na\n" == (log.parent / "count").read_text()


def test_replay_names_what_is_installed_or_asks(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A log names no code: its machine is an installed one of that name, or is given."""
    done = call(capsys, "replay", str(log))

    assert 2 == done.code
    assert "is of machine 'work', which is not installed; name it with --target" in done.err


def test_the_ready_machines_are_installed() -> None:
    """What this package brings can be replayed without a target."""
    assert {"react", "tool_loop"} <= {point.name for point in entry_points(group="agentfsm.machines")}


def test_another_machine_is_a_conflict(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same name is not the same machine."""
    done = call(capsys, "replay", str(log), "--target", "tests.cli.machines:other")

    assert 5 == done.code
    assert "the log is of machine work" in done.err


@pytest.mark.parametrize("command", [("replay", "--target", WORKS), ("show",)])
@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [*lines[:2], lines[2].replace("a", "b", 1), *lines[3:]],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [*lines[:2], "garbage", *lines[2:]],
        lambda lines: [*lines[:1], "", *lines[1:]],
    ],
    ids=["changed", "dropped", "moved", "inserted", "blank"],
)
def test_a_log_that_was_changed_is_not_verified(
    command: tuple[str, ...], change: object, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first entry that does not follow is named, and the exit code is 1."""
    assert callable(change)
    log.write_text("".join(f"{line}\n" for line in change(log.read_text().splitlines())))

    done = call(capsys, command[0], str(log), *command[1:])

    assert (1, "") == (done.code, done.out)
    assert done.err.startswith(f"agentfsm: {log}: $[")
    assert "was changed, dropped or moved" in done.err or "does not say" in done.err


def test_a_torn_last_line_is_left_out(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was never acknowledged is no part of the log, and whoever reads it is told."""
    whole = log.read_text()
    log.write_text(whole[:-20])

    done = call(capsys, "show", str(log), "--json")

    assert len(whole.splitlines()) - 1 == len(done.out.splitlines())
    assert f"agentfsm: {log}: the last line has no end; it was torn by a crash and is left out\n" == done.err


@pytest.mark.parametrize("run", ["nowhere.jsonl", "run.txt", "nowhere#run", "#", ".#nowhere"])
def test_a_run_that_is_not_there(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that leads nowhere is a usage error."""
    assert 2 == call(capsys, "show", run).code


async def _kept(folder: Path) -> str:
    return (await works.with_journal(JsonlJournal(folder)).run(Order("echo hello"))).id


def test_a_run_in_a_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """STORE#RUN is a run in a folder of logs."""
    import asyncio

    name = asyncio.run(_kept(tmp_path / "store"))

    assert 0 == call(capsys, "replay", f"{tmp_path}/store#{name}", "--target", WORKS).code


def test_show_is_a_table_or_the_log_itself(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For people a line an entry, for programs the lines."""
    table = call(capsys, "show", str(log)).out
    lines = call(capsys, "show", str(log), "--json").out

    assert log.read_text() == lines
    assert "null" not in table
    assert all(
        part in table for part in ("began", "intent Bash", "result Bash", "step Work", "WORK → DONE", "verified")
    )


def test_show_says_what_was_added_to_a_trail(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The items are what a reader looks for; digests are for the chain."""
    path = tmp_path / "notes.jsonl"
    call(capsys, "run", "tests.cli.machines:notes", "--output", str(path), "--quiet")

    table = " ".join(call(capsys, "show", str(path)).out.split())

    assert '"lines": ["one", "two"]' in table
    assert "before" not in table
