"""`agentfsm shell classify`: what a shell command could do, as the guards see it."""

from __future__ import annotations

import sys

import click

from agentfsm.shell import classify
from agentfsm.shell.render import as_json, as_text, as_tree

__all__ = ("command",)


@click.group("shell")
def command() -> None:
    """Say what a shell command could do."""


@command.command("classify")
@click.argument("text", metavar="[CMD]", required=False)
@click.option("--json", "as_object", is_flag=True, help="Print classes, reasons, commands and files as JSON.")
@click.option("--tree", "as_branches", is_flag=True, help="Print each command that could run with its effects.")
def classify_command(text: str | None, *, as_object: bool, as_branches: bool) -> int:
    """
    Say what CMD could do, without running it; it is read from standard input where it is left out, or is -.

    What is not understood is unresolved, which stands for the worst. Spans are bytes.
    """
    if as_object and as_branches:
        raise click.UsageError("give --json or --tree, not both")
    if text is None or text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    render = as_json if as_object else as_tree if as_branches else as_text
    click.echo(render(classify(text)))
    return 0
