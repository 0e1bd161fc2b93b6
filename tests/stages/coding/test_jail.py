"""Nothing outside a workspace is read, listed, searched, written or changed, however it is named."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from agentfsm import Tool, ToolError
from agentfsm_stages.coding import LS, Edit, Glob, Grep, Read, RunTests, Write
from agentfsm_stages.coding.jail import Jail, plain
from tests.stages.coding.site import Place


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A workspace with ways out of it and things that are no files, beside a folder with a secret."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret\n")
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    (work / "src" / "app.py").write_text("x = 1\n")
    (work / "out").symlink_to(outside)
    (work / "leak.txt").symlink_to(outside / "secret.txt")
    (work / "inner.py").symlink_to("src/app.py")
    (work / "loop").symlink_to("loop")
    os.mkfifo(work / "pipe")
    (work / "blob").write_bytes(b"\0\1\2")
    (work / "two\nlines.txt").write_text("odd\n")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(work / "door"))
    return work


REFUSED = [
    # up and out
    ("../outside/secret.txt", "goes up"),
    ("src/../../outside/secret.txt", "goes up"),
    ("src/../src/app.py", "goes up"),
    ("/etc/passwd", "not relative"),
    ("~/.ssh/id_rsa", "not relative"),
    ("", "no path"),
    ("a\0b", "no path"),
    # links, wherever they point
    ("leak.txt", "symbolic link"),
    ("out/secret.txt", "symbolic link"),
    ("inner.py", "symbolic link"),
    ("loop", "symbolic link"),
    # what is no file
    ("pipe", "FIFO|regular"),
    ("door", "socket|regular"),
    ("src", "folder|regular"),
    ("src/app.py/x", "not a folder"),
]


@pytest.mark.parametrize(("path", "why"), REFUSED)
async def test_reading_is_refused(path: str, why: str, hostile: Path) -> None:
    """Read says why, and does not wait for the other end of a FIFO."""
    with pytest.raises(ToolError, match=why):
        await Read(path).run(Place(hostile))


@pytest.mark.parametrize(("path", "why"), REFUSED)
@pytest.mark.parametrize("kind", ["write", "edit"])
async def test_writing_is_refused(path: str, why: str, kind: str, hostile: Path) -> None:
    """Write and Edit change nothing, neither here nor there."""
    before = everything(hostile.parent)
    call: Tool[object] = Write(path, "gone") if kind == "write" else Edit(path, "secret", "gone")

    with pytest.raises(ToolError, match="symbolic|regular" if why == "symbolic link" else why):
        await call.run(Place(hostile))

    assert before == everything(hostile.parent)


@pytest.mark.parametrize("path", ["..", "/", "out", "pipe", "src/app.py", "nowhere"])
async def test_listing_and_searching_are_refused(path: str, hostile: Path) -> None:
    """LS takes a folder of the workspace, Grep a folder or a file, RunTests what is there."""
    with pytest.raises(ToolError):
        await LS(path).run(Place(hostile))
    if path != "src/app.py":
        with pytest.raises(ToolError):
            await Grep("secret", path).run(Place(hostile))
    if path in {"..", "/", "nowhere"}:
        with pytest.raises(ToolError):
            await RunTests((path,)).run(Place(hostile))


async def test_walking_passes_links_and_oddities_by(hostile: Path) -> None:
    """Glob and Grep follow no link, and a name with a newline in it is one name."""
    found = await Glob("**").run(Place(hostile))
    lines = await Grep("secret|x = 1|odd").run(Place(hostile))

    assert ("blob", "two\nlines.txt", "src/app.py") == found.paths
    assert [("two\nlines.txt", "odd"), ("src/app.py", "x = 1")] == [(m.path, m.text) for m in lines.matches]
    assert "1 files passed over" in lines.cut


async def test_listing_says_what_things_are(hostile: Path) -> None:
    """LS shows links and oddities for what they are, without touching them."""
    listing = await LS().run(Place(hostile))

    assert {"link", "FIFO", "socket", "file", "folder"} == {item.kind for item in listing.items}


async def test_a_hard_link_keeps_what_it_had(hostile: Path) -> None:
    """A file outside that shares its bytes with one inside is not written through it."""
    os.link(hostile.parent / "outside" / "secret.txt", hostile / "hard.txt")

    await Write("hard.txt", "mine\n").run(Place(hostile))

    assert "secret\n" == (hostile.parent / "outside" / "secret.txt").read_text()
    assert "mine\n" == (hostile / "hard.txt").read_text()


async def test_a_workspace_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The folder itself may be missing too."""
    with pytest.raises(ToolError, match="workspace"):
        await Read("a").run(Place(tmp_path / "nowhere"))


@pytest.mark.parametrize(("path", "one"), [("./a//b/", "a/b"), ("a/./b", "a/b"), (".", "."), ("./", "."), (" a", " a")])
def test_one_spelling(path: str, one: str) -> None:
    """Two spellings of one path are one name, so that they conflict."""
    assert one == plain(path)
    assert (one,) == Edit(path, "a", "b").writes()


def test_descriptors_are_closed(hostile: Path) -> None:
    """Neither a success nor a refusal leaves a descriptor open."""
    jail = Jail(hostile)
    before = len([*Path("/proc/self/fd").iterdir()])

    for path, _ in REFUSED:
        with pytest.raises(ToolError), jail.file(path):
            pass
    with jail.file("src/app.py"):
        pass

    assert before == len([*Path("/proc/self/fd").iterdir()])


def everything(folder: Path) -> dict[str, str]:
    """What every regular file below *folder* holds, and where every link leads."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path)] = path.read_bytes().hex()
    return found
