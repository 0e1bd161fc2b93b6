"""Attempts: what is known of a stage that is under way, until its event says the rest."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define, field

from agentfsm.events import CallEvent
from agentfsm.guard import Decision
from agentfsm.telemetry.spans import Lazy

__all__ = ("NOT_BEGUN", "Attempt", "Work")

Verdict: TypeAlias = tuple[str, Decision, int, int]  # tool, decision, nanoseconds it took, when
Begun: TypeAlias = tuple[str, int, Lazy | None]  # name, when, and the span that it runs in
NOT_BEGUN: Begun = ("", 0, None)


@define(eq=False)
class Attempt:
    """One attempt at a stage: what it asked so far, and the span that its calls are below."""

    number: int
    began: int
    span: Lazy
    calls: list[CallEvent] = field(factory=list[CallEvent])
    begun: dict[int, Begun] = field(factory=dict[int, Begun])
    verdicts: dict[int, Verdict] = field(factory=dict[int, Verdict])


@define(eq=False)
class Work:
    """A stage that is under way: its span, and the attempt at it."""

    stage: str
    began: int
    span: Lazy
    attempt: Attempt | None
    begins: int = 0  # the iteration that it is the first stage of
    many: bool = False
