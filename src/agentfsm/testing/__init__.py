"""For tests of machines: a clock that moves only when it is told to, and what every journal has to pass."""

from agentfsm.testing.clock import ManualClock
from agentfsm.testing.conformance import JournalConformance, Place

__all__ = ("JournalConformance", "ManualClock", "Place")
