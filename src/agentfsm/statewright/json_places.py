"""Where in a JSON text each value stands, and which keys stand there twice."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import frozen

from agentfsm.statewright.plain import Part, path_to

__all__ = ("Places", "json_places")

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+|\n', re.DOTALL)
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@frozen
class Places:
    """Lines (from 1) by JSON path, and the keys that an object holds twice, with the line of the second."""

    lines: Mapping[str, int]
    repeated: tuple[tuple[str, int], ...] = ()

    def line(self, path: str) -> int:
        """The line of the value at *path*, or of the nearest value round it; 0 when nothing is known."""
        while path and path not in self.lines:
            path = path[: max(path.rfind("."), path.rfind("["))] if path != "$" else ""
        return self.lines.get(path, 0)


def json_places(text: str) -> Places:
    """Find every value of a JSON text that is known to be well-formed. Time is linear, nesting costs no stack."""
    reader = _Reader()
    line = 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            line += 1
            continue
        reader.take(token, line)
        line += token.count("\n")
    return Places(reader.lines, tuple(reader.repeated))


def _unquoted(token: str) -> str:
    return _ESCAPED.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT.get(m[2], m[2]), token[1:-1])


class _Reader:
    """The place that the reading has come to: one entry a container, a key or an index."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.repeated: list[tuple[str, int]] = []
        self._open: list[Part | None] = []
        self._is_value = True

    def take(self, token: str, line: int) -> None:
        if token in "]}":
            self._open.pop()
            self._is_value = False
        elif token == ":":
            self._is_value = True
        elif token == ",":
            self._next()
        elif self._is_value:
            self.lines.setdefault(path_to(*(part for part in self._open if part is not None)), line)
            self._enter(token)
        else:
            self._key(_unquoted(token), line)

    def _next(self) -> None:
        top = self._open[-1]
        self._is_value = isinstance(top, int)
        if isinstance(top, int):
            self._open[-1] = top + 1

    def _enter(self, token: str) -> None:
        if token in "[{":
            self._open.append(0 if token == "[" else None)
        self._is_value = token == "["

    def _key(self, key: str, line: int) -> None:
        self._open[-1] = key
        path = path_to(*(part for part in self._open if part is not None))
        if path in self.lines:
            self.repeated.append((path, line))
