"""Where in the user's source something is defined: the file and line that a `DefinitionError` names."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType

__all__ = ("names_in_sight", "place")

_HERE = __name__.partition(".")[0]
# Class statements and calls pass through these before they reach the hooks of a base class.
_BETWEEN = {"abc", "attr", "functools", "types", "typing"}


def _caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package != _HERE and package not in _BETWEEN and not frame.f_code.co_filename.startswith("<attrs"):
            return frame
        frame = frame.f_back
    return None


def place() -> str:
    """Return ``file:line`` of the innermost frame outside this package."""
    frame = _caller()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else ""


def names_in_sight() -> Mapping[str, object]:
    """Return the local names of the innermost frame outside this package: where local classes are found."""
    frame = _caller()
    return dict(frame.f_locals) if frame else {}
