"""The cursor that every part of the parser reads through: position, depth, budget and pending here-documents."""

from __future__ import annotations

import re
from typing import NoReturn

from attrs import define

from agentfsm.errors import AgentFSMError
from agentfsm.shell.syntax import Heredoc

__all__ = ("MAX_BYTES", "MAX_COMMANDS", "MAX_DEPTH", "MAX_NODES", "Budget", "Cursor", "ParseError")

MAX_BYTES = 128 * 1024
"""Longest text that is read, in UTF-8 bytes: the kernel's limit for one argument."""

MAX_DEPTH = 100
"""Deepest nesting of constructs that is followed."""

MAX_COMMANDS = 4_000
"""Most commands, simple and compound, that one text may hold, nested texts included."""

MAX_NODES = 32_000
"""Most words, parts and commands that one text may hold, nested texts included."""

_BLANKS = re.compile(r"(?:[ \t]|\\\n)*")
_COMMENT = re.compile(r"#[^\n]*")


class ParseError(AgentFSMError):
    """
    Raised inside the parser when a text is not understood; `classify` turns it into an unresolved answer.

    *code* is stable, *at* a character offset into the text.
    """

    def __init__(self, code: str, at: int, detail: str = "") -> None:
        super().__init__(f"{code} at {at}" + (f": {detail}" if detail else ""))
        self.code = code
        self.at = at
        self.detail = detail


@define
class Budget:
    """What the parser may still spend; shared with the parsers of nested texts."""

    nodes: int = MAX_NODES
    commands: int = MAX_COMMANDS


@define
class Pending:
    """A here-document whose body has not been read yet."""

    node: Heredoc
    delimiter: str
    strips_tabs: bool


class Cursor:
    """A position in one text. *shift* is what to add to an offset to get one into the outermost text."""

    __slots__ = ("budget", "depth", "end", "pending", "pos", "shift", "text")

    def __init__(self, text: str, budget: Budget, depth: int = 0, shift: int = 0) -> None:
        self.text = text
        self.end = len(text)
        self.pos = 0
        self.budget = budget
        self.depth = depth
        self.shift = shift
        self.pending: list[Pending] = []

    def fail(self, code: str, detail: str = "") -> NoReturn:
        """Refuse the text at the cursor."""
        raise ParseError(code, self.pos + self.shift, detail)

    def peek(self) -> str:
        """Return the character at the cursor, or an empty string at the end."""
        return self.text[self.pos : self.pos + 1]

    def spend(self) -> None:
        """Count one node against the budget."""
        self.budget.nodes -= 1
        if self.budget.nodes < 0:
            self.fail("too_many_nodes")

    def enter(self) -> None:
        """Go one level deeper, or refuse."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("too_deep", f"more than {MAX_DEPTH} levels")

    def leave(self) -> None:
        """Come back one level."""
        self.depth -= 1

    def blanks(self) -> None:
        """Skip spaces, tabs and continued line ends, and a comment behind them."""
        text, pos = self.text, self.pos
        if pos < self.end and text[pos] in " \t\\":
            match = _BLANKS.match(text, pos)
            pos = match.end() if match else pos
        if pos < self.end and text[pos] == "#" and (pos == 0 or text[pos - 1] in " \t\n;&|()<>"):
            match = _COMMENT.match(text, pos)
            pos = match.end() if match else pos
        self.pos = pos

    def skip(self, length: int) -> None:
        """Go past an operator of *length* characters; a continued line may not split operators."""
        self.pos += length
        if self.text.startswith("\\\n", self.pos):
            follower = self.text[self.pos + 2 : self.pos + 3]
            if follower and follower in "&|;<>(!-":
                self.fail("split_operator", "a continued line splits an operator")
