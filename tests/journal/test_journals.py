"""Every journal keeps lines in order, for one writer at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentfsm import ConflictError, Journal, JsonlJournal, MemoryJournal, UsageError
from agentfsm.errors import CorruptLogError


@pytest.fixture(params=["memory", "jsonl", "jsonl-synced"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Journal:
    if request.param == "memory":
        return MemoryJournal()
    return JsonlJournal(tmp_path / "runs", sync=request.param == "jsonl-synced")


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def read(journal: Journal, run: str, start: int = 0) -> list[str]:
    return [line async for line in journal.read(run, start)]


async def test_what_is_added_is_read(journal: Journal) -> None:
    """Lines come back in order, from any number on."""
    await journal.append("r", 0, ["a", "b"])
    await journal.append("r", 2, ["c"])

    assert ["a", "b", "c"] == await read(journal, "r")
    assert (["c"], []) == (await read(journal, "r", 2), await read(journal, "r", 9))
    assert 3 == await journal.head("r")


async def test_a_run_that_is_not_there(journal: Journal) -> None:
    """It has no lines, and reading it makes none."""
    assert ([], 0) == (await read(journal, "r"), await journal.head("r"))
    assert None is await journal.latest("s")


@pytest.mark.parametrize("expected", [0, 1, 3])
async def test_a_stale_writer_is_refused(journal: Journal, expected: int) -> None:
    """R44: who thinks that the head is elsewhere is told where it is, and adds nothing."""
    await journal.append("r", 0, ["a", "b"])

    with pytest.raises(ConflictError) as caught:
        await journal.append("r", expected, ["x"])
    assert ("r", expected, 2) == (caught.value.run, caught.value.expected, caught.value.found)
    assert ["a", "b"] == await read(journal, "r")


async def test_the_newest_run_of_a_session(journal: Journal) -> None:
    """The one that was begun last, whatever was added to others since; a run without a session is of none."""
    await journal.append("one", 0, ["a"], session="s")
    await journal.append("two", 0, ["a"], session="s")
    await journal.append("one", 1, ["b"], session="s")
    await journal.append("three", 0, ["a"])

    assert ("two", None, None) == (await journal.latest("s"), await journal.latest("t"), await journal.latest(""))


async def test_reading_while_somebody_adds(journal: Journal) -> None:
    """A reader sees what was there when it began."""
    await journal.append("r", 0, ["a", "b"])
    reader = journal.read("r")
    first = await anext(reader)
    await journal.append("r", 2, ["c"])

    assert ["a", "b"] == [first, *[line async for line in reader]]


async def test_a_torn_last_line_was_never_there(tmp_path: Path) -> None:
    """What a crash cut in the middle of a line is read as absent, and cut off by the next writer."""
    writer = JsonlJournal(tmp_path)
    await writer.append("r", 0, ["first", "second"])
    path = tmp_path / "r.jsonl"
    path.write_bytes(path.read_bytes() + b'{"torn":')
    other = JsonlJournal(tmp_path)

    assert (["first", "second"], 2) == (await read(other, "r"), await other.head("r"))
    await other.append("r", 2, ["third"])
    assert ["first", "second", "third"] == await read(JsonlJournal(tmp_path), "r")
    assert b"first\nsecond\nthird\n" == path.read_bytes()


async def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    """Bytes that no journal wrote are named by where they are."""
    (tmp_path / "r.jsonl").write_bytes(b"fine\n\xff\xfe\n")

    with pytest.raises(CorruptLogError, match=r"r\.jsonl holds bytes that are no JSON line") as caught:
        await read(JsonlJournal(tmp_path), "r")
    assert "$[byte 5]" == caught.value.path


@pytest.mark.parametrize("run", ["", "../up", "/etc/a", "a\\b", ".hidden", "a b", "x" * 300, "a\n"])
async def test_a_name_that_is_no_file(tmp_path: Path, run: str) -> None:
    """A run's name never leads out of the folder."""
    with pytest.raises(UsageError, match="names no file"):
        await JsonlJournal(tmp_path).append(run, 0, ["a"])


async def test_a_childs_run_is_a_file_in_the_same_folder(tmp_path: Path) -> None:
    """R48: also one whose name would lead elsewhere."""
    journal = JsonlJournal(tmp_path / "runs")
    for run in ("r/../../S@0.1", "r/prüfen <it>@0.1"):
        await journal.append(run, 0, ["a"])

    logs = ["r%2F..%2F..%2FS@0.1.jsonl", "r%2Fpr%C3%BCfen%20%3Cit%3E@0.1.jsonl"]
    assert (["runs"], [".lock", *logs, "runs.index"]) == (files(tmp_path), files(tmp_path / "runs"))
    for run in ("r/../../S@0.1", "r/prüfen <it>@0.1"):
        assert ["a"] == await read(JsonlJournal(tmp_path / "runs"), run)


async def test_a_session_may_be_called_anything(tmp_path: Path) -> None:
    """Names of sessions come from users."""
    journal = JsonlJournal(tmp_path)
    await journal.append("r", 0, ["a"], session="../né/\n")

    assert "r" == await JsonlJournal(tmp_path).latest("../né/\n")
    assert [".lock", "r.jsonl", "runs.index"] == files(tmp_path)
