"""Pages of documentation: their fenced blocks, and what a console block promises."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

__all__ = ("Block", "Command", "blocks", "commands", "prints")

FENCE = re.compile(r"(?P<indent> {0,3})(?P<fence>`{3,}|~{3,})\s*(?P<language>[\w+-]*)[^`]*$")
COMMENT = re.compile(r"<!--\s*(.*?)\s*-->\s*$", re.DOTALL)


@frozen
class Block:
    """A fenced block: the line its text starts on, and the HTML comment right above its fence."""

    line: int
    language: str
    text: str
    comment: str = ""

    @property
    def file(self) -> str | None:
        """The name that the comment asks the block to be written to."""
        found = re.fullmatch(r"file: (\S+)", self.comment)
        return found[1] if found else None


@frozen
class Command:
    """One command of a console block, and the lines it shall print."""

    line: int
    text: str
    output: tuple[str, ...]


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of *page* in order; a fence that is never closed is an error."""
    lines = page.splitlines()
    start = 0
    while start < len(lines):
        opened = FENCE.match(lines[start])
        if opened is None:
            start += 1
            continue
        closing = re.compile(rf" {{0,3}}{re.escape(opened['fence'])}{opened['fence'][0]}*\s*$")
        end = next((n for n in range(start + 1, len(lines)) if closing.match(lines[n])), None)
        if end is None:
            raise ValueError(f"line {start + 1}: this fence is never closed")
        indent = len(opened["indent"])
        text = "".join(f"{line[min(indent, len(line) - len(line.lstrip())) :]}\n" for line in lines[start + 1 : end])
        yield Block(start + 2, opened["language"], text, comment_above(lines[:start]))
        start = end + 1


def comment_above(lines: list[str]) -> str:
    """The HTML comment that *lines* end with, perhaps with one blank line after it."""
    above = lines[:-1] if lines and not lines[-1].strip() else lines
    first = next((n for n in range(len(above) - 1, -1, -1) if "<!--" in above[n]), None)
    found = COMMENT.match("\n".join(above[first:]).strip()) if first is not None else None
    return " ".join(found[1].split()) if found and "-->" not in found[1] else ""


def commands(block: Block) -> Iterator[Command]:
    """
    Yield the commands of a console block.

    `$ ` starts one, `> ` goes on with it, and everything else is output of the last.
    """
    line, text, output = 0, "", list[str]()
    for number, each in enumerate(block.text.splitlines(), start=block.line):
        if each.startswith("$ "):
            if line:
                yield Command(line, text, tuple(output))
            line, text, output = number, each[2:], []
        elif not line:
            raise ValueError(f"line {number}: a console block starts with a command")
        elif each.startswith("> ") and not output:
            text += f"\n{each[2:]}"
        else:
            output.append(each.rstrip())
    if line:
        yield Command(line, text, tuple(output))


def prints(expected: tuple[str, ...], found: str) -> bool:
    """Whether *found* is what was promised: `...` alone stands for any lines, within a line for any text."""
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line == "..." else ".*?".join(map(re.escape, line.split("..."))) + r"\n"
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in found.splitlines())) is not None
