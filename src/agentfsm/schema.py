"""
JSON Schema of tools and other frozen classes, from their annotations and docstrings.

It says exactly what the codec reads: an enum by the names of its members, a class as an object without further keys.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, get_args, get_origin
from uuid import UUID

import attrs
from attrs import define, field

from agentfsm.annotations import said
from agentfsm.canonical import writer
from agentfsm.errors import DefinitionError
from agentfsm.frozen import FrozenMap, freeze
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
    Table,
    Text,
    shape_of,
)
from agentfsm.unions import JSON_NAMES, is_text, tagged

__all__ = ("description_of", "schema_of")

FORMATS: Mapping[type, str] = {date: "date", datetime: "date-time", UUID: "uuid"}
FACTORY: type = type(attrs.Factory(tuple))  # in the stubs it is a function
# ``path: the file to read`` in a docstring says what the field `path` is.
FIELD_LINE = re.compile(r"^\s*[*`]{0,2}(\w+)[*`]{0,2}\s*:\s+(.+)$")


def schema_of(kind: type[Any]) -> Mapping[str, object]:
    """
    Return the JSON Schema of the object that *kind*, a tool or another frozen class, is built from.

    A field without a default is required, one with a default says which, and no other key is admitted. Raises
    `DefinitionError` naming class and field for an annotation that JSON Schema cannot say.
    """
    writing = _Writing(kind)
    schema = writing.object_of(kind)
    if writing.classes:
        schema["$defs"] = {name: writing.done[name] for name in sorted(writing.done)}
    return FrozenMap({key: freeze(value) for key, value in schema.items()})


def description_of(kind: type) -> str:
    """Return the docstring of a class without the lines that describe its fields; "" where it has none of its own."""
    doc = inspect.cleandoc(kind.__dict__.get("__doc__") or "")
    names = {f.name for f in attrs.fields(kind)} if attrs.has(kind) else set[str]()
    lines = [line for line in doc.splitlines() if not _describes(line, names)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


@define
class _Writing:
    """One schema while it is written: the classes met on the way, by name."""

    root: type
    where: str = ""
    classes: dict[str, object] = field(factory=dict[str, object])
    done: dict[str, object] = field(factory=dict[str, object])

    def object_of(self, hint: Any, tag: str = "") -> dict[str, object]:
        """Return the schema of a class as an object."""
        shape = shape_of(hint)
        if not isinstance(shape, Fields):
            raise DefinitionError(f"{said(hint)} is no class with fields")
        told, defaults = _told(shape.kind), _defaults(shape.kind)
        properties: dict[str, object] = {"$type": {"const": tag}} if tag else {}
        for name, kind in shape.hints.items():
            self.where = f"{shape.kind.__name__}.{name}"
            schema = self.of(kind)
            if name in told:
                schema["description"] = told[name]
            for default in defaults.get(name, ()):
                schema["default"] = json.loads(writer(kind)(default))
            properties[name] = schema
        required = [name for name in properties if name not in defaults]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def of(self, hint: object) -> dict[str, object]:
        """Return the schema of what *hint* admits."""
        shape = shape_of(hint)
        if isinstance(shape, Growing | Foreign):
            raise DefinitionError(f"{self.where}: JSON Schema cannot say {said(hint)}; use a frozen class or a tuple")
        return SAYS[type(shape)](self, shape)

    def reference(self, shape: Fields, tag: bool = False) -> dict[str, object]:
        """Return a reference to the schema of a class, written once however often it is met."""
        name = f"{shape.kind.__name__}:tagged" if tag else shape.kind.__name__
        known = self.classes.setdefault(name, shape)
        if known != shape:
            raise DefinitionError(f"{self.where}: two classes are called {shape.kind.__name__}; rename one of them")
        if name not in self.done:
            self.done[name] = {}  # it may lead to itself
            here = self.where
            self.done[name] = self.object_of(shape.kind, shape.kind.__name__ if tag else "")
            self.where = here
        return {"$ref": f"#/$defs/{name}"}


def _plain(writing: _Writing, shape: Plain) -> dict[str, object]:
    return {"type": JSON_NAMES[shape.kind]}


def _text(writing: _Writing, shape: Text) -> dict[str, object]:
    if shape.kind is bytes:
        return {"type": "string", "contentEncoding": "base64"}
    return {"type": "string", **({"format": FORMATS[shape.kind]} if shape.kind in FORMATS else {})}


def _member(writing: _Writing, shape: Member) -> dict[str, object]:
    return {"enum": list(shape.kind.__members__)}


def _one_of(writing: _Writing, shape: OneOf) -> dict[str, object]:
    return {"enum": [value.name if isinstance(value, Enum) else value for value in shape.values]}


def _either(writing: _Writing, shape: Either) -> dict[str, object]:
    tag = tagged(shape.options)
    options: list[object] = []
    for option in shape.options:
        member = shape_of(option)
        options.append(writing.reference(member, tag) if isinstance(member, Fields) else writing.of(option))
    return {"anyOf": options}


def _many(writing: _Writing, shape: Many) -> dict[str, object]:
    return {"type": "array", "items": writing.of(shape.item)}


def _bag(writing: _Writing, shape: Bag) -> dict[str, object]:
    return {"type": "array", "items": writing.of(shape.item), "uniqueItems": True}


def _fixed(writing: _Writing, shape: Fixed) -> dict[str, object]:
    size = len(shape.items)
    items = [writing.of(item) for item in shape.items]
    return {"type": "array", "prefixItems": items, "items": False, "minItems": size, "maxItems": size}


def _table(writing: _Writing, shape: Table) -> dict[str, object]:
    if not is_text(shape.key):
        return _many(writing, Many(tuple[shape.key, shape.value]))  # type: ignore[name-defined]  # annotations at run time
    return {"type": "object", "additionalProperties": writing.of(shape.value)}


def _json(writing: _Writing, shape: Json) -> dict[str, object]:
    return {}


SAYS: Mapping[type, Callable[[_Writing, Any], dict[str, object]]] = {
    Plain: _plain,
    Text: _text,
    Member: _member,
    OneOf: _one_of,
    Either: _either,
    Many: _many,
    Bag: _bag,
    Fixed: _fixed,
    Table: _table,
    Json: _json,
    Fields: _Writing.reference,
}


def _told(kind: type) -> Mapping[str, str]:
    """Return what is said about each field: in its `Annotated`, or else in a line of the docstring."""
    names = {f.name for f in attrs.fields(kind)} if attrs.has(kind) else set(inspect.get_annotations(kind))
    doc = inspect.cleandoc(kind.__dict__.get("__doc__") or "")
    found = {name: text for line in doc.splitlines() for name, text in _described(line, names)}
    hints = {**inspect.get_annotations(kind), **getattr(kind, "field_types", {})}
    for name, hint in hints.items():
        if get_origin(hint) is Annotated and (texts := [each for each in get_args(hint)[1:] if isinstance(each, str)]):
            found[name] = texts[0]
    return found


def _describes(line: str, names: set[str]) -> bool:
    return any(True for _ in _described(line, names))


def _described(line: str, names: set[str]) -> Iterator[tuple[str, str]]:
    found = FIELD_LINE.match(line)
    if found is not None and found[1] in names:
        yield found[1], found[2].strip()


def _defaults(kind: Any) -> Mapping[str, tuple[object, ...]]:
    """Return the default of each field that has one; an empty tuple where it depends on the other fields."""
    if not attrs.has(kind):
        return {}
    found: dict[str, tuple[object, ...]] = {}
    for each in attrs.fields(kind):
        default: Any = each.default
        made: type = type(default)
        if made is FACTORY:
            found[each.name] = () if default.takes_self else (default.factory(),)
        elif default is not attrs.NOTHING:
            found[each.name] = (default,)
    return found
