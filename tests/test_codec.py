"""What was written is read back equal; what was not written by us is refused, by type and path."""

from __future__ import annotations

import builtins
import contextlib
import copy
import dataclasses
import importlib
import json
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Literal, TypeVar
from uuid import UUID

import attrs
import pytest
from attrs import field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.canonical import delta_text, record_text, writer
from agentfsm.codec import Codec, loads
from agentfsm.errors import DecodeError, DefinitionError, UsageError
from agentfsm.frozen import FrozenMap
from agentfsm.jsontext import DEEPEST
from agentfsm.records import Business, record
from agentfsm.state import Iteration
from agentfsm.trail import Trail
from tests.rich import ITEMS, RICH, Box, Call, Level, Mode, Outer, Point, Rich, Wide

T = TypeVar("T")
CODEC = Codec([Rich])
ZEROS = "0" * 32


@record
class Talk(Business):
    topic: str
    said: Trail[str] = Trail()


@frozen
class Even:
    number: int = field()

    @number.validator
    def _even(self, attribute: object, value: int) -> None:
        if value % 2:
            raise ValueError(f"{value} is odd")


def identical(left: object, right: object) -> bool:
    """Equal, and of equal types all the way down."""
    if type(left) is not type(right) or left != right:
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return all(map(identical, left, right))
    if isinstance(left, Trail) and isinstance(right, Trail):
        return identical(tuple(left), tuple(right))
    if isinstance(left, FrozenMap) and isinstance(right, FrozenMap):
        keys = {key: key for key in right}
        return all(identical(key, keys[key]) and identical(value, right[key]) for key, value in left.items())
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return {(type(item), item) for item in left} == {(type(item), item) for item in right}
    if attrs.has(type(left)):
        names: list[str] = [each.name for each in attrs.fields(type(left))]
    elif dataclasses.is_dataclass(left):
        names = [each.name for each in dataclasses.fields(left)]
    elif isinstance(left, datetime | time) and isinstance(right, datetime | time):
        return (repr(left.tzinfo), left.fold) == (repr(right.tzinfo), right.fold)
    else:
        return repr(left) == repr(right)
    return all(identical(getattr(left, name), getattr(right, name)) for name in names)


@given(RICH)
def test_what_was_written_is_read_back(rich: Rich) -> None:
    """Equal, of equal types, and with the same text: every kind of field, whole or as what is new (R17)."""
    back = CODEC.decode_record("rich", loads(delta_text(rich, None)), None)

    assert identical(rich, back)
    assert record_text(rich) == record_text(back)


@given(RICH, st.lists(ITEMS, max_size=3))
def test_what_was_added_is_joined_to_what_was_there(rich: Rich, more: list[Call | Point]) -> None:
    """A trail comes back grown from the earlier one; without that, as the tail it is (R19)."""
    grown = attrs.evolve(rich, steps=rich.steps.extend(more))
    raw = loads(delta_text(grown, rich))
    joined: Any = CODEC.decode_record("rich", raw, rich)
    alone: Any = CODEC.decode_record("rich", raw, None)

    assert identical(grown, joined)
    assert joined.steps.extends(rich.steps)
    assert (len(rich.steps), tuple(more)) == (alone.steps.start, alone.steps.since(len(rich.steps)))
    assert record_text(grown) == record_text(joined) == record_text(alone)


@given(RICH)
def test_reading_shares_nothing(rich: Rich) -> None:
    """What is done to the parsed JSON afterwards does not reach the value (R3)."""
    raw: Any = loads(delta_text(rich, None))
    back = CODEC.decode_record("rich", raw, None)
    todo = [raw]
    while todo:
        part = todo.pop()
        todo.extend(
            item for item in (part.values() if isinstance(part, dict) else part) if isinstance(item, dict | list)
        )
        part.clear()

    assert identical(rich, back)


STRANGE = [None, True, -1, 1.5, 1e308, "", "os.system", "__import__", "RED", "$type", [], {}, [[]], {"$type": "Path"}]
STRANGE_KEYS = ["__class__", "__reduce__", "$type", "number"]


