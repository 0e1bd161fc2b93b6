"""A journal in one file: where `agentfsm run --output` keeps a run, line by line as it goes on."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Self

from agentfsm.errors import ConflictError, UsageError

__all__ = ("OneFile",)


class OneFile:
    """
    Keeps one run in *path*, and each run that a sub-machine makes beside it, in ``NAME.RUN.jsonl``.

    Raises `UsageError` where there is such a file already: a log is never written over.
    """

    def __init__(self, path: Path) -> None:
        if path.exists():
            raise UsageError(f"{path} is there already; name another file")
        if not path.parent.is_dir():
            raise UsageError(f"{path.parent} is no folder")
        self._path = path
        self._heads: dict[str, int] = {}

    @classmethod
    def continuing(cls, path: Path, run: str) -> Self:
        """Return the journal of the *run* that is kept in *path* already; a torn last line is cut off."""
        kept = cls.__new__(cls)
        kept._path = path
        kept._heads = {run: _whole_lines(path)}
        beside = (each for each in path.parent.glob(f"{path.stem}.*{path.suffix}") if each != path)
        kept._heads |= {each.name[len(path.stem) + 1 : -len(path.suffix)]: _whole_lines(each) for each in beside}
        return kept

    async def append(self, run: str, expected: int, lines: Sequence[str], *, session: str = "") -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        found = self._heads.setdefault(run, 0)
        if found != expected:
            raise ConflictError(run, expected=expected, found=found)
        with self._of(run).open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
        self._heads[run] = expected + len(lines)

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        if run in self._heads:
            for line in self._of(run).read_text(encoding="utf-8").split("\n")[start:-1]:
                yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return self._heads.get(run, 0)

    async def latest(self, session: str) -> str | None:
        """Return None: one file keeps no sessions."""

    def _of(self, run: str) -> Path:
        first = next(iter(self._heads))
        return self._path if run == first else self._path.with_name(f"{self._path.stem}.{run}{self._path.suffix}")


def _whole_lines(path: Path) -> int:
    """Return how many lines a file has, once what a crash left of the last one is cut off."""
    held = path.read_bytes()
    whole = held.rfind(b"\n") + 1
    if whole != len(held):
        os.truncate(path, whole)
    return held.count(b"\n")
