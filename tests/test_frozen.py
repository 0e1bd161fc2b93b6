"""Immutability all the way down."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, MutableMapping
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal, NewType, TypedDict

import attrs
import pytest
from attrs import define, frozen

from agentfsm.errors import DefinitionError, MutatedError
from agentfsm.frozen import FrozenMap, freeze, hints_of, is_frozen_class
from agentfsm.records import Business, record
from agentfsm.trail import Trail

Names = NewType("Names", list[str])


@define
class Loose:
    text: str


@dataclasses.dataclass
class LooseData:
    text: str


@frozen
class Hiding:
    items: list[int]


@dataclasses.dataclass(frozen=True)
class HidingData:
    inner: tuple[Hiding, ...]


@frozen
class Tight:
    shared: ClassVar[list[int]] = []
    kids: tuple[Tight, ...] = ()
    do: Callable[[list[int]], None] | None = None


class Entry(TypedDict):
    text: str


@pytest.mark.parametrize(
    "hint",
    [
        list,
        dict[str, int],
        set[int],
        bytearray,
        deque,
        defaultdict[str, int],
        MutableMapping[str, int],
        tuple[list[int], ...],
        Mapping[str, set[int]],
        Trail[dict[str, int]],
        str | list[str],
        Annotated[list[int], []],
        Names,
        tuple[Names, ...],
        Loose,
        LooseData,
        tuple[Loose, ...],
        Hiding,
        HidingData,
        Entry,
        "list[Nowhere]",
    ],
    ids=str,
)
def test_what_can_change_is_refused(hint: object) -> None:
    """A record is refused when its class statement runs if a field can change, however deep (R2, R17)."""
    held = type("Held", (Business,), {"__annotations__": {"value": hint}, "__module__": __name__, "__slots__": ()})
    with pytest.raises(DefinitionError, match=r"Held\.value is a mutable"):
        record(held)


@pytest.mark.parametrize(
    "hint", [Tight, tuple[Tight, ...], Literal["list"], Annotated[int, [1]], "tuple[Nowhere]"], ids=str
)
def test_what_cannot_change_is_taken(hint: object) -> None:
    """Neither a constant of a class, a signature, a literal nor an annotation's extra is a field's value."""
    held = type("Held", (Business,), {"__annotations__": {"value": hint}, "__module__": __name__, "__slots__": ()})

    assert ("value",) == tuple(field.name for field in attrs.fields(record(held)))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_an_alias_does_not_hide() -> None:
    """``type X = ...`` is seen through, also where it names itself."""
    module: Any = ModuleType("aliases")
    module.Mapping = Mapping
    exec(
        "type Bad = list[int]\ntype Tree = int | tuple[Tree, ...]\ntype Table = Mapping[str, int]\ntype Lost = Nowhere",
        module.__dict__,
    )

    def held(hint: object) -> Any:
        return record(type("Held", (Business,), {"__annotations__": {"value": hint}, "__module__": __name__}))

    with pytest.raises(DefinitionError, match="mutable"):
        held(module.Bad)
    with pytest.raises(DefinitionError, match="Lost: name 'Nowhere' is not defined"):
        held(module.Lost)
    assert 1 == held(module.Tree)(1).value
    assert FrozenMap({"a": 1}) == held(module.Table)({"a": 1}).value


def test_a_mapping_is_frozen_on_the_way_in() -> None:
    """What the caller keeps is another object, and what the record holds does not change (R2)."""

    @record
    class Held(Business):
        value: Mapping[str, object]

    mine: dict[str, Any] = {"a": [1, {"b": {2}}]}
    held = Held(mine)
    mine["a"].append(3)

    assert FrozenMap({"a": (1, FrozenMap({"b": frozenset({2})}))}) == held.value


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.__setitem__("a", 2),
        lambda m: m.__delitem__("a"),
        lambda m: m.update(a=2),
        lambda m: m.clear(),
        lambda m: m.pop("a"),
        lambda m: m.popitem(),
        lambda m: m.setdefault("b", 1),
        lambda m: setattr(m, "_items", {}),
        lambda m: delattr(m, "_items"),
    ],
)
def test_a_frozen_map_does_not_change(change: Callable[[Any], object]) -> None:
    """Every way to change a mapping is refused (R7)."""
    frozen_map = FrozenMap({"a": 1})

    with pytest.raises(MutatedError):
        change(frozen_map)
    assert FrozenMap({"a": 1}) == frozen_map


def test_a_frozen_map_is_a_mapping() -> None:
    """It reads, compares and hashes as its items, keeps no part of what it was made from, and is copied whole."""
    source = {"a": 1, "b": 2}
    made = FrozenMap[str, int](source)
    source["a"] = 3

    assert ({"a": 1, "b": 2}, 2, True, False) == (dict(made), len(made), "a" in made, "c" in made)
    assert made == {"b": 2, "a": 1}
    assert made != {"a": 1}
    assert made != 1
    assert hash(made) == hash(FrozenMap([("b", 2), ("a", 1)]))
    assert made == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))
    assert "FrozenMap({'a': 1})" == repr(FrozenMap({"a": 1}))


def test_freeze_leaves_what_is_frozen() -> None:
    """Only lists, dicts and sets are turned into what cannot change."""
    kept = FrozenMap({"a": 1})

    assert kept is freeze(kept)
    assert (1, (2,), frozenset({3})) == freeze([1, (2,), {3}])
    assert "a" == freeze("a")


@pytest.mark.parametrize(
    ("kind", "claim"), [(Tight, True), (Loose, False), (HidingData, True), (LooseData, False), (int, True)]
)
def test_is_frozen_class(kind: type, claim: bool) -> None:
    """attrs classes and dataclasses say whether they are frozen; other classes are taken at their word."""
    assert claim is is_frozen_class(kind)


def test_hints_that_cannot_be_found_stay_text() -> None:
    """One unknown name does not cost the other annotations their types."""

    class Half:
        known: int
        lost: Nowhere  # type: ignore[name-defined]  # noqa: F821  # what this test is about

    assert {"known": int, "lost": "Nowhere"} == hints_of(Half, {})
