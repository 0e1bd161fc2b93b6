"""Limits: what a run may spend, and the records in which the orchestrator keeps count."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field

from agentfsm.bounds import above, whole
from agentfsm.frozen import FrozenMap
from agentfsm.records import Lifecycle, record

__all__ = ("Limits", "Rounds", "Spent")


@record
class Limits(Lifecycle):
    """
    What a run may spend; None is no limit. Reaching one is outcome `exhausted`, with the state kept.

    *iterations* entries of the `iterates` state, *stages* executions and *tool_calls* are admitted exactly; *seconds*
    is measured between stages; *tokens* are counted as they are told and checked before a model is asked again.
    *idle_rounds* ends a run that came back to one lifecycle state that often with equal Business records. Raises
    `UsageError` for a limit below 0, for no seconds and for no rounds.
    """

    iterations: int | None = field(default=None, validator=whole(0))
    stages: int | None = field(default=None, validator=whole(0))
    seconds: float | None = field(default=None, validator=above(0))
    tool_calls: int | None = field(default=None, validator=whole(0))
    tokens: int | None = field(default=None, validator=whole(0))
    idle_rounds: int | None = field(default=None, validator=whole(1))


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
