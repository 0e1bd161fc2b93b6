"""A record with a field of every kind, and a strategy for it: what the tests of texts and of the codec share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from typing import Generic, Literal, NewType, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from attrs import define, field, frozen
from attrs.validators import ge
from hypothesis import strategies as st

from agentfsm.frozen import FrozenMap
from agentfsm.records import Business, record
from agentfsm.trail import Trail

T = TypeVar("T")
Name = NewType("Name", str)


class Outer:
    class Colour(Enum):
        RED = 1
        CRIMSON = 1  # noqa: PIE796  # an alias
        BLUE = 2


class Mode(Flag):
    READ = 1
    WRITE = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Kind(str, Enum):  # noqa: UP042  # the older spelling is the harder one
    TEXT = "text"


@frozen
class Call:
    name: str
    arguments: FrozenMap[str, object] = FrozenMap()  # noqa: RUF009  # it does not change
    inner: tuple[Call, ...] = ()


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: float
    size: float = dataclasses.field(init=False, default=0.0)


@define(frozen=True, slots=False)
class Wide:
    _left: int = field(validator=ge(0), alias="left")
    double: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self._left)


@frozen
class Box(Generic[T]):
    item: T


@record
class Rich(Business):
    flag: bool
    number: int
    real: float
    text: str
    name: Name
    raw: bytes
    exact: Decimal
    moment: datetime
    day: date
    hour: time
    span: timedelta
    mark: UUID
    colour: Outer.Colour
    level: Level | None
    kind: Kind
    mode: Mode
    choice: Literal["a", 1, True, None]
    paint: Literal[Outer.Colour.RED] | int
    call: Call
    shape: Point | Wide | Call | None
    mixed: str | float | tuple[int, ...] | FrozenMap[str, int]
    box: Box[tuple[Level, ...]]
    pair: tuple[int, str]
    colours: frozenset[Outer.Colour]
    keyed: Mapping[tuple[int, str], Call]
    table: Mapping[str, bytes]
    loose: object
    kept: Trail[int] | None
    steps: Trail[Call | Point]


ZONES = st.one_of(
    st.none(),
    st.just(timezone.utc),  # noqa: UP017  # named as its class is
    st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23))),
    st.sampled_from([ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("UTC")]),
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(), inner, max_size=3).map(FrozenMap),
    max_leaves=6,
)
REALS = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.booleans())
CALLS = st.recursive(
    st.builds(Call, st.text(), st.dictionaries(st.text(), JSON, max_size=2).map(FrozenMap)),
    lambda inner: st.builds(Call, st.text(), st.just(FrozenMap()), st.lists(inner, max_size=2).map(tuple)),
    max_leaves=3,
)
POINTS = st.builds(Point, st.integers(), REALS)
ITEMS = st.one_of(CALLS, POINTS)
RICH = st.builds(
    Rich,
    flag=st.booleans(),
    number=st.integers() | st.booleans(),
    real=REALS,
    text=st.text(),
    name=st.text().map(Name),
    raw=st.binary(),
    exact=st.decimals(allow_nan=False, allow_infinity=False),
    moment=st.datetimes(timezones=ZONES, allow_imaginary=False),
    day=st.dates(),
    hour=st.times(timezones=ZONES),
    span=st.timedeltas(),
    mark=st.uuids(),
    colour=st.sampled_from(Outer.Colour),
    level=st.none() | st.sampled_from(Level),
    kind=st.sampled_from(Kind),
    mode=st.sampled_from([Mode.READ, Mode.WRITE]),
    choice=st.sampled_from(["a", 1, True, None]),
    paint=st.just(Outer.Colour.RED) | st.integers(),
    call=CALLS,
    shape=st.one_of(st.none(), CALLS, POINTS, st.builds(Wide, st.integers(0))),
    mixed=st.one_of(
        st.text(),
        REALS,
        st.lists(st.integers()).map(tuple),
        st.dictionaries(st.text(), st.integers()).map(FrozenMap),
    ),
    box=st.lists(st.sampled_from(Level)).map(tuple).map(Box),
    pair=st.tuples(st.integers(), st.text()),
    colours=st.frozensets(st.sampled_from(Outer.Colour)),
    keyed=st.dictionaries(st.tuples(st.integers(), st.text()), CALLS, max_size=3).map(FrozenMap),
    table=st.dictionaries(st.text(), st.binary(), max_size=3).map(FrozenMap),
    loose=JSON,
    kept=st.none() | st.lists(st.integers()).map(lambda items: Trail.of(*items)),
    steps=st.lists(ITEMS, max_size=3).map(lambda items: Trail.of(*items)),
)
