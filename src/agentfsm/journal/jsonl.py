"""A journal of plain files: one folder, one file of JSON lines a run, and small files beside it for the rest."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attrs import asdict

from agentfsm.errors import ConflictError, CorruptLogError, UsageError
from agentfsm.journal.holding import FREE, Held, admitted, granted, released
from agentfsm.journal.line_files import LineFile, is_torn, locked, replaced, whole_lines
from agentfsm.store import Kept, Lease, StoredRun

__all__ = ("JsonlJournal",)

# A run's own name is plain; a child's goes on with the stage that runs it: PARENT/STAGE@VISIT.ATTEMPT.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]*(?:/.*)?", re.DOTALL)
_LONGEST = 240  # bytes of a file's name
_MARK = '{"compacted":'


class JsonlJournal:
    """
    Keeps each run in ``FOLDER/RUN.jsonl``, the name quoted as in a URL.

    With *sync*, an acknowledged line is on the disk; without, it is with the operating system. A last line that was
    torn by a crash was never acknowledged: it is cut off when the run is next appended to, and read as if absent.
    Processes take turns by a lock on the folder, except on Windows, where the folder is for one process at a time.
    *now* tells the time in nanoseconds, for leases.
    """

    def __init__(self, folder: Path | str, *, sync: bool = False, now: Callable[[], int] = time.time_ns) -> None:
        self._folder = Path(folder)
        self._sync = sync
        self._now = now
        self._files: dict[str, LineFile] = {}

    async def append(
        self, run: str, expected: int, lines: Sequence[str], *, session: str = "", fence: int | None = None
    ) -> None:
        """Add lines after the first *expected* of a run; raises `ConflictError` when there are more or fewer."""
        path = self._path(run, ".jsonl")
        with locked(self._folder):
            held = self._held(run)
            if held != FREE or fence is not None:
                admitted(held, run, fence, self._now())
            log = self._log(run)
            found = self._head(run)
            if found != expected:
                raise ConflictError(run, expected=expected, found=found)
            if not lines:
                return
            if not path.exists():
                LineFile(self._folder / "runs.index").add([json.dumps([run, session])], sync=self._sync)
            log.add(lines, sync=self._sync)

    async def read(self, run: str, start: int = 0) -> AsyncIterator[str]:
        """Give the lines of a run from number *start* on."""
        first, lines = _numbered(self._path(run, ".jsonl"))
        if start < first:
            raise UsageError(f"run {run} is compacted: its lines begin at {first}; reopen it from its snapshot")
        for line in lines[start - first :]:
            yield line

    async def head(self, run: str) -> int:
        """Return how many lines a run has."""
        return self._head(run)

    async def latest(self, session: str) -> str | None:
        """Return the newest run of a session, or None."""
        found = [run for run, belongs in self._index() if belongs == session and self._head(run)] if session else []
        return found[-1] if found else None

    async def runs(self) -> tuple[StoredRun, ...]:
        """Return all runs, oldest first."""
        found: list[StoredRun] = []
        for run, session in self._index():
            first, lines = _numbered(self._path(run, ".jsonl"))
            if lines:
                size = sum(len(line.encode()) for line in lines)
                found.append(StoredRun(run, session, first + len(lines), first, size))
        return tuple(found)

    async def keep(self, run: str, entries: int, text: str) -> None:
        """Keep a snapshot of a run's first *entries* lines in the place of an older one."""
        path = self._path(run, ".snapshot")
        with locked(self._folder):
            if entries > self._head(run):
                raise UsageError(f"run {run} has no {entries} lines to keep a snapshot of")
            old = await self.kept(run)
            if old is None or old.entries <= entries:
                replaced(path, f"{entries}\n{text}\n", sync=self._sync)

    async def kept(self, run: str) -> Kept | None:
        """Return the newest snapshot of a run, or None."""
        path = self._path(run, ".snapshot")
        if not path.exists():
            return None
        entries, _, text = path.read_text(encoding="utf-8").partition("\n")
        if not entries.isdecimal():
            raise CorruptLogError(f"{path.name} does not say of how many lines it is")
        return Kept(int(entries), text.removesuffix("\n"))

    async def compact(self, run: str, before: int) -> int:
        """Drop the lines before number *before* for good, and return how many those were."""
        path = self._path(run, ".jsonl")
        with locked(self._folder):
            snapshot = await self.kept(run)
            if snapshot is None or snapshot.entries < before:
                raise UsageError(
                    f"run {run} has no snapshot that makes up for its lines before {before}; keep one first"
                )
            first, lines = _numbered(path)
            dropped = max(0, before - first)
            if dropped:
                rest = "".join(f"{line}\n" for line in (f"{_MARK}{before}}}", *lines[dropped:]))
                replaced(path, rest, sync=self._sync)
                self._files.pop(run, None)
        return dropped

    async def send(self, run: str, key: str, text: str) -> bool:
        """Put a signal in a run's inbox; False where one of that *key* was sent before."""
        with locked(self._folder):
            path = self._path(run, ".signals")
            if any(known == key for known, _ in _pairs(path)):
                return False
            LineFile(path).add([json.dumps([key, text])], sync=self._sync)
            return True

    async def sent(self, run: str) -> tuple[str, ...]:
        """Return the signals that were sent to a run, oldest first."""
        return tuple(text for _, text in _pairs(self._path(run, ".signals")))

    async def lease(self, run: str, owner: str, seconds: float) -> Lease:
        """Hold a run for *seconds*; raises `LeaseError` while another owner does."""
        with locked(self._folder):
            held, lease = granted(self._held(run), (run, owner, seconds), self._now())
            replaced(self._path(run, ".lease"), json.dumps(asdict(held)), sync=self._sync)
            return lease

    async def release(self, lease: Lease) -> None:
        """Give a lease back; nothing happens where somebody took it over."""
        with locked(self._folder):
            held = released(self._held(lease.run), lease)
            replaced(self._path(lease.run, ".lease"), json.dumps(asdict(held)), sync=self._sync)

    async def close(self) -> None:
        """Forget what is known of the files; they are looked at anew when next used."""
        self._files.clear()

    def _path(self, run: str, ending: str) -> Path:
        name = quote(run, safe="@") + ending
        if not _NAME.fullmatch(run) or len(name) > _LONGEST:
            raise UsageError(
                f"{run!r:.60} names no file: letters, digits, dot, dash, underscore and @ only, and not many"
            )
        return self._folder / name

    def _log(self, run: str) -> LineFile:
        return self._files.setdefault(run, LineFile(self._path(run, ".jsonl")))

    def _head(self, run: str) -> int:
        log = self._log(run)
        if log.known is not None:
            return log.known
        first, lines = _numbered(log.path)
        if not is_torn(log.path):  # otherwise whoever adds to it has something to cut first
            log.count(first + len(lines))
        return first + len(lines)

    def _held(self, run: str) -> Held:
        path = self._path(run, ".lease")
        if not path.exists():
            return FREE
        said: Any = json.loads(path.read_text(encoding="utf-8"))
        return Held(str(said["owner"]), int(said["fence"]), int(said["until"]))

    def _index(self) -> list[tuple[str, str]]:
        return list(dict(_pairs(self._folder / "runs.index")).items())


def _pairs(path: Path) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for number, line in enumerate(whole_lines(path)):
        try:
            one, other = json.loads(line)
        except ValueError:
            raise CorruptLogError(f"{path.name} holds a line that is no pair", path=f"$[{number}]") from None
        found.append((str(one), str(other)))
    return found


def _numbered(path: Path) -> tuple[int, list[str]]:
    """Return the number of the first line of a log, and its lines."""
    lines = whole_lines(path)
    if not lines or not lines[0].startswith(_MARK):
        return 0, lines
    number = lines[0].removeprefix(_MARK).removesuffix("}")
    if not number.isdecimal():
        raise CorruptLogError(f"{path.name} does not say at which line it begins", path="$[0]")
    return int(number), lines[1:]
