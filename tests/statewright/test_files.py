"""Files: one name for one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentfsm.statewright import DiskFiles, NamedFiles


@pytest.mark.parametrize("path", ["a.py", "./a.py", "x/../a.py", "/srv/demo/a.py", "x//..//a.py", "x\\..\\a.py"])
def test_named_files(path: str) -> None:
    """By name alone, every spelling of a file below the root is one."""
    assert ("a.py",) == NamedFiles("/srv/demo").identify(path)


def test_files_outside_the_root_keep_their_whole_name() -> None:
    """Leaving the root is seen."""
    assert ("/srv/other/a.py",) == NamedFiles("/srv/demo").identify("../other/a.py")


def test_symbolic_links_are_followed(tmp_path: Path) -> None:
    """A file edited through a link to it, or to a folder above it, is that file; the name that was asked stays."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.env").write_text("x")
    (tmp_path / "link").symlink_to("real", target_is_directory=True)
    (tmp_path / "b.txt").symlink_to("real/a.env")
    files = DiskFiles(tmp_path)

    assert (
        "real/a.env"
        == files.identify("link/a.env")[-1]
        == files.identify("b.txt")[-1]
        == files.identify("real/a.env")[-1]
    )
    assert ("b.txt", "real/a.env") == files.identify("b.txt")
    assert "real/new.env" == files.identify("link/new.env")[-1]


def test_text_of_files(tmp_path: Path) -> None:
    """A missing file is empty; one that cannot be read is not known."""
    (tmp_path / "a").write_text("x\ny")
    (tmp_path / "bad").write_bytes(b"\xff\xff")
    files = DiskFiles(tmp_path)

    assert ("x\ny", "", None, None) == tuple(map(files.text, ("a", "none", "bad", "x\0y")))
