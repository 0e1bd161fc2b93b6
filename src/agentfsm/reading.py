"""
The readers: for each shape, from its JSON form back to the value, strictly.

Nothing is converted, defaulted or left over: a value of another JSON type, a missing key and an unknown key are
`DecodeError` with the path. Instances are filled field by field, without `__init__`; attrs validators then run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from json import loads as parse
from math import isfinite
from typing import Any, TypeAlias

from agentfsm.annotations import said
from agentfsm.errors import DecodeError
from agentfsm.forms import TYPE, literal_text, text_of
from agentfsm.frozen import FrozenMap
from agentfsm.jsontext import step
from agentfsm.parsed import NAMES, Read, added, expected, fill, found, items_of, keyed, under
from agentfsm.shapes import (
    Bag,
    Either,
    Fields,
    Fixed,
    Foreign,
    Growing,
    Json,
    Many,
    Member,
    OneOf,
    Plain,
    Shape,
    Table,
    Text,
    shape_of,
)
from agentfsm.texts import read_text
from agentfsm.trail import Trail
from agentfsm.unions import JSON_NAMES, claims, is_text, tagged
from agentfsm.values import ALSO, DEPTH, TOO_DEEP

__all__ = ("READERS", "ReaderOf", "lazily")

ReaderOf: TypeAlias = Callable[[object], Read]


def lazily(make: Callable[[], Read]) -> Read:
    """Return a reader that is made when it is first used: types may be recursive."""
    made: list[Read] = []

    def read(raw: object, hint: object) -> object:
        if not made:
            made.append(make())
        return made[0](raw, hint)

    return read


def _plain(shape: Plain, hint: object, reader_of: ReaderOf) -> Read:
    kinds = frozenset({shape.kind, *ALSO.get(shape.kind, ())})

    def read(raw: object, _: object) -> object:
        if type(raw) not in kinds or (type(raw) is float and not isfinite(raw)):
            expected(raw, hint)
        return raw

    return read


def _text(shape: Text, hint: object, reader_of: ReaderOf) -> Read:
    def read(raw: object, _: object) -> object:
        return read_text(shape.kind, raw) if type(raw) is str else expected(raw, hint)

    return read


def _member(shape: Member, hint: object, reader_of: ReaderOf) -> Read:
    members = {member.name: member for member in shape.kind.__members__.values()}

    def read(raw: object, _: object) -> object:
        if type(raw) is not str or raw not in members:
            raise DecodeError(f"found {raw!r:.60}, expected one of {', '.join(members)}")
        return members[raw]

    return read


def _one_of(shape: OneOf, hint: object, reader_of: ReaderOf) -> Read:
    texts = [(parse(literal_text(value)), value) for value in shape.values]
    values = {(type(raw), raw): value for raw, value in texts}

    def read(raw: object, _: object) -> object:
        if type(raw) not in JSON_NAMES or (type(raw), raw) not in values:
            raise DecodeError(f"found {raw!r:.60}, expected {said(hint)}")
        return values[type(raw), raw]

    return read


def _either(shape: Either, hint: object, reader_of: ReaderOf) -> Read:
    likely: dict[str, list[Read]] = {}
    for option in shape.options:
        if tagged(shape.options) and isinstance(shape_of(option), Fields):
            continue
        for name in sorted({name for name, _ in claims(option)}):
            likely.setdefault(name, []).append(reader_of(option))
    if tagged(shape.options):
        likely["object"] = [_tagged(shape, reader_of)]

    def read(raw: object, _: object) -> object:
        refused: DecodeError | None = None
        for reader in likely.get(NAMES.get(type(raw), ""), ()):
            try:
                return reader(raw, None)
            except DecodeError as error:
                refused = error
        raise refused or DecodeError(f"found {found(raw)}, expected {said(hint)}")

    return read


def _tagged(shape: Either, reader_of: ReaderOf) -> Read:
    classes = [(option, shape_of(option)) for option in shape.options]
    readers = {member.kind.__name__: reader_of(option) for option, member in classes if isinstance(member, Fields)}

    def read(raw: Any, _: object) -> object:
        name = raw.get(TYPE)
        if type(name) is not str or name not in readers:
            raise DecodeError(f"found {name!r:.60}, expected one of {', '.join(readers)}", path=f"${step(TYPE)}")
        return readers[name]({key: value for key, value in raw.items() if key != TYPE}, None)

    return read


def _many(shape: Many, hint: object, reader_of: ReaderOf) -> Read:
    reader = reader_of(shape.item)
    return lambda raw, _: items_of(raw, reader)


def _fixed(shape: Fixed, hint: object, reader_of: ReaderOf) -> Read:
    readers = [reader_of(item) for item in shape.items]

    def read(raw: object, _: object) -> object:
        if not isinstance(raw, list) or len(raw) != len(readers):
            raise DecodeError(f"found {found(raw)}, expected an array of {len(readers)}")
        places = iter(readers)
        return items_of(raw, lambda item, _: next(places)(item, None))

    return read


def _bag(shape: Bag, hint: object, reader_of: ReaderOf) -> Read:
    reader = reader_of(shape.item)

    def read(raw: object, _: object) -> object:
        items = items_of(raw, reader)
        return frozenset(_distinct(items))

    return read


def _distinct(items: tuple[object, ...]) -> Iterator[object]:
    seen: set[object] = set()
    for place, item in enumerate(items):
        try:
            if item in seen:
                raise DecodeError("stands there twice", path=f"$[{place}]")
            seen.add(item)
        except TypeError as error:
            raise DecodeError(f"cannot be in a set or a key: {error}", path=f"$[{place}]") from None
    return iter(items)


def _table(shape: Table, hint: object, reader_of: ReaderOf) -> Read:
    key_reader, value_reader = reader_of(shape.key), reader_of(shape.value)
    pair = _fixed(Fixed((shape.key, shape.value)), hint, reader_of)

    def read_pairs(raw: object, _: object) -> object:
        pairs: Any = items_of(raw, pair)
        _distinct(tuple(key for key, _ in pairs))
        return FrozenMap(pairs)

    def read(raw: object, _: object) -> object:
        if not isinstance(raw, dict):
            expected(raw, hint)
        key, items = "", {}
        try:
            for key, value in raw.items():
                items[key_reader(key, None)] = value_reader(value, None)
        except DecodeError as error:
            raise under(error, step(key)) from None
        return FrozenMap(items)

    return read if is_text(shape.key) else read_pairs


def _trail(shape: Growing, hint: object, reader_of: ReaderOf) -> Read:
    reader = reader_of(shape.item)

    def read(raw: object, _: object) -> object:
        start, before, items = added(raw, reader)
        return Trail.tail(start, before, items)

    return read


def _fields(shape: Fields, hint: object, reader_of: ReaderOf) -> Read:
    def make() -> Read:
        readers = {name: reader_of(field) for name, field in shape.hints.items()}

        def read(raw: object, _: object) -> object:
            entry, name, values = keyed(raw, readers.keys()), "", {}
            try:
                for name, reader in readers.items():
                    values[name] = reader(entry[name], None)
            except DecodeError as error:
                raise under(error, step(name)) from None
            return fill(shape.kind, values)

        return read

    text_of(hint)  # refuses a class that cannot be rebuilt
    return lazily(make)


def _json(shape: Json, hint: object, reader_of: ReaderOf) -> Read:
    return lambda raw, _: _frozen(raw, DEPTH)


def _frozen(raw: object, depth: int) -> object:
    if not depth and isinstance(raw, list | dict):
        raise DecodeError(TOO_DEEP)
    if isinstance(raw, list):
        return tuple([_frozen(item, depth - 1) for item in raw])
    if isinstance(raw, dict):
        return FrozenMap({_key(key): _frozen(value, depth - 1) for key, value in raw.items()})
    if type(raw) not in JSON_NAMES or (type(raw) is float and not isfinite(raw)):
        expected(raw, object)
    return raw


def _key(key: object) -> str:
    return key if isinstance(key, str) else expected(key, str)


def _foreign(shape: Foreign, hint: object, reader_of: ReaderOf) -> Read:
    raise DecodeError(f"{shape.kind.__name__} has no exact text, so no text is read as one; use a frozen attrs class")


READERS: Mapping[type[Shape], Callable[[Any, object, ReaderOf], Read]] = {
    Plain: _plain,
    Text: _text,
    Member: _member,
    OneOf: _one_of,
    Either: _either,
    Many: _many,
    Fixed: _fixed,
    Bag: _bag,
    Table: _table,
    Growing: _trail,
    Fields: _fields,
    Json: _json,
    Foreign: _foreign,
}
