"""Where in the user's source something is defined: the file and line that a `DefinitionError` names."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

__all__ = ("names_in_sight", "place")

_HERE = str(Path(__file__).parent)
# Class statements pass through these before they reach the hooks of a base class.
_BETWEEN = ("abc.py", "_make.py", "_next_gen.py", "typing.py", "functools.py")


def _caller() -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if not (name.startswith((_HERE, "<attrs")) or name.endswith(_BETWEEN)):
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
