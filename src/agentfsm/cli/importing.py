"""`agentfsm import`: another harness's recording, turned into a log of ours."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol, cast

import click

from agentfsm.cli.one_file import OneFile
from agentfsm.cli.summary import as_json, as_lines
from agentfsm.errors import UsageError
from agentfsm.migrate import Trajectory, read_bytes
from agentfsm.run import Run
from agentfsm.world import Journal

__all__ = ("Imported", "Importer", "command")

IMPORTERS, TRAJECTORY = "agentfsm.importers", "trajectory"


class Imported(Protocol):
    """A recorded run as one of ours, and the account of it."""

    @property
    def run(self) -> Run[Any]:
        """The run that the recording was driven to."""

    @property
    def recorded_actions(self) -> int:
        """How many actions the file records."""

    @property
    def imported_actions(self) -> int:
        """How many of them are in the log."""


class Importer(Protocol):
    """What an entry point of the group ``agentfsm.importers`` is."""

    async def __call__(self, trajectory: Trajectory, /, *, journal: Journal | None = None) -> Imported:
        """Return the log of a recorded run, kept in *journal* where there is one; no tool is called."""


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--output", metavar="OUT.jsonl", type=click.Path(path_type=Path), help="Keep the log in a new file.")
@click.option("--json", "as_object", is_flag=True, help="Print the account as JSON.")
def command(file: Path, output: Path | None, *, as_object: bool) -> int:
    """
    Import FILE, a SWE-agent .traj or a mini-swe-agent .traj.json.

    The recorded thoughts, actions and observations are driven through the react stages: no tool runs, no guard is
    asked, and every recorded action is in the log. How the recorded run itself ended is told; it does not change the
    exit code.
    """
    trajectory = read_bytes(file.read_bytes(), str(file))
    journal = OneFile(output) if output is not None else None
    found = asyncio.run(_importer()(trajectory, journal=journal))
    counts = {"recorded_actions": found.recorded_actions, "imported_actions": found.imported_actions}
    if as_object:
        told = {"file": str(file), "format": trajectory.source_format, **counts}
        click.echo(json.dumps({**told, **as_json(found.run), "output": str(output) if output is not None else None}))
        return 0
    click.echo(f"{file.name} ({trajectory.source_format})")
    click.echo(f"actions  {found.recorded_actions} recorded, {found.imported_actions} imported")
    for line in (*as_lines(found.run), *([f"log      {output}"] if output is not None else [])):
        click.echo(line)
    return 0 if found.recorded_actions == found.imported_actions else 1


def _importer() -> Importer:
    for point in entry_points(group=IMPORTERS, name=TRAJECTORY):
        return cast("Importer", point.load())
    raise UsageError(
        f"no importer of recorded runs is installed: an entry point {TRAJECTORY!r} of the group {IMPORTERS}"
    )
