"""Where one statement of a recorded action ends, and what words it has: as much of the shell's rules as that takes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

__all__ = ("Script", "first_word", "has_compound", "words")

_HEREDOC = re.compile(r"<<-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.-]+))")
_GOES_ON = re.compile(r"(?:\\|\||&&)[ \t\r]*\n?\Z")
_COMPOUND = frozenset(
    {"for", "while", "until", "if", "case", "select", "function", "do", "then", "else", "elif", "{", "("}
)
_OPERATORS = frozenset("|&;<>")


def first_word(line: str) -> str:
    """Return the first word of a line, "" for a blank one."""
    parts = line.split(maxsplit=1)
    return parts[0] if parts else ""


def has_compound(line: str) -> bool:
    """Tell whether a line opens or goes on with a compound command, inside which lines are no commands of their own."""
    word = first_word(line)
    return word in _COMPOUND or word.endswith("()")


@frozen
class Script:
    """The lines of an action, each with its line feed, and where each stands."""

    lines: Sequence[str]
    _numbers: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, text: str) -> Script:
        lines = [f"{line}\n" for line in text.split("\n")]
        lines[-1] = lines[-1].removesuffix("\n")
        numbers: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            numbers.setdefault(line.strip(), []).append(number)
        return cls(lines, numbers)

    def find(self, line: str, start: int) -> int | None:
        """Return the number of the first such line from *start* on."""
        numbers = self._numbers.get(line, ())
        place = bisect_left(numbers, start)
        return numbers[place] if place < len(numbers) else None

    def statement_end(self, start: int) -> int:
        """
        Return the number of the line after the statement that begins at line *start*.

        An open quote, a backslash or an operator at the end carries it on; a here-document belongs to it.
        """
        quote, number = "", start
        while number < len(self.lines):
            line, opened = self.lines[number], quote
            quote = _quote_after(line, opened)
            number += 1
            if quote:
                continue
            if not opened:
                number = self._after_heredocs(number, line)
            if not _GOES_ON.search(line):
                break
        return number

    def _after_heredocs(self, number: int, opener: str) -> int:
        for match in _HEREDOC.finditer(opener):
            end = self.find(match[1] or match[2] or match[3], number)
            number = number if end is None else end + 1
        return number


def words(statement: str) -> tuple[str, ...] | None:
    """
    Return the words of a statement, None where the shell would do more than pass them to the command.

    That is at an operator and at a substitution, both outside of quotes. Unbalanced quotes mean themselves.
    """
    splitter = _Splitter(statement)
    if not splitter.run():
        return None
    return tuple(statement.split()) if splitter.quote else tuple(splitter.found)


@define
class _Splitter:
    """Splits one statement, character by character."""

    text: str
    found: list[str] = field(factory=list[str])
    quote: str = ""
    at: int = 0

    def run(self) -> bool:
        """Tell whether the text is one simple command."""
        pieces: list[str] = []  # of the current word
        open_word = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if self._does_more(char):
                return False
            if not self.quote and char.isspace():
                if open_word:
                    self.found.append("".join(pieces))
                pieces, open_word = [], False
            else:
                pieces.append(self._taken(char))
                open_word = True
            self.at += 1
        if open_word:
            self.found.append("".join(pieces))
        return True

    def _does_more(self, char: str) -> bool:
        if self.quote == "'":
            return False
        if char == "`" or (char == "$" and self.text[self.at + 1 : self.at + 2] == "("):
            return True
        return not self.quote and char in _OPERATORS

    def _taken(self, char: str) -> str:
        """What this character adds to the word; moves on past an escaped one."""
        if char == self.quote:
            self.quote = ""
            return ""
        if not self.quote and char in "'\"":
            self.quote = char
            return ""
        if char == "\\" and self.quote != "'" and self.at + 1 < len(self.text):
            after = self.text[self.at + 1]
            if not self.quote or after in '"\\$`\n':
                self.at += 1
                return "" if after == "\n" else after
        return char


def _quote_after(line: str, quote: str) -> str:
    """Return the quote that is open at the end of a line which began inside *quote*."""
    escaped = False
    before = " "
    for char in line:
        if char == "#" and not quote and before.isspace():
            break  # a comment: an apostrophe in it opens nothing
        before = char
        if escaped:
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
    return quote
