"""A run in a few lines: how it ended, where, and what it left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from agentfsm.canonical import record_text, writer
from agentfsm.limits import Spent
from agentfsm.records import Business, Record, name_of
from agentfsm.run import Run
from agentfsm.state import Iteration
from agentfsm.trail import Trail

__all__ = ("as_json", "as_lines")


def as_json(run: Run[Any]) -> dict[str, object]:
    """Return a run as an object: what `--json` prints."""
    error, halted, spent = run.error, run.halted, run.get(Spent)
    return {
        "run": run.id,
        "session": run.session,
        "outcome": run.outcome.value if run.outcome is not None else None,
        "lifecycle": run.lifecycle.name,
        "iteration": _iteration(run),
        "events": len(run.events),
        "entries": len(run.log),
        "digest": run.digest.hex(),
        "error": json.loads(record_text(error)) if error is not None else None,
        "halted": json.loads(record_text(halted)) if halted is not None else None,
        "spent": json.loads(record_text(spent)) if spent is not None else None,
        "records": {name: json.loads(text) for name, text in _business(run)},
    }


def as_lines(run: Run[Any]) -> Iterator[str]:
    """Give a run as lines for a reader: its end first, then its records."""
    outcome = run.outcome.value if run.outcome is not None else "under way"
    yield f"{outcome} in {run.lifecycle.name}, iteration {_iteration(run)}, {len(run.events)} events"
    if run.error is not None:
        yield f"error    {run.error.kind} in {run.error.stage}: {run.error.message}"
    if run.halted is not None:
        halted = run.halted
        call = f": {halted.tool}({halted.arguments}), {halted.why}; key {halted.key}" if halted.key else ""
        yield f"halted   {halted.reason}{call}"
    for name, text in _business(run):
        yield f"{name:<8} {text if len(text) <= 200 else text[:199] + '…'}"
    yield f"run      {run.id}"
    yield f"digest   {run.digest.hex()}"


def _business(run: Run[Any]) -> list[tuple[str, str]]:
    return sorted((name_of(type(r)), _text(r)) for r in run.state if isinstance(r, Business))


def _text(record: Record) -> str:
    """Return a record as JSON, a trail as the list of its items where it has them all."""
    said = json.loads(writer(type(record))(record))
    for name in record.field_types:
        if isinstance(getattr(record, name), Trail) and said[name]["start"] == 0:
            said[name] = said[name]["items"]
    return json.dumps(said, separators=(",", ":"))


def _iteration(run: Run[Any]) -> int:
    found = run.state.records.get(Iteration)
    return found.number if isinstance(found, Iteration) else 0
