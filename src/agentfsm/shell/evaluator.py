"""
The evaluator: follows a syntax tree and notes everything that it could do.

Every branch counts. What is constant is followed, what is not becomes unknown, and an unknown command or code is
unresolved (standard, rules 1 to 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from agentfsm.shell.commands import SimpleEvaluator
from agentfsm.shell.state import State
from agentfsm.shell.syntax import (
    Arith,
    ArithFor,
    Arm,
    Block,
    Case,
    Command,
    Cond,
    Coproc,
    For,
    Func,
    Group,
    If,
    Lit,
    Loop,
    Pipeline,
    Simple,
    Subshell,
    Word,
)
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg

__all__ = ("Evaluator",)

_UNROLLED = 16
_ROUNDS = 3
_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


class Evaluator(SimpleEvaluator):
    """Follows lists and compound commands."""

    def block(self, body: Block) -> None:
        """Follow a list; what may be skipped is joined with having been skipped."""
        fork: tuple[State, State] | None = None  # without and with the assignment before, which cannot fail
        for step in body.steps:
            if step.join == ";" and not step.asynchronous:
                fork = None
                self.step(step.pipeline)
                continue
            skipped = self.copied(self.state)
            if step.join == "||" and fork is not None:
                missed, skipped = fork
                self.state.take(missed)
            before = self.copied(self.state)
            self.step(step.pipeline)
            is_fork = step.join == "&&" and assigns_constants(step.pipeline)
            fork = (before, self.copied(self.state)) if is_fork else None
            if step.asynchronous:
                self.state.take(before)
            else:
                self.state.take(self.either(skipped, self.state))

    def step(self, command: Pipeline | Command) -> None:
        """Follow one command of any kind."""
        self.record.spend(4)
        handler = _HANDLERS[type(command)]
        handler(self, command)

    def pipeline(self, pipeline: Pipeline) -> None:
        """Follow a pipeline; each member is a subshell, and its constant output is the next one's input."""
        if len(pipeline.commands) == 1:
            self.step(pipeline.commands[0])
            return
        saved, stdin, feed = self.state, self.stdin, self.stdin
        for command in pipeline.commands:
            self.state = self.copied(saved)
            self.stdin = feed
            self.printed = None
            self.step(command)
            feed = self.taken()
        if "lastpipe" in saved.flags:
            saved = self.either(saved, self.state)
        self.state, self.stdin = saved, stdin

    def taken(self) -> str:
        """Return what the last command printed, as the next one's input."""
        return UNKNOWN if self.printed is None else self.printed

    def compound(self, command: Subshell | Group) -> None:
        """Follow ``( )`` or ``{ }``."""
        stdin = self.stdin
        self.redirected(command.redirects)
        self.shared(command.body)
        if isinstance(command, Subshell):
            saved = self.state
            self.state = self.copied(saved)
            self.block(command.body)
            self.state = saved
        else:
            self.block(command.body)
        if len(command.body.steps) != 1:
            self.printed = None
        self.stdin = stdin

    def conditional(self, command: If) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.stdin = None if self.stdin is None else UNKNOWN
        ends: list[State] = []
        for condition, body in command.clauses:
            if condition is not None:
                self.block(condition)
            before = self.copied(self.state)
            self.block(body)
            ends.append(self.state)
            self.state = before
        if command.clauses[-1][0] is not None:
            ends.append(self.state)
        state = ends[0]
        for end in ends[1:]:
            state = self.either(state, end)
        self.state, self.stdin, self.printed = state, stdin, None

    def loop(self, command: Loop) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.stdin = None if self.stdin is None else UNKNOWN

        def once() -> None:
            self.block(command.condition)
            self.block(command.body)

        self.repeated(once)
        self.stdin, self.printed = stdin, None

    def repeated(self, once: Callable[[], None]) -> None:
        """Follow a body that may run any number of times, until nothing new is learnt."""
        for _ in range(_ROUNDS):
            before = self.copied(self.state)
            once()
            after = self.either(before, self.state)
            self.state = after
            if all(getattr(after, name) == getattr(before, name) for name in ("variables", "functions", "parameters")):
                return
        for name in self.state.variables:
            self.state.variables[name] = UNKNOWN if name != "IFS" else self.state.variables[name]
        self.state.parameters = None
        once()

    def each(self, command: For) -> None:
        """Follow ``for``: a constant list is unrolled, up to a limit."""
        stdin = self.stdin
        self.redirected(command.redirects)
        self.stdin = None if self.stdin is None else UNKNOWN
        values = self.parameter_list() if command.words is None else self.arguments(command.words)
        if all(arg.known for arg in values) and len(values) <= _UNROLLED:
            for arg in values:
                self.assign(command.name, arg.text)
                self.block(command.body)
        else:
            value = summary(values)

            def once() -> None:
                self.assign(command.name, value)
                self.block(command.body)

            self.repeated(once)
        self.stdin, self.printed = stdin, None

    def parameter_list(self) -> list[Arg]:
        """Return the positional parameters as a loop sees them."""
        return [Arg(UNKNOWN, many=True)] if self.state.parameters is None else list(self.state.parameters)

    def arith_for(self, command: ArithFor) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.stdin = None if self.stdin is None else UNKNOWN

        def once() -> None:
            self.calculate(command.parts)
            self.block(command.body)

        self.repeated(once)
        self.stdin, self.printed = stdin, None

    def case(self, command: Case) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.stdin = None if self.stdin is None else UNKNOWN
        self.single(command.subject)
        start = self.state
        ends: list[State] = [] if any(map(matches_all, command.arms)) else [start]
        fallen: State | None = None
        for arm in command.arms:
            self.state = self.copied(start) if fallen is None else self.either(start, fallen)
            for pattern in arm.patterns:
                self.single(pattern)
            self.block(arm.body)
            ends.append(self.state)
            fallen = self.state if arm.falls else None
        state = reduce(self.either, ends, self.copied(ends[0]))
        self.state, self.stdin, self.printed = state, stdin, None

    def function(self, command: Func) -> None:
        self.state.functions[command.name] = (command,)
        self.defined[id(command)] = command
        self.printed = None

    def coprocess(self, command: Coproc) -> None:
        saved = self.state
        self.state = self.copied(saved)
        self.step(command.body)
        self.state = saved
        self.state.variables[command.name] = (NUMBER, NUMBER)
        self.state.variables[command.name + "_PID"] = NUMBER
        self.printed = None

    def condition(self, command: Cond) -> None:
        """Follow ``[[ ]]``: expansions, arithmetic operands and subscripts all have effects."""
        stdin = self.stdin
        self.redirected(command.redirects)
        for test in command.tests:
            texts = [self.single(word) for word in test.words]
            if test.op in _ARITHMETIC_TESTS or test.op in ("-v", "-R"):
                for text in texts:
                    self.arithmetic(text)
        self.stdin, self.printed = stdin, None

    def arith(self, command: Arith) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.calculate(command.parts)
        self.stdin, self.printed = stdin, None

    def leftovers(self) -> None:
        """Follow the bodies of functions that nothing has called: defined is enough (standard, rule 1)."""
        while left := [function for key, function in self.defined.items() if key not in self.called]:
            for function in left:
                self.call_unknown(function)

    def call_unknown(self, function: Func) -> None:
        """Follow a function's body with parameters that nobody knows."""
        parameters = self.state.parameters
        self.state.parameters = None
        self.called.add(id(function))
        self.step(function.body)
        self.state.parameters = parameters


