"""Walking: the files below a folder of a workspace, in order, without following links or leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from threading import Event
from typing import TypeAlias

from agentfsm import ToolError
from agentfsm_stages.coding.jail import Jail, plain

__all__ = ("Found", "Walk", "entries", "matches")

_MOST_ENTRIES = 100_000
# What a version control system or an interpreter keeps is not what a project is made of.
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "__pycache__"})

Found: TypeAlias = tuple[str, os.stat_result]


class Walk:
    """One walk over the regular files below *folder*; once it is over, `cut` says what it left out."""

    def __init__(self, jail: Jail, folder: str, stop: Event) -> None:
        self._jail = jail
        self._folder = plain(folder)
        self._stop = stop
        self.cut = ""

    def __iter__(self) -> Iterator[str]:
        """Give the path of each file from the workspace, by name, a folder's files before those of its folders."""
        waiting, seen = [self._folder], 0
        while waiting and not self._stop.is_set():
            folder = waiting.pop()
            below: list[str] = []
            for name, facts in self._entries(folder):
                seen += 1
                if seen > _MOST_ENTRIES:
                    self.cut = f"given up after {_MOST_ENTRIES} entries"
                    return
                path = name if folder == "." else f"{folder}/{name}"
                if stat.S_ISREG(facts.st_mode):
                    yield path
                elif stat.S_ISDIR(facts.st_mode) and name not in _PASSED_OVER:
                    below.append(path)
            waiting += reversed(below)

    def _entries(self, folder: str) -> list[Found]:
        try:
            return entries(self._jail, folder)
        except ToolError as error:
            if folder == self._folder:
                raise
            self.cut = error.reason  # one folder that cannot be read does not hide the others
            return []


def entries(jail: Jail, folder: str) -> list[Found]:
    """Return what is in a folder, by name; an entry that vanished meanwhile is left out."""
    found: list[Found] = []
    with jail.folder(folder) as at:
        for name in sorted(os.listdir(at)):  # noqa: PTH208  # a descriptor has no Path
            try:
                found.append((name, os.stat(name, dir_fd=at, follow_symlinks=False)))
            except FileNotFoundError:
                continue
    return found


def matches(path: str, pattern: str) -> bool:
    """
    Tell whether *path* fits the glob *pattern*: ``*`` within a name, ``**`` for any folders, also none.

    Each part of the path is held against each part of the pattern once, so no pattern takes long.
    """
    parts = path.split("/")
    reached = {0}  # how many parts of the path may be behind what was read of the pattern
    for piece in pattern.split("/"):
        if piece == "**":
            reached = set(range(min(reached, default=len(parts) + 1), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], piece)}
    return len(parts) in reached
