"""`agentfsm replay`: a log folded again by its machine, and held to what it says."""

from __future__ import annotations

import json

import click

from agentfsm.cli.logs import lines_of, machine_of, parsed, under
from agentfsm.cli.summary import as_json, as_lines
from agentfsm.cli.targets import machine_named, orchestrator_of, parse

__all__ = ("command",)


@click.command("replay")
@click.argument("run")
@click.option("--target", help="The machine, where it is not an installed one: pkg.module:name or graph.yaml.")
@click.option("--json", "as_object", is_flag=True, help="Print the state that was verified as JSON.")
def command(run: str, target: str | None, *, as_object: bool) -> int:
    """
    Fold RUN again and verify it: no stage runs, no tool is called, no guard is asked.

    RUN is FILE.jsonl or STORE#RUN. Every entry is held to the chain of digests and every transition to the machine; the
    first that differs is named, and the exit code is 1. A log of another machine or version is exit code 5.
    """
    lines = lines_of(run)
    with under(run):
        name = machine_of(parsed(lines))
    orchestrator = orchestrator_of(parse(target)) if target is not None else machine_named(name, run)
    with under(run):
        found = orchestrator.read(lines)
    if as_object:
        click.echo(json.dumps({**as_json(found), "verified": True}))
    else:
        click.echo(f"verified {len(found.log)} entries of machine {name}")
        for line in as_lines(found):
            click.echo(line)
    return 0
