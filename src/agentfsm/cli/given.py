"""What a run is given on the command line: records as JSON, or one text for the one record that takes it."""

from __future__ import annotations

from typing import Any, cast

import attrs

from agentfsm.codec import Codec, loads
from agentfsm.errors import DecodeError, UsageError
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.records import Business, Metadata, Record, is_record, name_of
from agentfsm.shapes import Fields, shape_of

__all__ = ("from_json", "from_text", "refuse_missing")


def from_json(orchestrator: FSMOrchestrator[Any], text: str) -> tuple[Any, ...]:
    """
    Return the records that *text* holds: an object of records by name, each an object of its fields.

    Fields that have a default may be left out. Raises `UsageError` naming the place that is wrong.
    """
    machine = orchestrator.machine
    try:
        said = loads(text)
    except DecodeError as error:
        reason = error.reason.removeprefix("no JSON: ")
        is_meant = text.lstrip().startswith(("{", "["))
        way = "" if is_meant else "; give the JSON itself, or - to read it from standard input"
        raise UsageError(f"--input is no JSON: {reason}{way}") from error
    if not isinstance(said, dict):
        raise UsageError('--input is an object of records by name, such as {"bug": {"report": "..."}}')
    kinds = {name: kind for name, kind in machine.table.kinds.items() if issubclass(kind, Business | Metadata)}
    if unknown := [name for name in said if name not in kinds]:
        raise UsageError(f"--input names {unknown[0]!r}; this machine has {', '.join(sorted(kinds))}")
    return tuple(_record(machine.codec, kinds[name], fields) for name, fields in said.items())


def from_text(orchestrator: FSMOrchestrator[Any], text: str) -> tuple[Any, ...]:
    """
    Return the record that *text* makes: the one that the start state requires and that takes a single text.

    Raises `UsageError` where the start state requires another record, or more than one.
    """
    required = _required(orchestrator)
    fitting = [kind for kind in required if _text_field(kind) is not None]
    if len(required) != 1 or not fitting:
        names = ", ".join(sorted(map(name_of, required))) or "no record"
        start = orchestrator.machine.table.start.name
        raise UsageError(f"{start} requires {names}; one text does not make that: give --input JSON")
    return (cast("Any", fitting[0])(**{cast("str", _text_field(fitting[0])): text}),)


def refuse_missing(orchestrator: FSMOrchestrator[Any], given: tuple[Any, ...]) -> None:
    """Raise `UsageError` when a record that the start state requires is not among those *given*."""
    here = {type(record) for record in given}
    if missing := sorted(name_of(kind) for kind in _required(orchestrator) if kind not in here):
        start = orchestrator.machine.table.start.name
        raise UsageError(f"{start} requires {', '.join(missing)}, and a run is given it: a text, or --input JSON")


def _required(orchestrator: FSMOrchestrator[Any]) -> list[type[Record]]:
    """Return the Business records that the start state cannot do without."""
    table = orchestrator.machine.table
    return [kind for kind in table.rows[id(table.start)].reads.surely if issubclass(kind, Business) and is_record(kind)]


def _record(codec: Codec, kind: type[Record], said: object) -> Record:
    hints = cast("Fields", shape_of(kind)).hints
    name = name_of(kind)
    if not isinstance(said, dict):
        raise UsageError(f"--input: {name} is an object of {', '.join(hints) or 'no fields'}, not {said!r:.60}")
    if unknown := [field for field in said if field not in hints]:
        raise UsageError(f"--input: {name} has no field {unknown[0]!r}; it has {', '.join(hints) or 'none'}")
    if missing := [field for field in _needed(kind) if field not in said]:
        raise UsageError(f"--input: {name} lacks the field {missing[0]!r}")
    values = {field: _value(codec, hints[field], value, f"{name}.{field}") for field, value in said.items()}
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:  # what a validator of the record raises
        raise UsageError(f"--input: {name}: {error}") from error


def _value(codec: Codec, hint: object, said: object, place: str) -> object:
    try:
        return codec.decode(hint, said)
    except DecodeError as error:
        raise UsageError(f"--input: {place}{error.path.removeprefix('$')}: {error.reason}") from error


def _needed(kind: type[Record]) -> list[str]:
    return [field.name for field in attrs.fields(cast("Any", kind)) if field.default is attrs.NOTHING]


def _text_field(kind: type[Record]) -> str | None:
    needed = _needed(kind)
    hints = cast("Fields", shape_of(kind)).hints
    return needed[0] if len(needed) == 1 and hints[needed[0]] is str else None
