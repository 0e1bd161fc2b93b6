"""A site for tools that are tried without an orchestrator."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

__all__ = ("Place",)


def _path_alone() -> Mapping[str, str]:
    return {"PATH": os.environ["PATH"]}


@frozen
class Place:
    """A folder, and an environment that has the search path and no more."""

    workspace: Path
    environment: Mapping[str, str] = field(factory=_path_alone)
    key: str = "key"
