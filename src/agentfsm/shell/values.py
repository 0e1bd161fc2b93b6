"""Abstract values: what is known about one argument after bash has expanded it."""

from __future__ import annotations

import re

from attrs import frozen

__all__ = ("NUMBER", "TAME", "UNKNOWN", "Arg", "is_constant", "names", "number")

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,17}")

UNKNOWN = "\0"
"""Stands in a text for a stretch that could be anything. A NUL can never be in an argument."""

TAME = "\x01"
"""Stands for a stretch of unknown value without white space that begins like no option: a commit, a folder."""

NUMBER = "\x02"
"""Stands for a number of unknown value."""


def is_constant(text: str) -> bool:
    """Whether every character of *text* is known."""
    return UNKNOWN not in text and TAME not in text and NUMBER not in text


@frozen
class Arg:
    """
    One argument.

    *loose* means that it may become any number of words (an unquoted unknown expansion), *glob* that it holds live
    wildcards. *bare* means that it was written without any quoting, as an alias has to be. *feed* is the text that
    reading it gives, for a process substitution; *many* that it stands for a list of quoted words.
    """

    text: str
    loose: bool = False
    glob: bool = False
    bare: bool = False
    feed: str | None = None
    many: bool = False

    @property
    def known(self) -> bool:
        """Whether this is exactly one word of constant text."""
        return not (self.loose or self.glob or self.many) and is_constant(self.text)

    @property
    def word(self) -> str | None:
        """The constant text, or None."""
        return self.text if self.known else None

    def starts(self, *prefixes: str) -> bool:
        """Whether the text begins with one of *prefixes*."""
        return self.text.startswith(prefixes)


def number(text: str) -> int | None:
    """Return the decimal number that *text* is; None for anything else, and for what a leading zero makes octal."""
    return int(text) if _DECIMAL.fullmatch(text) else None


def names(text: str) -> tuple[str, ...]:
    """Return the words of a table."""
    return tuple(text.split())
