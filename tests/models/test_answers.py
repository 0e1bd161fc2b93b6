"""What tools answer, in words for a model."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum

import pytest
from attrs import frozen

from agentfsm import FrozenMap
from agentfsm.models import answer_text


class Colour(Enum):
    RED = "r"


EMPTY = FrozenMap[str, object]()


@frozen
class Found:
    path: str
    lines: tuple[int, ...] = ()
    more: FrozenMap[str, object] = EMPTY


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("as it is\n", "as it is\n"),
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (("a", 1), '["a", 1]'),
        (frozenset({"b", "a"}), '["a", "b"]'),
        (Colour.RED, '"RED"'),
        (Decimal("1.50"), '"1.50"'),
        (
            Found("ä.py", (1, 2), FrozenMap({"k": Colour.RED})),
            '{"path": "ä.py", "lines": [1, 2], "more": {"k": "RED"}}',
        ),
    ],
)
def test_answer_text(answer: object, text: str) -> None:
    """A text needs no quotes, and a value is told with the names of its fields."""
    assert text == answer_text(answer)
