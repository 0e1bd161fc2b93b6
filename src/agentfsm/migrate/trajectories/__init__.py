"""
Recorded runs of SWE-agent and mini-swe-agent, read into values.

Reading is pure: it runs no tool and asks no guard. The harness's own commands come out as calls of canonical tools.
"""

from agentfsm.migrate.trajectories.fault import TrajectoryError
from agentfsm.migrate.trajectories.reading import read_bytes, read_text
from agentfsm.migrate.trajectories.recording import Ending, RecordedCall, RecordedStep, Trajectory

__all__ = ("Ending", "RecordedCall", "RecordedStep", "Trajectory", "TrajectoryError", "read_bytes", "read_text")
