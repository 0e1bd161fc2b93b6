"""Recovering: where a run goes on after a stage failed."""

from __future__ import annotations

from typing import Literal, Never

from agentfsm import Context, LastError, Limits, Maybe, Record, Stage, StatePatch, View
from agentfsm_stages.react.lifecycle import ReAct

__all__ = ("Recover",)

# What may pass when it is tried again in another iteration; everything else would fail again.
PASSING = frozenset({"ModelError", "StageTimeoutError", "ToolTimeoutError"})


class Recover(Stage[Maybe[Record], Never, Literal[ReAct.THINKING, ReAct.FAILED]], enters=None):
    """
    Think again after a model or a tool did not answer, and give up after anything else.

    Only where iterations are limited: a failure that does not pass would otherwise go round for ever.
    """

    async def run(self, view: View[Maybe[Record]], ctx: Context) -> StatePatch[Never]:
        return StatePatch()

    def next(self, view: View[Maybe[Record]]) -> Literal[ReAct.THINKING, ReAct.FAILED]:
        error, limits = view.get(LastError), view.get(Limits)
        bounded = limits is not None and limits.iterations is not None
        return ReAct.THINKING if error is not None and error.kind in PASSING and bounded else ReAct.FAILED
