"""Running: what becomes of one evaluated command, of a function's call, and of text that is code."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, judge_variable
from agentfsm.shell.classes import OpClass
from agentfsm.shell.cursor import MAX_BYTES, MAX_DEPTH, Budget, ParseError
from agentfsm.shell.expand import Expander
from agentfsm.shell.parser import parse
from agentfsm.shell.paths import program_name
from agentfsm.shell.programs import rule_for
from agentfsm.shell.record import Record
from agentfsm.shell.state import Choice, State, Value, joined
from agentfsm.shell.syntax import Assign, Block, Command, Func, Pipeline, Redirect, Simple, Word
from agentfsm.shell.tame import tame_output
from agentfsm.shell.values import UNKNOWN, Arg, is_constant

__all__ = ("Runner",)

_MAX_ACTIVE = 8
_MOST_PARAMETERS = 1000
_NEVER_HARMLESS = frozenset(
    {"sudo", "doas", "su", "pkexec", "runuser", "run0", "echo", "printf", "test", "[", "true", "false"}
)


class Runner(Expander):
    """Runs evaluated commands in *state* and writes to *record*. The evaluator of syntax trees extends it."""

    def __init__(self, record: Record, state: State, budget: Budget) -> None:
        self.record = record
        self.state = state
        self.budget = budget
        self.depth = 0
        self.active: list[tuple[Func, tuple[Arg, ...]]] = []
        self.defined: dict[int, Func] = {}
        self.called: set[int] = set()
        self.shift: tuple[int, int] | None = None
        self.stdin: str | None = None
        self.printed: str | None = None

    def block(self, body: Block) -> None:
        """Follow a list of commands."""
        raise NotImplementedError

    def step(self, command: Pipeline | Command) -> None:
        """Follow one command of any kind."""
        raise NotImplementedError

    def redirected(self, redirects: Sequence[Redirect]) -> bool:
        """Follow redirections."""
        raise NotImplementedError

    def assignments(self, assigns: Sequence[Assign]) -> None:
        """Follow assignments that stay."""
        raise NotImplementedError

    def spend(self, units: int) -> None:
        self.record.spend(units)

    def copied(self, state: State) -> State:
        """Return an independent copy of a state."""
        self.record.spend(4 + state.size // 32)
        return state.copy()

    def either(self, one: State, two: State) -> State:
        """Return what is known when either state could be the case."""
        same = one.variables is two.variables or one.variables == two.variables
        self.record.spend(8 + (one.size + two.size) // (32 if same else 3))
        return joined(one, two)

    def unresolved(self, code: str, detail: str = "") -> None:
        self.record.note(OpClass.DESTRUCTIVE, code, "shell", detail, resolved=False)

    def shared(self, body: Block) -> None:
        """Forget constant input where several commands could each take a part of it."""
        if self.stdin is not None and len(body.steps) != 1:
            self.stdin = UNKNOWN

    def substitute(self, body: Block) -> str:
        text = self.feed(body)
        return UNKNOWN if text is None else text.rstrip("\n")

    def feed(self, body: Block, sign: str = "<") -> str | None:
        owner, span = self.record.owner, self.record.span
        saved, stdin = self.state, self.stdin
        self.state = self.copied(saved)
        self.printed = None
        if sign == ">":
            self.stdin = UNKNOWN  # what the command writes there
        self.shared(body)
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
        if isinstance(value, str) and len(value) > MAX_BYTES:
            value = UNKNOWN
        text = value if isinstance(value, str) else None
        if name == "IFS":
            self.unresolved("environment_runs_code", "IFS")
        elif value is not None:
            judge_variable(self, name, text)
        self.state.variables[name] = value

    def run(self, args: Sequence[Arg], stdin: str | None = None, *, plain: bool = True) -> None:
        head = args[0]
        name = head.word
        if name is None:
            self.own(args)
            self.unresolved("unknown_command_word")
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
        self.printed = tame_output(base, args) if call.output is None else call.output

    def own(self, args: Sequence[Arg]) -> None:
        """Make *args* the command that owns the effects to come."""
        self.record.spend(2 * len(args) + len(args) ** 2 // 16_000)
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
        state.parameters, state.saved = args if len(args) <= _MOST_PARAMETERS else None, {}
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
            functions = {name: bodies for name, bodies in saved.functions.items() if f"export:{name}" in saved.flags}
            self.state = State(variables, {}, functions, {}, parameters, saved.folder, flags=saved.flags)
        self.shared(tree)
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
        before = self.budget.nodes
        try:
            tree = parse(code, self.budget, self.depth)
        except ParseError as error:
            self.unresolved(error.code, error.detail)
            tree = None
        self.record.spend(len(code) // 16 + before - self.budget.nodes)
        return tree


def added(old: Value, new: Value) -> Value:
    """Return what ``+=`` makes of two values."""
    if isinstance(old, Choice) or isinstance(new, Choice):
        return UNKNOWN
    if isinstance(new, tuple):
        if isinstance(old, tuple):
            return (*old, *new)
        return UNKNOWN if old is not None and old != "" else new
    if isinstance(old, tuple):
        return (old[0] + (new or ""), *old[1:]) if old else (new or "",)
    return (old or "") + (new or "")
