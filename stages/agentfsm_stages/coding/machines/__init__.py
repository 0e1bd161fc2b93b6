"""Ready machines for coding agents; each passes the validator as `dangerous`."""

from __future__ import annotations

from importlib import resources
from typing import Literal, TypeAlias, get_args

from agentfsm.statewright import UNCLASSIFIED, Bounds, DiskFiles, Files, Machine, Shell, load_text

__all__ = ("NAMES", "MachineName", "load_machine")

MachineName: TypeAlias = Literal["bugfix", "feature", "refactor", "release", "research"]
NAMES: tuple[MachineName, ...] = get_args(MachineName)


def load_machine(
    name: MachineName, *, shell: Shell = UNCLASSIFIED, files: Files | None = None, bounds: Bounds | None = None
) -> Machine:
    """Return the ready machine of that name."""
    file = f"{name}.json"
    text = resources.files(__name__).joinpath(file).read_text(encoding="utf-8")
    return Machine.of(load_text(text, file).sound(), shell=shell, files=files or DiskFiles(), bounds=bounds)