def matches_all(arm: Arm) -> bool:
    """Whether an arm takes every word that comes to it."""
    return any(pattern.parts == (Lit("*"),) or pattern.plain == "*" for pattern in arm.patterns)


def assigns_constants(command: Pipeline | Command) -> bool:
    """Whether a command only gives variables constant values, so that it cannot fail."""
    while isinstance(command, Pipeline) and len(command.commands) == 1 and not command.negated:
        command = command.commands[0]
    return (
        isinstance(command, Simple)
        and not (command.words or command.redirects)
        and all(isinstance(each.value, Word) and each.value.plain is not None for each in command.assigns)
    )


def summary(values: Sequence[Arg]) -> str:
    """Return one text that stands for any of *values*."""
    if all(arg.known and not arg.starts("-") and not set(arg.text) & set(" \t\n*?[") for arg in values):
        return NUMBER if all(arg.text.isdigit() for arg in values) else TAME
    if all(not arg.many and not arg.glob and arg.text and set(arg.text) <= {TAME, NUMBER} for arg in values):
        return TAME
    return UNKNOWN


_HANDLERS: dict[type, Callable[..., None]] = {
    Simple: Evaluator.simple,
    Pipeline: Evaluator.pipeline,
    Subshell: Evaluator.compound,
    Group: Evaluator.compound,
    If: Evaluator.conditional,
    Loop: Evaluator.loop,
    For: Evaluator.each,
    ArithFor: Evaluator.arith_for,
    Case: Evaluator.case,
    Func: Evaluator.function,
    Coproc: Evaluator.coprocess,
    Cond: Evaluator.condition,
    Arith: Evaluator.arith,
}
