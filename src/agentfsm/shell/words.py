"""Words: the part of the parser that knows quoting."""

from __future__ import annotations

import re

from agentfsm.shell.cursor import Budget, Cursor
from agentfsm.shell.syntax import Block, CmdSub, DQuote, Lit, Part, ProcSub, Quote, Word

__all__ = ("SPECIAL_LITERAL", "WordParser", "add_literal")

_RUN = re.compile(r"[^ \t\n|&;()<>\\'\"$`]+")
_DQ_RUN = re.compile(r"[^\\\"$`]+")
_HERE_RUN = re.compile(r"[^\\$`]+")
_LONGEST_MERGE = 256
_ENDS = frozenset(" \t\n|&;()<>")
SPECIAL_LITERAL = re.compile(r"[*?{]|\[.")
"""What makes unquoted text more than itself."""


class WordParser(Cursor):
    """Reads words and their quoting. The readers of expansions and of commands extend it."""

    __slots__ = ("not_arithmetic",)

    def __init__(self, text: str, budget: Budget, depth: int = 0, shift: int = 0) -> None:
        super().__init__(text, budget, depth, shift)
        self.not_arithmetic: set[int] = set()

    def block(self) -> Block:
        """Read a list of commands up to a token that cannot continue it."""
        raise NotImplementedError

    def nested(self, text: str, shift: int) -> WordParser:
        """Return a parser for text inside this text, one level deeper."""
        raise NotImplementedError

    def dollar(self, found: list[Part], *, in_quotes: bool) -> None:
        """Read what a dollar sign begins."""
        raise NotImplementedError

    def ticks(self, *, in_quotes: bool) -> CmdSub:
        """Read a substitution in backticks."""
        raise NotImplementedError

    def process(self, sign: str) -> ProcSub:
        """Read a process substitution."""
        raise NotImplementedError

    # -- words ---------------------------------------------------------------------------------------------------

    def word(self) -> Word | None:
        """Read one word at the cursor; None when no word begins here."""
        start = self.pos
        match = _RUN.match(self.text, start)
        if match is not None:
            stop = match.end()
            if stop == self.end or self.text[stop] in " \t\n|&;)":
                self.pos = stop
                self.budget.nodes -= 1
                self.spend()
                return self.literal(match.group(), start)
        parts = self.parts()
        if self.pos == start:
            return None
        return self.made(parts, start)

    def literal(self, text: str, start: int) -> Word:
        """Return the word of one unquoted run."""
        shift = self.shift
        plain = None if SPECIAL_LITERAL.search(text) else text
        return Word((Lit(text),), start + shift, self.pos + shift, plain)

    def made(self, parts: list[Part], start: int) -> Word:
        """Return the word of *parts*, merging neighbours that a continued line has split."""
        self.spend()
        plain = None
        if len(parts) == 1 and isinstance(parts[0], Lit) and not SPECIAL_LITERAL.search(parts[0].text):
            plain = parts[0].text
        return Word(tuple(parts), start + self.shift, self.pos + self.shift, plain)

    def parts(self) -> list[Part]:
        """Read the parts of an unquoted word."""
        found: list[Part] = []
        text = self.text
        while self.pos < self.end:
            match = _RUN.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                add_literal(found, match.group())
                continue
            char = text[self.pos]
            if char in "<>" and text.startswith("(", self.pos + 1):
                found.append(self.process(char))
            elif char in _ENDS:
                break
            else:
                self.special(char, found)
        return found

    def special(self, char: str, found: list[Part]) -> None:
        """Read a quote, an escape or an expansion that begins with *char*, outside double quotes."""
        if char == "'":
            found.append(self.single())
        elif char == '"':
            found.append(self.double())
        elif char == "\\":
            self.escape(found)
        elif char == "`":
            found.append(self.ticks(in_quotes=False))
        else:
            self.dollar(found, in_quotes=False)

    def escape(self, found: list[Part]) -> None:
        """Read a backslash outside quotes."""
        follower = self.text[self.pos + 1 : self.pos + 2]
        self.pos += 2 if follower else 1
        if follower == "\n":
            return
        self.spend()
        found.append(Quote(follower or "\\"))

    def single(self) -> Quote:
        """Read single quotes."""
        self.spend()
        stop = self.text.find("'", self.pos + 1)
        if stop < 0:
            self.fail("unterminated_quote")
        text = self.text[self.pos + 1 : stop]
        self.pos = stop + 1
        return Quote(text)

    def double(self) -> DQuote:
        """Read double quotes."""
        self.pos += 1
        self.spend()
        self.enter()
        found: list[Part] = []
        text = self.text
        while True:
            match = _DQ_RUN.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                found.append(Quote(match.group()))
            if self.pos >= self.end:
                self.fail("unterminated_quote")
            char = text[self.pos]
            if char == '"':
                self.pos += 1
                self.leave()
                return DQuote(tuple(found))
            self.inside(char, found, '$`"\\')

    def inside(self, char: str, found: list[Part], escapable: str) -> None:
        """Read an escape or an expansion inside double quotes or a here-document."""
        if char == "\\":
            self.spend()
            follower = self.text[self.pos + 1 : self.pos + 2]
            self.pos += 2 if follower else 1
            if follower == "\n":
                return
            found.append(Quote(follower if follower and follower in escapable else "\\" + follower))
        elif char == "`":
            found.append(self.ticks(in_quotes='"' in escapable))
        else:
            self.dollar(found, in_quotes=True)

    def document(self) -> Word:
        """Read the whole text as the body of an unquoted here-document."""
        found: list[Part] = []
        while self.pos < self.end:
            match = _HERE_RUN.match(self.text, self.pos)
            if match is not None:
                self.pos = match.end()
                found.append(Quote(match.group()))
                continue
            self.inside(self.text[self.pos], found, "$`\\")
        return self.made([DQuote(tuple(found))], 0)


def add_literal(found: list[Part], text: str) -> None:
    """Append unquoted text, merging it with unquoted text before it."""
    if found and isinstance(last := found[-1], Lit) and len(last.text) < _LONGEST_MERGE:
        found[-1] = Lit(last.text + text)
    else:
        found.append(Lit(text))
