"""Expansions: the part of the parser that knows what a dollar sign, a backtick or an angle bracket begins."""

from __future__ import annotations

import re

from agentfsm.shell.ansi import decode
from agentfsm.shell.cursor import MAX_DEPTH
from agentfsm.shell.syntax import ArithSub, Block, CmdSub, Param, Part, ProcSub, Quote, Word
from agentfsm.shell.words import WordParser, add_literal

__all__ = ("ExpansionParser",)

_ARG_RUN = re.compile(r"[^}\\'\"$`<>]+")
_ARITH_RUN = re.compile(r"[^()\\'\"$`]+")
_INDEX_RUN = re.compile(r"[^\[\]\\'\"$`]+")
_PARAM = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]")
_OPERATOR = re.compile(r":[-=?+]|##?|%%?|//|/[#%]?|\^\^?|,,?|@[UuLQEPAKak]|[-=?+:]")
_TICKS = re.compile(r"[^\\`]+")
_TAME_QUOTED = re.compile(r"'(?:[^'}\"`\\$()]|\$[A-Za-z_])*'")
_PREFIX = re.compile(r"#(?=(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!#-])[\[}])|!(?=[A-Za-z_0-9@*#?])")


class ExpansionParser(WordParser):
    """Reads expansions."""

    __slots__ = ()

    def dollar(self, found: list[Part], *, in_quotes: bool) -> None:
        """Read what a dollar sign begins."""
        self.spend()
        text, at = self.text, self.pos + 1
        char = text[at : at + 1]
        match = _PARAM.match(text, at)
        if match is not None:
            self.pos = match.end()
            name = match.group()
            if name.isdigit() and len(name) > 1:  # $12 is $1 and a 2
                self.pos = at + 1
                name = name[0]
            found.append(Param(name))
        elif char == "(":
            found.append(self.arithmetic() or self.substitution())
        elif char == "{":
            found.append(self.parameter(in_quotes=in_quotes))
        elif char == "[":
            self.pos = at + 1
            found.append(ArithSub(tuple(self.index())))
        elif char in ("'", '"') and char and not in_quotes:
            self.pos = at
            found.append(self.ansi() if char == "'" else self.double())
        elif char == "\\" and text.startswith("\n", at + 1):
            self.fail("split_operator", "a continued line splits an expansion")
        else:
            self.pos = at
            found.append(Quote("$"))

    def substitution(self) -> CmdSub:
        """Read ``$( ... )``."""
        self.pos += 2
        return CmdSub(self.closed())

    def process(self, sign: str) -> ProcSub:
        """Read ``<( ... )`` or ``>( ... )``."""
        self.pos += 2
        self.spend()
        return ProcSub(sign, self.closed())

    def closed(self) -> Block:
        """Read a list that a parenthesis closes; here-documents begun inside must end inside."""
        self.enter()
        outer, self.pending = self.pending, []
        body = self.block()
        if self.peek() != ")":
            self.fail("unterminated_substitution")
        if self.pending:
            self.fail("unterminated_heredoc")
        self.pending = outer
        self.pos += 1
        self.leave()
        return body

    def ticks(self, *, in_quotes: bool) -> CmdSub:
        """Read a substitution in backticks; one level of backslashes goes before its text is read."""
        self.budget.nodes -= 1
        self.spend()
        start = self.pos + 1
        self.pos = start
        pieces: list[str] = []
        while True:
            match = _TICKS.match(self.text, self.pos)
            if match is not None:
                pieces.append(match.group())
                self.pos = match.end()
            if self.pos >= self.end:
                self.fail("unterminated_substitution")
            if self.text[self.pos] == "`":
                break
            follower = self.text[self.pos + 1 : self.pos + 2]
            if not follower:
                self.fail("unterminated_substitution")
            drops = follower in ('`\\$"' if in_quotes else "`\\$")
            pieces.append(follower if drops else "\\" + follower)
            self.pos += 2
        self.pos += 1
        inner = self.nested("".join(pieces), start + self.shift)
        body = inner.block()
        if inner.pos < inner.end or inner.pending:
            inner.fail("unexpected_token")
        return CmdSub(body)

    def arithmetic(self) -> ArithSub | None:
        """Read ``$(( ... ))``; None, with the cursor unmoved, when it is a substitution that begins with a subshell."""
        start = self.pos
        if not self.text.startswith("$((", start) or start in self.not_arithmetic:
            return None
        self.pos = start + 3
        parts = self.sums()
        if parts is None:
            self.not_arithmetic.add(start)
            self.pos = start
            return None
        return ArithSub(tuple(parts))

    def sums(self) -> list[Part] | None:
        """Read arithmetic up to its ``))``; None when the parentheses say that it is none."""
        self.enter()
        found: list[Part] = []
        text, open_count = self.text, 0
        while True:
            match = _ARITH_RUN.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                add_literal(found, match.group())
            if self.pos >= self.end:
                self.fail("unterminated_arithmetic")
            char = text[self.pos]
            if char == "(" or (char == ")" and open_count):
                open_count += self.brackets(char, open_count, found)
                if open_count > MAX_DEPTH:
                    self.fail("too_deep", f"more than {MAX_DEPTH} levels")
            elif char == ")":
                self.leave()
                if not text.startswith("))", self.pos):
                    return None
                self.pos += 2
                return found
            else:
                self.numeric(char, found)

    def brackets(self, char: str, open_count: int, found: list[Part]) -> int:
        """Read a run of equal parentheses, no more closing ones than are open; return how many it opens."""
        start = self.pos
        while self.peek() == char and (char == "(" or self.pos - start < open_count):
            self.pos += 1
        add_literal(found, self.text[start : self.pos])
        return self.pos - start if char == "(" else start - self.pos

    def numeric(self, char: str, found: list[Part]) -> None:
        """Read a quote or an expansion in arithmetic, where single quotes do not stop expansions."""
        if char == "'":
            self.idle_quotes(found)
        elif char == '"':
            found.append(self.double())
        else:
            self.special(char, found)

    def index(self) -> list[Part]:
        """Read a subscript, from behind its ``[`` past its ``]``."""
        self.enter()
        found: list[Part] = []
        text, open_count = self.text, 0
        while True:
            match = _INDEX_RUN.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                add_literal(found, match.group())
            if self.pos >= self.end:
                self.fail("unterminated_subscript")
            char = text[self.pos]
            if char == "]" and not open_count:
                self.pos += 1
                self.leave()
                return found
            if char in "[]":
                open_count += 1 if char == "[" else -1
                add_literal(found, char)
                self.pos += 1
            else:
                self.special(char, found)

    def subscript(self) -> Word:
        """Read a subscript as a word, the cursor standing at its ``[``."""
        start = self.pos
        self.pos += 1
        return self.made(self.index(), start)

    def parameter(self, *, in_quotes: bool) -> Param:
        """Read ``${ ... }``."""
        self.pos += 2
        self.enter()
        text = self.text
        prefix = _PREFIX.match(text, self.pos)
        mark = prefix.group() if prefix is not None else ""
        self.pos += len(mark)
        match = _PARAM.match(text, self.pos)
        if match is None:
            self.fail("bad_substitution")
        self.pos = match.end()
        subscript = self.subscript() if self.peek() == "[" else None
        return self.operated(match.group(), subscript, mark, in_quotes)

    def operated(self, name: str, subscript: Word | None, prefix: str, in_quotes: bool) -> Param:
        """Read the operator of an expansion, its argument and the closing brace."""
        text = self.text
        operator = "[#]" if prefix == "#" else ""
        arg = None
        if prefix == "!" and self.peek() and self.peek() in "*@" and text.startswith("}", self.pos + 1):
            operator = "!*"
            self.pos += 1
        elif self.peek() != "}":
            match = _OPERATOR.match(text, self.pos)
            if match is None or prefix == "#":
                self.fail("bad_substitution")
            operator = match.group()
            self.pos = match.end()
            if operator[0] != "@":
                literal_quotes = in_quotes and operator.lstrip(":") in ("-", "=", "?", "+")
                arg = self.argument(in_quotes=in_quotes, literal_quotes=literal_quotes)
        if self.peek() != "}":
            self.fail("bad_substitution")
        self.pos += 1
        self.leave()
        return Param(name, operator, arg, subscript, prefix == "!")

    def argument(self, *, in_quotes: bool, literal_quotes: bool) -> Word:
        """Read the word behind an operator, up to the brace that closes the expansion."""
        start = self.pos
        found: list[Part] = []
        text = self.text
        while True:
            match = _ARG_RUN.match(text, self.pos)
            if match is not None:
                self.pos = match.end()
                add_literal(found, match.group())
            if self.pos >= self.end:
                self.fail("unterminated_substitution")
            char = text[self.pos]
            if char == "}":
                return self.made(found, start)
            if char in "<>":
                if text.startswith("(", self.pos + 1) and not in_quotes:
                    found.append(self.process(char))
                else:
                    add_literal(found, char)
                    self.pos += 1
            elif char == "'" and literal_quotes:
                self.idle_quotes(found)
            elif char == "\\" and in_quotes:
                self.inside(char, found, '$`"\\}')
            else:
                self.special(char, found)

    def idle_quotes(self, found: list[Part]) -> None:
        """Read single quotes that pair, but keep no expansion from happening; only simple text may be inside."""
        self.spend()
        match = _TAME_QUOTED.match(self.text, self.pos)
        if match is None:
            self.fail("odd_quote")
        stop = match.end()
        while self.pos < stop:
            if self.peek() == "$":
                self.dollar(found, in_quotes=True)
            else:
                add_literal(found, self.peek())
                self.pos += 1

    def ansi(self) -> Quote:
        """Read ``$'...'``, the cursor standing at the quote."""
        pos = self.pos + 1
        while True:
            char = self.text[pos : pos + 1]
            if not char:
                self.fail("unterminated_quote")
            if char == "'":
                break
            pos += 2 if char == "\\" else 1
        raw = self.text[self.pos + 1 : pos]
        self.pos = pos + 1
        return Quote(decode(raw))
