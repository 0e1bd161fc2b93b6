"""Reading, changing, finding and searching files, and what is cut from long answers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm import ToolError
from agentfsm_stages.coding import Edit, Glob, Grep, Read, Write
from agentfsm_stages.coding.differences import difference
from agentfsm_stages.coding.walking import matches
from tests.stages.coding.site import Place


async def test_read_gives_the_text_as_it_stands(tmp_path: Path) -> None:
    """Line ends, blanks and a missing last newline stay, so that Edit finds what Read showed."""
    (tmp_path / "a.txt").write_bytes("eins\r\n\tzwei  \ndr\u00e9i".encode())

    found = await Read("a.txt").run(Place(tmp_path))

    assert ("eins\r\n\tzwei  \ndr\u00e9i", 1, 3, "") == (found.text, found.first, found.last, found.cut)


async def test_read_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A long file is read in pieces; the note names the next line, and the pieces together are the file."""
    text = "".join(f"line {number} {'x' * 90}\n" for number in range(1, 1_001))
    (tmp_path / "long.txt").write_text(text)

    pieces, first = "", 1
    while True:
        found = await Read("long.txt", first=first).run(Place(tmp_path))
        pieces += found.text
        if not found.cut:
            break
        assert found.cut.endswith(f"go on with first={found.last + 1}")
        first = found.last + 1

    assert text == pieces


async def test_read_cuts_a_line_without_end(tmp_path: Path) -> None:
    """A line of megabytes is shown by its beginning, and the line after it is the next."""
    (tmp_path / "min.js").write_text("a" * 3_000_000 + "\nnext\n")

    found = await Read("min.js").run(Place(tmp_path))

    assert "a" * 2_000 + "\nnext\n" == found.text
    assert "line 1 is cut after 2000 characters" == found.cut


async def test_a_huge_file_is_read_by_its_beginning(tmp_path: Path) -> None:
    """Two gigabytes are neither read nor searched nor edited, and each tool says so."""
    with (tmp_path / "huge.txt").open("wb") as file:
        file.write(b"first\n" * 20_000)
        file.truncate(2 << 30)

    found = await Read("huge.txt", lines=2).run(Place(tmp_path))
    lines = await Grep("first").run(Place(tmp_path))

    assert "first\nfirst\n" == found.text
    assert ((), 0) == (lines.matches, lines.searched)
    with pytest.raises(ToolError, match="bytes; files up to"):
        await Edit("huge.txt", "first", "second").run(Place(tmp_path))


@pytest.mark.parametrize(("first", "lines"), [(0, 1), (1, 0), (9, 1)])
async def test_read_refuses_lines_that_are_not_there(first: int, lines: int, tmp_path: Path) -> None:
    """Lines count from 1 and end with the file."""
    (tmp_path / "a.txt").write_text("a\nb\n")

    with pytest.raises(ToolError):
        await Read("a.txt", first, lines).run(Place(tmp_path))


async def test_binary_files_are_refused(tmp_path: Path) -> None:
    """What is no text is neither shown nor edited."""
    (tmp_path / "a.bin").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")

    with pytest.raises(ToolError, match="binary"):
        await Read("a.bin").run(Place(tmp_path))
    with pytest.raises(ToolError, match="byte 3 is 0xe9"):
        await Edit("latin.txt", "caf", "tea").run(Place(tmp_path))


async def test_edit_replaces_one_place(tmp_path: Path) -> None:
    """The change is a diff that patch itself can take back; mode and line ends stay."""
    path = tmp_path / "app.py"
    path.write_bytes(b"def add(a, b):\r\n    return a - b\r\n")
    path.chmod(0o755)

    change = await Edit("app.py", "a - b", "a + b").run(Place(tmp_path))

    assert b"def add(a, b):\r\n    return a + b\r\n" == path.read_bytes()
    assert 0o755 == path.stat().st_mode & 0o777
    assert "-    return a - b\r\n+    return a + b\r\n" in change.diff


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [("c", "d", "does not hold"), ("a", "b", "3 times, in lines 1, 1"), ("", "b", "empty"), ("a", "a", "same text")],
)
async def test_edit_refuses_what_is_not_clear(old: str, new: str, why: str, tmp_path: Path) -> None:
    """A text that is not there, or there more than once, changes nothing."""
    (tmp_path / "a.txt").write_text("a a\na\n")

    with pytest.raises(ToolError, match=why):
        await Edit("a.txt", old, new).run(Place(tmp_path))

    assert "a a\na\n" == (tmp_path / "a.txt").read_text()


