"""Simple commands: their redirections, their assignments, and the command itself."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import judge_variable
from agentfsm.shell.redirects import judge_redirect
from agentfsm.shell.runner import Runner
from agentfsm.shell.state import Value
from agentfsm.shell.syntax import Array, Assign, Heredoc, Redirect, Simple, Word
from agentfsm.shell.values import NUMBER, UNKNOWN, Arg

__all__ = ("SimpleEvaluator",)

_MOST_ITEMS = 4096


class SimpleEvaluator(Runner):
    """Follows simple commands."""

    def redirected(self, redirects: Sequence[Redirect]) -> bool:
        """Follow redirections, set the standard input; whether standard output still goes to where it went."""
        keeps_output = True
        owner = self.record.owner
        self.record.owner = -1
        for redirect in redirects:
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
        """Follow assignments, words and redirections, then the command itself."""
        self.record.spend()
        stdin = self.stdin
        self.record.span = (command.start, command.end) if self.shift is None else self.shift
        span = self.record.span
        self.record.owner = -1
        self.printed = None
        words = [word for word in command.words if isinstance(word, Word)]
        args = self.arguments(words)
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
        if isinstance(old, tuple) and index.isdigit() and int(index) == len(old) < _MOST_ITEMS:
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
