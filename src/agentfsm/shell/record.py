"""The record that an evaluation writes: effects, commands and files, each with the command that owns it."""

from __future__ import annotations

from attrs import define, evolve, field

from agentfsm.shell.classes import Classification, Command, Effect, OpClass, Reason, Span, Touched

__all__ = ("MAX_WORK", "Exhausted", "Record")

MAX_WORK = 130_000
"""
Most work that following one text may take, loops and calls unrolled.

A node of the syntax tree costs 1, an effect 4, a simple command 30, and so on: a unit is a third of a microsecond.
"""


class Exhausted(Exception):  # ends the evaluation; what was found until then stays
    """Raised when a text would take more than `MAX_WORK` to follow."""


@define
class Record:
    """What has been found so far. *owner* is the command being judged, *span* its place in the text."""

    effects: dict[Effect, None] = field(factory=dict)
    commands: dict[Command, int] = field(factory=dict)
    written: dict[str, None] = field(factory=dict)
    read: dict[str, None] = field(factory=dict)
    deleted: dict[str, None] = field(factory=dict)
    wrappers: set[int] = field(factory=set)
    owner: int = -1
    span: tuple[int, int] = (0, 0)
    work: int = 0
    nesting: int = 0
    longer: tuple[tuple[tuple[str | None, ...], int], ...] = ()

    def note(self, op: OpClass, code: str, rule: str, detail: str = "", *, resolved: bool = True) -> None:
        """Add one effect of the command being judged."""
        self.spend(4)
        reason = Reason(op, code, Span(*self.span), rule, detail, resolved)
        self.effects[Effect(reason, self.owner)] = None

    def command(self, argv: tuple[str | None, ...]) -> int:
        """Add a command and return its index."""
        command = Command(argv, Span(*self.span), self.longer)
        return self.commands.setdefault(command, len(self.commands))

    def wraps(self) -> None:
        """Say that the command being judged is a wrapper: what it runs stands for it."""
        if self.owner >= 0:
            self.wrappers.add(self.owner)

    def spend(self, units: int) -> None:
        """Count work; raises `Exhausted` when there is too much of it."""
        self.work += units
        if self.work > MAX_WORK:
            raise Exhausted

    def classification(self) -> Classification:
        """Return the answer."""
        effects = tuple(self.effects)
        classes = {effect.reason.op for effect in effects}
        reasons = tuple(dict.fromkeys(effect.reason for effect in effects))
        return Classification(
            frozenset(classes or {OpClass.PASSTHROUGH}),
            all(reason.resolved for reason in reasons),
            reasons,
            tuple(
                evolve(command, wrapper=True) if index in self.wrappers else command
                for command, index in self.commands.items()
            ),
            effects,
            Touched(tuple(self.written), tuple(self.read), tuple(self.deleted)),
        )
