"""Which value is nearest, and where two differ."""

from __future__ import annotations

import pytest

from agentfsm.models.nearest import difference, nearest


@pytest.mark.parametrize(
    ("recorded", "asked", "found"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": [1, {"b": "x"}]}, {"a": (1, {"b": "x"})}, None),
        ({"a": 1}, {"a": 2}, ("$.a", "1", "2")),
        ({"a": 1}, {"a": True}, ("$.a", "1", "true")),
        ({"a": 1}, {}, ("$.a", "1", "nothing")),
        ({}, {"a": None}, ("$.a", "nothing", "null")),
        ({"a": [1]}, {"a": [1, 2]}, ("$.a.length", "1", "2")),
        ({"a": [1, 2]}, {"a": [3, 2]}, ("$.a[0]", "1", "3")),
        ({"a": "go left"}, {"a": "go right"}, ("$.a[3:]", '"left"', '"right"')),
        ({"a": "go"}, {"a": "gone"}, ("$.a[2:]", '""', '"ne"')),
        ({"a": {"b": 1}}, {"a": [1]}, ("$.a", '{"b": 1}', "[1]")),
        ({"a": "x" * 90}, {"a": None}, ("$.a", f'"{"x" * 59}...', "null")),
    ],
)
def test_difference(recorded: object, asked: object, found: tuple[str, str, str] | None) -> None:
    """R33: the first difference is named by its path, a text's by the character, with both sides."""
    assert found == difference(recorded, asked)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": 1, "b": 2}, 0),
        ({"a": 1, "b": 3}, 0),
        ({"a": 7, "b": 9}, 1),
        ({"a": 7, "b": 2}, 0),
        ({}, 0),
    ],
)
def test_nearest(value: object, place: int) -> None:
    """R33: what shares most is nearest, and of equals the one that came first."""
    assert place == nearest(value, [{"a": 1, "b": 2}, {"a": 7, "b": 8}])
