"""Annotations are resolved, seen through, bound and said."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, Final, Generic, Literal, NewType, TypeVar

import pytest
from attrs import frozen

from agentfsm.annotations import bare, fields_of, said, see_through
from agentfsm.errors import DefinitionError
from agentfsm.trail import Trail
from tests.rich import Call, Outer

T = TypeVar("T")
K = TypeVar("K")
Name = NewType("Name", str)
LongName = NewType("LongName", Name)


@frozen
class Both(Generic[K, T]):
    key: K
    rest: Mapping[K, tuple[T, ...]]
    plain: int = 0


@dataclasses.dataclass(frozen=True)
class Plain:
    first: "int"  # noqa: UP037  # text on purpose
    later: Later | None = None


@frozen
class Later:
    back: tuple[Plain, ...]


@frozen
class Below(Both[str, int]):
    more: int = 0


OPEN: Any = Both


def test_fields_in_their_order_with_their_types() -> None:
    """Text is resolved, also where the class it names came later."""
    assert [("first", int), ("later", Later | None)] == list(fields_of(Plain).items())


def test_the_fields_of_a_generic_class() -> None:
    """Arguments take the place of type variables, however deep."""
    assert {"key": str, "rest": Mapping[str, tuple[bool, ...]], "plain": int} == fields_of(Both[str, bool])


@pytest.mark.parametrize("kind", [Both, Below, OPEN[str, T]], ids=str)
def test_a_variable_that_nothing_is_known_of(kind: object) -> None:
    """A field that could be anything is refused, with class and field."""
    with pytest.raises(DefinitionError, match=r"(Both|Below)\.(key|rest): ~[KT] in its annotation stands for no type"):
        fields_of(kind)


@pytest.mark.parametrize(
    ("hint", "meant"),
    [
        (int, int),
        (Name, str),
        (LongName, str),
        (Annotated[Name, "x"], str),
        (Final[int], int),
        (tuple[Name, ...], tuple[Name, ...]),
    ],
    ids=str,
)
def test_what_an_annotation_stands_for(hint: object, meant: object) -> None:
    """Only the outermost layer is seen through: what is inside may lead back to where it is."""
    assert meant == see_through(hint)


def test_bare_takes_extras_off() -> None:
    """What annotates a type need not be hashable; what is left is."""
    assert tuple[int, ...] == bare(tuple[Annotated[int, []], ...])


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (None, "None"),
        (int | None, "int | None"),
        (Call | str, "Call | str"),
        (tuple[Call, ...], "tuple[Call, ...]"),
        (tuple[int, str], "tuple[int, str]"),
        (Mapping[str, object], "Mapping[str, frozen JSON]"),
        (Trail[Call], "Trail[Call]"),
        (Literal["a", 1], "Literal['a', 1]"),
        (Literal[Outer.Colour.RED], "Literal[Colour.RED]"),
        (Any, "frozen JSON"),
        (Name, "Name"),
        (T, "T"),
    ],
)
def test_an_annotation_in_words(hint: object, text: str) -> None:
    """As a person would write it, without modules."""
    assert text == said(hint)
