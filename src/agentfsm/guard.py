"""Decisions: what a guard says about one tool call, and how several combine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import frozen

__all__ = ("Action", "Decision", "Move", "combine")

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

    Suggesting a way is never taking it.
    """

    action: Action
    code: str = ""
    reason: str = ""
    way: tuple[Move, ...] = ()
    guard: str = ""


def combine(decisions: Iterable[Decision]) -> Decision:
    """
    Return the strictest decision; with none, ask.

    The first of the equally strict wins, so reasons follow the order of the guards.
    """
    return max(decisions, key=lambda d: _STRICTNESS[d.action], default=Decision("ask", "no_opinion", "no guard spoke"))
