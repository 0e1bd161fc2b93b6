"""Lists and pipelines: what joins commands."""

from __future__ import annotations

import re

from agentfsm.shell.simple import RESERVED, SimpleParser
from agentfsm.shell.syntax import Block, Command, Pipeline, Step

__all__ = ("ListParser",)

_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
_TIME_OPTION = re.compile(r"(?:-p|--)(?=[ \t\n;&|)]|\Z)")
_FIRST_LETTERS = frozenset(word[0] for word in RESERVED)
_KEYWORD = re.compile(r"(?:\[\[|[a-z]+|[{}!])(?=[ \t\n;&|()<>]|\\\n|\Z)")


class ListParser(SimpleParser):
    """Reads lists. The reader of compound commands extends it."""

    __slots__ = ()

    def command(self) -> Command:
        """Read one command of any kind."""
        raise NotImplementedError

    def block(self) -> Block:
        steps: list[Step] = []
        join = ";"
        while True:
            self.newlines()
            if self.closing():
                if join != ";":
                    self.fail("unexpected_token", "a command is missing")
                return Block(tuple(steps))
            command = self.pipeline()
            self.blanks()
            following = self.joiner()
            steps.append(Step(join, command, following == "&"))
            if following == "":
                return Block(tuple(steps))
            join = following if following in ("&&", "||") else ";"

    def joiner(self) -> str:
        """Read what stands between two commands; an empty string where the list ends."""
        text, pos = self.text, self.pos
        char = text[pos : pos + 1]
        if char == "\n":
            return "\n"
        if char == ";":
            if text.startswith((";;", ";&"), pos):
                return ""
            self.skip(1)
            self.blanks()
            return ";"
        if text.startswith(("&&", "||"), pos):
            self.skip(2)
            return text[pos : pos + 2]
        if char == "&":
            self.skip(1)
            return "&"
        if char in (")", ""):
            return ""
        return self.fail("unexpected_token", char)

    def newlines(self) -> None:
        """Skip blanks, comments and line ends; each line end brings the bodies of its here-documents."""
        self.blanks()
        while self.peek() == "\n":
            self.pos += 1
            if self.pending:
                self.bodies()
            self.blanks()

    def closing(self) -> bool:
        """Whether a token stands here that ends a list."""
        if self.pos >= self.end:
            return True
        if self.text[self.pos] == ")" or self.text.startswith((";;", ";&"), self.pos):
            return True
        return self.keyword() in _CLOSERS

    def keyword(self) -> str:
        """Return the reserved word at the cursor, or an empty string."""
        if self.text[self.pos : self.pos + 1] not in _FIRST_LETTERS:
            return ""
        match = _KEYWORD.match(self.text, self.pos)
        return match.group() if match is not None and match.group() in RESERVED else ""

    def expect(self, word: str) -> None:
        """Read the reserved word *word*, or refuse."""
        self.newlines()
        if self.keyword() != word:
            self.fail("unexpected_token", f"expected {word}")
        self.pos += len(word)

    def body(self, *, may_be_empty: bool = False) -> Block:
        """Read the list inside a construct, one level deeper."""
        self.enter()
        found = self.block()
        if not found.steps and not may_be_empty:
            self.fail("unexpected_token", "a command is missing")
        self.leave()
        return found

    def pipeline(self) -> Pipeline | Command:
        """Read commands joined by pipes, with ``!`` and ``time`` before them."""
        negated = self.negations()
        first = self.command()
        self.blanks()
        if not self.is_pipe():
            return Pipeline((first,), negated=True) if negated else first
        commands = [first]
        while self.is_pipe():
            self.skip(2 if self.text.startswith("|&", self.pos) else 1)
            self.newlines()
            commands.append(self.command())
            self.blanks()
        return Pipeline(tuple(commands), negated)

    def is_pipe(self) -> bool:
        """Whether a pipe stands at the cursor."""
        return self.peek() == "|" and not self.text.startswith("||", self.pos)

    def negations(self) -> bool:
        """Read ``!`` and ``time``; whether there was a ``!``."""
        negated = False
        while (word := self.keyword()) in ("!", "time"):
            self.pos += len(word)
            negated = negated or word == "!"
            self.blanks()
            while word == "time" and _TIME_OPTION.match(self.text, self.pos):
                self.pos += 2
                self.blanks()
        return negated
