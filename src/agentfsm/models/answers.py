"""What a tool answered, in words for a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from enum import Enum

import attrs

__all__ = ("answer_text",)


def answer_text(answer: object) -> str:
    """Return a text as it is, and anything else as JSON: a frozen class as the object of its fields."""
    return answer if isinstance(answer, str) else json.dumps(_plain(answer), ensure_ascii=False)


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Enum):
        return value.name
    kind: type = type(value)
    if attrs.has(kind):
        return {f.name: _plain(getattr(value, f.name)) for f in attrs.fields(kind)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted((_plain(item) for item in value), key=repr)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value)
