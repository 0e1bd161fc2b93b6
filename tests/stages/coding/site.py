"""A site for tools that are tried without an orchestrator."""

from __future__ import annotations

import os
import select
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

__all__ = ("Place", "is_gone")


def _path_alone() -> Mapping[str, str]:
    return {"PATH": os.environ["PATH"]}


@frozen
class Place:
    """A folder, and an environment that has the search path and no more."""

    workspace: Path
    environment: Mapping[str, str] = field(factory=_path_alone)
    key: str = "key"


def is_gone(note: Path) -> bool:
    """Tell whether the process whose number was noted ends: killed, it may need a moment, and is waited for."""
    try:
        handle = os.pidfd_open(int(note.read_text()))
    except ProcessLookupError:
        return True
    try:
        ended, _, _ = select.select([handle], [], [], 10)
        return bool(ended)
    finally:
        os.close(handle)
