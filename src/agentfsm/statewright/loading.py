"""Loading: from a file to a definition, with file, line, JSON path and a suggestion for every fault."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from attrs import evolve, frozen

from agentfsm.errors import DefinitionError
from agentfsm.statewright.building import build
from agentfsm.statewright.definition import Definition
from agentfsm.statewright.fault import Fault, fault, suggestion
from agentfsm.statewright.json_places import Places, json_places
from agentfsm.statewright.parsing import parse
from agentfsm.statewright.plain import Json, canonical, is_object
from agentfsm.statewright.validator import verdicts

__all__ = ("Loaded", "load", "load_text")

_ENVELOPE = ("definition", "upstream_servers")


@frozen
class Loaded:
    """
    What a file holds: the definition, None when its shape is faulty, and every fault found, warnings among them.

    *upstream_servers* is the JSON text of that key of the envelope, None for a bare machine.
    """

    definition: Definition | None
    faults: tuple[Fault, ...]
    upstream_servers: str | None = None

    @property
    def errors(self) -> tuple[Fault, ...]:
        return tuple(each for each in self.faults if each.severity == "error")

    def sound(self) -> Definition:
        """Return the definition, or raise `DefinitionError` with every fault of its shape and structure."""
        faulty = [each for each in self.faults if each.refuses]
        DefinitionError.raise_any(each.finding() for each in faulty)
        assert self.definition is not None
        return self.definition


def load(path: str | Path, known_machines: Collection[str] | None = None) -> Loaded:
    """
    Read a machine from a `.json`, `.yaml` or `.yml` file, bare or in the envelope of a template.

    A file that cannot be read is a fault too, never an exception.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return Loaded(None, (Fault("unreadable", "$", f"{error}", file=str(file)),))
    return load_text(text, str(file), known_machines)


def load_text(text: str, file: str = "machine.json", known_machines: Collection[str] | None = None) -> Loaded:
    """Read a machine from *text*; the name *file* says which language it is in, and stands in the faults."""
    try:
        value, places = _read_yaml(text) if file.lower().endswith((".yaml", ".yml")) else _read_json(text)
    except _UnreadableError as error:
        return Loaded(None, (error.fault.at(file, error.fault.line),))
    loaded = _judge(value, known_machines)
    found = [fault for fault in loaded.faults if fault.severity == "error"]
    if not found and places is not None and not places.repeated:
        return _placed(loaded, file, places)
    return _placed(loaded, file, places or json_places(text))


def _placed(loaded: Loaded, file: str, places: Places) -> Loaded:
    twice = (Fault("duplicate_key", path, "the key stands here twice").at(file, line) for path, line in places.repeated)
    told = (each.at(file, places.line(each.path)) for each in loaded.faults)
    return evolve(loaded, faults=(*twice, *told))


class _UnreadableError(Exception):
    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.fault = Fault("syntax", "$", reason, line=line)


def _read_yaml(text: str) -> tuple[Json, Places]:
    # Imported here because JSON needs no yaml, which not everyone has installed.
    try:
        from agentfsm.statewright.yaml_places import read_yaml
        from agentfsm.yamltext import YamlError
    except ModuleNotFoundError as error:
        raise _UnreadableError("reading YAML needs the package pyyaml; install it, or write JSON", 1) from error
    try:
        value, places = read_yaml(text)
        canonical(value)
    except YamlError as error:
        raise _UnreadableError(error.reason, error.line) from error
    except ValueError as error:
        raise _UnreadableError(f"a number is out of range: {error}", 1) from error
    return value, places


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is no JSON number")


def _read_json(text: str) -> tuple[Json, Places | None]:
    """The value, and its places only where a key stands twice: otherwise nobody may ever ask for them."""
    repeated = False

    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        nonlocal repeated
        held = dict(items)
        repeated = repeated or len(held) < len(items)
        return held

    try:
        value: Json = json.loads(text, object_pairs_hook=pairs, parse_constant=_no_constant)
        canonical(value)
    except json.JSONDecodeError as error:
        raise _UnreadableError(error.msg, error.lineno) from error
    except ValueError as error:
        raise _UnreadableError(str(error), 1) from error
    except RecursionError as error:
        raise _UnreadableError("nested too deeply", 1) from error
    return value, json_places(text) if repeated else None


def _judge(value: Json, known_machines: Collection[str] | None) -> Loaded:
    if not is_object(value) or "definition" not in value or "states" in value:
        return _judge_bare(value, known_machines)
    inner = _judge_bare(value["definition"], known_machines)
    servers = value.get("upstream_servers")
    told = tuple(evolve(each, path="$.definition" + each.path[1:]) for each in inner.faults)
    return Loaded(inner.definition, (*_envelope(value), *told), canonical(servers))


def _envelope(value: Mapping[str, Json]) -> tuple[Fault, ...]:
    odd = [key for key in value if key not in _ENVELOPE]
    found = [fault("unknown_key", (key,), f"{key!r} is no key here{suggestion(key, _ENVELOPE)}") for key in odd]
    if not isinstance(value.get("upstream_servers", []), list):
        found.append(fault("wrong_type", ("upstream_servers",), "wants a list"))
    return tuple(found)


def _judge_bare(value: Json, known_machines: Collection[str] | None) -> Loaded:
    normal, faults = parse(value)
    if faults:
        return Loaded(None, faults)
    definition = build(normal)
    return Loaded(definition, verdicts(definition, known_machines))
