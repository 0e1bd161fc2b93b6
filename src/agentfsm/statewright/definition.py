"""Definitions: a parsed machine as frozen values, and every place in it that names a state or a guard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeAlias

from attrs import frozen

from agentfsm.statewright.plain import Json, Part, plain

__all__ = (
    "RETURN",
    "Branch",
    "Choice",
    "Definition",
    "Edge",
    "Fork",
    "ForkBranch",
    "Guard",
    "Interrupt",
    "Invoke",
    "State",
    "Target",
    "Transition",
)

RETURN = "$return"


@frozen
class Target:
    """A state's name in a transition, where it stands below the transition, and whether that edge asks."""

    state: str
    at: tuple[Part, ...]
    asks: bool = False


@frozen
class Edge:
    """Shapes 1 and 2: one target. *guards* holds `guard` first; *bare* means it was written as a name."""

    target: str
    guards: tuple[str, ...] = ()
    guards_at: tuple[tuple[Part, ...], ...] = ()
    requires_approval: bool = False
    approval_message: str | None = None
    approval_reviewer: str | None = None
    bare: bool = False

    def targets(self) -> tuple[Target, ...]:
        return (Target(self.target, () if self.bare else ("target",), self.requires_approval),)


@frozen
class Branch:
    """One branch of shape 3."""

    target: str
    guards: tuple[str, ...]
    guards_at: tuple[tuple[Part, ...], ...]


@frozen
class Choice:
    """Shape 3: the first branch whose guards hold."""

    branches: tuple[Branch, ...]
    requires_approval: ClassVar[bool] = False
    approval_message: ClassVar[str | None] = None

    def targets(self) -> tuple[Target, ...]:
        return tuple(Target(branch.target, (index, "target")) for index, branch in enumerate(self.branches))


@frozen
class ForkBranch:
    """One branch of a fork: where it starts and where its work is done."""

    initial: str
    terminal: str


@frozen
class Fork:
    """Shape 4: branches that run with sessions of their own."""

    branches: Mapping[str, ForkBranch]
    join: str
    on_complete: str
    on_fail: str | None
    requires_approval: ClassVar[bool] = False
    approval_message: ClassVar[str | None] = None

    def targets(self) -> tuple[Target, ...]:
        failing = () if self.on_fail is None else (Target(self.on_fail, ("fork", "on_fail")),)
        starts = (Target(b.initial, ("fork", "branches", name, "initial")) for name, b in self.branches.items())
        return (Target(self.on_complete, ("fork", "on_complete")), *failing, *starts)


@frozen
class Invoke:
    """Shape 5: another machine. *input* is JSON text, or None."""

    machine: str
    on_complete: str
    on_fail: str | None
    input: str | None
    requires_approval: ClassVar[bool] = False
    approval_message: ClassVar[str | None] = None

    def targets(self) -> tuple[Target, ...]:
        failing = () if self.on_fail is None else (Target(self.on_fail, ("on_fail",)),)
        return (Target(self.on_complete, ("on_complete",)), *failing)


Transition: TypeAlias = Edge | Choice | Fork | Invoke


@frozen
class State:
    """One state, as written; None where a key is absent."""

    name: str
    on: Mapping[str, Transition]
    type: str | None
    allowed_tools: tuple[str, ...] | None
    disallowed_tools: tuple[str, ...]
    allowed_commands: tuple[str, ...] | None
    allowed_commands_tool: str | None
    blocked_env: tuple[str, ...]
    env_overrides: Mapping[str, str]
    instructions: str | None
    safe_next: str | None
    max_iterations: int | None
    max_edit_lines: int | None
    max_files_per_state: int | None
    context_budget_bytes: int | None
    carried: Mapping[str, Json]

    @property
    def is_final(self) -> bool:
        return self.type == "final"

    def edges(self) -> Iterator[tuple[str, Transition]]:
        """Events and their transitions, by event in code point order."""
        for event in sorted(self.on):
            yield event, self.on[event]

    def edges_into(self, state: str) -> tuple[Target, ...]:
        """Every declared edge from here into *state*, by event."""
        return tuple(t for _, transition in self.edges() for t in transition.targets() if t.state == state)

    @property
    def safe_next_asks(self) -> bool:
        """Whether `safe_next` needs approval: there are declared edges into it, and every one of them does."""
        edges = () if self.safe_next is None else self.edges_into(self.safe_next)
        return bool(edges) and all(edge.asks for edge in edges)

    @property
    def safe_next_message(self) -> str | None:
        """The message of the first declared edge into `safe_next`, by event, where that edge asks."""
        for _, transition in self.edges():
            if transition.requires_approval and any(t.state == self.safe_next for t in transition.targets()):
                return transition.approval_message
        return None


@frozen
class Guard:
    """A predicate over the context."""

    field: str
    op: str
    value: Json


@frozen
class Interrupt:
    """A detour that an edit of a matching file takes at once."""

    pattern: str
    target: str


@frozen
class Definition:
    """A machine as written. *text* is its normalised JSON in the one spelling, *digest* the SHA-256 of that."""

    id: str
    initial: str
    context: str
    states: Mapping[str, State]
    guards: Mapping[str, Guard]
    interrupts: Mapping[str, Interrupt]
    meta: Mapping[str, Json]
    agent_context: frozenset[str]
    text: str
    digest: str

    @property
    def normalised(self) -> Json:
        """The definition as fresh plain JSON, aliases and defaults in place."""
        return plain(self.text)

    @property
    def danger_level(self) -> str | None:
        level = self.meta.get("danger_level")
        return level if isinstance(level, str) else None

    @property
    def outputs(self) -> tuple[str, ...]:
        """The context keys that go back to a machine that invoked this one: `meta.outputs`."""
        listed = self.meta.get("outputs")
        return tuple(key for key in listed if isinstance(key, str)) if isinstance(listed, list | tuple) else ()