def mutate(raw: Any, chance: Random) -> None:
    """Change one place of parsed JSON."""
    places: list[tuple[Any, Any]] = []
    todo = [raw]
    while todo:
        part = todo.pop()
        for place, item in list(part.items() if isinstance(part, dict) else enumerate(part)):
            places.append((part, place))
            if isinstance(item, dict | list):
                todo.append(item)
    part, place = chance.choice(places)
    strange = copy.deepcopy(chance.choice(STRANGE))
    match chance.randrange(4):
        case 0:
            part[place] = strange
        case 1:
            del part[place]
        case 2:
            part[place] = [part[place], strange]
        case _ if isinstance(part, dict):
            part[chance.choice(STRANGE_KEYS)] = strange
        case _:
            part.insert(place, strange)


def garble(text: str, chance: Random) -> str:
    """Change a few characters of a text, or some places of what it says."""
    if chance.random() < 0.4:
        at = chance.randrange(len(text))
        new = "".join(chance.choices('{}[]",:0123456789-eE.\\u$truenl', k=chance.randrange(4)))
        return text[:at] + new + text[at + chance.randrange(4) :]
    raw = loads(text)
    for _ in range(chance.randint(1, 3)):
        mutate(raw, chance)
    return json.dumps(raw)


def unordered(raw: Any) -> str:
    """The JSON of a record, with what has no order sorted."""
    ends = {name: sorted(raw[name], key=json.dumps) for name in ("colours", "keyed")}
    return json.dumps({**raw, **ends}, sort_keys=True)


@settings(max_examples=200)
@given(RICH, st.integers())
def test_hostile_text_is_refused_or_a_value(rich: Rich, seed: int) -> None:
    """Of 5,000 garbled texts each is a typed error, or a record that is written exactly so (R18)."""
    text, chance = delta_text(rich, None), Random(seed)
    for _ in range(25):
        try:
            raw = loads(garble(text, chance))
            found = CODEC.decode_record("rich", raw, None)
        except DecodeError:
            continue
        assert unordered(raw) == unordered(loads(delta_text(found, None)))


def test_reading_imports_and_calls_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name in the text is never imported, evaluated, or looked up as an attribute (R18)."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("this must not happen")

    names = ["os.system", "antigravity", "__import__('os')", "../../etc/passwd", "builtins.eval", "tzdata.zoneinfo"]
    moment = "2024-01-01T00:00:00[{}]"
    with pytest.raises(DecodeError):  # the names of all zones are gathered once, from our own machine
        CODEC.decode(datetime, moment.format("x"))
    modules = set(sys.modules)
    for place in ((builtins, "eval"), (builtins, "exec"), (importlib, "import_module")):
        monkeypatch.setattr(*place, refuse)
    for name in names:
        for hint, raw in (
            (Outer.Colour, name),
            (Call | Point, {"$type": name}),
            (datetime, moment.format(name)),
            (Call, {name: 1}),
        ):
            with pytest.raises(DecodeError):
                CODEC.decode(hint, raw)
        with pytest.raises(DecodeError, match="no record is called"):
            CODEC.decode_record(name, {}, None)
    assert modules == set(sys.modules)


CALL = {"name": "a", "arguments": {}, "inner": []}


class Grade(IntEnum):
    A = 1


