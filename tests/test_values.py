"""Values are held to their annotations, however deep, and the first fault is named by its path."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from fractions import Fraction
from types import ModuleType
from typing import Annotated, Any, Generic, Literal, NewType, Optional, Protocol, TypeVar
from uuid import UUID

import pytest
from attrs import frozen

from agentfsm.errors import DefinitionError
from agentfsm.frozen import FrozenMap
from agentfsm.records import Business, record
from agentfsm.trail import Trail
from agentfsm.values import DEPTH, checker, fault, passes, trail_items

T = TypeVar("T")
Name = NewType("Name", str)
NOON = datetime.fromisoformat("2024-01-02T12:00:00")


class Colour(Enum):
    RED = 1
    CRIMSON = 1  # noqa: PIE796  # an alias
    BLUE = 2


class Mode(Flag):
    READ = 1
    WRITE = 2


class Level(IntEnum):
    LOW = 1


class Text(str):
    __slots__ = ()


@frozen
class Call:
    name: str
    arguments: Mapping[str, object] = FrozenMap()
    inner: tuple[Call, ...] = ()


@frozen
class Louder(Call):
    pass


@frozen
class Box(Generic[T]):
    item: T
    more: tuple[T, ...] = ()


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: float = 0


@record
class Thought(Business):
    text: str
    calls: tuple[Call, ...] = ()
    steps: Trail[Call] = Trail()
    note: str | None = None


# What a type checker would not let through.
call: Any = Call
point: Any = Point
thought: Any = Thought
UUID_ONE = UUID(int=1)


@pytest.mark.parametrize(
    ("hint", "admitted", "refused"),
    [
        # what JSON has itself
        (None, [None], [0, False, ""]),
        (bool, [True], [1, None]),
        (int, [1, True], [1.0, "1", Level.LOW]),
        (float, [1.5, 1, True, float("nan")], ["1", Decimal(1)]),
        (str, ["", "a"], [b"a", 1, Text("a")]),
        # what has an exact text
        (bytes, [b""], ["", bytearray()]),
        (Decimal, [Decimal(1)], [1, 1.0]),
        (datetime, [NOON], [date(2024, 1, 1)]),
        (date, [date(2024, 1, 1)], [NOON]),
        (time, [time()], [NOON]),
        (timedelta, [timedelta(1)], [1]),
        (UUID, [UUID_ONE], [str(UUID_ONE)]),
        # enums and literals
        (Colour, [Colour.RED, Colour.CRIMSON], ["RED", 1, Mode.READ]),
        (Mode, [Mode.READ, Mode.READ | Mode.WRITE], [1]),
        (Level, [Level.LOW], [1]),
        (Literal["a", "b"], ["a"], ["c", 1, Text("a"), []]),
        (Literal[1, "a", None], [1, "a", None], [True, 1.0, "b", []]),
        (Literal[Colour.RED], [Colour.CRIMSON], [Colour.BLUE, "RED"]),
        # unions
        (str | None, ["a", None], [1]),
        (Optional[int], [1, None], ["a"]),  # noqa: UP045  # this spelling too
        (int | tuple[str, ...], [1, ("a",)], ["a", (1,)]),
        (Call | Point, [Call("a"), Point(1)], [Box(1), None]),
        # containers
        (tuple[int, ...], [(), (1, 2)], [[1], (1, "a")]),
        (tuple[int, str], [(1, "a")], [(1,), (1, "a", 2), ("a", 1)]),
        (tuple[()], [()], [(1,)]),
        (tuple, [(), ((1,),)], [[], ([],)]),
        (Sequence[int], [(1,)], [[1], "a"]),
        (frozenset[str], [frozenset({"a"})], [{"a"}, frozenset({1})]),
        (AbstractSet[str], [frozenset({"a"})], [{"a"}]),
        (Mapping[str, int], [FrozenMap({"a": 1})], [{"a": 1}, FrozenMap({"a": "b"}), FrozenMap({1: 1})]),
        (FrozenMap[tuple[int, int], str], [FrozenMap([((1, 2), "a")])], [FrozenMap([((1,), "a")])]),
        (Trail[int], [Trail.of(1)], [(1,), Trail.of("a")]),
        # classes
        (Call, [Call("a", FrozenMap(), (Call("b"),))], [call(1), Louder("a"), call("a", {}), call("a", inner=(1,))]),
        (Point, [Point(1, 2), Point(1, 0.5)], [point("a")]),
        (Box[int], [Box(1, (2,))], [Box("a"), Box(1, ("a",))]),
        (Thought, [Thought("a")], [thought(1), thought("a", steps=())]),
        (Fraction, [Fraction(1)], [1]),
        # what stands for something else
        (Name, ["a"], [1]),
        (Annotated[int, "unit"], [1], ["a"]),
        (tuple[Annotated[int, []], ...], [(1,)], [("a",)]),
        # frozen JSON
        (
            object,
            [None, 1, "a", (1, ("b",)), FrozenMap({"a": (1.5,)})],
            [[], {}, (b"",), FrozenMap({1: 1}), Colour.RED],
        ),
        (Any, [None, (1,)], [{1}]),
    ],
    ids=str,
)
def test_what_an_annotation_admits(hint: Any, admitted: list[object], refused: list[object]) -> None:
    """Only an int for a float and a bool for an int are taken, as mypy does; nothing is converted (R4)."""
    held = type("Held", (), {"__annotations__": {"value": hint}, "__module__": __name__})
    kind: Any = frozen(held)

    assert [None] * len(admitted) == [checker(kind)(kind(value)) for value in admitted]
    assert all(str(checker(kind)(kind(value))).startswith("value") for value in refused)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (thought(1), "text: found int, expected str"),
        (thought("a", [Call("b")]), "calls: found list, expected tuple[Call, ...]"),
        (Thought("a", (Call("b"), call(None))), "calls[1].name: found None, expected str"),
        (Thought("a", (Call("b", inner=(call(1),)),)), "calls[0].inner[0].name: found int, expected str"),
        (Thought("a", (Call("b", FrozenMap({"k": []})),)), "calls[0].arguments['k']: found list, expected frozen JSON"),
        (thought("a", note=1), "note: found int, expected str | None"),
        (thought("a", steps=()), "steps: found tuple, expected Trail[Call]"),
        (Call("a"), "value: found Call, expected Thought"),
    ],
)
def test_the_fault_is_named_by_its_path(value: object, message: str) -> None:
    """The message says where, what was found and what is expected (R5)."""
    assert message == checker(Thought)(value)


def test_a_trail_of_a_record_is_not_walked() -> None:
    """What was checked when it was added is not checked again: only `trail_items` looks at items."""
    wrong: Any = Trail.of(1)

    assert checker(Thought)(Thought("a", steps=wrong)) is None
    assert {"steps": "value: found int, expected Call"} == {n: c(1) for n, c in trail_items(Thought).items()}
    assert trail_items(Thought)["steps"](Call("a")) is None


@pytest.mark.parametrize(("depth", "admitted"), [(DEPTH, True), (DEPTH + 1, False), (5000, False)])
def test_json_is_admitted_to_a_depth(depth: int, admitted: bool) -> None:
    """A value that could not be written again is refused when it is handed in, and no stack overflows."""
    value: object = 1
    for _ in range(depth):
        value = (value,)
    found = checker(Call)(Call("a", FrozenMap({"k": value})))

    assert admitted is (found is None)


def test_a_deep_class_is_refused() -> None:
    """A chain of instances deeper than the interpreter can follow is a fault, not a crash."""
    call = Call("a")
    for _ in range(20_000):
        call = Call("a", inner=(call,))

    assert f"nested deeper than {DEPTH} levels" == checker(Call)(call)


def test_an_annotation_that_stands_for_nothing_is_named() -> None:
    """Text that cannot be resolved is found at first use, with class and field."""

    @frozen
    class Lost:
        where: Nowhere  # type: ignore[name-defined]  # noqa: F821  # what this test is about

    with pytest.raises(DefinitionError, match=r"Lost\.where: Nowhere in its annotation"):
        checker(Lost)


def test_a_free_type_variable_is_named() -> None:
    """A generic class without an argument says nothing about its fields."""
    with pytest.raises(DefinitionError, match=r"Box\.item: ~T .* give it an argument"):
        checker(Box)


def test_a_class_that_isinstance_cannot_tell_is_refused() -> None:
    """A protocol that cannot be checked at run time admits no value."""

    class Shape(Protocol):
        area: int

    with pytest.raises(DefinitionError, match="Shape cannot be told from other values"):
        passes(Shape)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_aliases_of_python_3_12() -> None:
    """``type X = ...`` is seen through, also where it names itself or takes arguments."""
    module: Any = ModuleType("aliases")
    exec("type Tree = int | tuple[Tree, ...]\ntype Pair[T] = tuple[T, T]", module.__dict__)

    assert [True, True, False] == [passes(module.Tree)(v) for v in (1, (1, (2, ())), (1, ("a",)))]
    assert [True, False] == [passes(module.Pair[int])(v) for v in ((1, 2), (1, "a"))]
    assert fault(module.Tree, (1, ("a",))).startswith("[1][0]: found str")
