"""Differences: a change to a text, in the unified format."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from itertools import takewhile

from agentfsm_stages.coding.bounds import Bounded, bounded

__all__ = ("difference",)

_CONTEXT = 3
# Comparing takes time that grows with the square of the lines; for longer texts one hunk goes from the first line that
# differs to the last.
_MOST_COMPARED = 4_000


def difference(path: str, before: str, after: str) -> Bounded:
    """Return what leads from *before* to *after*, bounded; empty where they are equal."""
    if before == after:
        return Bounded("")
    old, new = _lines(before), _lines(after)
    long = len(old) + len(new) > _MOST_COMPARED
    hunks = _one_hunk(old, new) if long else list(unified_diff(old, new, n=_CONTEXT))[2:]
    names = ("/dev/null" if not before else f"a/{path}", f"b/{path}")
    return bounded("".join([f"--- {names[0]}\n+++ {names[1]}\n", *map(_ended, hunks)]))


def _lines(text: str) -> list[str]:
    """Return the lines of *text* with their ends; only a newline ends one, as for everything that reads a diff."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *filter(None, [last])]


def _one_hunk(old: list[str], new: list[str]) -> Iterator[str]:
    same = _same(old, new)
    tail = _same(old[same:][::-1], new[same:][::-1])
    start = max(0, same - _CONTEXT)
    ends = [len(lines) - max(0, tail - _CONTEXT) for lines in (old, new)]
    places = [f"{start + 1 if end > start else 0},{end - start}" for end in ends]
    yield f"@@ -{places[0]} +{places[1]} @@\n"
    yield from (f" {line}" for line in old[start:same])
    yield from (f"-{line}" for line in old[same : len(old) - tail])
    yield from (f"+{line}" for line in new[same : len(new) - tail])
    yield from (f" {line}" for line in old[len(old) - tail : ends[0]])


def _same(left: list[str], right: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
