"""Simple commands: words, assignments, redirections and here-documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.shell.conditions import ConditionParser
from agentfsm.shell.cursor import Pending
from agentfsm.shell.syntax import Array, Assign, Command, Func, Heredoc, Lit, Quote, Redirect, Simple, Word
from agentfsm.shell.values import names

__all__ = ("DECLARERS", "REDIRECTIONS", "RESERVED", "SimpleParser", "redirection")

RESERVED = frozenset(
    names("if then elif else fi while until for select case esac do done in { } ! [[ time coproc function")
)
"""Words with a meaning of their own where a command may begin."""

DECLARERS = frozenset({"declare", "typeset", "local", "export", "readonly"})
"""Builtins whose arguments may be assignments, compound ones included."""

REDIRECTIONS = ("<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">&", ">|", ">", "&>>", "&>")
"""The forms of redirection, each before those that it begins with (bash manual, Redirections)."""


def redirection(forms: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a redirection's beginning: a descriptor where one may stand, and one of *forms*."""
    plain = "|".join(re.escape(form) for form in forms if form[0] != "&")
    both = "|".join(re.escape(form) for form in forms if form[0] == "&")
    return re.compile(rf"([0-9]+|\{{[A-Za-z_][A-Za-z0-9_]*\}})?({plain})|{both}")


_REDIRECT = redirection(REDIRECTIONS)
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?=)|(?=\[))")
_PLAIN_INDEX = re.compile(
    r"\[(?:[^\]'\"`\\$]|\$\w+|\$\{\w+\}|\"[^\"`$\\]*\"|"
    r"'[^']*'|\"\$\w+\"){0,100}+\]\+?=",
    re.ASCII,
)
_PLAIN_PATTERN = re.compile(r"\[[^\]'\"`\\$]{0,256}+\](?!\+?=)")
_ARRAY_SPACE = re.compile(r"(?:[ \t\n]|\\\n|(?:(?<=[ \t\n(])#[^\n]*))*")
_END_OF_COMMAND = frozenset("\n;&|)")
_NOT_A_NAME = re.compile(r"[$`\"'\\<>&|;()]")


