"""Limits: what a run may spend, and the records in which the orchestrator keeps count."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field
from attrs.validators import ge, gt, optional

from agentfsm.frozen import FrozenMap
from agentfsm.records import Lifecycle, record

__all__ = ("Limits", "Rounds", "Spent")

_COUNT = optional(ge(0))


@record
class Limits(Lifecycle):
    """
    What a run may spend; None is no limit. Reaching one is outcome `exhausted`, with the state kept.

    *iterations* entries of the `iterates` state and *stages* executions are admitted exactly; *seconds* is measured
    between stages; *tool_calls* and *tokens* are counted as they happen and checked before the next stage.
    *idle_rounds* ends a run that came back to one lifecycle state that often with equal Business records.
    """

    iterations: int | None = field(default=None, validator=_COUNT)
    stages: int | None = field(default=None, validator=_COUNT)
    seconds: float | None = field(default=None, validator=optional(gt(0)))
    tool_calls: int | None = field(default=None, validator=_COUNT)
    tokens: int | None = field(default=None, validator=_COUNT)
    idle_rounds: int | None = field(default=None, validator=optional(ge(1)))


@record
class Spent(Lifecycle):
    """What a run with limits has spent: stage executions, tool calls, tokens, and since when (nanoseconds)."""

    since: int = 0
    stages: int = 0
    tool_calls: int = 0
    tokens: int = 0


@record
class Rounds(Lifecycle):
    """How often in a row each lifecycle state was come back to with the same Business records: digest and count."""

    seen: Mapping[str, tuple[str, int]] = FrozenMap()
