"""Brace expansion, which bash does before every other expansion (bash manual, Brace Expansion)."""

from __future__ import annotations

import re
from itertools import product

from agentfsm.shell.syntax import Lit, Part, Quote

__all__ = ("MOST_WORDS", "TooManyWords", "has_braces", "spread")

MOST_WORDS = 2048
"""Most words that one word may spread to."""

_MAX_NESTING = 30
_SEQUENCE = re.compile(r"(?:(-?\d{1,18})\.\.(-?\d{1,18})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,18}))?\Z", re.ASCII)


class TooManyWords(Exception):  # a signal between two modules, never shown
    """Raised when a word spreads to more than `MOST_WORDS` words or nests too deep."""


def has_braces(parts: tuple[Part, ...]) -> bool:
    """Whether *parts* could hold a brace expansion."""
    opened = False
    for part in parts:
        if isinstance(part, Lit):
            opened = opened or "{" in part.text
            if opened and "}" in part.text:
                return True
    return False


def spread(parts: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Return the words that *parts* spreads to; raises `TooManyWords`."""
    tokens: list[Part | str] = []
    for part in parts:
        if isinstance(part, Lit):
            tokens.extend(piece for piece in re.split(r"([{},])", part.text) if piece)
        else:
            tokens.append(part)
    if len(tokens) > MOST_WORDS:
        raise TooManyWords
    return [_merged(word) for word in _expand(tokens, 0)]


def _merged(tokens: list[Part | str]) -> tuple[Part, ...]:
    found: list[Part] = []
    for token in tokens:
        part = Lit(token) if isinstance(token, str) else token
        if isinstance(part, Lit) and found and isinstance(last := found[-1], Lit):
            found[-1] = Lit(last.text + part.text)
        else:
            found.append(part)
    return tuple(found)


def _expand(tokens: list[Part | str], depth: int) -> list[list[Part | str]]:
    if depth > _MAX_NESTING:
        raise TooManyWords
    groups: list[list[list[Part | str]]] = []
    total = position = 0
    total = 1
    closes = _matches(tokens)
    while position < len(tokens):
        close = closes.get(position, -1)
        options = _options(tokens[position + 1 : close], depth) if close > 0 else None
        if options is None:
            groups.append([[tokens[position]]])
            position += 1
        else:
            groups.append(options)
            total *= len(options)
            position = close + 1
        if total > MOST_WORDS:
            raise TooManyWords
    if total == 1:
        return [[token for group in groups for token in group[0]]]
    return [[token for group in choice for token in group] for choice in product(*groups)]


def _matches(tokens: list[Part | str]) -> dict[int, int]:
    """Map each opening brace to its closing one."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        if token == "{":
            opened.append(position)
        elif token == "}" and opened:
            found[opened.pop()] = position
    return found


def _options(inner: list[Part | str], depth: int) -> list[list[Part | str]] | None:
    """Return the alternatives between two braces, each expanded; None when these braces are plain text."""
    pieces: list[list[Part | str]] = [[]]
    level = 0
    for token in inner:
        if token == "," and not level:
            pieces.append([])
            continue
        level += (token == "{") - (token == "}")
        pieces[-1].append(token)
    if len(pieces) > 1:
        found = [word for piece in pieces for word in _expand(piece, depth + 1)]
        if len(found) > MOST_WORDS:
            raise TooManyWords
        return found
    if len(inner) == 1 and isinstance(inner[0], str):
        return _sequence(inner[0])
    return None


def _sequence(text: str) -> list[list[Part | str]] | None:
    match = _SEQUENCE.match(text)
    if match is None:
        return None
    low, high, first, last, step = match.groups()
    start, stop = (int(low), int(high)) if low is not None else (ord(first), ord(last))
    stride = abs(int(step or 1)) or 1
    if abs(stop - start) // stride >= MOST_WORDS:
        raise TooManyWords
    numbers = range(start, stop + 1, stride) if start <= stop else range(start, stop - 1, -stride)
    if low is None:
        return [[Quote(chr(number))] for number in numbers]
    width = max(len(low), len(high)) if re.match(r"-?0\d", low) or re.match(r"-?0\d", high) else 0
    return [[f"{number:0{width}d}" if width else str(number)] for number in numbers]
