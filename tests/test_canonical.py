"""Every value has one text, and what could not be read back equal has none."""

from __future__ import annotations

import copy
import enum
import json
from collections.abc import Mapping
from datetime import datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
from attrs import frozen
from hypothesis import given

from agentfsm.canonical import LEVELS, SIZE, delta_text, levels, mark_of, record_text, writer
from agentfsm.errors import EncodeError, TrailError, UsageError
from agentfsm.frozen import FrozenMap
from agentfsm.records import Business, record
from agentfsm.state import Iteration
from agentfsm.trail import Trail
from tests.rich import RICH, Box, Call, Kind, Level, Mode, Outer, Point, Rich, Wide

BERLIN = ZoneInfo("Europe/Berlin")
DEEP_TUPLE = ()
for _ in range(300):
    DEEP_TUPLE = (DEEP_TUPLE,)  # type: ignore[assignment]  # no type is as deep


@record
class Talk(Business):
    topic: str
    said: Trail[str] = Trail()


@frozen(eq=False)
class Lonely:
    text: str


@frozen
class Wrong(Exception):
    text: str


@frozen
class Named(complex):
    size: int = 0


NOON = datetime.fromisoformat("2024-01-02T12:00:00")


class Offset(tzinfo):
    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(hours=1)

    def dst(self, moment: datetime | None) -> None:
        return None

    def tzname(self, moment: datetime | None) -> str:
        return "X"


@pytest.mark.parametrize(
    ("hint", "value", "text"),
    [
        # JSON's own
        (None, None, "null"),
        (bool, True, "true"),
        (int, -1, "-1"),
        (int, True, "true"),
        (float, 1.0, "1.0"),
        (float, 1, "1"),
        (float, 1e16, "1e+16"),
        (float, -0.0, "-0.0"),
        (str, 'a"\né😀', '"a\\"\\n\\u00e9\\ud83d\\ude00"'),
        (str, "\ud83d", '"\\ud83d"'),
        # exact texts
        (bytes, b"\0\1", '"AAE="'),
        (Decimal, Decimal("1.50"), '"1.50"'),
        (datetime, NOON, '"2024-01-02T12:00:00"'),
        (datetime, datetime(2024, 1, 2, tzinfo=timezone(timedelta(hours=-1))), '"2024-01-02T00:00:00-01:00"'),
        (datetime, datetime(2024, 10, 27, 2, tzinfo=BERLIN), '"2024-10-27T02:00:00[Europe/Berlin]"'),
        (datetime, datetime(2024, 10, 27, 2, tzinfo=BERLIN, fold=1), '"2024-10-27T02:00:00[Europe/Berlin];fold=1"'),
        (time, time(1, 2, 3, 4), '"01:02:03.000004"'),
        (timedelta, timedelta(days=-1, microseconds=1), '"-1d0.000001s"'),
        # enums and literals
        (Outer.Colour, Outer.Colour.CRIMSON, '"RED"'),
        (Level, Level.LOW, '"LOW"'),
        (Kind, Kind.TEXT, '"TEXT"'),
        (Mode, Mode.WRITE, '"WRITE"'),
        (Literal["a", 1], 1, "1"),
        (Literal[Outer.Colour.RED], Outer.Colour.RED, '"RED"'),
        # containers
        (tuple[int, ...], (1, 2), "[1,2]"),
        (tuple[int, str], (1, "a"), '[1,"a"]'),
        (tuple[()], (), "[]"),
        (frozenset[str], frozenset({"b", "a"}), '["a","b"]'),
        (Mapping[str, int], FrozenMap({"b": 1, "a": 2}), '{"a":2,"b":1}'),
        (Mapping[tuple[int, str], int], FrozenMap([((2, "b"), 1), ((1, "a"), 2)]), '[[[1,"a"],2],[[2,"b"],1]]'),
        (Mapping[Outer.Colour, int], FrozenMap({Outer.Colour.BLUE: 1}), '[["BLUE",1]]'),
        (object, (None, FrozenMap({"b": (1.5,), "a": "x"})), '[null,{"a":"x","b":[1.5]}]'),
        # classes
        (Call, Call("a"), '{"name":"a","arguments":{},"inner":[]}'),
        (Box[int], Box(1), '{"item":1}'),
        (Wide, Wide(left=2), '{"_left":2,"double":4}'),
        (Call | None, Call("a"), '{"name":"a","arguments":{},"inner":[]}'),
        (Call | Point, Point(1, 2.0), '{"$type":"Point","x":1,"y":2.0,"size":0.0}'),
        (str | int | tuple[str, ...], ("a",), '["a"]'),
        (Trail[int], Trail.of(1, 2), f'{{"start":0,"before":"{"0" * 32}","items":[1,2]}}'),
        (Trail[int], Trail.tail(3, b"\1" * 16, [4]), f'{{"start":3,"before":"{"01" * 16}","items":[4]}}'),
    ],
)
def test_the_text_of_a_value(hint: object, value: object, text: str) -> None:
    """ASCII, no blanks, keys and sets sorted, enum members by name."""
    assert text == writer(hint)(value)