@pytest.mark.parametrize(
    ("hint", "raw", "message"),
    [
        # of another JSON type
        (str, 1, "$: found a JSON integer, expected str"),
        (int, "1", "$: found a JSON string, expected int"),
        (int, 1.0, "$: found a JSON number, expected int"),
        (bool, 1, "$: found a JSON integer, expected bool"),
        (float, float("nan"), "$: found a JSON number, expected float"),
        (None, False, "$: found a JSON boolean, expected None"),
        (str, [], "$: found a JSON array, expected str"),
        (bytes, [1], "$: found a JSON array, expected bytes"),
        (tuple[int, ...], "12", "$: found a JSON string, expected an array"),
        (frozenset[int], {"a": 1}, "$: found a JSON object, expected an array"),
        (str, b"", "$: found bytes, expected str"),
        # texts that have another spelling, or none
        (Decimal, "1_0", "$: '1_0' is not a decimal number"),
        (Decimal, " 1", "$: ' 1' is not a decimal number"),
        (Decimal, "NaN", "$: 'NaN' is not a decimal number"),
        (Decimal, "1e5", "$: '1e5' is not a decimal number"),
        (bytes, "AA=", "$: 'AA=' is not base64"),
        (bytes, "AB==", "$: 'AB==' is not base64"),
        (bytes, "é", "$: 'é' is not base64"),
        (datetime, "2024-01-01", "$: '2024-01-01' is not a date and time"),
        (datetime, "2024-01-01T00:00:00Z", "$: '2024-01-01T00:00:00Z' is not a date and time"),
        (datetime, "2024-13-01T00:00:00", "$: '2024-13-01T00:00:00' is not a date and time"),
        (datetime, "2024-01-01T00:00:00[Nowhere]", "$: '2024-01-01T00:00:00[Nowhere]' is not a date and time"),
        (timedelta, "1d86400.000000s", "$: '1d86400.000000s' is not a length of time"),
        (timedelta, "999999999999d0.000000s", "$: '999999999999d0.000000s' is not a length of time"),
        (UUID, UUID(int=1).hex, f"$: '{UUID(int=1).hex}' is not a UUID"),
        # enums and literals
        (Outer.Colour, "CRIMSON", "$: found 'CRIMSON', expected one of RED, BLUE"),
        (Outer.Colour, 1, "$: found 1, expected one of RED, BLUE"),
        (Outer.Colour, [], "$: found [], expected one of RED, BLUE"),
        (Grade, 1, "$: found 1, expected one of A"),
        (Mode, "READ|WRITE", "$: found 'READ|WRITE', expected one of READ, WRITE"),
        (Literal[1, "a"], True, "$: found True, expected Literal[1, 'a']"),
        (Literal[1, "a"], [], "$: found [], expected Literal[1, 'a']"),
        # classes
        (Call, {}, "$: name, arguments, inner missing"),
        (Call, {**CALL, "more": 1}, "$: more unknown; the keys are name, arguments, inner"),
        (Call, {**CALL, "inner": [CALL, {**CALL, "name": 1}]}, "$.inner[1].name: found a JSON integer, expected str"),
        (Call, {**CALL, "$type": "Call"}, "$: $type unknown; the keys are name, arguments, inner"),
        (Call | Point, CALL, "$['$type']: found None, expected one of Call, Point"),
        (Call | Point, {**CALL, "$type": "Wide"}, "$['$type']: found 'Wide', expected one of Call, Point"),
        (Call | Point, {**CALL, "$type": []}, "$['$type']: found [], expected one of Call, Point"),
        (Wide, {"_left": -1, "double": -2}, "$: Wide refuses it: '_left' must be >= 0: -1"),
        (tuple[Even, ...], [{"number": 1}], "$[0]: Even refuses it: 1 is odd"),
        # containers
        (tuple[int, str], [1], "$: found a JSON array, expected an array of 2"),
        (tuple[int, str], [1, 2], "$[1]: found a JSON integer, expected str"),
        (frozenset[int], [1, 1], "$[1]: stands there twice"),
        (frozenset[object], [{"a": 1}, {"a": 1}], "$[1]: stands there twice"),
        (Mapping[str, int], {"a b": "1"}, "$['a b']: found a JSON string, expected int"),
        (Mapping[int, int], {"1": 1}, "$: found a JSON object, expected an array"),
        (Mapping[int, int], [[1, 1], [True, 2]], "$[1]: stands there twice"),
        (Mapping[int, int], [[1]], "$[0]: found a JSON array, expected an array of 2"),
        (Trail[int], {"start": -1, "before": ZEROS, "items": []}, "$.start: no length of a trail"),
        (Trail[int], {"start": True, "before": ZEROS, "items": []}, "$.start: no length of a trail"),
        (Trail[int], {"start": 0, "before": "1" * 32, "items": []}, "$.before: no digest of a trail of that length"),
        (Trail[int], {"start": 1, "before": "x", "items": []}, "$.before: no digest of a trail of that length"),
        (Trail[int], {"start": 0, "before": ZEROS, "items": [1, "a"]}, "$.items[1]: found a JSON string, expected int"),
        (Trail[int], [], "$: found a JSON array, expected an object with start, before, items"),
        # frozen JSON
        (object, [float("inf")], "$: found a JSON number, expected frozen JSON"),
        (object, {1: 1}, "$: found a JSON integer, expected str"),
        (object, [b""], "$: found bytes, expected frozen JSON"),
        # unions
        (int | None, "1", "$: found a JSON string, expected int | None"),
        (int | tuple[int, ...], ["1"], "$[0]: found a JSON string, expected int"),
        # what no text is of
        (Fraction, "1/2", "$: Fraction has no exact text, so no text is read as one; use a frozen attrs class"),
        (Path, "a", "$: Path has no exact text, so no text is read as one; use a frozen attrs class"),
    ],
    ids=str,
)
def test_what_is_not_written_so_is_refused(hint: object, raw: object, message: str) -> None:
    """Nothing is converted, defaulted, left over or called by another name (R17, R18)."""
    with pytest.raises(DecodeError) as caught:
        Codec([]).decode(hint, raw)
    assert message == str(caught.value)


