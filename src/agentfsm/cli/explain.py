"""`agentfsm explain`: whether a machine allows a call in a state, why, and the shortest legal way."""

from __future__ import annotations

import json
from typing import Any

import click
from attrs import asdict

from agentfsm.cli.exits import DONE, FAILED, WAITING
from agentfsm.cli.machines import machine_at
from agentfsm.statewright import explain, read_arguments

__all__ = ("command",)

_CODES = {"allow": DONE, "ask": WAITING, "deny": FAILED}


@click.command("explain")
@click.argument("machine", metavar="MACHINE")
@click.argument("state")
@click.argument("tool")
@click.argument("words", metavar="[ARGS]...", nargs=-1)
@click.option("--with", "others", metavar="MACHINE", multiple=True, help="A machine that MACHINE invokes.")
@click.option("--json", "as_object", is_flag=True, help="Print the decision as JSON.")
def command(machine: str, state: str, tool: str, words: tuple[str, ...], **options: Any) -> int:
    """
    Say whether MACHINE allows a call of TOOL in STATE, why, and the shortest legal way to a state that does.

    ARGS are key=value, and one bare word for what the tool is mostly about: Bash 'rm x' is a command, Edit a.py a file.
    Exit code 0 means allowed, 1 not allowed, 3 that a person is asked.
    """
    told = explain(machine_at(machine, options["others"]), state, tool, read_arguments(tool, words))
    if options["as_object"]:
        click.echo(json.dumps({"state": state, "tool": tool, **asdict(told.decision)}))
    else:
        click.echo(told.text)
    return _CODES[told.decision.action]
