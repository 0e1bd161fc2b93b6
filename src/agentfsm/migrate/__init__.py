"""Ways in from elsewhere: what other programs recorded, read into values of our own."""

from agentfsm.migrate.trajectories import (
    Ending,
    RecordedCall,
    RecordedStep,
    Trajectory,
    TrajectoryError,
    read_bytes,
    read_text,
)

__all__ = ("Ending", "RecordedCall", "RecordedStep", "Trajectory", "TrajectoryError", "read_bytes", "read_text")
