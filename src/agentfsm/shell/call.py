"""One simple command on trial: what a program's rule is given, and through which it says what the command does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from attrs import define

from agentfsm.shell.classes import OpClass
from agentfsm.shell.cursor import MAX_DEPTH
from agentfsm.shell.environment import FOLLOWED, runs_code, writes_file
from agentfsm.shell.paths import located, read_class, write_class
from agentfsm.shell.record import Record
from agentfsm.shell.state import State
from agentfsm.shell.values import UNKNOWN, Arg, is_constant

__all__ = ("Call", "Machine", "Rule")


class Machine(Protocol):
    """The evaluator, as far as rules may use it."""

    state: State
    record: Record

    def run(self, args: Sequence[Arg], stdin: str | None = None, *, plain: bool = True) -> None:
        """Judge *args* as a command; *plain* means that functions, aliases and builtins are not in the way."""

    def text(self, code: str, rule: str, parameters: tuple[Arg, ...] | None = None, *, fresh: bool = False) -> None:
        """Judge constant shell text: in this shell, or in a *fresh* one with its own state."""

    def arithmetic(self, text: str, depth: int = 0) -> None:
        """Evaluate arithmetic text for its effects."""

    def assign(self, name: str, value: str | tuple[str, ...] | None, *, append: bool = False) -> None:
        """Give a variable a value."""


@define
class Call:
    """
    A command's name and arguments, and its standard input where that is constant.

    *stdin* is None when nothing is fed, constant text, or a text with unknown stretches.
    """

    name: str
    args: tuple[Arg, ...]
    machine: Machine
    stdin: str | None = None
    output: str | None = None

    # -- saying what happens -----------------------------------------------------------------------------------------

    def note(self, op: OpClass, code: str, detail: str = "") -> None:
        """Say that the command has an effect."""
        self.machine.record.note(op, code, self.name, detail)

    def spend(self, units: int) -> None:
        """Count work against what one text may take."""
        self.machine.record.spend(units)

    def unresolved(self, code: str, detail: str = "") -> None:
        """Say that the command cannot be understood."""
        self.machine.record.note(OpClass.DESTRUCTIVE, code, self.name, detail, resolved=False)

    def destroys(self, code: str, detail: str = "") -> None:
        """Say that data or state is lost, or something is stopped."""
        self.note(OpClass.DESTRUCTIVE, code, detail)

    def network(self, code: str = "talks_to_network", detail: str = "") -> None:
        """Say that another machine is talked to."""
        self.note(OpClass.NETWORK, code, detail)

    def writes(self, arg: Arg, code: str = "writes_file", *, folder: str = "") -> None:
        """Say that a path is created or overwritten."""
        path = self.path(arg, folder)
        op = write_class(path)
        if op is None:
            return
        self.note(op, code, shown(path))
        if arg.known:
            self.machine.record.written[path] = None

    def modifies(self, arg: Arg, code: str = "changes_file") -> None:
        """Say that an existing file is changed in place."""
        path = self.path(arg)
        op = write_class(path)
        if op is None:
            return
        self.note(OpClass.FILE_MODIFY if op is OpClass.FILE_WRITE else op, code, shown(path))
        if arg.known:
            self.machine.record.written[path] = None

    def reads(self, arg: Arg, code: str = "reads_file", op: OpClass = OpClass.FILE_READ) -> None:
        """Say that a path is opened for reading."""
        if arg.text == "-":
            return
        path = self.path(arg)
        if read_class(path) is None:
            return
        self.note(op, code, shown(path))
        if arg.known:
            self.machine.record.read[path] = None

    def deletes(self, arg: Arg, code: str = "deletes") -> None:
        """Say that a path is removed."""
        path = self.path(arg)
        self.note(OpClass.DESTRUCTIVE, code, shown(path))
        if arg.known:
            self.machine.record.deleted[path] = None

    def path(self, arg: Arg, folder: str = "") -> str:
        """Return a path argument as seen from where the shell stands."""
        here = self.machine.state.folder
        if folder:
            here = located(folder, here)
        return located(arg.text, here)

    # -- running something ---------------------------------------------------------------------------------------------

    def run(self, args: Sequence[Arg], stdin: str | None = None) -> None:
        """Judge *args* as the command that this one runs."""
        if not args:
            return
        record = self.machine.record
        if record.nesting >= MAX_DEPTH:
            self.unresolved("too_deep", f"more than {MAX_DEPTH} levels")
            return
        owner = record.owner
        record.wraps()
        record.nesting += 1
        self.machine.run(args, stdin if stdin is not None else self.stdin)
        record.nesting -= 1
        record.owner = owner

    def within(self, args: Sequence[Arg]) -> None:
        """Judge *args* as the command this one runs, remembering this one: an entry for both may open it."""
        record = self.machine.record
        before = record.longer
        whole = (self.name, *(arg.word for arg in self.args))
        record.spend(len(whole) * (1 + len(before)))
        record.longer = (*before, (whole, len(whole) - len(args)))
        self.run(args)
        record.longer = before

    def shell(self, code: Arg, parameters: tuple[Arg, ...] | None = None) -> None:
        """Judge *code* as text that a new shell runs."""
        if not code.known:
            self.unresolved("unknown_code", shown(code.text))
            return
        self.machine.text(code.text, self.name, parameters, fresh=True)

    def variable(self, name: str, value: Arg | None) -> None:
        """Judge a variable that the command is given."""
        judge_variable(self.machine, name, None if value is None else value.text, self.name)


Rule: TypeAlias = Callable[[Call], None]
"""A program's rule: it looks at a call and says through it what the program does."""


def judge_variable(machine: Machine, name: str, value: str | None, rule: str = "environment") -> None:
    """Judge setting an environment variable (standard, rule 7)."""
    machine.record.spend(8)
    constant = value if value is not None and is_constant(value) else None
    if writes_file(name, constant):
        machine.record.note(OpClass.FILE_WRITE, "traces_to_file", rule, name)
    if name == "DOCKER_HOST" and runs_code(name, constant):
        machine.record.note(OpClass.NETWORK, "remote_host", rule, name)
        return
    if not runs_code(name, constant):
        return
    if name in FOLLOWED and constant is not None:
        if constant.strip():
            machine.text(constant, name, fresh=True)
        return
    machine.record.note(OpClass.DESTRUCTIVE, "environment_runs_code", rule, name, resolved=False)


def shown(text: str) -> str:
    """Return *text* for a person, unknown stretches as dots."""
    return text.replace(UNKNOWN, "…").replace("\x01", "…").replace("\x02", "…")[:200]
