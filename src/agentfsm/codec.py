"""
The codec: from parsed JSON back to the values that `agentfsm.canonical` wrote.

What may come out is settled by annotations alone. A name in stored text chooses among the classes that a codec was
built over; it is never imported, evaluated or called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from agentfsm.annotations import bare, see_through
from agentfsm.errors import DecodeError, DefinitionError, UsageError
from agentfsm.forms import mark_of_item
from agentfsm.jsontext import loads, step
from agentfsm.parsed import Read, added, fill, keyed, under
from agentfsm.reading import READERS, lazily
from agentfsm.records import Record, name_of
from agentfsm.shapes import Fields, Foreign, Growing, Member, Plain, Text, reach, shape_of
from agentfsm.trail import Trail

if TYPE_CHECKING:
    from cattrs import Converter

__all__ = ("Codec", "loads")


class Codec:
    """
    Reads the values of a closed set of classes: *kinds*, and what their annotations lead to.

    Raises `DefinitionError` for two records of one name and for an annotation that cannot be resolved.
    """

    def __init__(self, kinds: Iterable[type]) -> None:
        given = tuple(dict.fromkeys(kinds))
        records: dict[str, type[Record]] = {}
        for kind in given:
            if issubclass(kind, Record) and records.setdefault(name_of(kind), kind) is not kind:
                raise DefinitionError(f"two records are called {name_of(kind)}; rename one of them")
        self._met: set[object] = set()
        self._decoders: dict[object, Read] = {}
        self._fields: dict[type[Record], Mapping[str, Read]] = {}
        self.records: Mapping[str, type[Record]] = MappingProxyType(records)
        self.classes = frozenset(shape.kind for shape in reach(*given).values() if isinstance(shape, Fields))

    def decode(self, hint: object, raw: object) -> object:
        """
        Return the value of *hint* that *raw*, parsed JSON, was written for; it shares nothing with *raw*.

        Raises `DecodeError` with the JSON path for anything that a value of *hint* is not written as.
        """
        try:
            read = self._decoders.get(hint)
            if read is None:  # what an annotation means is worked out once
                read = self._decoders[hint] = self._reader(bare(hint))
            return read(raw, hint)
        except RecursionError:
            raise DecodeError("nested too deeply") from None

    def decode_record(self, name: str, raw: object, earlier: Record | None) -> Record:
        """
        Return the record that `delta_text` was given, its trails joined to those of *earlier*.

        Without *earlier*, a trail of which *raw* has only the newest items comes back as a tail. Raises `DecodeError`
        for a name that is not in the codec, for what is no such record, and for what does not continue *earlier*.
        """
        if (kind := self.records.get(name)) is None:
            raise DecodeError(
                f"no record is called {name!r:.60}; there are {', '.join(sorted(self.records)) or 'none'}"
            )
        if earlier is not None and type(earlier) is not kind:
            raise UsageError(f"{kind.__name__} is no later {type(earlier).__name__}")
        fields = self._fields.get(kind) or self._fields.setdefault(kind, self._read_fields(kind))
        entry, values, field = keyed(raw, fields.keys()), dict[str, object](), ""
        try:
            for field, read in fields.items():
                values[field] = read(entry[field], getattr(earlier, field, None))
        except DecodeError as error:
            raise under(error, step(field)) from None
        except RecursionError:
            raise DecodeError("nested too deeply") from None
        return cast("Record", fill(kind, values))

    def _read_fields(self, kind: type[Record]) -> Mapping[str, Read]:
        """Return what reads each field of a record, given what the field was before."""
        hints = cast("Fields", shape_of(kind)).hints
        return {name: self._field(hint) for name, hint in hints.items()}

    def _field(self, hint: object) -> Read:
        shape, whole = shape_of(hint), self._reader(hint)
        if not isinstance(shape, Growing):
            return whole
        mark, item = mark_of_item(shape.item), self._reader(shape.item)

        def read(raw: object, earlier: object) -> object:
            if not isinstance(earlier, Trail):
                return whole(raw, hint)
            start, before, items = added(raw, item)
            if start != len(earlier):
                raise DecodeError(f"continues a trail of {start}, and here are {len(earlier)}", path="$.start")
            if before != earlier.digest(mark):
                raise DecodeError("continues another trail of that length", path="$.before")
            return earlier.extend(items)

        return read

    def _reader(self, hint: object) -> Read:
        # A class is given its own hook when it is first met: cattrs asks hooks of base classes before any factory,
        # and has lenient ones for str, int and others, so for whatever derives from them.
        if hint not in self._met:
            self._met.add(hint)
            if isinstance(shape_of(hint), Plain | Text | Member | Foreign) and see_through(hint) is hint:
                self._converter.register_structure_hook(hint, self._made(hint))
        read: Read = self._converter.get_structure_hook(cast("Any", hint))
        return read

    def _made(self, hint: object, *_: object) -> Read:
        seen, shape = see_through(hint), shape_of(hint)
        if seen is not hint:
            return lazily(lambda: self._reader(seen))  # an alias may name itself
        return READERS[type(shape)](shape, hint, self._reader)

    @cached_property
    def _converter(self) -> Converter:
        from cattrs import Converter  # imported on first use: most runs never read a log

        converter = Converter()
        converter.register_structure_hook_factory(lambda hint: True, self._made)
        return converter