@pytest.mark.parametrize("codec", [Codec([]), Codec([Rich])], ids=["fresh", "warm"])
def test_a_class_is_not_read_as_its_base(codec: Codec) -> None:
    """An enum that is an int, or a class below one that was read before, has its own reader."""
    assert [1, "a"] == [codec.decode(int, 1), codec.decode(str, "a")]
    assert [Grade.A, Level.HIGH] == [codec.decode(Grade, "A"), codec.decode(Level, "HIGH")]
    assert [Box(1), Box("a")] == [codec.decode(Box[int], {"item": 1}), codec.decode(Box[str], {"item": "a"})]
    with pytest.raises(DecodeError):
        codec.decode(Box[int], {"item": "a"})


def test_a_record_that_does_not_continue_the_earlier_one() -> None:
    """The length and the digest of what came before are both held to."""
    codec = Codec([Talk])
    earlier = Talk("a", Trail.of("x"))
    raw = loads(delta_text(Talk("a", earlier.said.add("y")), earlier))

    assert Talk("a", Trail.of("x", "y")) == codec.decode_record("talk", raw, earlier)
    with pytest.raises(DecodeError, match=r"^\$\.said\.start: continues a trail of 1, and here are 2"):
        codec.decode_record("talk", raw, Talk("a", Trail.of("x", "y")))
    with pytest.raises(DecodeError, match=r"^\$\.said\.before: continues another trail"):
        codec.decode_record("talk", raw, Talk("a", Trail.of("z")))
    with pytest.raises(UsageError, match="Talk is no later Iteration"):
        codec.decode_record("talk", raw, Iteration(1))


def test_a_codec_is_closed() -> None:
    """It reads the records it was built over and what they lead to; two of one name are refused."""
    one = Codec([Rich, Talk])

    assert ({"rich", "talk"}, {Rich, Talk, Call, Point, Wide, Box}) == (set(one.records), set(one.classes))
    with pytest.raises(DecodeError, match="no record is called 'iteration'; there are rich, talk"):
        one.decode_record("iteration", {"number": 1}, None)
    with pytest.raises(DefinitionError, match="two records are called talk"):
        Codec([Talk, record(type("Talk", (Business,), {"__module__": __name__}))])


