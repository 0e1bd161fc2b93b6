"""Read: a piece of a text file."""

from __future__ import annotations

import os
from itertools import islice
from threading import Event
from typing import BinaryIO

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.apart import apart
from agentfsm_stages.coding.bounds import LONGEST_TEXT
from agentfsm_stages.coding.jail import Jail, plain

__all__ = ("Excerpt", "Read")

_LONGEST_LINE = 2_000  # characters
_MOST_SCANNED = 64 << 20  # bytes that are read to get to a line
_PROBE = 8_192


@frozen
class Excerpt:
    """Lines *first* to *last* of a file as they stand there; *cut* says what was left out and how to get it."""

    path: str
    text: str
    first: int
    last: int
    cut: str = ""


@tool(effect="pure")
class Read(Tool[Excerpt]):
    """Read *lines* lines of a text file, from line *first* on; lines count from 1."""

    path: str
    first: int = 1
    lines: int = 2_000

    async def run(self, site: Site) -> Excerpt:
        """Return the lines; raises `ToolError` for what is no text file of the workspace."""
        if self.first < 1 or self.lines < 1:
            raise ToolError(f"first is {self.first} and lines {self.lines}; both count from 1", path=self.path)
        return await apart(lambda stop: self._read(Jail(site.workspace), stop))

    def _read(self, jail: Jail, stop: Event) -> Excerpt:
        path = plain(self.path)
        with jail.file(path) as opened, os.fdopen(os.dup(opened), "rb") as file:
            if b"\0" in file.read(_PROBE):
                raise ToolError(f"{path} is binary ({os.fstat(opened).st_size} bytes)", path=path)
            file.seek(0)
            return self._excerpt(path, file, stop)

    def _excerpt(self, path: str, file: BinaryIO, stop: Event) -> Excerpt:
        notes: list[str] = []
        for number in range(1, self.first):
            if stop.is_set() or file.tell() > _MOST_SCANNED or not file.readline(_MOST_SCANNED):
                raise ToolError(f"{path} has no line {self.first}; {number - 1} were counted", path=path)
        found: list[str] = []
        room = LONGEST_TEXT
        for raw in islice(iter(lambda: _line(file), b""), self.lines):
            text = raw.decode("utf-8", "replace")
            line = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}\n"
            if len(line) > room:
                return _whole(path, self.first, found, (*notes, f"go on with first={self.first + len(found)}"))
            if line is not text:
                notes.append(f"line {self.first + len(found)} is cut after {_LONGEST_LINE} characters")
            found.append(line)
            room -= len(line)
        if file.read(1):
            notes.append(f"more lines follow: go on with first={self.first + len(found)}")
        return _whole(path, self.first, found, notes)


def _line(file: BinaryIO) -> bytes:
    """Return the next line; of a longer one than fits, the beginning, and the rest is passed over in pieces."""
    line = file.readline(4 * _LONGEST_LINE + 2)
    piece = line
    while piece and not piece.endswith(b"\n") and file.tell() <= _MOST_SCANNED:
        piece = file.readline(1 << 20)
    return line


def _whole(path: str, first: int, found: list[str], notes: list[str] | tuple[str, ...]) -> Excerpt:
    return Excerpt(path, "".join(found), first, first + len(found) - 1, "; ".join(notes))
