"""`classify`: harmless, writing and blocked commands, as the labelling standard has them (R58)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentfsm.shell import OpClass, classify

CASES = Path(__file__).parent / "cases"
READ_ONLY = frozenset(
    {OpClass.FILE_READ, OpClass.CONTENT_SEARCH, OpClass.FILE_SEARCH, OpClass.GIT_READ, OpClass.PASSTHROUGH}
)
WRITE = READ_ONLY | {OpClass.FILE_WRITE, OpClass.FILE_MODIFY}


def cases(name: str) -> list[str]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text().splitlines()]


def blocked_in(command: str) -> str:
    """Return the first state that refuses a command: none, read-only or write, in the standard's words."""
    classes = classify(command).classes
    return "none" if classes <= READ_ONLY else "read-only" if classes <= WRITE else "write"


@pytest.mark.parametrize("command", cases("none"))
def test_harmless(command: str) -> None:
    """What only looks passes in the read-only state."""
    assert "none" == blocked_in(command)


@pytest.mark.parametrize("command", cases("write"))
def test_writing(command: str) -> None:
    """What plainly writes is refused while reading and passes while writing."""
    assert "read-only" == blocked_in(command)


@pytest.mark.parametrize("command", cases("block"))
def test_blocked(command: str) -> None:
    """What deletes, leaves the machine, changes the repository or cannot be resolved is refused in both (R58)."""
    assert "write" == blocked_in(command)


def corpus() -> list[dict[str, object]]:
    path = Path(__file__).parents[3] / "shared" / "corpora" / "bash_dev.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


@pytest.mark.skipif(not corpus(), reason="the development corpus is not beside this checkout")
@pytest.mark.parametrize("row", corpus(), ids=lambda row: str(row["id"]))
def test_development_corpus(row: dict[str, object]) -> None:
    """Every row of the development set is answered as labelled."""
    command = row["command"]
    assert isinstance(command, str)

    assert row["must_block_in"] == blocked_in(command)


def test_passthrough_stands_alone() -> None:
    """A command without any effect is Passthrough and nothing else."""
    assert frozenset({OpClass.PASSTHROUGH}) == classify("echo a | tr a b").classes


def test_spans_are_bytes_of_the_text() -> None:
    """A reason points at the bytes of the command that it is about."""
    command = "echo 'é'; rm x"

    (reason, *_) = classify(command).reasons

    assert b"rm x" == command.encode()[reason.span.start : reason.span.end]


def test_files_are_listed_when_constant() -> None:
    """Constant paths are listed by what becomes of them, as seen from where the shell stands."""
    files = classify('cd src && cat a > b; rm ../c; touch "$d"').files

    assert ("src/a",) == files.read
    assert ("src/b",) == files.written
    assert ("c",) == files.deleted


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "(" * 10_000 + "ls" + ")" * 10_000, "$(" * 10_000, "`" * 10_001, "if " * 10_000, "{ " * 10_000],
    ids=["long", "subshells", "substitutions", "backticks", "ifs", "groups"],
)
def test_limits_are_unresolved(text: str) -> None:
    """What is too long or too deep is unresolved, and never an exception."""
    assert not classify(text).resolved


@pytest.mark.parametrize(
    "text",
    ["echo " + "a" * 120_000, "echo " + "w " * 10_000, "ls;" * 1_000, "(" * 90 + "ls" + ")" * 90],
    ids=["bytes", "words", "commands", "depth"],
)
def test_large_harmless_text_passes(text: str) -> None:
    """A limit lets large harmless text pass."""
    assert "none" == blocked_in(text)


def test_a_deep_caller_changes_nothing() -> None:
    """The answer does not hang on how much of Python's stack the caller has used."""
    text = "$(echo " * 60 + "a" + ")" * 60

    def deeper(levels: int) -> bool:
        return classify(text) == classify(text) if levels == 0 else deeper(levels - 1)

    assert deeper(700)
