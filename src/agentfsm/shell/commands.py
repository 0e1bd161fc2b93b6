"""Simple commands: their redirections, their assignments, and the command itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from math import prod

from agentfsm.shell.braces import has_braces
from agentfsm.shell.call import judge_variable
from agentfsm.shell.redirects import judge_redirect
from agentfsm.shell.runner import Runner
from agentfsm.shell.simple import DECLARERS
from agentfsm.shell.state import Choice, Value
from agentfsm.shell.syntax import Array, Assign, DQuote, Heredoc, Lit, Param, Part, Redirect, Simple, Word
from agentfsm.shell.values import NUMBER, UNKNOWN, Arg, number

__all__ = ("SimpleEvaluator",)

_MOST_ITEMS = 4096
_MOST_VARIANTS = 16
_ASSIGNS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


class SimpleEvaluator(Runner):
    """Follows simple commands."""

    def redirected(self, redirects: Sequence[Redirect]) -> bool:
        """Follow redirections, set the standard input; whether standard output still goes to where it went."""
        keeps_output = True
        owner = self.record.owner
        self.record.owner = -1
        for redirect in redirects:
            self.record.spend(6)
            self.record.span = (redirect.start, redirect.end) if self.shift is None else self.shift
            target = redirect.target
            if isinstance(target, Heredoc):
                body = self.single(target.body)
                if redirect.fd in ("", "0"):
                    self.stdin = body
                continue
            text = self.target(redirect.op, target)
            if redirect.op == "<<<":
                if redirect.fd in ("", "0"):
                    self.stdin = text + "\n"
                continue
            judge_redirect(self.record, redirect.op, text, self.state.folder)
            if redirect.fd.startswith("{"):
                self.state.variables[redirect.fd[1:-1]] = NUMBER
            if redirect.op in ("<", "<>", "<&") and redirect.fd in ("", "0"):
                self.stdin = (target.parts and self.stream_of(target)) or UNKNOWN
            elif redirect.fd in ("", "1") and redirect.op not in ("<", "<>", "<&"):
                keeps_output = False
        self.record.owner = owner
        return keeps_output

    def target(self, operator: str, word: Word) -> str:
        """Return the text of a redirection's target."""
        if operator == "<<<" or word.plain is not None:
            return self.single(word)
        args = self.arguments((word,))
        return args[0].text if len(args) == 1 else UNKNOWN

    def stream_of(self, word: Word) -> str | None:
        """Return what a target that is a process substitution gives to read."""
        args = self.arguments((word,))
        return args[0].feed if len(args) == 1 else None

    def simple(self, command: Simple) -> None:
        """Follow a command once for every value that branches may have given its variables."""
        names = map(self.state.target, used(command)) if self.state.variables else ()
        chosen = {name: self.state.variables.get(name) for name in names}
        choices = {name: value.values for name, value in chosen.items() if isinstance(value, Choice)}
        if not choices:
            self.variant(command)
            return
        if prod(map(len, choices.values())) > _MOST_VARIANTS:
            self.state.variables |= dict.fromkeys(choices, UNKNOWN)
            self.variant(command)
            return
        variants = product(*(sorted(values, key=repr) for values in choices.values()))
        start, stdin = self.state, self.stdin
        ends, printed = [], set()
        for values in variants:
            self.state, self.stdin = self.copied(start), stdin
            self.state.variables |= zip(choices, values, strict=True)
            self.variant(command)
            ends.append(self.state)
            printed.add(self.printed)
        self.state = reduce(self.either, ends)
        self.printed = printed.pop() if len(printed) == 1 else None

    def variant(self, command: Simple) -> None:
        """Follow assignments, words and redirections, then the command itself."""
        self.record.spend(30)
        stdin = self.stdin
        self.record.span = (command.start, command.end) if self.shift is None else self.shift
        span = self.record.span
        self.record.owner = -1
        self.printed = None
        words = [word for word in command.words if isinstance(word, Word)]
        args = self.declared(words) if words and words[0].plain in DECLARERS else self.arguments(words)
        self.record.span = span
        keeps_output = self.redirected(command.redirects) if command.redirects else True
        self.record.span = span
        if not args:
            self.assignments(command.assigns)
            self.stdin = stdin
            return
        arrays = [word for word in command.words if isinstance(word, Assign)]
        self.prefixed(command, args, arrays)
        self.record.span = span
        self.stdin = stdin
        if not keeps_output:
            self.printed = None

    def declared(self, words: Sequence[Word]) -> list[Arg]:
        """Expand the arguments of a declaring builtin, where an assignment is not split (bash manual, Assignments)."""
        found: list[Arg] = []
        for word in words:
            first = word.parts[0] if word.parts else None
            if (
                word.plain is None
                and isinstance(first, Lit)
                and _ASSIGNS.match(first.text)
                and not has_braces(word.parts)
            ):
                found.append(Arg(self.single(word)))
            else:
                found += self.arguments((word,))
        return found

    def prefixed(self, command: Simple, args: list[Arg], arrays: list[Assign]) -> None:
        """Run a command with the variables set before it, which last as long as it does."""
        if not command.assigns and not arrays:
            self.run(args, self.stdin, plain=False)
            return
        saved = self.state.variables
        self.state.variables = dict(saved)
        reads = args[0].text in ("read", "mapfile", "readarray")
        for assign in command.assigns:
            if assign.name == "IFS" and reads and isinstance(assign.value, Word):
                self.single(assign.value)
            else:
                self.assigned(assign)
        names = [assign.name for assign in command.assigns]
        self.run(args, self.stdin, plain=False)
        changed = self.state.variables
        for name in names:
            if name in saved:
                changed[name] = saved[name]
            else:
                changed.pop(name, None)
        for assign in arrays:
            self.assigned(assign)

    def assignments(self, assigns: Sequence[Assign]) -> None:
        """Follow assignments that stay."""
        for assign in assigns:
            self.assigned(assign)

    def assigned(self, assign: Assign) -> None:
        """Follow one assignment."""
        if assign.index is not None:
            index = self.single(assign.index)
            self.arithmetic(index)
            value = self.single(assign.value) if isinstance(assign.value, Word) else UNKNOWN
            judge_variable(self, assign.name, value)
            self.assign_element(assign.name, index, value)
            return
        if isinstance(assign.value, Array):
            self.assign(assign.name, self.items(assign.value), append=assign.append)
            return
        value = self.single(assign.value) if assign.value is not None else ""
        self.assign(assign.name, value, append=assign.append)

    def assign_element(self, name: str, index: str, value: str) -> None:
        """Give one element of an array a value; the rest is forgotten unless it is the next one."""
        old = self.state.variables.get(name)
        if isinstance(old, tuple) and number(index) == len(old) < _MOST_ITEMS:
            self.state.variables[name] = (*old, value)
        elif index == "0" and not isinstance(old, tuple):
            self.state.variables[name] = (value,)
        else:
            self.state.variables[name] = UNKNOWN

    def items(self, array: Array) -> Value:
        """Return the value of a compound assignment."""
        for index, _ in array.items:
            if index is not None:
                self.arithmetic(self.single(index))
        args = self.arguments([word for _, word in array.items])
        if any(index is not None for index, _ in array.items):
            return UNKNOWN
        if any(arg.loose or arg.glob or arg.many for arg in args) or len(args) > _MOST_ITEMS:
            return UNKNOWN
        return tuple(arg.text for arg in args)


def used(command: Simple) -> Iterator[str]:
    """Return the variables that a command's own words expand; substitutions have commands of their own."""
    words = [word for word in command.words if isinstance(word, Word)]
    words += [assign.value for assign in command.assigns if isinstance(assign.value, Word)]
    for redirect in command.redirects:
        words.append(redirect.target.body if isinstance(redirect.target, Heredoc) else redirect.target)
    for assign in (*command.assigns, *(word for word in command.words if isinstance(word, Assign))):
        if isinstance(assign.value, Array):
            words += [word for _, word in assign.value.items]
    for word in words:
        if word.plain is None:
            yield from expanded(word.parts)


def expanded(parts: Sequence[Part]) -> Iterator[str]:
    """Return the variables that parts of a word expand."""
    for part in parts:
        if isinstance(part, Param):
            yield part.name
            if part.arg is not None:
                yield from expanded(part.arg.parts)
        elif isinstance(part, DQuote):
            yield from expanded(part.parts)
