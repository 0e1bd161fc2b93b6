"""Files of lines: appended to whole, cut where a crash tore the last line, replaced in one step, locked by process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agentfsm.errors import CorruptLogError

__all__ = ("LineFile", "is_torn", "locked", "replaced", "whole_lines")


class LineFile:
    """One file of lines, and how many it has while nobody else has written to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._count = 0
        self._size = -1

    @property
    def known(self) -> int | None:
        """The number of lines, or None where it has to be counted."""
        return self._count if self._size == self._now() else None

    def count(self, lines: int) -> None:
        """Take note of the number of lines that the file has now."""
        self._count, self._size = lines, self._now()

    def add(self, lines: Sequence[str], *, sync: bool) -> None:
        """Add lines, after cutting off what a crash left of one."""
        count = self.known
        if count is None:
            cut_torn(self.path)
        # One write of one text: a crash leaves a beginning of it, which has at most one torn line.
        with self.path.open("ab") as file:
            file.write("".join(f"{line}\n" for line in lines).encode("ascii"))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        if count is not None:
            self.count(count + len(lines))

    def _now(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0


def whole_lines(path: Path) -> list[str]:
    """Return the lines of a file but for a torn last one; raises `CorruptLogError` for bytes that are no JSON."""
    if not path.exists():
        return []
    try:
        return path.read_bytes().decode("ascii").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise CorruptLogError(f"{path.name} holds bytes that are no JSON line", path=f"$[byte {error.start}]") from None


def is_torn(path: Path) -> bool:
    """Tell whether a crash left a last line without its end."""
    if not path.exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def cut_torn(path: Path) -> None:
    """Cut off a last line that a crash left without its end."""
    if is_torn(path):
        whole = path.read_bytes()
        with path.open("r+b") as file:
            file.truncate(whole.rfind(b"\n") + 1)


def replaced(path: Path, text: str, *, sync: bool) -> None:
    """Put *text* in the place of what a file holds: a crash leaves the old or the new, whole."""
    beside = path.with_name(f"{path.name}.new")
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        if sync:
            file.flush()
            os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock on a folder, which is made where there is none; a process that ends lets go of it."""
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (folder / ".lock").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
