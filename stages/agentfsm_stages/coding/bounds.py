"""Bounds: how much a tool hands back, and the note of what was cut."""

from __future__ import annotations

from collections import deque

from attrs import frozen

__all__ = ("LONGEST_TEXT", "Bounded", "HeadAndTail", "bounded")

LONGEST_TEXT = 30_000  # characters of one answer


@frozen
class Bounded:
    """Text within its bound, and what was cut from it; the note is empty where nothing was."""

    text: str
    cut: str = ""


def bounded(text: str, longest: int = LONGEST_TEXT) -> Bounded:
    """Return the beginning and the end of *text*, *longest* characters together, and say what is missing between."""
    if len(text) <= longest:
        return Bounded(text)
    head, tail = longest - longest // 2, longest // 2
    gone = len(text) - head - tail
    note = f"{gone} of {len(text)} characters cut from the middle"
    return Bounded(f"{text[:head]}\n[{note}]\n{text[len(text) - tail :]}", note)


class HeadAndTail:
    """Collects bytes without end in bounded memory: the first half of the bound, and the last."""

    def __init__(self, longest: int = LONGEST_TEXT) -> None:
        self._half = longest // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._kept = 0
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._total += len(chunk)
        room = self._half - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if not chunk:
            return
        self._tail.append(chunk)
        self._kept += len(chunk)
        while self._kept - len(self._tail[0]) >= self._half:
            self._kept -= len(self._tail.popleft())

    def text(self) -> Bounded:
        """Return what was kept; bytes that are no UTF-8 become U+FFFD."""
        tail = b"".join(self._tail)[-self._half :]
        gone = self._total - len(self._head) - len(tail)
        if not gone:
            return Bounded((bytes(self._head) + tail).decode("utf-8", "replace"))
        note = f"{gone} of {self._total} bytes cut from the middle"
        parts = (bytes(self._head).decode("utf-8", "replace"), tail.decode("utf-8", "replace"))
        return Bounded(f"{parts[0]}\n[{note}]\n{parts[1]}", note)
