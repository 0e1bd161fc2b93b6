"""Answering: a person's word on the call that a run waits for, and the run that goes on with it."""

from __future__ import annotations

import asyncio
import getpass
import json
import sys
from datetime import UTC, datetime
from typing import Any, Literal

import click
from attrs import frozen

from agentfsm.cli.exits import code_of_outcome
from agentfsm.cli.logs import kept_in, lines_of, machine_of, parsed, under
from agentfsm.cli.summary import as_json, as_lines
from agentfsm.cli.targets import machine_named, orchestrator_of, parse
from agentfsm.errors import UsageError
from agentfsm.events import Signal
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.run import Run
from agentfsm.state import Halted

__all__ = ("Given", "answer")

Word = Literal["approve", "reject"]


@frozen
class Given:
    """What the command line says besides the run: its machine, the request that is meant, who answers, and why."""

    target: str | None = None
    key: str | None = None
    by: str | None = None
    reason: str | None = None
    as_object: bool = False


def answer(word: Word, run: str, given: Given) -> int:
    """
    Answer what *run* waits for and go on with it; return the exit code of how it then stands.

    On a terminal the request is shown and confirmed. Elsewhere `--key` has to name it, so that nobody answers what he
    has not seen. A request that has expired is asked anew instead.
    """
    orchestrator, found = _found(run, given.target)
    halted = found.halted
    if halted is None or not halted.key:
        raise UsageError(f"run {found.id} waits for no answer")
    if given.key is not None and given.key != halted.key:
        raise UsageError(f"run {found.id} does not wait for {given.key}; it waits for {halted.key}")
    lapsed = halted.expires is not None and orchestrator.machine.world.clock.now() >= halted.expires
    if lapsed:
        click.echo("the request has expired; it is asked anew", err=True)
        ended = asyncio.run(orchestrator.resume(found))
    else:
        reason = given.reason or _confirmed(word, found, halted, has_key=given.key is not None)
        by = given.by or getpass.getuser()
        ended = asyncio.run(orchestrator.resume(found, Signal(word, halted.key, reason, by)))
    if given.as_object:
        click.echo(json.dumps(as_json(ended)))
    else:
        for line in as_lines(ended):
            click.echo(line)
    return code_of_outcome(ended.outcome)


def _found(run: str, target: str | None) -> tuple[FSMOrchestrator[Any], Run[Any]]:
    with under(run):
        lines = parsed(lines_of(run))
        name = machine_of(lines)
    orchestrator = orchestrator_of(parse(target)) if target is not None else machine_named(name, run)
    journal, run_id = kept_in(run, lines)
    orchestrator = orchestrator.with_journal(journal)
    return orchestrator, asyncio.run(orchestrator.load(run_id))


def _confirmed(word: Word, run: Run[Any], halted: Halted, *, has_key: bool) -> str:
    """Return the reason that a person gives, once he has seen the request and said yes."""
    if not sys.stdin.isatty():
        if not has_key:
            raise UsageError(f"this is no terminal: name the request that is meant, with --key {halted.key}")
        return ""
    for line in _request(run, halted):
        click.echo(line, err=True)
    if not click.confirm(f"{word}?", err=True):
        raise click.Abort
    return str(click.prompt("reason", default="", show_default=False, err=True)) if word == "reject" else ""


def _request(run: Run[Any], halted: Halted) -> list[str]:
    lines = [f"run {run.id} in {run.lifecycle.name} waits ({halted.reason})", f"  {halted.tool}({halted.arguments})"]
    if halted.why:
        lines.append(f"  {halted.why}")
    if halted.expires is not None:
        lines.append(f"  until {datetime.fromtimestamp(halted.expires / 1e9, UTC):%Y-%m-%d %H:%M:%S} UTC")
    return [*lines, f"  key {halted.key}"]
