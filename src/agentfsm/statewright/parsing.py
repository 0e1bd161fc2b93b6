"""Parsing: plain JSON against the table of shapes, every fault at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from agentfsm.statewright.fault import Fault, fault, ordered, suggestion
from agentfsm.statewright.plain import Json, Part, is_object
from agentfsm.statewright.schema import BRANCH, EDGE, FORKING, GUARD, INVOKE, MACHINE, Field, Kind, Shape

__all__ = ("parse", "parse_guard")

Place: TypeAlias = tuple[Part, ...]
Faults: TypeAlias = list[Fault]

_SPOKEN = {dict: "an object", list: "a list", str: "text", bool: "a boolean", int: "a number", float: "a number"}


def parse(value: Json) -> tuple[Mapping[str, Json], tuple[Fault, ...]]:
    """
    Return the definition with its aliases and defaults in place, and every fault of its shape.

    With a fault the first of the two is not to be used.
    """
    faults: Faults = []
    normal = _object(value, MACHINE, (), faults)
    return normal, ordered(faults)


def parse_guard(value: Json) -> tuple[Mapping[str, Json], tuple[Fault, ...]]:
    """Return one guard and every fault of its shape, with paths from the guard itself."""
    faults: Faults = []
    normal = _object(value, GUARD, (), faults)
    return normal, ordered(faults)


def _spoken(value: Json) -> str:
    return "null" if value is None else _SPOKEN.get(type(value), type(value).__name__)


def _wrong_type(value: Json, wanted: str, at: Place, faults: Faults) -> None:
    faults.append(fault("wrong_type", at, f"wants {wanted}, found {_spoken(value)}"))


def _object(value: Json, shape: Shape, at: Place, faults: Faults) -> dict[str, Json]:
    if not is_object(value):
        _wrong_type(value, f"an object ({shape.name})", at, faults)
        return {}
    aliases = {field.alias: name for name, field in shape.fields.items() if field.alias}
    normal: dict[str, Json] = {}
    for key, inner in value.items():
        name = aliases.get(key, key)
        if name in shape.fields:
            if name != key and name in value:
                faults.append(fault("conflicting_keys", (*at, name), f"{key!r} is another name of {name!r}; keep one"))
            if inner is not None or not shape.fields[name].nullable:
                normal[name] = _field(inner, shape.fields[name], (*at, key), faults)
        elif shape.open:
            normal[key] = inner
        else:
            known = (*shape.fields, *aliases)
            faults.append(
                fault("unknown_key", (*at, key), f"{key!r} is no key of a {shape.name}{suggestion(key, known)}")
            )
    _complete(value, normal, shape, at, faults)
    return normal


def _complete(value: Mapping[str, Json], normal: dict[str, Json], shape: Shape, at: Place, faults: Faults) -> None:
    """Fill in defaults and tell what is missing."""
    for name, field in shape.fields.items():
        if field.required and name not in value:
            faults.append(fault("missing_key", (*at, name), f"a {shape.name} needs {name!r} ({field.kind.value})"))
        if field.default is not None:
            normal.setdefault(name, field.default)


def _field(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    return _READERS[field.kind](value, field, at, faults)


def _any(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    return value


def _text(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not isinstance(value, str):
        _wrong_type(value, "text", at, faults)
    return value


def _list(value: Json, field: Field, at: Place, faults: Faults) -> list[Json]:
    if isinstance(value, list):
        return value
    _wrong_type(value, "a list", at, faults)
    return []


def _texts(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    return [_text(item, field, (*at, index), faults) for index, item in enumerate(_list(value, field, at, faults))]


def _choice(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not isinstance(value, str):
        _wrong_type(value, "text", at, faults)
    elif value not in field.words:
        faults.append(fault("wrong_value", at, f"{value!r} is none of {', '.join(field.words)}"))
    return value


def _boolean(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not isinstance(value, bool):
        _wrong_type(value, "true or false", at, faults)
    return value


def _unsigned(bits: int) -> Callable[[Json, Field, Place, Faults], Json]:
    def read(value: Json, field: Field, at: Place, faults: Faults) -> Json:
        if not isinstance(value, int) or isinstance(value, bool):
            _wrong_type(value, "an integer", at, faults)
        elif not 0 <= value < 2**bits:
            faults.append(fault("wrong_value", at, f"{value} is not between 0 and 2^{bits} - 1"))
        return value

    return read


def _text_map(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not is_object(value):
        _wrong_type(value, "an object of texts", at, faults)
        return {}
    return {key: _text(inner, field, (*at, key), faults) for key, inner in value.items()}


def _inner(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    assert field.of is not None
    return _object(value, field.of, at, faults)


def _map(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not is_object(value):
        _wrong_type(value, "an object", at, faults)
        return {}
    return {key: _inner(inner, field, (*at, key), faults) for key, inner in value.items()}


def _transitions(value: Json, field: Field, at: Place, faults: Faults) -> Json:
    if not is_object(value):
        _wrong_type(value, "an object of transitions", at, faults)
        return {}
    return {event: _transition(inner, (*at, event), faults) for event, inner in value.items()}


_BY_KEY = {"target": EDGE, "fork": FORKING, "invoke": INVOKE}


def _conflicting(value: Json, at: Place, faults: Faults) -> bool:
    """Tell of an object of two shapes; nothing else is told about it."""
    found = [key for key in _BY_KEY if is_object(value) and key in value]
    if len(found) < 2:
        return False
    faults.append(fault("conflicting_keys", at, f"{' and '.join(found)} are different shapes; keep one of them"))
    return True


def _transition(value: Json, at: Place, faults: Faults) -> Json:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_branch(item, (*at, index), faults) for index, item in enumerate(value)]
    if _conflicting(value, at, faults):
        return {}
    shape = next((shape for key, shape in _BY_KEY.items() if is_object(value) and key in value), None)
    if shape is None:
        faults.append(
            fault("wrong_shape", at, "a transition is a state's name, a list of branches, or an object with "
                  "target, fork or invoke")
        )  # fmt: skip
        return {}
    return _object(value, shape, at, faults)


def _branch(value: Json, at: Place, faults: Faults) -> Json:
    return {} if _conflicting(value, at, faults) else _object(value, BRANCH, at, faults)


_READERS: Mapping[Kind, Callable[[Json, Field, Place, Faults], Json]] = {
    Kind.TEXT: _text,
    Kind.TEXTS: _texts,
    Kind.CHOICE: _choice,
    Kind.BOOLEAN: _boolean,
    Kind.UINT32: _unsigned(32),
    Kind.UINT64: _unsigned(64),
    Kind.ANY: _any,
    Kind.LIST: _list,
    Kind.TEXT_MAP: _text_map,
    Kind.OBJECT: _inner,
    Kind.MAP: _map,
    Kind.TRANSITIONS: _transitions,
}
