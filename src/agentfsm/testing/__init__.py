"""
For tests of machines: a clock that moves only when it is told to, recorded runs taken again, crashes at every moment,
and what a journal has to pass.
"""

from agentfsm.testing.clock import ManualClock
from agentfsm.testing.conformance import JournalConformance, Place
from agentfsm.testing.crashing import Crash, Crashed, CrashingJournal, Scenario, crash_everywhere
from agentfsm.testing.rerunning import replay_log, rerun

__all__ = (
    "Crash",
    "Crashed",
    "CrashingJournal",
    "JournalConformance",
    "ManualClock",
    "Place",
    "Scenario",
    "crash_everywhere",
    "replay_log",
    "rerun",
)
