"""transitions: a bare Machine whose callbacks write the state. It keeps nothing, so there is nothing to load."""

from __future__ import annotations

from importlib.metadata import version as installed
from typing import Any

from transitions import Machine

from peers.case import GROWTH_ITERATIONS, MESSAGE, TRANSITIONS, cpu

NAME = "transitions"
STARTUP = """
from transitions import Machine

class Repair:
    def fix(self): self.diff = "x"

repair = Repair()
Machine(repair, states=["fix", "verify", "done"], initial="fix", auto_transitions=False, transitions=[
    {"trigger": "go", "source": "fix", "dest": "verify", "before": "fix"},
    {"trigger": "again", "source": "verify", "dest": "fix"},
    {"trigger": "end", "source": "verify", "dest": "done"},
])
"""


class Loop:
    """The state of the loop; a Machine adds the triggers to it."""

    def __init__(self, limit: int, messages: list[str]) -> None:
        self.limit = limit
        self.iteration = 0
        self.thought = ""
        self.action = ""
        self.observation = ""
        self.messages = messages

    def think(self) -> None:
        self.thought = "look"
        self.iteration += 1

    def act(self) -> None:
        self.action = "read"

    def observe(self) -> None:
        self.observation = "seen"
        if self.messages:
            self.messages.append(MESSAGE)

    def has_more(self) -> bool:
        return self.iteration < self.limit


def version() -> str:
    return installed("transitions")


def bare(iterations: int) -> float | None:
    return _run(iterations, [])


def kept(iterations: int) -> float | None:
    return None


def growth(messages: int) -> float | None:
    return _run(GROWTH_ITERATIONS, [MESSAGE] * messages)


def load(iterations: int) -> float | None:
    return None


def fold(iterations: int) -> float | None:
    return None


def _run(iterations: int, messages: list[str]) -> float:
    loop: Any = Loop(iterations, messages)
    edges: list[dict[str, Any]] = [
        {"trigger": "go", "source": "thinking", "dest": "acting", "before": "think"},
        {"trigger": "go", "source": "acting", "dest": "observing", "before": "act"},
        {"trigger": "go", "source": "observing", "dest": "thinking", "conditions": "has_more", "before": "observe"},
        {"trigger": "go", "source": "observing", "dest": "finished", "before": "observe"},
    ]
    Machine(
        loop,
        states=["thinking", "acting", "observing", "finished"],
        initial="thinking",
        transitions=edges,
        auto_transitions=False,
    )

    def work() -> None:
        while loop.state != "finished":
            loop.go()

    return cpu(work) / (iterations * TRANSITIONS)
