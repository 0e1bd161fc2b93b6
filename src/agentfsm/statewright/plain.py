"""Plain JSON: its one spelling, its digest, equality by value, and how a place in it is written."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeGuard

__all__ = ("Json", "Part", "canonical", "digest", "equal", "is_number", "is_object", "path_to", "plain", "same_key")

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Part: TypeAlias = str | int

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def canonical(value: Json) -> str:
    """
    Return the one spelling of *value*: sorted keys, no spaces, ASCII only.

    Raises `ValueError` for NaN and infinities, and `TypeError` for what is no JSON.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)


def plain(text: str) -> Json:
    """Read back what `canonical` wrote; every call gives a fresh value."""
    value: Json = json.loads(text)
    return value


def digest(*values: Json) -> str:
    """Return the SHA-256 of *values* in their one spelling, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(values).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether *value* is a JSON number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_object(value: object) -> TypeGuard[Mapping[str, Json]]:
    """Whether *value* is a JSON object."""
    return isinstance(value, Mapping)


def equal(a: Json, b: Json) -> bool:
    """Whether two values are equal: numbers by value at any depth, true never 1, keys without order, lists in order."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_object(a) and is_object(b):
        return a.keys() == b.keys() and all(equal(value, b[key]) for key, value in a.items())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if is_number(a) != is_number(b) or isinstance(a, str) != isinstance(b, str):
        return False
    return a == b


def path_to(*parts: Part) -> str:
    """Return a JSON path: `$`, then `.name`, `["any other name"]` or `[index]` for each of *parts*."""
    return "$" + "".join(map(_step, parts))


def _step(part: Part) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if _IDENTIFIER.match(part) else f"[{json.dumps(part, ensure_ascii=False)}]"


def same_key(name: str) -> str:
    """Fold ASCII letters only; a non-ASCII letter equals nothing but itself."""
    return name.lower() if name.isascii() else "".join(c.lower() if c.isascii() else c for c in name)
