"""Each annotation has one shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, Literal, NewType, Optional, Protocol, Union

import pytest

from agentfsm.errors import DefinitionError
from agentfsm.frozen import FrozenMap
from agentfsm.shapes import (
    Bag,
    Either,
    Fields,
    Fixed,
    Foreign,
    Growing,
    Json,
    Many,
    Member,
    OneOf,
    Plain,
    Shape,
    Table,
    Text,
    inner,
    reach,
    shape_of,
)
from agentfsm.trail import Trail
from tests.rich import Box, Call, Outer, Point, Rich

Name = NewType("Name", str)


class Area(Protocol):
    size: int


@pytest.mark.parametrize(
    ("hint", "shape"),
    [
        (None, Plain(NoneType)),
        (NoneType, Plain(NoneType)),
        (int, Plain(int)),
        (Name, Plain(str)),
        (Decimal, Text(Decimal)),
        (Outer.Colour, Member(Outer.Colour)),
        (Literal[7, "seven"], OneOf((7, "seven"))),
        (str | None, Either((str, NoneType))),
        (Optional[str], Either((str, NoneType))),  # noqa: UP045  # this spelling too
        (Union[int, str], Either((int, str))),  # noqa: UP007  # this spelling too
        (Name | int | str, Either((str, int))),
        (tuple[int, ...], Many(int)),
        (tuple, Many(object)),
        (Sequence[int], Many(int)),
        (tuple[int, str], Fixed((int, str))),
        (tuple[()], Fixed(())),
        (frozenset[int], Bag(int)),
        (AbstractSet[int], Bag(int)),
        (Mapping[str, int], Table(str, int)),
        (FrozenMap, Table(str, object)),
        (Trail[int], Growing(int)),
        (Box[int], Fields(Box, {"item": int})),
        (object, Json()),
        (Any, Json()),
        (Fraction, Foreign(Fraction)),
    ],
    ids=str,
)
def test_the_shape_of_an_annotation(hint: object, shape: Shape) -> None:
    """Spellings that mean the same have the same shape."""
    assert shape == shape_of(hint)


@pytest.mark.parametrize("hint", ["int", 1, Area], ids=str)
def test_what_is_no_type_is_refused(hint: object) -> None:
    """Text, values, and what no value could be held to."""
    with pytest.raises(DefinitionError):
        shape_of(hint)


def test_what_a_shape_is_made_of() -> None:
    """Every annotation inside is given, in its order."""
    hints = (int, str | None, tuple[int, str], frozenset[int], Mapping[str, int], Trail[int], Box[int])

    assert [(), (str, NoneType), (int, str), (int,), (str, int), (int,), (int,)] == [inner(shape_of(h)) for h in hints]


def test_everything_that_is_reached() -> None:
    """A class that leads to itself is reached once."""
    found = reach(Call)

    assert {Call, str, FrozenMap[str, object], object, tuple[Call, ...]} == set(found)
    assert {Call, Point, Box, Rich} <= {shape.kind for shape in reach(Rich).values() if isinstance(shape, Fields)}
