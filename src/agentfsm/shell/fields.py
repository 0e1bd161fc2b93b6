"""Field splitting: how the pieces of one expanded word become arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.shell.values import UNKNOWN, Arg

__all__ = ("Fields", "has_wildcards")

_WHITE = " \t\n"


class Fields:
    """Collects the pieces of one word. *separators* are the characters of IFS, None when unknown."""

    __slots__ = ("any_quoted", "feed", "found", "glob", "loose", "pieces", "separators", "started")

    def __init__(self, separators: str | None) -> None:
        self.separators = separators
        self.found: list[Arg] = []
        self.feed: str | None = None
        self.reset()

    def reset(self) -> None:
        """Begin the next argument."""
        self.pieces: list[str] = []
        self.started = self.loose = self.glob = self.any_quoted = False

    def literal(self, text: str) -> None:
        """Add unquoted text of the command itself, which is never split."""
        self.pieces.append(text)
        self.started = True
        if has_wildcards(text):
            self.glob = True

    def quoted(self, text: str) -> None:
        """Add text that stands for itself."""
        self.pieces.append(text)
        self.started = self.any_quoted = True

    def stream(self, feed: str | None) -> None:
        """Add the name of a process substitution."""
        self.quoted("/dev/fd/63")
        self.feed = feed

    def several(self, values: Sequence[Arg]) -> None:
        """Add a list of quoted words: the first joins what is before, the last what follows."""
        if not values and self.pieces == [""]:
            self.reset()
        for position, value in enumerate(values):
            if position:
                self.cut()
            if value.many or value.loose:
                self.found.append(Arg(UNKNOWN, many=True)) if not any(self.pieces) else self.quoted(UNKNOWN)
                continue
            self.quoted(value.text)

    def expanded(self, text: str) -> None:
        """Add the result of an unquoted expansion: it is split, and its wildcards are alive."""
        if UNKNOWN in text or self.separators is None:
            self.pieces.append(text if UNKNOWN in text else UNKNOWN)
            self.started = self.loose = True
            return
        if not text:
            return
        if has_wildcards(text):
            self.glob = True
        words = text.split() if self.separators == _WHITE else self.cut_at(text)
        edge = self.separators
        if text[0] in edge and self.started:
            self.cut()
        for position, word in enumerate(words):
            if position:
                self.cut()
            self.pieces.append(word)
            self.started = True
        if words and text[-1] in edge:
            self.cut()

    def cut_at(self, text: str) -> list[str]:
        """Split *text* at a changed IFS."""
        if not self.separators:
            return [text]
        return [word for word in re.split(f"[{re.escape(self.separators)}]+", text) if word]

    def cut(self) -> None:
        """End the argument in hand."""
        if self.started:
            self.found.append(Arg("".join(self.pieces), self.loose, self.glob, feed=self.feed))
        self.reset()

    def done(self) -> list[Arg]:
        """Return the arguments."""
        self.cut()
        return self.found


def has_wildcards(text: str) -> bool:
    """Whether unquoted *text* holds a pattern that bash would match with file names."""
    return "*" in text or "?" in text or ("[" in text and text.find("[") + 1 < text.rfind("]"))
