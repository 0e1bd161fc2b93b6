"""Where a run's tools work: a record that a run is given, so that the log says it too."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from agentfsm.records import Metadata, record

__all__ = ("CallSite", "Workspace")


@record
class Workspace(Metadata):
    """
    The folder that tools work in, and the environment of what they start.

    *environment* None is this process's own at the time of the call; it is not written to the log.
    """

    path: str = "."
    environment: Mapping[str, str] | None = None


@frozen
class CallSite:
    """Where one call is made; see `agentfsm.tools.Site`."""

    key: str
    workspace: Path
    environment: Mapping[str, str]

    @classmethod
    def of(cls, key: str, place: object) -> CallSite:
        """Return the site of a call in *place*, a `Workspace` or nothing."""
        work = place if isinstance(place, Workspace) else Workspace()
        given = work.environment
        return cls(key, Path(work.path), dict(os.environ) if given is None else given)
