"""The end of an attempt that has to wait, or that spent what it may: not an error, and not for a stage to catch."""

from __future__ import annotations

from agentfsm.state import Halted

__all__ = ("Parked",)


class Parked(BaseException):
    """
    Ends an attempt: the run halts before its stage, with the calls answered so far in the log.

    A BaseException, so that no stage swallows it by catching its own errors.
    """

    def __init__(self, halted: Halted) -> None:
        super().__init__(halted.reason)
        self.halted = halted
