"""The lifecycle of a ReAct agent."""

from enum import Enum

__all__ = ("ReAct",)


class ReAct(Enum):
    """Where a ReAct agent is."""

    INITIALIZED = "initialized"
    THINKING = "thinking"
    ACTING = "acting"
    OBSERVING = "observing"
    FINISHED = "finished"
    FAILED = "failed"
