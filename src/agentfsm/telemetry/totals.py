"""Totals: what a run, or the part of it that one root span covers, adds up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from agentfsm.telemetry.facts import CHAT, Subject, usage_of

if TYPE_CHECKING:
    from agentfsm.events import CallEvent, StateTransitionEvent
    from agentfsm.telemetry.meters import Meters

__all__ = ("Counting", "Totals")


@define
class Totals:
    """Counts while a run goes on; times are in nanoseconds since 1970."""

    began: int
    ended: int
    stages: int = 0
    iterations: int = 0
    tool_calls: int = 0
    model_calls: int = 0
    refusals: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Counting:
    """Counts what a run does, for its root span and for whoever reads the meters."""

    def __init__(self, subject: Subject, meters: Meters | None, began: int) -> None:
        self.totals = Totals(began, began)
        self._subject = subject
        self._meters = meters
        self._iteration = 0

    def seen(self, at: int) -> None:
        """Take note that the run was under way at a time."""
        self.totals.ended = max(self.totals.ended, at)

    def begins(self, iteration: int) -> bool:
        """Count an iteration, and tell whether it is another one than before."""
        if iteration == self._iteration:
            return False
        self._iteration = iteration
        self.totals.iterations += 1
        return True

    def stage(self, event: StateTransitionEvent) -> None:
        """Count an attempt at a stage."""
        self.totals.stages += 1
        if self._meters is not None:
            self._meters.stage(self._subject.machine, event)

    def refused(self, call: CallEvent) -> None:
        """Count a call that was refused."""
        self.totals.refusals += 1
        if self._meters is not None and call.decision is not None:
            self._meters.refused(self._subject.machine, call.tool, call.decision)

    def answered(self, call: CallEvent) -> None:
        """Count a call that was answered."""
        if call.effect:
            self.totals.tool_calls += 1
            if self._meters is not None:
                self._meters.tool(call)
            return
        tokens = usage_of(call)
        self.totals.model_calls += 1
        self.totals.tokens_in += tokens[0]
        self.totals.tokens_out += tokens[1]
        if self._meters is not None:
            self._meters.model(call, call.tool.removeprefix(CHAT), tokens)

    def run(self, outcome: str, error: str) -> None:
        """Count the run, or the part of it that ends here."""
        if self._meters is not None:
            subject = self._subject
            self._meters.run(subject.machine, subject.operation, self.totals, outcome=outcome, error=error)
