"""For tests of machines: a clock that moves only when it is told to."""

from agentfsm.testing.clock import ManualClock

__all__ = ("ManualClock",)
