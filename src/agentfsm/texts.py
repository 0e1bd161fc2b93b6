"""Exact texts of values that JSON has no form for: bytes, numbers, times and ids. Each text has one value, and back."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any
from uuid import UUID

from attrs import frozen

from agentfsm.errors import DecodeError, EncodeError

__all__ = ("TEXTS", "Form", "read_text")


@frozen
class Form:
    """
    How the values of one class are written and read, and what the text is called.

    *write* raises `EncodeError`, *read* `ValueError` or `ArithmeticError`.
    """

    write: Callable[[Any], str]
    read: Callable[[str], object]
    name: str


def read_text(kind: type, text: str) -> object:
    """
    Return the value of class *kind* that *text* was written for.

    Raises `DecodeError` for any other text, also for one that means the same: every value has one text.
    """
    form = TEXTS[kind]
    try:
        value = form.read(text)
        if form.write(value) == text:
            return value
    except (ValueError, ArithmeticError, EncodeError):
        pass
    raise DecodeError(f"{text!r:.60} is not {form.name}")


def _write_decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise EncodeError(f"{value} is no finite number")
    return str(value)


def _write_bytes(value: bytes) -> str:
    return b64encode(value).decode("ascii")


def _read_bytes(text: str) -> bytes:
    return b64decode(text.encode("ascii"), validate=True)


def _read_decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError(text) from error


SPAN = re.compile(r"(-?\d{1,9})d(\d{1,5})\.(\d{6})s", re.ASCII)


def _write_span(value: timedelta) -> str:
    return f"{value.days}d{value.seconds}.{value.microseconds:06}s"


def _read_span(text: str) -> timedelta:
    if (found := SPAN.fullmatch(text)) is None:
        raise ValueError(text)
    days, seconds, microseconds = map(int, found.groups())
    return timedelta(days, seconds, microseconds)


# The wall time; then the offset, or the zone's key in brackets; then which of two equal wall times.
MOMENT = re.compile(r"([^\[;+]+?)([+-]\d\d:\d\d(?::\d\d(?:\.\d{6})?)?)?(?:\[([^\[\];]+)\])?(;fold=1)?", re.ASCII)
ZONE_KEY = re.compile(r"[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")


def _write_moment(value: datetime | time) -> str:
    text = value.replace(tzinfo=None).isoformat() + _write_zone(value.tzinfo)
    return f"{text};fold=1" if value.fold else text


def _write_zone(zone: tzinfo | None) -> str:
    if zone is None:
        return ""
    if type(zone) is timezone:
        plain = timezone(zone.utcoffset(None))
        if plain.tzname(None) != zone.tzname(None):
            raise EncodeError(f"the zone {zone} has a name of its own; use the bare offset or a ZoneInfo")
        return datetime(2000, 1, 1, tzinfo=plain).isoformat()[19:]
    from zoneinfo import ZoneInfo  # half of what importing this module would cost, and most programs have no zones

    if type(zone) is ZoneInfo and zone.key in _zone_keys() and ZoneInfo(zone.key) is zone:
        return f"[{zone.key}]"
    raise EncodeError(f"the zone {zone!r} cannot be found again by name; use datetime.timezone or ZoneInfo(key)")


def _read_zone(offset: str | None, key: str | None) -> tzinfo | None:
    if key is not None:
        from zoneinfo import ZoneInfo

        # A key that nobody lists is not looked for: the lookup would import a package of the name in the text.
        if offset is not None or ZONE_KEY.fullmatch(key) is None or key not in _zone_keys():
            raise ValueError(key)
        return ZoneInfo(key)
    return None if offset is None else timezone(_read_offset(offset))


def _read_offset(text: str) -> timedelta:
    # By hand: datetime.fromisoformat takes an offset of less than a second for none.
    hours, minutes, *seconds = text[1:].split(":")
    whole, _, parts = (seconds or ["0"])[0].partition(".")
    offset = timedelta(hours=int(hours), minutes=int(minutes), seconds=int(whole), microseconds=int(parts or "0"))
    return -offset if text[0] == "-" else offset


@cache
def _zone_keys() -> frozenset[str]:
    from zoneinfo import available_timezones

    return frozenset(available_timezones())


def _moment_reader(kind: type[datetime | time]) -> Callable[[str], object]:
    def read(text: str) -> object:
        if (found := MOMENT.fullmatch(text)) is None:
            raise ValueError(text)
        wall, offset, key, fold = found.groups()
        return kind.fromisoformat(wall).replace(tzinfo=_read_zone(offset, key), fold=1 if fold else 0)

    return read


TEXTS: Mapping[type, Form] = {
    bytes: Form(_write_bytes, _read_bytes, "base64"),
    Decimal: Form(_write_decimal, _read_decimal, "a decimal number"),
    datetime: Form(_write_moment, _moment_reader(datetime), "a date and time"),
    date: Form(date.isoformat, date.fromisoformat, "a date"),
    time: Form(_write_moment, _moment_reader(time), "a time of day"),
    timedelta: Form(_write_span, _read_span, "a length of time"),
    UUID: Form(str, UUID, "a UUID"),
}
