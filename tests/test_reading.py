"""What is not written so is refused, with what was found, what is expected, and where."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Literal
from uuid import UUID

import pytest
from attrs import field, frozen

from agentfsm.codec import Codec
from agentfsm.errors import DecodeError
from agentfsm.trail import Trail
from tests.rich import Box, Call, Level, Mode, Outer, Point, Rich, Wide

ZEROS = "0" * 32


@frozen
class Even:
    number: int = field()

    @number.validator
    def _even(self, attribute: object, value: int) -> None:
        if value % 2:
            raise ValueError(f"{value} is odd")


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
