"""
The parser: text in, syntax tree out, in one pass and linear time.

It is strict. What it does not know it refuses with `ParseError`, and refused means blocked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import evolve

from agentfsm.shell.conditions import ConditionParser
from agentfsm.shell.cursor import Budget, ParseError, Pending
from agentfsm.shell.syntax import (
    Arith,
    ArithFor,
    Arm,
    Array,
    Assign,
    Block,
    Case,
    Command,
    Cond,
    Coproc,
    For,
    Func,
    Group,
    Heredoc,
    If,
    Lit,
    Loop,
    Pipeline,
    Quote,
    Redirect,
    Simple,
    Step,
    Subshell,
    Word,
)

__all__ = ("DECLARERS", "RESERVED", "Parser", "parse")

RESERVED = frozenset(
    "if then elif else fi while until for select case esac do done in { } ! [[ time coproc function".split()
)
"""Words with a meaning of their own where a command may begin."""

DECLARERS = frozenset({"declare", "typeset", "local", "export", "readonly"})
"""Builtins whose arguments may be assignments, compound ones included."""

_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
_KEYWORD = re.compile(r"(?:\[\[|[a-z]+|[{}!])(?=[ \t\n;&|()<>]|\\\n|\Z)")
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:(\+?=)|(?=\[))")
_PLAIN_INDEX = re.compile(r"\[(?:[^\]'\"`\\$]|\$\w+|\$\{\w+\}|\"[^\"`$\\]*\"|'[^']*'|\"\$\w+\")*\]\+?=", re.ASCII)
_REDIRECT = re.compile(r"([0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})?(<<<|<<-|<<|<>|<&|<|>>|>&|>\||>)|&>>|&>")
_ARRAY_SPACE = re.compile(r"(?:[ \t\n]|\\\n|(?:(?<=[ \t\n(])#[^\n]*))*")
_END_OF_COMMAND = frozenset("\n;&|)")
_NOT_A_NAME = re.compile(r"[$`\"'\\<>&|;()]")


class Parser(ConditionParser):
    """Reads commands."""

    __slots__ = ()

    # -- lists -----------------------------------------------------------------------------------------------------

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
        self.fail("unexpected_token", char)

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
            while word == "time" and re.compile(r"(?:-p|--)(?=[ \t\n;&|)]|\Z)").match(self.text, self.pos):
                self.pos += 2
                self.blanks()
        return negated

    # -- commands --------------------------------------------------------------------------------------------------

    def command(self) -> Command:
        """Read one command of any kind."""
        self.spend()
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
        """Read the redirections behind a compound command."""
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
        match = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?=[ \t\n;\\]|\Z)").match(self.text, self.pos)
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
            self.newlines()
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
            word = self.word()
            if word is None:
                self.fail("unexpected_token", "expected a pattern")
            patterns.append(word)
            self.blanks()
            if self.peek() != "|":
                break
            self.skip(1)
        if self.peek() != ")":
            self.fail("unexpected_token", "expected )")
        self.pos += 1
        return Arm(tuple(patterns), self.block())

    def test(self) -> Cond:
        return self.condition()

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

    def parentheses(self) -> None:
        """Read the empty parentheses of a function."""
        self.pos += 1
        self.blanks()
        if self.peek() != ")":
            self.fail("unexpected_token", "expected )")
        self.pos += 1

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
        match = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=\(|(?:if|while|until|for|select|case|\{|\[\[)[ \t\n])").match(
            self.text, self.pos
        )
        if match is not None and match.group(1) not in RESERVED:
            name = match.group(1)
            self.pos = match.end()
        self.enter()
        found = self.command()
        self.leave()
        return Coproc(name, found)

    # -- simple commands ---------------------------------------------------------------------------------------------

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
                declares = word.plain in DECLARERS
                if word.plain in RESERVED and self.text[start : self.pos] != word.plain:
                    self.fail("split_operator", "a continued line splits a reserved word")
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

    # -- redirections --------------------------------------------------------------------------------------------------

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
        if target is None:
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
        self.fail("unterminated_heredoc", pending.delimiter)

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
    "[[": Parser.test,
    "function": Parser.function,
    "coproc": Parser.coprocess,
}


def parse(text: str, depth: int = 0) -> Block:
    """
    Return the tree of *text*.

    Raises `ParseError` for text that bash would not accept, that is not supported, or that is over a limit.
    """
    if "\0" in text:
        raise ParseError("nul", text.index("\0"))
    parser = Parser(text, Budget(), depth)
    found = parser.block()
    if parser.pos < parser.end:
        parser.fail("unexpected_token", parser.peek())
    if parser.pending:
        parser.fail("unterminated_heredoc")
    return found


