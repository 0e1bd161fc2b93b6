"""Grep: the lines that a regular expression is found in."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from threading import Event

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.apart import apart
from agentfsm_stages.coding.jail import Jail, plain
from agentfsm_stages.coding.processes import run_process
from agentfsm_stages.coding.walking import Walk, matches

__all__ = ("Grep", "Match", "Matches")

_SECONDS = 20.0
_MOST = 200
_ANSWER = 32 << 20  # bytes, more than the most matches can take
_MATCHING = [sys.executable, "-I", "-S", "-W", "ignore", str(Path(__file__).with_name("matching.py"))]


@frozen
class Match:
    """One line that was found: its number, from 1, and its text, a long one cut around the place."""

    path: str
    line: int
    text: str


@frozen
class Matches:
    """The lines found, file by file, and how many files were searched; *cut* says what was left out."""

    matches: tuple[Match, ...]
    searched: int
    cut: str = ""


@tool(effect="pure")
class Grep(Tool[Matches]):
    """
    Find the lines that a Python regular expression is found in.

    *path* is a file or a folder, *glob* narrows the files by a pattern such as ``**/*.py``. Files that are binary or
    longer than 16 MiB are passed over; links are not followed.
    """

    pattern: str
    path: str = "."
    glob: str = "**"
    ignore_case: bool = False

    async def run(self, site: Site) -> Matches:
        """Return at most 200 lines; raises `ToolError` for a pattern that is none, or that takes too long."""
        paths, cut = await apart(lambda stop: self._files(Jail(site.workspace), stop))
        asked = json.dumps({"pattern": self.pattern, "ignore_case": self.ignore_case, "most": _MOST})
        given = asked.encode() + b"\n" + b"\0".join(map(os.fsencode, paths))
        ended = await run_process(_MATCHING, site, _SECONDS, given=given, longest=_ANSWER)
        if ended.timed_out:
            raise ToolError(f"{self.pattern!r:.200} took longer than {_SECONDS} s; search for something simpler")
        return self._answer(ended.status, ended.output.text, cut)

    def _files(self, jail: Jail, stop: Event) -> tuple[list[str], str]:
        path, pattern = plain(self.path), plain(self.glob)
        kind = jail.kind(path)
        if kind == "file":
            return [path], ""
        if kind != "folder":
            raise ToolError(f"{path} is a {kind}, neither a file nor a folder", path=path)
        walk = Walk(jail, path, stop)
        return [found for found in walk if matches(found, pattern)], walk.cut

    def _answer(self, status: int, output: str, cut: str) -> Matches:
        lines = output.splitlines()
        if status or not lines:
            raise ToolError(f"the search ended with status {status}: {output[-300:]}")
        ended = json.loads(lines[-1])
        if "error" in ended:
            raise ToolError(f"{self.pattern!r:.200} is no regular expression: {ended['error']}", path="pattern")
        notes = [f"only the first {_MOST} lines found"] if ended["more"] else []
        notes += [f"{ended['passed_over']} files passed over: binary, too long or gone"] if ended["passed_over"] else []
        found = tuple(Match(*json.loads(line)) for line in lines[:-1])
        return Matches(found, ended["searched"], "; ".join([*notes, *filter(None, [cut])]))
