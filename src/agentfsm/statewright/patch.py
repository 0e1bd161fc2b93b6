"""Patches: the two forms that agents send, the `*** Begin Patch` envelope and unified diffs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from attrs import frozen

__all__ = ("PatchPart", "read_patch")

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_HEADS = {"*** Add File: ": "add", "*** Update File: ": "update", "*** Delete File: ": "delete"}
_MOVE = "*** Move to: "


@frozen
class PatchPart:
    """What a patch does to one file: add, update, delete or move; *files* are the old name and the new."""

    kinds: tuple[str, ...]
    files: tuple[str, ...]
    lines: int


def read_patch(text: str) -> tuple[PatchPart, ...] | None:
    """Return the parts of a patch, or None when any line of it is not understood."""
    lines = text.strip("\n").splitlines()
    if lines and lines[0].strip() == _BEGIN:
        return _envelope(lines)
    return _unified(lines)


def _changed(body: list[str]) -> int:
    """The greater of lines out and lines in, for each stretch of them."""
    total = 0
    for changing, run in groupby(body, key=lambda line: line[:1] in "+-" and line[:1] != ""):
        held = list(run)
        if changing:
            total += max(sum(line[0] == "+" for line in held), sum(line[0] == "-" for line in held))
    return total


def _envelope(lines: list[str]) -> tuple[PatchPart, ...] | None:
    if lines[-1].strip() != _END:
        return None
    parts: list[PatchPart] = []
    for head, body in _sections(lines[1:-1], lambda line: line.startswith(tuple(_HEADS))):
        kind = next((_HEADS[mark] for mark in _HEADS if head.startswith(mark)), None)
        if kind is None:
            return None
        name = head.partition(": ")[2].strip()
        moved = [line.removeprefix(_MOVE).strip() for line in body if line.startswith(_MOVE)]
        rest = [line for line in body if not line.startswith(_MOVE)]
        if not name or any(line and line[0] not in " +-@" and line != "*** End of File" for line in rest):
            return None
        parts.append(PatchPart((kind, *("move" for _ in moved)), (name, *moved), _changed(rest)))
    return tuple(parts) or None


def _sections(lines: list[str], is_head: Callable[[str], bool]) -> Iterator[tuple[str, list[str]]]:
    """Each head with the lines below it; lines before the first head come under an empty one."""
    head, body = "", list[str]()
    for line in lines:
        if is_head(line):
            if head or body:
                yield head, body
            head, body = line, []
        else:
            body.append(line)
    if head or body:
        yield head, body


def _unified(lines: list[str]) -> tuple[PatchPart, ...] | None:
    parts: list[PatchPart] = []
    index = 0
    while index < len(lines):
        if not lines[index].startswith("--- "):
            if lines[index].startswith(("diff --git ", "index ")):
                index += 1
                continue
            return None
        if index + 1 >= len(lines) or not lines[index + 1].startswith("+++ "):
            return None
        end = next(
            (i for i in range(index + 2, len(lines)) if lines[i].startswith(("--- ", "diff --git "))), len(lines)
        )
        part = _unified_part(lines[index], lines[index + 1], lines[index + 2 : end])
        if part is None:
            return None
        parts.append(part)
        index = end
    return tuple(parts) or None


def _unified_part(old: str, new: str, body: list[str]) -> PatchPart | None:
    if any(line and line[0] not in " +-@\\" for line in body):
        return None
    before, after = (name[4:].partition("\t")[0].strip() for name in (old, new))
    files = tuple(name.split("/", 1)[-1] if name[:2] in ("a/", "b/") else name for name in (before, after))
    kept = tuple(dict.fromkeys(name for name in files if name not in {"dev/null", "/dev/null"}))
    if not kept:
        return None
    lines = _changed([line for line in body if line[:1] != "@"])
    if before == "/dev/null":
        return PatchPart(("add",), kept, lines)
    if after == "/dev/null":
        return PatchPart(("delete",), kept, lines)
    return PatchPart(("update", "move") if len(kept) > 1 else ("update",), kept, lines)
