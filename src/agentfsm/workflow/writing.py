"""Writing a graph document from classes, and the JSON Schema of such documents."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from enum import Enum

from attrs import frozen

from agentfsm.errors import DefinitionError, Finding
from agentfsm.records import RecordSet
from agentfsm.workflow.checking import StageClass, declared, path_of
from agentfsm.workflow.document import MACHINE, RECOVERY, STAGE, Key

__all__ = ("Outline", "schema", "schema_text", "to_yaml")

# Words that YAML 1.1 does not take for text. We would; other readers of the file would not.
AMBIGUOUS = frozenset({"", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"})


@frozen
class Outline:
    """What a machine says besides its stages."""

    machine: str
    start: Enum
    final: frozenset[Enum]
    failed: Enum
    iterates: Enum | None = None


def to_yaml(stages: Iterable[StageClass], outline: Outline) -> str:
    """
    Return a graph document that `check` finds nothing wrong with; a stage that enters nothing is the recovery.

    Raises `DefinitionError` for a class that its path does not lead to, as one inside a function or a function
    stage's, and for two recoveries.
    """
    kinds = tuple(stages)
    recoveries = [kind for kind in kinds if kind.enters is None]
    found = [_no_path(kind) for kind in (*kinds, type(outline.start)) if not _is_found(kind)]
    if len(recoveries) > 1:
        found.append(Finding("bad_recovery", f"{len(recoveries)} stages enter nothing: one is the recovery"))
    DefinitionError.raise_any(found)
    return "".join(f"{line}\n" for line in _lines(kinds, outline))


def _is_found(kind: type) -> bool:
    """Tell whether the path of *kind* leads to it: not for a class inside a function, nor for a function stage's."""
    found: object = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind


def _no_path(kind: type) -> Finding:
    text = f"{path_of(kind)} leads nowhere: define {kind.__name__} as a class at the top of its module"
    return Finding("no_path", text, stage=kind.__name__)


def _lines(kinds: tuple[StageClass, ...], outline: Outline) -> Iterator[str]:
    yield f"machine: {_text(outline.machine)}"
    yield f"enum: {path_of(type(outline.start))}"
    yield f"start: {_text(outline.start.name)}"
    yield f"final: {_texts(sorted(state.name for state in outline.final))}"
    yield f"failed: {_text(outline.failed.name)}"
    if outline.iterates is not None:
        yield f"iterates: {_text(outline.iterates.name)}"
    yield "stages:"
    for kind in kinds:
        if kind.enters is not None:
            yield from _indented("  - ", _entry(kind))
    for kind in kinds:
        if kind.enters is None:
            yield "recovery:"
            yield from _indented("  ", _entry(kind))


def _entry(kind: StageClass) -> Iterator[str]:
    yield f"name: {_text(kind.__name__)}"
    if kind.enters is not None:
        yield f"enters: {_text(kind.enters.name)}"
    yield from _side("reads", kind.reads)
    yield from _side("writes", kind.writes)
    yield f"exits: {_texts(state.name for state in kind.exits)}"
    yield f"class: {path_of(kind)}"


def _side(key: str, records: RecordSet) -> Iterator[str]:
    if names := sorted(declared(records)):
        yield f"{key}: {_texts(names)}"


def _indented(first: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield (" " * len(first) if number else first) + line


def _texts(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    is_plain = text.isidentifier() and text.lower() not in AMBIGUOUS
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def schema() -> dict[str, object]:
    """Return the JSON Schema of graph documents, made from the keys that the loader knows."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "agentfsm graph document",
        **_object(MACHINE),
        "$defs": {"stage": _object(STAGE), "recovery": _object(RECOVERY)},
    }


def schema_text() -> str:
    """Return the schema as the file graph.schema.json holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _object(keys: tuple[Key, ...]) -> dict[str, object]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [key.name for key in keys if key.needed],
        "properties": {key.name: {"description": key.says, **_value(key)} for key in keys},
    }


def _value(key: Key) -> dict[str, object]:
    if key.kind == "recovery":
        return {"$ref": "#/$defs/recovery"}
    if key.kind == "stages":
        return {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/stage"}}
    text: dict[str, object] = {"type": "string", "pattern": f"^{key.pattern}$"}
    if key.kind == "text":
        return text
    return {"type": "array", "minItems": int(key.needed), "uniqueItems": True, "items": text}