async def test_edit_everywhere(tmp_path: Path) -> None:
    """Every place is replaced where that is what is asked for."""
    (tmp_path / "a.txt").write_text("a a\na\n")

    await Edit("a.txt", "a", "aa", everywhere=True).run(Place(tmp_path))

    assert "aa aa\naa\n" == (tmp_path / "a.txt").read_text()


async def test_write_makes_folders_and_leaves_nothing_beside(tmp_path: Path) -> None:
    """A new file comes with its folders; writing it again is no change."""
    change = await Write("a/b/c.txt", "text\n").run(Place(tmp_path))
    again = await Write("a/b/c.txt", "text\n").run(Place(tmp_path))

    assert "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1 @@\n+text\n" == change.diff
    assert "" == again.diff
    assert ["c.txt"] == [path.name for path in (tmp_path / "a/b").iterdir()]


async def test_write_refuses_half_a_character(tmp_path: Path) -> None:
    """Text that is no Unicode is no text, and what was there stays."""
    (tmp_path / "a.txt").write_text("old")

    with pytest.raises(ToolError, match="half a character at 1"):
        await Write("a.txt", "a\ud800").run(Place(tmp_path))

    assert "old" == (tmp_path / "a.txt").read_text()


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=30)


@pytest.mark.parametrize("most_compared", [0, 4_000])
@given(same=LINES, old=LINES, new=LINES, ends=st.tuples(st.sampled_from(["", "end"]), st.sampled_from(["", "end"])))
def test_a_difference_leads_from_one_text_to_the_other(
    most_compared: int, same: list[str], old: list[str], new: list[str], ends: tuple[str, str]
) -> None:
    """patch takes the difference and makes the second text of the first, compared or in one hunk."""
    before, after = "".join([*same, *old, *same, ends[0]]), "".join([*same, *new, *same, ends[1]])
    with pytest.MonkeyPatch.context() as patching:
        patching.setattr("agentfsm_stages.coding.differences._MOST_COMPARED", most_compared)
        found = difference("a", before, after).text

    assert (before == after) == (not found)
    if found and before:
        assert after == patched(before, found)


def patched(before: str, change: str) -> str:
    done = subprocess.run(
        ["bash", "-c", 'cd "$(mktemp -d)" && printf %s "$1" > a && patch -s a && cat a', "_", before],
        input=change,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "src/b/a.py", True),
        ("src/**", "src/b/a.py", True),
        ("src/**/a.py", "src/a.py", True),
        ("src/**/a.py", "lib/a.py", False),
        ("**", "a/b", True),
        ("[ab].?", "b.c", True),
        ("A.py", "a.py", False),
        ("**/**/**/**/**/x", "/".join("a" * 200), False),
        ("*a*a*a*a*a*a*a*a*a*b", "a" * 255, False),
    ],
)
def test_globs(pattern: str, path: str, *, fits: bool) -> None:
    """One star stays within a name, two go over any folders, and no pattern takes long."""
    assert fits == matches(path, pattern)


async def test_glob_and_grep_are_bounded(tmp_path: Path) -> None:
    """Many files and many lines are cut, and the note says so."""
    for number in range(1_002):
        (tmp_path / f"{number:04}.txt").write_text("hit\n")

    paths = await Glob("*.txt").run(Place(tmp_path))
    lines = await Grep("hit").run(Place(tmp_path))

    assert (1_000, "only the first 1000 paths") == (len(paths.paths), paths.cut)
    assert (200, "only the first 200 lines found") == (len(lines.matches), lines.cut)


async def test_grep_narrows_and_cuts_around_the_place(tmp_path: Path) -> None:
    """Files by a glob, case by a flag, and a long line by what stands around the match."""
    (tmp_path / "a.py").write_text(f"one\n{'x' * 5_000}NEEDLE{'x' * 5_000}\n")
    (tmp_path / "a.txt").write_text("needle\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "a.py").write_text("needle\n")

    found = await Grep("needle", glob="**/*.py", ignore_case=True).run(Place(tmp_path))

    assert [("a.py", 2, 300)] == [(m.path, m.line, len(m.text)) for m in found.matches]
    assert "NEEDLE" in found.matches[0].text


@pytest.mark.parametrize("pattern", ["(", "a{99999999999999999999}", "(" * 3_000 + ")" * 3_000])
async def test_grep_refuses_what_is_no_pattern(pattern: str, tmp_path: Path) -> None:
    """The error is the model's to act on."""
    (tmp_path / "a.txt").write_text("a\n")

    with pytest.raises(ToolError, match="no regular expression"):
        await Grep(pattern).run(Place(tmp_path))