@pytest.mark.parametrize(
    ("hint", "value", "reason"),
    [
        (float, float("nan"), "nan has no text"),
        (float, float("-inf"), "-inf has no text"),
        (object, (1, float("inf")), r"\$\[1\]: inf"),
        pytest.param(int, 10**5000, "4300 digits", id="long"),
        (str, 1, "found int, expected str"),
        (str, "\ud83d\ude00", "two surrogates"),
        (Mapping[str, int], FrozenMap({"\ud83d\ude00": 1}), "two surrogates"),
        (int, Level.LOW, "found Level, expected int"),
        (str, Kind.TEXT, "found Kind, expected str"),
        (Mode, Mode.READ | Mode.WRITE, "unnamed flags"),
        (Decimal, Decimal("NaN"), "no finite number"),
        (datetime, datetime(2024, 1, 1, tzinfo=Offset()), "cannot be found again by name"),
        (datetime, datetime(2024, 1, 1, tzinfo=timezone(timedelta(0), "Z")), "a name of its own"),
        (datetime, datetime(2024, 1, 1, tzinfo=ZoneInfo.no_cache("Europe/Berlin")), "cannot be found again"),
        (Literal["a"], "b", r"found str, expected Literal\['a'\]"),
        (tuple[int, str], (1,), "found tuple"),
        (Mapping[str, int], {"a": 1}, "found dict"),
        (object, [1], "found list"),
        (object, FrozenMap({1: 1}), "found int, expected str"),
        (object, DEEP_TUPLE, "nested deeper than"),
        (Call, Point(1, 1.0), "found Point, expected Call"),
        (Call | None, 1, r"found int, expected Call \| None"),
        (
            tuple[Call, ...],
            (Call("a"), Call("b", FrozenMap({"k": (b"",)}))),
            r"\$\[1\]\.arguments\['k'\]\[0\]: found bytes",
        ),
    ],
)
def test_what_has_no_text(hint: object, value: object, reason: str) -> None:
    """A value that could not be read back equal is refused when it is written, with its path (R17)."""
    with pytest.raises(EncodeError, match=reason):
        writer(hint)(value)


@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (str | bytes, "a plain string and bytes are both written as a JSON string"),
        (datetime | str, "a plain string and datetime"),
        (Outer.Colour | Level, "Colour and Level"),
        (Literal["a"] | Outer.Colour, "Colour and a plain string"),
        (Literal[Level.LOW, "a"], "Level and a plain string"),
        (tuple[int, ...] | frozenset[int], "JSON array"),
        (tuple[int, ...] | tuple[str, ...], "JSON array"),
        (Call | Mapping[str, int], "JSON object"),
        (Box[int] | Box[str], "JSON object"),
        (Trail[int] | Call, "JSON object"),
        (object | bytes, "a plain string and bytes"),
        (tuple[int | str | bytes, ...], "JSON string"),
        (Fraction, "Fraction has no exact text"),
        (Lonely, "Lonely compares by identity"),
        (Wrong, "Wrong"),
        (Named, "Named is more than its fields"),
    ],
    ids=str,
)
def test_what_no_value_could_be_read_back_from(hint: object, reason: str) -> None:
    """A union whose members look alike, and a class that is no sum of its fields, are refused before any value."""
    with pytest.raises(EncodeError, match=reason):
        writer(hint)


