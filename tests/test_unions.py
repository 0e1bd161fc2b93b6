"""Members of a union are told apart by their JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import pytest

from agentfsm.trail import Trail
from agentfsm.unions import claims, clashes, is_text, tagged
from tests.rich import Box, Call, Kind, Level, Outer, Point


@pytest.mark.parametrize(
    ("hint", "names"),
    [
        (None, {"null"}),
        (int, {"integer", "boolean"}),
        (float, {"number", "integer", "boolean"}),
        (datetime, {"string"}),
        (Outer.Colour, {"string"}),
        (Literal[1, "a", None], {"integer", "string", "null"}),
        (int | Call, {"integer", "boolean", "object"}),
        (tuple[int, ...], {"array"}),
        (frozenset[int], {"array"}),
        (Mapping[str, int], {"object"}),
        (Mapping[int, int], {"array"}),
        (Trail[int], {"object"}),
        (object, {"null", "boolean", "integer", "number", "string", "array", "object"}),
    ],
    ids=lambda value: str(sorted(value) if isinstance(value, set) else value),
)
def test_the_json_types_of_an_annotation(hint: object, names: set[str]) -> None:
    """Those that a value of it may be written as."""
    assert names == {name for name, _ in claims(hint)}


@pytest.mark.parametrize(
    ("options", "apart"),
    [
        ((int, float, bool, str, None), True),
        ((Literal["a"], str), True),
        ((Literal[Outer.Colour.RED], Outer.Colour), True),
        ((Call, Point, Box[int], str), True),
        ((object, None), True),
        ((tuple[int, ...], Mapping[str, int], datetime, int), True),
        ((str, bytes), False),
        ((Kind, Level), False),
        ((Box[int], Box[str]), False),
        ((Mapping[str, int], Call), False),
        ((Mapping[int, int], tuple[int, ...]), False),
        ((object, datetime), False),
    ],
    ids=str,
)
def test_what_can_be_told_apart(options: tuple[object, ...], apart: bool) -> None:
    """By JSON type, or for classes by their names; two readers of one JSON type are one too many."""
    assert apart is not bool([*clashes(*options)])


def test_the_names_of_classes_are_written_where_they_are_needed() -> None:
    """One class beside other things is known by its JSON type."""
    assert [False, False, True] == [tagged(options) for options in ((Call,), (Call, int), (Call, Point))]


def test_which_mappings_are_objects() -> None:
    """Only plain text is a key in JSON."""
    assert [True, False, False] == [is_text(hint) for hint in (str, Kind, int)]
