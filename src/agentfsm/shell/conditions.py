"""``[[ ... ]]``: the part of the parser that knows conditional expressions."""

from __future__ import annotations

import re

from agentfsm.shell.expansions import ExpansionParser
from agentfsm.shell.syntax import Cond, CondTest, Part, Word
from agentfsm.shell.words import add_literal

__all__ = ("ConditionParser",)

_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset({"=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-ot", "-nt", "-ef"})
_SPACE = re.compile(r"(?:[ \t\n]|\\\n)*")
_RUN = re.compile(r"[^ \t\n|&;()<>\\'\"$`]+")
_REGEX_RUN = re.compile(r"[^ \t\n&;()<>\\'\"$`]+")


class ConditionParser(ExpansionParser):
    """Reads conditional expressions into the flat list of their tests."""

    __slots__ = ()

    def condition(self) -> Cond:
        """Read from behind ``[[`` past ``]]``."""
        tests: list[CondTest] = []
        self.enter()
        self.any_of(tests)
        if not self.closes():
            self.fail("unterminated_condition")
        self.pos += 2
        self.leave()
        return Cond(tuple(tests))

    def space(self) -> None:
        """Skip white space, line ends included."""
        match = _SPACE.match(self.text, self.pos)
        self.pos = match.end() if match else self.pos
        if self.peek() == "\n":
            self.fail("unexpected_token")

    def closes(self) -> bool:
        """Whether ``]]`` stands at the cursor, as a word of its own."""
        follower = self.text[self.pos + 2 : self.pos + 3]
        return self.text.startswith("]]", self.pos) and (not follower or follower in " \t\n;&|)<>")

    def any_of(self, tests: list[CondTest]) -> None:
        """Read tests joined by ``&&`` and ``||``; all of them count, so their precedence does not matter."""
        while True:
            self.space()
            self.one(tests)
            self.space()
            if not self.text.startswith(("&&", "||"), self.pos):
                return
            self.skip(2)

    def one(self, tests: list[CondTest]) -> None:
        """Read one test, with its negations and parentheses."""
        while self.peek() == "!" and self.text[self.pos + 1 : self.pos + 2] in (" ", "\t", "\n", "("):
            self.pos += 1
            self.space()
        if self.peek() == "(":
            self.pos += 1
            self.enter()
            self.any_of(tests)
            if self.peek() != ")":
                self.fail("unterminated_condition")
            self.pos += 1
            self.leave()
            return
        tests.append(self.primary())

    def primary(self) -> CondTest:
        """Read a unary test, a binary test or a bare word."""
        left = self.operand()
        self.blanks()
        if left.plain in _UNARY:
            return CondTest(left.plain, (self.operand(),))
        operator = self.operator()
        if not operator:
            return CondTest("", (left,))
        self.blanks()
        right = self.pattern(is_regex=operator == "=~") if operator in ("=", "==", "!=", "=~") else self.operand()
        return CondTest(operator, (left, right))

    def operator(self) -> str:
        """Read a binary operator; an empty string when none stands here."""
        char = self.peek()
        if char in ("<", ">") and not self.text.startswith("(", self.pos + 1):
            self.pos += 1
            return char
        match = _RUN.match(self.text, self.pos)
        if match is None or match.group() not in _BINARY:
            return ""
        self.pos = match.end()
        return match.group()

    def operand(self) -> Word:
        """Read one word that is no pattern."""
        if self.closes() or self.peek() == "#":
            self.fail("unexpected_token")
        word = self.word()
        if word is None:
            self.fail("unexpected_token")
        return word

    def pattern(self, *, is_regex: bool) -> Word:
        """Read the right side of a match, where groups and, in a regular expression, bars are ordinary."""
        if self.closes() or self.peek() == "#":
            self.fail("unexpected_token")
        start, depth = self.pos, 0
        found: list[Part] = []
        run = _REGEX_RUN if is_regex else _RUN
        while self.pos < self.end:
            char = self.text[self.pos]
            match = run.match(self.text, self.pos)
            if match is not None:
                self.pos = match.end()
                add_literal(found, match.group())
            elif char == "(" and (is_regex or depth or self.text[self.pos - 1] in "?*+@!"):
                depth += 1
                add_literal(found, char)
                self.pos += 1
            elif depth and char in " \t|()":
                depth -= char == ")"
                add_literal(found, char)
                self.pos += 1
            elif char in " \t\n|&;()<>":
                break
            else:
                self.special(char, found)
        if depth or self.pos == start:
            self.fail("unexpected_token")
        return self.made(found, start)
