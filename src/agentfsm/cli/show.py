"""`agentfsm show`: a run's log as a table, without the machine it is of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import click

from agentfsm.cli.logs import lines_of, machine_of, parsed, under

__all__ = ("command",)

_LONGEST = 400


@click.command("show")
@click.argument("run")
@click.option("--json", "as_object", is_flag=True, help="Print each entry as JSON, one a line, as the log has it.")
def command(run: str, *, as_object: bool) -> int:
    """
    Show RUN, FILE.jsonl or STORE#RUN, entry by entry.

    The chain of digests is verified; whether the states follow from each other is `agentfsm replay`'s to say.
    """
    with under(run):
        lines = parsed(lines_of(run))
        name = machine_of(lines)
    if as_object:
        for line in lines:
            click.echo(line.text)
        return 0
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{name}, run {lines[0].said.get('run')}", title_justify="left", box=None)
    table.add_column("seq", justify="right")
    for name in ("time", "what", "where"):
        table.add_column(name, no_wrap=True)
    table.add_column("detail", overflow="fold")
    first = _time(lines[0].said)
    for line in lines:
        table.add_row(*map(Text, (str(line.said.get("seq")), f"+{_since(line.said, first)}", *_told(line.said))))
    Console(highlight=False).print(table)
    click.echo(f"began {_date(first)}, {len(lines)} entries, chain verified")
    return 0


def _told(said: dict[str, Any]) -> tuple[str, str, str]:
    if said.get("kind") == "call":
        return f"{said.get('phase')} {said.get('tool')}", str(said.get("lifecycle")), _short(_call(said))
    source, target = said.get("from"), said.get("to")
    where = f"{source}" if source == target else f"{source} → {target}"
    what = f"{said.get('kind')} {said.get('stage')}".strip()
    return what, where, _short("; ".join(_records(said)))


def _call(said: dict[str, Any]) -> str:
    match said.get("phase"):
        case "result":
            return f"{said.get('arguments')} = {said.get('result')}"
        case "error":
            return ": ".join(map(str, said.get("error") or ()))
        case "refused":
            decision = said.get("decision") or ["", "", ""]
            return f"{said.get('arguments')} refused ({decision[1]}): {decision[2]}"
        case _:
            return str(said.get("arguments"))


def _records(said: dict[str, Any]) -> Iterator[str]:
    for key in ("patch", "owned"):
        records = said.get(key)
        for name, value in records.items() if isinstance(records, dict) else ():
            yield f"{name} {json.dumps(_brief(value), ensure_ascii=False)}"


def _brief(value: object) -> object:
    """Return a record without the fields that are null, and a trail as what was added to it."""
    if not isinstance(value, dict):
        return value
    if value.keys() == {"start", "before", "items"}:
        return value["items"] if value["start"] == 0 else [f"{value['start']} before", *value["items"]]
    return {field: _brief(each) for field, each in value.items() if each is not None}


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _time(said: dict[str, Any]) -> int:
    at = said.get("ended") or said.get("started")
    return at if isinstance(at, int) else 0


def _since(said: dict[str, Any], first: int) -> str:
    return f"{max(0, _time(said) - first) / 1e9:.3f}s"


def _date(at: int) -> str:
    return datetime.fromtimestamp(at / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if at else "at a time not recorded"
