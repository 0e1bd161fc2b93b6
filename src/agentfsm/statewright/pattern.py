"""Patterns: tool names with `*` and `?`, and file globs with `**`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from attrs import frozen

from agentfsm.statewright.plain import same_key

__all__ = ("Names", "glob_matches", "is_pattern", "pattern_matches")


def is_pattern(entry: str) -> bool:
    """Whether an entry of a tool list stands for more than one name."""
    return "*" in entry or "?" in entry


def pattern_matches(pattern: str, name: str) -> bool:
    """Whether *pattern* fits the whole *name*, without regard to ASCII case; `*` is any run, `?` any one character."""
    return _fits(_tokens_of_name(same_key(pattern)), same_key(name))


def glob_matches(pattern: str, path: str) -> bool:
    """
    Whether a file glob fits the whole *path*: `*` stops at `/`, `**` does not and swallows one `/` after it.

    So `**/x` fits `x` and `a/x` but not `yx`, and `a/**/` all that is below `a`. Case counts. Time is the product of
    both lengths at most.
    """
    return _fits(_tokens_of_glob(pattern), path)


_ANY, _ANY_BUT_SLASH, _FOLDERS, _ONE, _ONE_BUT_SLASH = "**", "*", "**/", "??", "?"


@lru_cache(maxsize=1024)
def _tokens_of_name(pattern: str) -> tuple[str, ...]:
    return tuple({"*": _ANY, "?": _ONE}.get(character, character) for character in pattern)


@lru_cache(maxsize=1024)
def _tokens_of_glob(pattern: str) -> tuple[str, ...]:
    tokens = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]", pattern, re.DOTALL)
    return (*tokens[:-1], _ANY) if tokens[-1:] == [_FOLDERS] else tuple(tokens)


def _fits(tokens: tuple[str, ...], text: str) -> bool:
    """Run all ways through *tokens* at once, one character at a time."""
    alive = _skipping(tokens, {0}, at_start=True)
    for character in text:
        following: set[int] = set()
        for index in alive:
            if index < len(tokens):
                _step(tokens[index], index, character, following)
        alive = _skipping(tokens, following, at_start=character == "/")
        if not alive:
            return False
    return len(tokens) in alive


def _step(token: str, index: int, character: str, following: set[int]) -> None:
    if token in (_ANY, _FOLDERS):
        following.add(index)
    elif token == _ANY_BUT_SLASH:
        if character != "/":
            following.add(index)
    elif token in (character, _ONE) or (token == _ONE_BUT_SLASH and character != "/"):
        following.add(index + 1)


def _skipping(tokens: tuple[str, ...], alive: set[int], *, at_start: bool) -> set[int]:
    """Add the places that are reached without a further character; folders may be left only at the start of a part."""
    reached = set(alive)
    waiting = list(alive)
    while waiting:
        index = waiting.pop()
        if index >= len(tokens) or index + 1 in reached:
            continue
        if tokens[index] in (_ANY, _ANY_BUT_SLASH) or (tokens[index] == _FOLDERS and at_start):
            reached.add(index + 1)
            waiting.append(index + 1)
    return reached


@frozen
class Names:
    """A tool list, ready to be asked: exact names folded, patterns apart."""

    exact: frozenset[str]
    patterns: tuple[str, ...]

    @classmethod
    def of(cls, entries: Iterable[str]) -> Names:
        listed = tuple(entries)
        return cls(
            frozenset(same_key(entry) for entry in listed if not is_pattern(entry)),
            tuple(entry for entry in listed if is_pattern(entry)),
        )

    def match(self, name: str) -> bool:
        """Whether any entry fits *name* as it comes, without regard to ASCII case."""
        return same_key(name) in self.exact or any(pattern_matches(pattern, name) for pattern in self.patterns)
