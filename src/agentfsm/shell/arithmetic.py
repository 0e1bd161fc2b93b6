"""Arithmetic as text: the names that it reads and changes (bash manual, Shell Arithmetic)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentfsm.shell.state import Choice, Value

__all__ = ("changed", "expressions", "identifiers", "substitutes")

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CHANGED = re.compile(
    (
        r"(?<!\w)([A-Za-z_]\w*+)[ \t]*+(?:\[[^\]\[]*+\])?+[ \t]*+(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|"
        r"--)|(?:\+\+|--)[ \t]*+([A-Za-z_]\w*+)"
    ),
    re.ASCII,
)
_SUBSTITUTING = re.compile(r"\$[({A-Za-z_\[]|`")


def substitutes(text: str) -> bool:
    """Whether *text* holds what bash expands before it calculates."""
    return _SUBSTITUTING.search(text) is not None


def changed(text: str) -> Iterator[str]:
    """Return the names that *text* gives a value."""
    return (match.group(1) or match.group(2) for match in _CHANGED.finditer(text))


def identifiers(text: str) -> set[str]:
    """Return the names in *text*."""
    return set(_IDENTIFIER.findall(text))


def expressions(value: Value) -> Iterator[str]:
    """Return the constants that a variable may hold and that name others: bash calculates them in turn."""
    for plain in value.values if isinstance(value, Choice) else (value,):
        for item in plain if isinstance(plain, tuple) else (plain,):
            if item is not None and _IDENTIFIER.search(item):
                yield item
