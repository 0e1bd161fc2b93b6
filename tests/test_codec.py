"""What was written is read back equal; what was not written by us is refused, by type and path."""

from __future__ import annotations

import builtins
import copy
import dataclasses
import importlib
import json
import subprocess
import sys
from collections import defaultdict, deque
from datetime import datetime, time
from random import Random
from types import ModuleType
from typing import Any, TypeVar

import attrs
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.canonical import delta_text, record_text, writer
from agentfsm.codec import Codec, loads
from agentfsm.errors import DecodeError, DefinitionError, UsageError
from agentfsm.frozen import FrozenMap
from agentfsm.records import Business, record
from agentfsm.state import Iteration
from agentfsm.trail import Trail
from tests.rich import ITEMS, RICH, Box, Call, Outer, Point, Rich, Wide

T = TypeVar("T")
CODEC = Codec([Rich])
ZEROS = "0" * 32


@record
class Talk(Business):
    topic: str
    said: Trail[str] = Trail()


@frozen(cache_hash=True)
class Remembering:
    text: str


@frozen(cache_hash=True, slots=False)
class WideRemembering:
    text: str


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
    kind: Any = type(left)
    if attrs.has(kind):
        names: list[str] = [each.name for each in attrs.fields(kind)]
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
    grown: Any = copy.copy(rich)
    object.__setattr__(grown, "steps", rich.steps.extend(more))
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


STRANGE: list[Any] = [
    None,
    True,
    -1,
    1.5,
    1e308,
    "",
    "os.system",
    "__import__",
    "RED",
    "$type",
    [],
    {},
    [[]],
    {"$type": "Path"},
]
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


@pytest.mark.parametrize("kind", [Remembering, WideRemembering], ids=lambda kind: kind.__name__)
def test_a_class_that_remembers_its_hash(kind: Any) -> None:
    """What `__init__` sets up beside the fields is there as well."""
    back = CODEC.decode(kind, {"text": "a"})

    assert hash(kind("a")) == hash(back)


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
    call: dict[str, object] = {"name": "a", "arguments": {}, "inner": []}
    for _ in range(20_000):
        call = {**call, "inner": [call]}
    with pytest.raises(DecodeError, match="nested too deeply"):
        CODEC.decode(Call, call)
    while isinstance(raw, list):  # let go of it level by level
        raw = raw.pop()


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
