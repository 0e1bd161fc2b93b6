"""
The parser: text in, syntax tree out, in one pass and linear time.

It is strict. What it does not know it refuses with `ParseError`, and refused means blocked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import evolve

from agentfsm.shell.cursor import Budget, ParseError
from agentfsm.shell.lists import ListParser
from agentfsm.shell.simple import RESERVED
from agentfsm.shell.syntax import (
    Arith,
    ArithFor,
    Arm,
    Block,
    Case,
    Command,
    Coproc,
    For,
    Func,
    Group,
    If,
    Lit,
    Loop,
    Pipeline,
    Redirect,
    Simple,
    Subshell,
    Word,
)

__all__ = ("Parser", "parse")

_LOOP_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?=[ \t\n;\\]|\Z)")
_OPEN_INDEX = re.compile(r"(?<!\w)[0-9]*+[A-Za-z_]\w*+\[", re.ASCII)
_COPROC_NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=\(|(?:if|while|until|for|select|case|\{|\[\[)[ \t\n])")


class Parser(ListParser):
    """Reads commands."""

    __slots__ = ()

    def command(self) -> Command:
        self.budget.commands -= 1
        if self.budget.commands < 0:
            self.fail("too_many_commands")
        if self.peek() == "(":
            return self.redirected(self.arith_command() or self.subshell())
        word = self.keyword()
        if not word:
            return self.simple()
        reader = _COMPOUND.get(word)
        if reader is None:
            self.fail("unexpected_token", word)
        start = self.pos
        self.pos += len(word)
        found = reader(self)
        if isinstance(found, Func):
            return evolve(found, start=start + self.shift)
        return found if isinstance(found, Coproc) else self.redirected(found)

    def redirected(self, command: Command) -> Command:
        found: list[Redirect] = []
        while True:
            self.blanks()
            redirect = self.redirect()
            if redirect is None:
                break
            found.append(redirect)
        if found and not isinstance(command, Simple | Func | Coproc | Pipeline):
            return evolve(command, redirects=tuple(found))
        return command

    def subshell(self) -> Subshell:
        self.pos += 1
        found = self.body()
        if self.peek() != ")":
            self.fail("unterminated_subshell")
        self.pos += 1
        return Subshell(found)

    def arith_command(self) -> Arith | None:
        """Read ``(( ... ))``; None, with the cursor unmoved, when it is a subshell in a subshell."""
        start = self.pos
        if not self.text.startswith("((", start) or start in self.not_arithmetic:
            return None
        self.pos += 2
        parts = self.sums()
        if parts is None:
            self.not_arithmetic.add(start)
            self.pos = start
            return None
        return Arith(tuple(parts))

    def group(self) -> Group:
        found = self.body()
        self.expect("}")
        return Group(found)

    def conditional(self) -> If:
        clauses: list[tuple[Block | None, Block]] = []
        word = "if"
        while word in ("if", "elif"):
            condition = self.body()
            self.expect("then")
            clauses.append((condition, self.body()))
            word = self.keyword()
            if word not in ("elif", "else", "fi"):
                self.fail("unexpected_token", "expected fi")
            self.pos += len(word)
        if word == "else":
            clauses.append((None, self.body()))
            self.expect("fi")
        return If(tuple(clauses))

    def loop(self) -> Loop:
        condition = self.body()
        self.expect("do")
        found = self.body()
        self.expect("done")
        return Loop(condition, found)

    def loop_body(self) -> Block:
        """Read ``do ... done`` or, as bash also takes it, ``{ ... }``."""
        self.newlines()
        if self.keyword() == "{":
            self.pos += 1
            return self.group().body
        self.expect("do")
        found = self.body()
        self.expect("done")
        return found

    def each(self) -> For | ArithFor:
        self.blanks()
        if self.text.startswith("((", self.pos):
            return self.arith_for()
        match = _LOOP_NAME.match(self.text, self.pos)
        if match is None:
            self.fail("unexpected_token", "a loop needs a name")
        self.pos = match.end()
        self.blanks()
        words: list[Word] | None = None
        if self.peek() == ";":
            self.pos += 1
        else:
            self.newlines()
            if self.keyword() == "in":
                self.pos += 2
                words = self.words_to_line_end()
        return For(match.group(), None if words is None else tuple(words), self.loop_body())

    def words_to_line_end(self) -> list[Word]:
        """Read the words of a loop and what ends them."""
        words: list[Word] = []
        while True:
            self.blanks()
            word = self.word()
            if word is None:
                break
            words.append(word)
        if self.peek() not in (";", "\n") or self.text.startswith((";;", ";&"), self.pos):
            self.fail("unexpected_token", "expected do")
        if self.peek() == ";":
            self.pos += 1
        return words

    def arith_for(self) -> ArithFor:
        self.pos += 2
        parts = self.sums()
        semicolons = sum(part.text.count(";") for part in parts or () if isinstance(part, Lit))
        if parts is None or semicolons != 2:  # three expressions
            self.fail("unexpected_token", "expected three expressions")
        self.blanks()
        if self.peek() == ";":
            self.pos += 1
        return ArithFor(tuple(parts), self.loop_body())

    def case(self) -> Case:
        self.blanks()
        subject = self.word()
        if subject is None:
            self.fail("unexpected_token", "case needs a word")
        self.expect("in")
        arms: list[Arm] = []
        self.enter()
        self.newlines()
        while self.keyword() != "esac":
            arms.append(self.arm())
            if self.text.startswith((";;&", ";;", ";&"), self.pos):
                self.skip(3 if self.text.startswith(";;&", self.pos) else 2)
                self.newlines()
            elif self.keyword() != "esac":
                self.fail("unexpected_token", "expected esac")
        self.pos += 4
        self.leave()
        return Case(subject, tuple(arms))

    def arm(self) -> Arm:
        """Read the patterns and the body of one arm."""
        if self.peek() == "(":
            self.pos += 1
        patterns: list[Word] = []
        while True:
            self.blanks()
            if (word := self.word()) is None:
                self.fail("unexpected_token", "expected a pattern")
            patterns.append(word)
            self.blanks()
            if self.peek() != "|":
                break
            self.skip(1)
        if self.peek() != ")":
            self.fail("unexpected_token", "expected )")
        self.pos += 1
        body = self.block()
        self.newlines()
        return Arm(tuple(patterns), body, self.text.startswith((";;&", ";&"), self.pos))

    def function(self) -> Func:
        """Read behind ``function``."""
        self.blanks()
        start = self.pos
        word = self.word()
        if word is None or any(not isinstance(part, Lit) for part in word.parts):
            self.fail("unexpected_token", "a function needs a plain name")
        name = self.text[start : self.pos]
        self.blanks()
        if self.peek() == "(":
            self.parentheses()
        return Func(name, self.function_body(), start + self.shift, self.pos + self.shift)

    def function_body(self) -> Command:
        self.newlines()
        if self.peek() != "(" and (self.keyword() in ("", "!", "time", "coproc", "function") or self.closing()):
            self.fail("unexpected_token", "a function needs a compound body")
        self.enter()
        found = self.command()
        self.leave()
        return found

    def coprocess(self) -> Coproc:
        self.blanks()
        name = "COPROC"
        match = _COPROC_NAME.match(self.text, self.pos)
        if match is not None and match.group(1) not in RESERVED:
            name = match.group(1)
            self.pos = match.end()
        self.enter()
        start = self.pos
        found = self.command()
        behind = max(start, self.text.rfind("]", start, self.pos) + 1)
        if isinstance(found, Simple) and _OPEN_INDEX.search(self.text, behind, self.pos):
            self.fail("unterminated_subscript")  # bash takes the word for an assignment
        self.leave()
        return Coproc(name, found)

    def nested(self, text: str, shift: int) -> Parser:
        inner = Parser(text, self.budget, self.depth, shift)
        inner.enter()
        return inner


_COMPOUND: dict[str, Callable[[Parser], Command]] = {
    "if": Parser.conditional,
    "while": Parser.loop,
    "until": Parser.loop,
    "for": Parser.each,
    "select": Parser.each,
    "case": Parser.case,
    "{": Parser.group,
    "[[": Parser.condition,
    "function": Parser.function,
    "coproc": Parser.coprocess,
}


def parse(text: str, budget: Budget | None = None, depth: int = 0) -> Block:
    """
    Return the tree of *text*, which may use up what is left of *budget*.

    Raises `ParseError` for text that bash would not accept, that is not supported, or that is over a limit.
    """
    if "\0" in text:
        raise ParseError("nul", text.index("\0"))
    parser = Parser(text, budget or Budget(), depth)
    found = parser.block()
    if parser.pos < parser.end:
        parser.fail("unexpected_token", parser.peek())
    if parser.pending:
        parser.fail("unterminated_heredoc")
    return found