@given(RICH, RICH)
def test_one_text_for_one_value(one: Rich, other: Rich) -> None:
    """Two records are spelled alike exactly when their text is the same; the text is ASCII, and JSON."""
    for name, hint in Rich.field_types.items():
        left, right = getattr(one, name), getattr(other, name)
        same = writer(hint)(left) == writer(hint)(right)
        assert not same or (left == right and type(left) is type(right)), name
    assert record_text(one) == record_text(copy.deepcopy(one))
    assert record_text(one).isascii()
    assert set(Rich.field_types) == set(json.loads(record_text(one)))


def test_equal_values_of_two_types_have_two_texts() -> None:
    """1, True and 1.0 are equal for Python and not for a digest."""
    texts = {writer(float)(value) for value in (1, True, 1.0)}

    assert {"1", "true", "1.0"} == texts


def test_a_conversation_is_written_as_its_length_and_digest() -> None:
    """The text of a growing record costs what was added: no item is written twice (R19)."""
    talk = Talk("a", Trail.of("x", "y"))
    digest = Trail.of("x", "y").digest(mark_of(str)).hex()

    assert f'{{"topic":"a","said":{{"length":2,"digest":"{digest}"}}}}' == record_text(talk)


def test_a_delta_has_only_what_was_added() -> None:
    """The text names the length and digest of what came before (R19)."""
    before = Talk("a", Trail.of("x"))
    after = Talk("b", before.said.add("y"))
    digest = before.said.digest(mark_of(str)).hex()

    assert f'{{"topic":"b","said":{{"start":1,"before":"{digest}","items":["y"]}}}}' == delta_text(after, before)
    assert f'{{"topic":"a","said":{{"start":0,"before":"{"0" * 32}","items":["x"]}}}}' == delta_text(before, None)


@pytest.mark.parametrize("said", [Trail[str](), Trail.of("z"), Trail.of("z", "y")], ids=repr)
def test_a_delta_extends(said: Trail[str]) -> None:
    """A trail that was cut or rewritten is refused (R19)."""
    with pytest.raises(TrailError, match="does not extend") as caught:
        delta_text(Talk("a", said), Talk("a", Trail.of("x")))
    assert "Talk.said" == caught.value.path


def test_a_delta_is_of_one_class() -> None:
    """Another record is no earlier one."""
    with pytest.raises(UsageError, match="Talk is no later Iteration"):
        delta_text(Talk("a"), Iteration(1))


def test_a_fault_in_a_trail_is_located() -> None:
    """The path leads to the item, in every kind of text."""
    wrong: Any = Trail.of("x", 1)
    for write in (record_text, lambda talk: delta_text(talk, None)):
        with pytest.raises(EncodeError, match=r"^\$\.said\[1\]: found int, expected str"):
            write(Talk("a", wrong))


def test_a_text_has_a_size() -> None:
    """What could not be read for its length is not written."""
    with pytest.raises(EncodeError, match="characters are more than"):
        record_text(Talk("a" * SIZE))


def chain(length: int) -> Call:
    """Return a call in a call in a call."""
    call = Call("a")
    for _ in range(length):
        call = Call("a", inner=(call,))
    return call


@pytest.mark.parametrize(("length", "reason"), [(LEVELS // 2, f"deeper than {LEVELS}"), (10_000, "deeper than")])
def test_a_text_has_a_depth(length: int, reason: str) -> None:
    """What could not be read for its depth is not written, and no stack overflows."""
    writer(Call)(chain(LEVELS // 2 - 2))
    with pytest.raises(EncodeError, match=reason):
        writer(Call)(chain(length))


@pytest.mark.parametrize(
    ("text", "depth"), [("1", 0), ("[]", 1), ('{"a":[{}]}', 3), ('"[[["', 0), ('["\\"[[",[]]', 2), ("[[],[],[[]]]", 3)]
)
def test_levels(text: str, depth: int) -> None:
    """Brackets in strings do not count."""
    assert depth == levels(text)


def test_an_enum_member_that_is_made_up_has_no_text() -> None:
    """A member that `_missing_` invents cannot be found by name."""

    class Open(enum.Enum):
        A = 1

        @classmethod
        def _missing_(cls, value: object) -> Open:
            made = object.__new__(cls)
            made._name_, made._value_ = "made up", value
            return made

    with pytest.raises(EncodeError):
        writer(Open)(Open(7))
