"""What a recorded run says: its task, its steps, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from attrs import field, frozen

__all__ = ("Ending", "Format", "Outcome", "RecordedCall", "RecordedStep", "Trajectory", "Value", "freeze")

Format: TypeAlias = Literal["swe-agent", "mini-swe-agent"]
Outcome: TypeAlias = Literal["finished", "exhausted", "failed"]
Value: TypeAlias = "str | int | float | bool | tuple[Value, ...] | Mapping[str, Value] | None"


def freeze(value: object) -> Value:
    """Return a JSON value that nobody can change."""
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(map(freeze, value))
    return value if isinstance(value, str | int | float | bool) else None


def _arguments(value: Mapping[str, object]) -> Mapping[str, Value]:
    return MappingProxyType({key: freeze(item) for key, item in value.items()})


@frozen
class RecordedCall:
    """
    One call of a tool.

    *name* is canonical; *raw* is the text that the recorded run executed. *action* numbers the recorded actions of the
    file from 0: an action that held several commands is several calls of one number. *output* is the call's own answer
    where the file tells answers apart, else None and the observation of the step answers.
    """

    name: str
    arguments: Mapping[str, Value] = field(converter=_arguments)
    raw: str
    action: int
    output: str | None = None


@frozen
class RecordedStep:
    """
    One turn: what was thought, what was called, what came back.

    *seconds* is how long the calls took and *at* when the turn began, in seconds since 1970; both only where the file
    says so.
    """

    thought: str
    calls: tuple[RecordedCall, ...] = ()
    observation: str = ""
    seconds: float | None = None
    at: float | None = None


@frozen
class Ending:
    """
    How a recorded run ended.

    *text* is the final answer of a finished run, and never empty there; else it says why the run ended. *status* is the
    file's own word, "" where it has none, and *submission* what was handed in whatever the outcome.
    """

    outcome: Outcome
    text: str
    status: str = ""
    submission: str = ""


@frozen
class Trajectory:
    """
    A recorded run.

    *recorded_actions* was counted in the file by another way than the one that built the steps.
    """

    file: str
    source_format: Format
    task: str
    steps: tuple[RecordedStep, ...]
    ending: Ending
    recorded_actions: int

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        return tuple(call for step in self.steps for call in step.calls)

    @property
    def imported_actions(self) -> int:
        """How many of the recorded actions the steps hold."""
        return len({call.action for call in self.calls})
