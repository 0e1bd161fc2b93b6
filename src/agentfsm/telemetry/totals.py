"""Totals: what a run, or the part of it that one root span covers, adds up to."""

from __future__ import annotations

from attrs import define

__all__ = ("Totals",)


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
