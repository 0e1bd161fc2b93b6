"""A journal of plain files: one folder, one file of JSON lines a run."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from urllib.parse import quote

from agentfsm.errors import ConflictError, CorruptLogError, UsageError

__all__ = ("JsonlJournal",)

# A run's own name is plain; a child's goes on with the stage that runs it: PARENT/STAGE@VISIT.ATTEMPT.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]*(?:/.*)?", re.DOTALL)
_LONGEST = 240  # bytes of a file's name


class JsonlJournal:
    """
    Keeps each run in ``FOLDER/RUN.jsonl``, the name quoted as in a URL; for one process at a time.

    With *sync*, an acknowledged line is on the disk; without, it is with the operating system. A last line that was
    torn by a crash was never acknowledged: it is cut off when the run is next appended to, and read as if absent.
    """

    def __init__(self, folder: Path | str, *, sync: bool = False) -> None:
        self._folder = Path(folder)
        self._sync = sync
        self._heads: dict[str, int] = {}

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        path = self._path(run)
        found = await self.head(run)
        if found != expected:
            raise ConflictError(run, expected=expected, found=found)
        if not lines:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        if run not in self._heads:
            _cut_torn(path)
        with path.open("a", encoding="ascii", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
            if self._sync:
                file.flush()
                os.fsync(file.fileno())
        if session and not expected:
            self._session(session).write_text(f"{run}\n", encoding="utf-8")
        self._heads[run] = expected + len(lines)

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        for number, line in enumerate(_whole_lines(self._path(run))):
            if number >= start:
                yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        if run not in self._heads:
            return len(_whole_lines(self._path(run)))
        return self._heads[run]

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        path = self._session(session)
        return path.read_text(encoding="utf-8").strip() if session and path.exists() else None

    def _path(self, run: str) -> Path:
        name = quote(run, safe="@") + ".jsonl"
        if not _NAME.fullmatch(run) or len(name) > _LONGEST:
            raise UsageError(
                f"{run!r:.60} names no file: letters, digits, dot, dash, underscore and @ only, and not many"
            )
        return self._folder / name

    def _session(self, session: str) -> Path:
        return self._folder / f"session-{session.encode().hex()}.txt"


def _whole_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    try:
        return path.read_bytes().decode("ascii").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise CorruptLogError(f"{path.name} holds bytes that are no JSON line", path=f"$[byte {error.start}]") from None


def _cut_torn(path: Path) -> None:
    """Cut off a last line that a crash left without its end."""
    if not path.exists():
        return
    whole = path.read_bytes()
    if whole and not whole.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(whole.rfind(b"\n") + 1)