class SimpleParser(ConditionParser):
    """Reads simple commands. The reader of lists and compound commands extends it."""

    __slots__ = ()

    def function_body(self) -> Command:
        """Read the compound command that is a function's body."""
        raise NotImplementedError

    def parentheses(self) -> None:
        """Read the empty parentheses of a function."""
        self.pos += 1
        self.blanks()
        if self.peek() != ")":
            self.fail("unexpected_token", "expected )")
        self.pos += 1

    def simple(self) -> Command:
        start = self.pos
        assigns: list[Assign] = []
        words: list[Word | Assign] = []
        redirects: list[Redirect] = []
        declares = False
        while True:
            self.blanks()
            char = self.peek()
            if not char or (char in _END_OF_COMMAND and not self.text.startswith("&>", self.pos)):
                break
            if char in "<>&0123456789{" and (redirect := self.redirect()) is not None:
                redirects.append(redirect)
                continue
            if (not words or declares) and (assign := self.assignment(only_arrays=bool(words))) is not None:
                (words or assigns).append(assign)
                continue
            word = self.word()
            if word is None:
                if char == "(" and len(words) == 1 and not assigns and not redirects:
                    return self.named_function(words[0], start)
                self.fail("unexpected_token", char)
            words.append(word)
            if len(words) == 1:
                if word.plain == "]]":
                    self.fail("unexpected_token", "]]")
                declares = word.plain in DECLARERS
                raw = self.text[start : self.pos]
                if word.plain in RESERVED and raw != word.plain:
                    self.fail("split_operator", "a continued line splits a reserved word")
                if self.pos == self.end and raw[-1:] == "\\" and raw[:-1] in RESERVED:
                    self.fail("unexpected_token", raw[:-1])
        if not (words or assigns or redirects):
            self.fail("unexpected_token", "a command is missing")
        return Simple(tuple(assigns), tuple(words), tuple(redirects), start + self.shift, self.pos + self.shift)

    def named_function(self, word: Word | Assign, start: int) -> Func:
        """Read ``name () body``, the cursor standing at the parenthesis."""
        name = self.text[start : self.pos].strip(" \t\\\n")
        if isinstance(word, Assign) or _NOT_A_NAME.search(name) or word.plain is None:
            self.fail("unexpected_token", "a function needs a plain name")
        self.parentheses()
        return Func(name, self.function_body(), start + self.shift, self.pos + self.shift)

    def assignment(self, *, only_arrays: bool) -> Assign | None:
        """Read an assignment; among arguments only a compound one is more than a word."""
        match = _ASSIGN.match(self.text, self.pos)
        if match is None:
            return None
        start = self.pos
        name, operator = match.groups()
        if only_arrays and not (operator and self.text.startswith("(", match.end())):
            return None
        if operator is None and _PLAIN_PATTERN.match(self.text, match.end()):
            return None
        self.spend()
        self.pos = match.end()
        index = None
        if operator is None:
            index = self.subscript()
            if not self.text.startswith(("=", "+="), self.pos):
                self.fail("unexpected_token", "a subscript without an assignment")
            operator = "=" if self.peek() == "=" else "+="
            self.pos += len(operator)
        value: Word | Array
        if self.peek() == "(":
            value = self.array()
        else:
            value = self.word() or Word((), self.pos + self.shift, self.pos + self.shift, "")
        return Assign(name, value, operator == "+=", index, start + self.shift, self.pos + self.shift)

    def array(self) -> Array:
        """Read ``( ... )`` behind an assignment."""
        self.pos += 1
        self.enter()
        items: list[tuple[Word | None, Word]] = []
        while True:
            match = _ARRAY_SPACE.match(self.text, self.pos)
            self.pos = match.end() if match else self.pos
            if self.peek() == ")":
                self.pos += 1
                self.leave()
                return Array(tuple(items))
            index = None
            if self.peek() == "[" and _PLAIN_INDEX.match(self.text, self.pos):
                index = self.subscript()
                self.pos += 1 if self.peek() == "=" else 2
            word = self.word()
            if word is None and index is None:
                self.fail("unexpected_token", "in an array")
            items.append((index, word or Word((), self.pos + self.shift, self.pos + self.shift, "")))

    def redirect(self) -> Redirect | None:
        """Read one redirection, or None when none begins here."""
        start = self.pos
        match = _REDIRECT.match(self.text, start)
        if match is None:
            return None
        operator = match.group(2) or match.group()
        if operator in ("<", ">") and self.text.startswith("(", match.end()):
            return None
        self.pos = match.end() - len(operator)
        self.skip(len(operator))
        self.spend()
        self.blanks()
        target = self.heredoc(operator) if operator in ("<<", "<<-") else self.word()
        if target is None or (self.pos == self.end and isinstance(target, Word) and target.parts == (Quote("\\"),)):
            self.fail("unexpected_token", "a redirection needs a target")
        return Redirect(operator, match.group(1) or "", target, start + self.shift, self.pos + self.shift)

    def heredoc(self, operator: str) -> Heredoc:
        """Read the delimiter of a here-document; its body comes with the line end."""
        start = self.pos
        word = self.word()
        if word is None:
            self.fail("unexpected_token", "a here-document needs a delimiter")
        raw = self.text[start : self.pos]
        if "\\\n" in raw or "$'" in raw or "`" in raw or '$"' in raw:
            self.fail("odd_delimiter")
        is_quoted = any(char in raw for char in "'\"\\")
        delimiter = raw
        if is_quoted:
            if any(not isinstance(part, Lit | Quote) and "$" in raw for part in word.parts):
                self.fail("odd_delimiter")
            delimiter = re.sub(r"\\(.)|['\"]", lambda match: match.group(1) or "", raw)
        node = Heredoc(Word((), 0, 0, ""), is_quoted)
        self.pending.append(Pending(node, delimiter, operator == "<<-"))
        return node

    def bodies(self) -> None:
        """Read the bodies of the here-documents that the line just ended has begun."""
        waiting, self.pending = self.pending, []
        for each in waiting:
            start = self.pos
            body = self.lines(each)
            if each.node.quoted:
                self.spend()
                each.node.body = Word((Quote(body),), start + self.shift, self.pos + self.shift)
            else:
                each.node.body = self.nested(body, start + self.shift).document()

    def lines(self, pending: Pending) -> str:
        """Return the text up to the delimiter's line, with the cursor behind that."""
        lines: list[str] = []
        continued = False
        while self.pos < self.end:
            stop = self.text.find("\n", self.pos)
            stop = self.end if stop < 0 else stop
            line = self.text[self.pos : stop]
            self.pos = min(stop + 1, self.end)
            if pending.strips_tabs and not continued:
                line = line.lstrip("\t")
            if line == pending.delimiter and not continued:
                self.pos = stop
                if stop < self.end:
                    self.pos = stop + 1
                return "".join(lines)
            lines.append(line + "\n")
            trailing = len(line) - len(line.rstrip("\\"))
            continued = not pending.node.quoted and trailing % 2 == 1
        return self.fail("unterminated_heredoc", pending.delimiter)