@pytest.mark.parametrize("hint", [defaultdict[str, int], deque[int], list[int], dict[str, int]], ids=str)
def test_what_would_come_back_different_is_no_field(hint: object) -> None:
    """A container that can change is refused when the record is defined, long before it is written (R17)."""
    held = type("Held", (Business,), {"__annotations__": {"value": hint}, "__module__": __name__})
    with pytest.raises(DefinitionError, match="mutable"):
        record(held)


def test_deep_nesting_is_refused() -> None:
    """Neither the parser nor a reader runs out of stack."""
    raw: object = 1
    for _ in range(100_000):
        raw = [raw]
    with pytest.raises(DecodeError, match="nested"):
        CODEC.decode(object, raw)
    call: dict[str, object] = dict(CALL)
    for _ in range(20_000):
        call = {**CALL, "inner": [call]}
    with pytest.raises(DecodeError, match="nested too deeply"):
        CODEC.decode(Call, call)
    while isinstance(raw, list):  # let go of it level by level
        raw = raw.pop()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "$: no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("{", "$: no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("1 2", "$: no JSON: Extra data: line 1 column 3 (char 2)"),
        ('{"a":1,"a":1}', "$.a: this key stands twice in its object"),
        ('[{"a":{"b c":1,"b c":2}}]', "$[0].a['b c']: this key stands twice in its object"),
        ('{"a":[NaN]}', "$.a[0]: NaN is no JSON"),
        ("-Infinity", "$: -Infinity is no JSON"),
        ("[1e999]", "$[0]: 1e999 is larger than any float"),
        (b'"\xff"', "$: no UTF-8: invalid start byte"),
        ('"\ud800"', "$: no UTF-8: a bare surrogate"),
        ("\ufeff1", "$: no JSON: Expecting value: line 1 column 1 (char 0)"),
        ('"\n"', "$: no JSON: Invalid control character at: line 1 column 2 (char 1)"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), f"$: nested deeper than {DEEPEST} levels"),
        ("[" * 1_000_000, f"$: nested deeper than {DEEPEST} levels"),
        ('{"a":' * 1_000_000, f"$: nested deeper than {DEEPEST} levels"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_json_is_read_strictly(text: str | bytes, message: str) -> None:
    """What two readers could understand differently is refused with its path (R18)."""
    with pytest.raises(DecodeError) as caught:
        loads(text)
    assert message == str(caught.value)


def test_json_that_is_sound_is_read() -> None:
    """Escaped surrogates are characters like any other; text and bytes read alike; depth up to the limit is fine."""
    assert ["\ud800", "😀", {"a": [1.5, None, -0.0]}] == loads('["\\ud800","\\ud83d\\ude00",{"a":[1.5,null,-0.0]}]')
    assert {"é": 1} == loads('{"é":1}'.encode()) == loads('{"é":1}')
    assert loads("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(DecodeError, match="6 characters are more than the 5"):
        loads("[1, 2]", longest=5)
    with pytest.raises(DecodeError, match="4300 digits"):
        loads("1" * 5000)


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    """No other error comes out of the parser (R18)."""
    with contextlib.suppress(DecodeError):
        loads(text)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_aliases_of_python_3_12() -> None:
    """A recursive ``type X = ...`` is written and read."""
    module: Any = ModuleType("aliases")
    exec("type Tree = int | tuple[Tree, ...]", module.__dict__)
    tree = (1, (2, ()))

    assert "[1,[2,[]]]" == writer(module.Tree)(tree)
    assert tree == CODEC.decode(module.Tree, [1, [2, []]])
    with pytest.raises(DecodeError, match=r"^\$\[0\]\[0\]: found a JSON string"):
        CODEC.decode(module.Tree, [["a"]])


def test_cattrs_is_imported_on_first_use() -> None:
    """A program that reads no log does not pay for the converter."""
    code = "import sys, agentfsm.codec as c; k = c.Codec([]); assert 'cattrs' not in sys.modules; k.decode(int, 1)"
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60, capture_output=True, text=True)

    assert (0, "") == (done.returncode, done.stderr)
