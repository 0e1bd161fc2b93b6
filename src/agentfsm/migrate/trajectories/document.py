"""JSON text, decoded strictly, and read with the path of every value at hand."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from agentfsm.migrate.trajectories.fault import TrajectoryError

__all__ = ("MAX_CHARACTERS", "MAX_DEPTH", "Node", "decode")

MAX_CHARACTERS = 256 * 1024 * 1024
MAX_DEPTH = 100
MAX_DIGITS = 300  # an integer of more digits is no number that any field here could mean

_KINDS: dict[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
}
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w-]*\Z")


@frozen
class _Unreadable:
    """Stands where the decoder met something it may not accept, until its path is known."""

    expected: str
    found: str


Step: TypeAlias = "str | int"


@frozen
class Node:
    """One value of a document, with where it stands; a missing member is a node whose value is None."""

    value: object
    file: str
    steps: tuple[Step, ...] = ()

    @property
    def path(self) -> str:
        return _path(self.steps)

    @property
    def is_absent(self) -> bool:
        return self.value is None

    def fault(self, expected: str, found: str = "") -> TrajectoryError:
        """Return the error that says what belongs here; *found* defaults to the kind of value that is here."""
        return TrajectoryError(self.file, self.path, expected, found or _kind(self.value))

    def member(self, key: str) -> Node:
        """Return a member of this object; raises `TrajectoryError` when this is no object."""
        return Node(self.object().get(key), self.file, (*self.steps, key))

    def object(self) -> Mapping[str, object]:
        if not isinstance(self.value, dict):
            raise self.fault("an object")
        return self.value

    def items(self) -> Iterator[Node]:
        """Yield the elements of this list; an absent one has none."""
        if self.is_absent:
            return
        if not isinstance(self.value, list):
            raise self.fault("a list")
        for index, item in enumerate(self.value):
            yield Node(item, self.file, (*self.steps, index))

    def text(self) -> str:
        """Return this text, "" when it is absent; a list of message parts is the text of its text parts."""
        if self.is_absent:
            return ""
        if isinstance(self.value, str):
            return self.value
        if not isinstance(self.value, list):
            raise self.fault("text, or a list of message parts")
        return "\n".join(part for item in self.items() if (part := _part(item)) is not None)

    def number(self) -> float | None:
        """Return this finite number, None when it is absent."""
        if self.is_absent:
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.fault("a number")
        return float(self.value)


def decode(text: str, file: str) -> Node:
    """
    Return the root of a document.

    Refuses what has no one meaning: members given twice, NaN, infinite numbers, lone surrogates. Raises
    `TrajectoryError`, and nothing else, for whatever text it is given.
    """
    if len(text) > MAX_CHARACTERS:
        raise TrajectoryError(file, "$", f"at most {MAX_CHARACTERS} characters", f"{len(text)}")
    try:
        value: object = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_float
        )
    except json.JSONDecodeError as error:
        where = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise TrajectoryError(file, "$", "JSON text", where) from error
    except RecursionError as error:
        raise TrajectoryError(file, "$", f"at most {MAX_DEPTH} levels", "deeper nesting") from error
    for steps, fault in _faults(value):
        raise TrajectoryError(file, _path(steps), fault.expected, fault.found)
    return Node(value, file)


def _object(pairs: Sequence[tuple[str, object]]) -> object:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
    return _Unreadable("each member once", f"{twice[:80]!r} twice")


def _constant(name: str) -> object:
    return _Unreadable("a finite number", name)


def _integer(digits: str) -> object:
    return int(digits) if len(digits) <= MAX_DIGITS else _Unreadable("a number", f"one of {len(digits)} digits")


def _float(digits: str) -> object:
    value = float(digits)
    return value if math.isfinite(value) else _Unreadable("a finite number", digits[:40])


def _faults(root: object) -> Iterator[tuple[tuple[Step, ...], _Unreadable]]:
    """Yield what may not stand in a document, with the way to it; goes down without recursion."""
    waiting: list[tuple[tuple[Step, ...], object]] = [((), root)]
    while waiting:
        steps, value = waiting.pop()
        if len(steps) > MAX_DEPTH:
            yield steps[:MAX_DEPTH], _Unreadable(f"at most {MAX_DEPTH} levels", "deeper nesting")
        elif isinstance(value, _Unreadable):
            yield steps, value
        elif isinstance(value, str):
            if not _is_unicode(value):
                yield steps, _Unreadable("Unicode text", "a lone surrogate")
        elif isinstance(value, list):
            waiting.extend(((*steps, index), item) for index, item in enumerate(value))
        elif isinstance(value, dict):
            if not all(map(_is_unicode, value)):
                yield steps, _Unreadable("Unicode keys", "a lone surrogate")
            waiting.extend(((*steps, key), item) for key, item in value.items())


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _part(item: Node) -> str | None:
    """Text of one part of a message; None for a picture and other parts without text."""
    if isinstance(item.value, str):
        return item.value
    text = item.member("text")
    if text.is_absent:
        return None
    if not isinstance(text.value, str):
        raise text.fault("text")
    return text.value


def _path(steps: tuple[Step, ...]) -> str:
    return "$" + "".join(map(_step, steps))


def _step(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN_KEY.match(step) else f"[{json.dumps(step)}]"


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "nothing")
