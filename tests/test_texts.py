"""Values without a form in JSON have one exact text each."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.errors import DecodeError
from agentfsm.texts import TEXTS, read_text
from tests.rich import ZONES

VALUES: dict[type, st.SearchStrategy[Any]] = {
    bytes: st.binary(),
    Decimal: st.decimals(allow_nan=False, allow_infinity=False),
    datetime: st.datetimes(timezones=ZONES),
    date: st.dates(),
    time: st.times(timezones=ZONES),
    timedelta: st.timedeltas(),
    UUID: st.uuids(),
}


def test_every_kind_is_tried_here() -> None:
    """A form without a strategy would be a form without a test."""
    assert set(TEXTS) == set(VALUES)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_a_text_reads_back_as_its_value(kind: type, data: st.DataObject) -> None:
    """Equal, and the same to the last digit, zone and fold (R17)."""
    value = data.draw(VALUES[kind])
    text = TEXTS[kind].write(value)
    back: Any = read_text(kind, text)

    assert (value, repr(value)) == (back, repr(back))
    assert (getattr(value, "tzinfo", None), getattr(value, "fold", 0)) == (
        getattr(back, "tzinfo", None),
        getattr(back, "fold", 0),
    )


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@given(text=st.text(alphabet="0123456789:-+T.ZdseE[]/Berlin;fold= _", max_size=30))
def test_a_text_has_one_spelling(kind: type, text: str) -> None:
    """Whatever is read is written exactly so; everything else is a `DecodeError` (R18)."""
    try:
        value = read_text(kind, text)
    except DecodeError:
        return
    assert text == TEXTS[kind].write(value)


@pytest.mark.parametrize(
    "offset",
    [
        timedelta(microseconds=1),
        timedelta(microseconds=-1),
        timedelta(hours=23, minutes=59, seconds=59, microseconds=999_999),
        timedelta(hours=-23, minutes=-59),
        timedelta(0),
    ],
    ids=str,
)
def test_an_offset_of_any_size_is_read_back(offset: timedelta) -> None:
    """Offsets are exact to the microsecond, as Python admits them (R17)."""
    moment = datetime(2024, 1, 1, tzinfo=timezone(offset))
    back: Any = read_text(datetime, TEXTS[datetime].write(moment))

    assert (moment, offset) == (back, back.utcoffset())
