"""A site for tools that are tried without an orchestrator."""

from __future__ import annotations

import os
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
    """Tell whether the process whose number was noted is gone, or dead and only not yet reaped."""
    try:
        status = Path(f"/proc/{note.read_text().strip()}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return status.rpartition(")")[2].split()[0] == "Z"
