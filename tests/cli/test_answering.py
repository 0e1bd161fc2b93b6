"""`agentfsm approve` and `agentfsm reject`: a person's word on the call that a run waits for."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest

from agentfsm import JsonlJournal
from tests.cli.calling import Called, call
from tests.cli.machines import Order, asks

ASKS = "tests.cli.machines:asks"
TARGET = ("--target", ASKS)


class Terminal(io.StringIO):
    """Somebody who types, at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def waiting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """The file of a run that waits, and the key of its request."""
    path = tmp_path / "run.jsonl"
    done = call(capsys, "run", ASKS, "--input", '{"order": {"command": "echo hi"}}', "--output", str(path), "--json")
    assert 3 == done.code
    return str(path), json.loads(done.out)["halted"]["key"]


def test_approving(waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """The call is made and the run goes on in its own file, which says who agreed; it verifies."""
    path, key = waiting
    done = call(capsys, "approve", path, *TARGET, "--key", key, "--by", "ada", "--json")

    assert (0, "finished") == (done.code, json.loads(done.out)["outcome"])
    assert '"ada"' in Path(path).read_text()
    assert 0 == call(capsys, "replay", path, *TARGET).code


def test_rejecting(waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """The call is not made, and the stage is told why."""
    path, key = waiting
    done = call(capsys, "reject", path, *TARGET, "--key", key, "--reason", "not today")

    assert (1, True) == (done.code, "Bash refused (rejected): not today" in done.out)
    assert 0 == call(capsys, "replay", path, *TARGET).code


def test_an_answer_serves_once(waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """R62: the run is over, or waits for something else; either way nothing is answered again."""
    path, key = waiting
    call(capsys, "approve", path, *TARGET, "--key", key)
    before = Path(path).read_text()
    done = call(capsys, "approve", path, *TARGET, "--key", key)

    assert (2, True, before) == (done.code, "waits for no answer" in done.err, Path(path).read_text())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "this is no terminal: name the request that is meant, with --key "),
        (("--key", "other"), "does not wait for other"),
    ],
)
def test_the_request_has_to_be_named(
    options: tuple[str, ...],
    says: str,
    waiting: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R59: without a terminal nobody answers a request that he does not name."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    path, _ = waiting
    before = Path(path).read_text()
    done = call(capsys, "approve", path, *TARGET, *options)

    assert (2, True, before) == (done.code, says in done.err, Path(path).read_text())


@pytest.mark.parametrize(
    ("typed", "ends"),
    [
        (("approve", "y\n"), (0, "finished")),
        (("approve", "n\n"), (130, "")),
        (("approve", ""), (130, "")),
        (("reject", "y\nnot today\n"), (1, "not today")),
    ],
)
def test_on_a_terminal_the_request_is_shown_and_confirmed(
    typed: tuple[str, str],
    ends: tuple[int, str],
    waiting: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who answers has seen what it is about."""
    monkeypatch.setattr("sys.stdin", Terminal(typed[1]))
    path, key = waiting
    done: Called = call(capsys, typed[0], path, *TARGET)

    assert (ends[0], True) == (done.code, ends[1] in done.out), done
    assert [] == [text for text in ("Bash(", "a command can do anything", f"key {key}") if text not in done.err]


def test_a_run_in_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """STORE#RUN goes on in its store."""
    orchestrator = asks().with_journal(JsonlJournal(tmp_path))
    run = asyncio.run(orchestrator.run(Order("echo hi")))
    key = run.halted.key if run.halted else ""

    assert 0 == call(capsys, "approve", f"{tmp_path}#{run.id}", *TARGET, "--key", key).code
    assert 0 == call(capsys, "replay", f"{tmp_path}#{run.id}", *TARGET).code


def test_a_torn_line_is_cut_off(waiting: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """What a crash left of a last line was never acknowledged, and does not spoil what is added."""
    path, key = waiting
    with Path(path).open("a") as file:
        file.write('{"seq": 99, "torn')

    assert 0 == call(capsys, "approve", path, *TARGET, "--key", key).code
    assert 0 == call(capsys, "replay", path, *TARGET).code
