"""
Guards: what decides about a tool call before its effect, and how several decisions combine.

A guard is pure. What it has to remember is a `Metadata` record that the log keeps, so that it replays and forks.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from fnmatch import fnmatchcase
from typing import Literal, Protocol, TypeAlias, TypeVar

from attrs import field, frozen

from agentfsm.tools import ToolCall

__all__ = ("Action", "AllowList", "Answer", "Decision", "Guard", "Move", "combine")

M = TypeVar("M")

Action: TypeAlias = Literal["allow", "ask", "deny"]

_STRICTNESS: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}


@frozen
class Move:
    """One event on the way to a state that would allow a call; taking it may need a person's approval."""

    event: str
    target: str
    needs_approval: bool = False


@frozen
class Decision:
    """
    A guard's answer: a stable *code*, the *reason* a person or a model will be shown, and the legal *way* on.

    Suggesting a way is never taking it. An ask that is not answered within *seconds* lapses; None never does.
    """

    action: Action
    code: str = ""
    reason: str = ""
    way: tuple[Move, ...] = ()
    guard: str = ""
    seconds: int | None = None


def combine(decisions: Iterable[Decision]) -> Decision:
    """
    Return the strictest decision; with none, ask.

    The first of the equally strict wins, so reasons follow the order of the guards.
    """
    return max(decisions, key=lambda d: _STRICTNESS[d.action], default=Decision("ask", "no_opinion", "no guard spoke"))


@frozen
class Answer:
    """What came of a call, for the guards' memories: its value as JSON text, or the error that it ended in."""

    ok: bool
    text: str = ""


class Guard(Protocol[M]):
    """
    Decides about a call before its effect. M is its memory: a `Metadata` record, or None.

    All guards of a machine are asked and the strictest answer wins; a guard that raises denies.
    """

    def begins(self) -> M:
        """Return the memory that a run begins with."""

    def offered(self, memory: M, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        """Return those of *tools* that it would not deny outright: the ones to offer to a model."""

    def decide(self, memory: M, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        """Return what it says of *call*, or None where it has no opinion."""

    def after(self, memory: M, call: ToolCall, answer: Answer, /) -> M:
        """Return the memory after *call* was made."""


@frozen(init=False)
class AllowList:
    """
    A guard that allows the tools it names and denies all others; a name may hold ``*`` and ``?``.

    ``AllowList("Read", "Edit", states={Phase.FIX})`` allows them in these lifecycle states and is silent in others.
    """

    names: tuple[str, ...]
    states: frozenset[Enum] = field(default=frozenset())

    def __init__(self, *names: str, states: Iterable[Enum] = ()) -> None:
        self.__attrs_init__(names, frozenset(states))

    def begins(self) -> None:
        """It remembers nothing."""

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        """Return those of *tools* that it names."""
        return tools if self._silent(lifecycle) else tuple(tool for tool in tools if self._names(tool))

    def decide(self, memory: None, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        """Allow what it names, deny the rest."""
        if self._silent(lifecycle):
            return None
        if self._names(call.name):
            return Decision("allow", "listed", f"{call.name} is listed", guard="AllowList")
        listed = ", ".join(self.names) or "no tool"
        return Decision("deny", "not_listed", f"{call.name} is not listed; listed: {listed}", guard="AllowList")

    def after(self, memory: None, call: ToolCall, answer: Answer, /) -> None:
        """It remembers nothing."""

    def _silent(self, lifecycle: Enum) -> bool:
        return bool(self.states) and lifecycle not in self.states

    def _names(self, tool: str) -> bool:
        return any(fnmatchcase(tool, name) for name in self.names)
