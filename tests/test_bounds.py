"""A number or word that makes no sense is refused where it is given, by the project's own error."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

from agentfsm import Budget, Limits, LoopGuard, Retry, UsageError
from agentfsm.codec import Codec, loads
from agentfsm.errors import DecodeError
from agentfsm.models import Usage
from agentfsm.telemetry import Telemetry


@pytest.mark.parametrize(
    ("make", "given", "says"),
    [
        # counts, which may be left out
        (Limits, {"iterations": -1}, "Limits: iterations is a whole number from 0 up, or None, not -1"),
        (Limits, {"stages": 1.5}, "Limits: stages is a whole number from 0 up, or None, not 1.5"),
        (Limits, {"tool_calls": "3"}, "Limits: tool_calls is a whole number from 0 up, or None, not '3'"),
        (Limits, {"tokens": True}, "Limits: tokens is a whole number from 0 up, or None, not True"),
        (Limits, {"idle_rounds": 0}, "Limits: idle_rounds is a whole number from 1 up, or None, not 0"),
        (Budget, {"calls": -1}, "Budget: calls is a whole number from 0 up, or None, not -1"),
        # counts, which may not
        (Retry, {"attempts": 0}, "Retry: attempts is a whole number from 1 up, not 0"),
        (Retry, {"attempts": None}, "Retry: attempts is a whole number from 1 up, not None"),
        (LoopGuard, {"warn_at": 1}, "LoopGuard: warn_at is a whole number from 2 up, not 1"),
        (Usage, {"input": -1}, "Usage: input is a whole number from 0 up, not -1"),
        # times
        (Limits, {"seconds": 0}, "Limits: seconds is a number above 0, or None, not 0"),
        (Limits, {"seconds": nan}, "Limits: seconds is a number above 0, or None, not nan"),
        (Limits, {"seconds": "1"}, "Limits: seconds is a number above 0, or None, not '1'"),
        (Retry, {"wait": -0.5}, "Retry: wait is a number from 0 up, not -0.5"),
        (Retry, {"longest": None}, "Retry: longest is a number from 0 up, not None"),
        # words
        (Telemetry, {"semconv": "none"}, "Telemetry: semconv is one of genai-0.1, openinference, not 'none'"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value) if isinstance(value, dict) else "",
)
def test_what_is_out_of_bounds_is_refused(make: Callable[..., object], given: dict[str, Any], says: str) -> None:
    """The refusal names the class, the field, what it may be and what it was."""
    with pytest.raises(UsageError) as caught:
        make(**given)

    assert says == str(caught.value)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (Limits, {}),
        (Limits, {"iterations": 0, "stages": None, "seconds": 0.5, "idle_rounds": 1}),
        (Limits, {"seconds": 5}),
        (Retry, {"attempts": 1, "wait": 0, "longest": inf}),
        (LoopGuard, {"warn_at": 2, "refuse_at": 2}),
    ],
)
def test_the_bounds_themselves_are_inside(make: Callable[..., object], given: dict[str, Any]) -> None:
    """None is no limit, the least is enough, and whole seconds are seconds."""
    made = make(**given)

    assert given == {name: getattr(made, name) for name in given}


def test_a_log_is_held_to_them_too() -> None:
    """What a text says is refused as text, with its place."""
    text = '{"iterations":-1,"stages":null,"seconds":null,"tool_calls":null,"tokens":null,"idle_rounds":null}'

    with pytest.raises(DecodeError, match="Limits: iterations is a whole number"):
        Codec([Limits]).decode(Limits, loads(text))
