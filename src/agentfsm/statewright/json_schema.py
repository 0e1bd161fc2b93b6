"""The JSON Schema of a machine, generated from the table of shapes; `machine.schema.json` is its text."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from agentfsm.statewright.plain import Json
from agentfsm.statewright.schema import BRANCH, EDGE, FORKING, INVOKE, MACHINE, SHAPES, Field, Kind, Shape

__all__ = ("json_schema", "schema_text")


def json_schema() -> dict[str, Json]:
    """Return the schema (draft 2020-12). What it cannot say, such as references, the validator checks."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A machine",
        **_ref(MACHINE),
        "$defs": {**{_name(shape): _object(shape) for shape in SHAPES}, "transition": _transition()},
    }


def schema_text() -> str:
    """Return the schema as the text that ships."""
    return json.dumps(json_schema(), indent=2) + "\n"


def _name(shape: Shape) -> str:
    return shape.name.replace(" ", "_")


def _ref(shape: Shape) -> dict[str, Json]:
    return {"$ref": f"#/$defs/{_name(shape)}"}


def _transition() -> Json:
    branches: Json = {"type": "array", "items": _ref(BRANCH)}
    return {"anyOf": [{"type": "string"}, branches, *(_ref(shape) for shape in (EDGE, FORKING, INVOKE))]}


def _object(shape: Shape) -> Json:
    properties: dict[str, Json] = {}
    for name, field in shape.fields.items():
        properties[name] = _described(field)
        if field.alias:
            properties[field.alias] = _described(field)
    said: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": [name for name, field in shape.fields.items() if field.required],
        "additionalProperties": shape.open,
    }
    together = [name for name, field in shape.fields.items() if field.alias]
    if together:
        said["allOf"] = [{"not": {"required": [name, shape.fields[name].alias]}} for name in together]
    return said


def _described(field: Field) -> Json:
    schema = _KINDS[field.kind](field)
    if field.nullable and field.kind is not Kind.ANY:
        schema = {"anyOf": [schema, {"type": "null"}]}
    said: dict[str, Json] = {**schema, "description": field.acts}
    if field.default is not None:
        said["default"] = field.default
    return said


def _unsigned(bits: int) -> Callable[[Field], dict[str, Json]]:
    return lambda _: {"type": "integer", "minimum": 0, "maximum": 2**bits - 1}


def _inner(field: Field) -> dict[str, Json]:
    assert field.of is not None
    return _ref(field.of)


_KINDS: Mapping[Kind, Callable[[Field], dict[str, Json]]] = {
    Kind.TEXT: lambda _: {"type": "string"},
    Kind.TEXTS: lambda _: {"type": "array", "items": {"type": "string"}},
    Kind.CHOICE: lambda field: {"type": "string", "enum": [*field.words]},
    Kind.BOOLEAN: lambda _: {"type": "boolean"},
    Kind.UINT32: _unsigned(32),
    Kind.UINT64: _unsigned(64),
    Kind.ANY: lambda _: {},
    Kind.LIST: lambda _: {"type": "array"},
    Kind.TEXT_MAP: lambda _: {"type": "object", "additionalProperties": {"type": "string"}},
    Kind.OBJECT: _inner,
    Kind.MAP: lambda field: {"type": "object", "additionalProperties": _inner(field)},
    Kind.TRANSITIONS: lambda _: {"type": "object", "additionalProperties": {"$ref": "#/$defs/transition"}},
}
