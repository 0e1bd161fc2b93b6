"""
The evaluator: follows a syntax tree and notes everything that it could do.

Every branch counts. What is constant is followed, what is not becomes unknown, and an unknown command or code is
unresolved (standard, rules 1 to 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentfsm.shell.call import Call, judge_variable
from agentfsm.shell.classes import OpClass
from agentfsm.shell.cursor import MAX_DEPTH, ParseError
from agentfsm.shell.expand import Expander
from agentfsm.shell.parser import parse
from agentfsm.shell.paths import program_name
from agentfsm.shell.programs import rule_for
from agentfsm.shell.record import Record
from agentfsm.shell.redirects import judge_redirect
from agentfsm.shell.state import State, Value, joined
from agentfsm.shell.syntax import (
    Arith,
    ArithFor,
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
    Loop,
    Pipeline,
    Redirect,
    Simple,
    Subshell,
    Word,
)
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg, is_constant

__all__ = ("Evaluator",)

_UNROLLED = 16
_ROUNDS = 3
_MAX_ACTIVE = 16
_MOST_ITEMS = 4096
_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})


_NEVER_HARMLESS = frozenset({"sudo", "doas", "su", "pkexec", "runuser", "run0", "echo", "printf", "test", "[", "true", "false"})


class Evaluator(Expander):
    """Follows commands in *state* and writes to *record*."""

    def __init__(self, record: Record, state: State, depth: int = 0) -> None:
        self.record = record
        self.state = state
        self.depth = depth
        self.active: list[tuple[Func, tuple[Arg, ...]]] = []
        self.defined: dict[int, Func] = {}
        self.called: set[int] = set()
        self.shift: tuple[int, int] | None = None
        self.stdin: str | None = None
        self.printed: str | None = None

    # -- what expansion needs ----------------------------------------------------------------------------------------

    def unresolved(self, code: str, detail: str = "") -> None:
        self.record.note(OpClass.DESTRUCTIVE, code, "shell", detail, resolved=False)

    def substitute(self, body: Block) -> str:
        text = self.feed(body)
        return UNKNOWN if text is None else text.rstrip("\n")

    def feed(self, body: Block) -> str | None:
        owner, span = self.record.owner, self.record.span
        saved, stdin = self.state, self.stdin
        self.state = saved.copy()
        self.printed = None
        self.block(body)
        printed = self.printed if len(body.steps) == 1 else None
        self.state, self.stdin = saved, stdin
        self.record.owner, self.record.span = owner, span
        self.printed = None
        return printed

    def document(self, text: str) -> str:
        tree = self.parsed('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')
        step = tree.steps[0].pipeline if tree is not None and tree.steps else None
        if isinstance(step, Simple) and len(step.words) == 1 and isinstance(word := step.words[0], Word):
            return self.single(word)
        return UNKNOWN

    def assign(self, name: str, value: Value, *, append: bool = False) -> None:
        name = self.state.target(name)
        if append:
            value = added(self.state.variables.get(name, UNKNOWN), value)
        text = value if isinstance(value, str) else None
        if name == "IFS":
            self.unresolved("environment_runs_code", "IFS")
        elif value is not None:
            judge_variable(self, name, text)
        self.state.variables[name] = value

    # -- lists ---------------------------------------------------------------------------------------------------------

    def block(self, body: Block) -> None:
        """Follow a list; what may be skipped is joined with having been skipped."""
        for step in body.steps:
            if step.join == ";" and not step.asynchronous:
                self.step(step.pipeline)
                continue
            before = self.state.copy()
            self.step(step.pipeline)
            if step.asynchronous:
                self.state.take(before)
            else:
                self.state.take(joined(before, self.state))

    def step(self, command: Pipeline | Command) -> None:
        """Follow one command of any kind."""
        handler = _HANDLERS[type(command)]
        handler(self, command)

    def pipeline(self, pipeline: Pipeline) -> None:
        """Follow a pipeline; each member is a subshell, and its constant output is the next one's input."""
        if len(pipeline.commands) == 1:
            self.step(pipeline.commands[0])
            return
        saved, stdin, feed = self.state, self.stdin, self.stdin
        for command in pipeline.commands:
            self.state = saved.copy()
            self.stdin = feed
            self.printed = None
            self.step(command)
            feed = self.printed if self.printed is not None else UNKNOWN
        if "lastpipe" in saved.flags:
            saved = joined(saved, self.state)
        self.state, self.stdin = saved, stdin

    def compound(self, command: Subshell | Group) -> None:
        """Follow ``( )`` or ``{ }``."""
        stdin = self.stdin
        self.redirected(command.redirects)
        if isinstance(command, Subshell):
            saved = self.state
            self.state = saved.copy()
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
        ends: list[State] = []
        for condition, body in command.clauses:
            if condition is not None:
                self.block(condition)
            before = self.state.copy()
            self.block(body)
            ends.append(self.state)
            self.state = before
        if command.clauses[-1][0] is not None:
            ends.append(self.state)
        state = ends[0]
        for end in ends[1:]:
            state = joined(state, end)
        self.state, self.stdin, self.printed = state, stdin, None

    def loop(self, command: Loop) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)

        def once() -> None:
            self.block(command.condition)
            self.block(command.body)

        self.repeated(once)
        self.stdin, self.printed = stdin, None

    def repeated(self, once: Callable[[], None]) -> None:
        """Follow a body that may run any number of times, until nothing new is learnt."""
        for _ in range(_ROUNDS):
            before = self.state.copy()
            once()
            after = joined(before, self.state)
            self.state = after
            if after.variables == before.variables and after.functions == before.functions:
                return
        for name in self.state.variables:
            self.state.variables[name] = UNKNOWN if name not in ("IFS",) else self.state.variables[name]
        once()

    def each(self, command: For) -> None:
        """Follow ``for``: a constant list is unrolled, up to a limit."""
        stdin = self.stdin
        self.redirected(command.redirects)
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

        def once() -> None:
            self.calculate(command.parts)
            self.block(command.body)

        self.repeated(once)
        self.stdin, self.printed = stdin, None

    def case(self, command: Case) -> None:
        stdin = self.stdin
        self.redirected(command.redirects)
        self.single(command.subject)
        start = self.state
        state = start.copy()
        for arm in command.arms:
            self.state = start.copy()
            for pattern in arm.patterns:
                self.single(pattern)
            self.block(arm.body)
            state = joined(state, self.state)
        self.state, self.stdin, self.printed = state, stdin, None

    def function(self, command: Func) -> None:
        self.state.functions[command.name] = (command,)
        self.defined[id(command)] = command
        self.printed = None

    def coprocess(self, command: Coproc) -> None:
        saved = self.state
        self.state = saved.copy()
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

    # -- redirections ----------------------------------------------------------------------------------------------------

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

    # -- simple commands ---------------------------------------------------------------------------------------------------

    def simple(self, command: Simple) -> None:
        """Follow assignments, words and redirections, then the command itself."""
        if not self.record.spend():
            self.unresolved("too_many_steps")
            return
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

    # -- running -------------------------------------------------------------------------------------------------------------

    def run(self, args: Sequence[Arg], stdin: str | None = None, *, plain: bool = True) -> None:
        head = args[0]
        name = head.word
        if name is None or not self.record.spend():
            self.own(args)
            self.unresolved("unknown_command_word" if name is None else "too_many_steps")
            return
        if not plain:
            if head.bare and name in self.state.aliases:
                self.alias(name, args)
            bodies = self.state.functions.get(name)
            if bodies is not None:
                for body in bodies:
                    if body is not None:
                        self.call(body, tuple(args[1:]))
                if None not in bodies:
                    return
        self.program(name, args, stdin)

    def program(self, name: str, args: Sequence[Arg], stdin: str | None) -> None:
        """Judge a program or builtin by its rule."""
        base = program_name(name)
        self.own(args)
        if base is None:
            self.unresolved("opaque_program", name)
            return
        rule = rule_for(base)
        if rule is None:
            self.unresolved("unknown_program", name)
            return
        if len(args) == 2 and args[1].text in ("--help", "--version", "-version", "-V") and base not in _NEVER_HARMLESS:
            return
        call = Call(base, tuple(args[1:]), self, stdin)
        rule(call)
        self.printed = call.output

    def own(self, args: Sequence[Arg]) -> None:
        """Make *args* the command that owns the effects to come."""
        self.record.owner = self.record.command(tuple(arg.word for arg in args))

    def alias(self, name: str, args: Sequence[Arg]) -> None:
        """Follow a command whose name is an alias, as it is where aliases are expanded."""
        value = self.state.aliases[name]
        if not is_constant(value):
            self.unresolved("unknown_alias", name)
            return
        aliases = self.state.aliases
        self.state.aliases = {key: text for key, text in aliases.items() if key != name}
        tree = self.parsed(value)
        if tree is not None and len(tree.steps) >= 1 and isinstance(last := tree.steps[-1].pipeline, Simple):
            self.block(Block(tree.steps[:-1]))
            words = self.arguments([word for word in last.words if isinstance(word, Word)])
            self.redirected(last.redirects)
            self.assignments(last.assigns)
            if words:
                self.run([*words, *args[1:]], self.stdin, plain=False)
        else:
            self.unresolved("odd_alias", name)
        self.state.aliases = aliases

    def call(self, function: Func, args: tuple[Arg, ...]) -> None:
        """Follow a call of a function."""
        self.called.add(id(function))
        same = [active for active in self.active if active[0] is function]
        if any(active[1] == args for active in same):
            return
        if len(same) >= _MAX_ACTIVE or len(self.active) > MAX_DEPTH:
            self.unresolved("deep_recursion", function.name)
            return
        state = self.state
        parameters, saved = state.parameters, state.saved
        state.parameters, state.saved = args, {}
        self.active.append((function, args))
        shift = self.shift
        self.step(function.body)
        self.shift = shift
        self.active.pop()
        after = self.state
        for name, (value, was_set) in (after.saved or {}).items():
            if was_set:
                after.variables[name] = value
            else:
                after.variables.pop(name, None)
        after.parameters, after.saved = parameters, saved

    def text(self, code: str, rule: str, parameters: tuple[Arg, ...] | None = None, *, fresh: bool = False) -> None:
        if not is_constant(code):
            self.unresolved("unknown_code", rule)
            return
        tree = self.parsed(code)
        if tree is None:
            return
        owner, stdin, shift, saved = self.record.owner, self.stdin, self.shift, self.state
        self.record.wraps()
        self.shift = self.record.span
        self.depth += 1
        if fresh:
            variables = {name: value for name, value in saved.variables.items() if name != "IFS"}
            functions = {
                name: bodies for name, bodies in saved.functions.items() if f"export:{name}" in saved.flags
            }
            self.state = State(variables, {}, functions, {}, parameters, saved.folder, flags=saved.flags)
        self.block(tree)
        self.depth -= 1
        if fresh:
            self.state = saved
        self.record.owner, self.stdin, self.shift = owner, stdin, shift

    def parsed(self, code: str) -> Block | None:
        """Parse text found in text; None, noted as unresolved, when it cannot be."""
        if self.depth >= MAX_DEPTH:
            self.unresolved("too_deep")
            return None
        try:
            return parse(code, self.depth)
        except ParseError as error:
            self.unresolved(error.code, error.detail)
            return None

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


def summary(values: Sequence[Arg]) -> str:
    """Return one text that stands for any of *values*."""
    if all(arg.known and not arg.starts("-") and not set(arg.text) & set(" \t\n*?[") for arg in values):
        return NUMBER if all(arg.text.isdigit() for arg in values) else TAME
    if all(not arg.many and not arg.glob and arg.text and set(arg.text) <= {TAME, NUMBER} for arg in values):
        return TAME
    return UNKNOWN


def added(old: Value, new: Value) -> Value:
    """Return what ``+=`` makes of two values."""
    if isinstance(new, tuple):
        if isinstance(old, tuple):
            return (*old, *new)
        return UNKNOWN if old is not None and old != "" else new
    if isinstance(old, tuple):
        return (old[0] + (new or ""), *old[1:]) if old else (new or "",)
    return (old or "") + (new or "")


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
