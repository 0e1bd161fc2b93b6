"""`agentfsm run`: a machine run to its end, its timeline on standard error and what came of it on standard output."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import click

from agentfsm.cli.exits import code_of_outcome
from agentfsm.cli.given import from_json, from_text, refuse_missing
from agentfsm.cli.one_file import OneFile
from agentfsm.cli.summary import as_json, as_lines
from agentfsm.cli.targets import orchestrator_of, parse
from agentfsm.errors import UsageError
from agentfsm.limits import Limits
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.run import Run
from agentfsm.streaming import Ended

__all__ = ("command",)

_COUNT, _SECONDS = click.IntRange(min=0), click.FloatRange(min=0, min_open=True)


@click.command("run")
@click.argument("target")
@click.argument("text", required=False)
@click.option("--input", "given", metavar="JSON", help="Records by name, or - to read them from standard input.")
@click.option("--output", metavar="FILE.jsonl", type=click.Path(path_type=Path), help="Keep the log in a new file.")
@click.option("--session", metavar="ID", help="Go on with a session, where the machine has a journal.")
@click.option("--allow", metavar="TOOL", multiple=True, help="A tool that a graph document's stages may call.")
@click.option("--limit-iterations", type=_COUNT, help="Entries of the iterating state.")
@click.option("--limit-stages", type=_COUNT, help="Stage executions.")
@click.option("--limit-seconds", type=_SECONDS, help="Time, measured between stages.")
@click.option("--limit-tool-calls", type=_COUNT, help="Calls of tools.")
@click.option("--limit-tokens", type=_COUNT, help="Tokens, in and out.")
@click.option("--limit-idle-rounds", type=click.IntRange(min=1), help="Rounds without progress.")
@click.option("--quiet", is_flag=True, help="Show no timeline.")
@click.option("--json", "as_object", is_flag=True, help="Print the outcome as JSON.")
def command(target: str, text: str | None, **options: Any) -> int:
    """
    Run TARGET, given TEXT or --input.

    TARGET is pkg.module:name, an FSMOrchestrator or a function that returns one, or a graph document. TEXT becomes the
    one record that the start state requires.
    """
    orchestrator = orchestrator_of(parse(target), options["allow"])
    if options["limit_iterations"] is not None and orchestrator.graph.iterates is None:
        raise UsageError(f"--limit-iterations: {target} has no state that begins one; its code has to say iterates=")
    orchestrator = orchestrator.with_limits(_limits(orchestrator.limits, options))
    given = _given(orchestrator, text, options["given"])
    if options["session"] is None:  # a session may have it from its last run
        refuse_missing(orchestrator, given)
    output: Path | None = options["output"]
    has_journal = orchestrator.machine.journal is not None
    if output is not None:
        kept = OneFile(output)
        orchestrator = orchestrator if has_journal else orchestrator.with_journal(kept)
    run = asyncio.run(_watched(orchestrator, given, options["session"], quiet=options["quiet"]))
    if output is not None and has_journal:
        output.write_text("".join(f"{line}\n" for line in orchestrator.lines(run)), encoding="utf-8")
    if options["as_object"]:
        click.echo(json.dumps({**as_json(run), "output": str(output) if output is not None else None}))
    else:
        for line in (*as_lines(run), *([f"log      {output}"] if output is not None else [])):
            click.echo(line)
    return code_of_outcome(run.outcome)


def _limits(limits: Limits, options: dict[str, Any]) -> Limits:
    """Return *limits* with those that the command line gives in their place."""
    chosen = {name: options[f"limit_{name}"] for name in Limits.field_types}
    return Limits(**{name: getattr(limits, name) if most is None else most for name, most in chosen.items()})


def _given(orchestrator: FSMOrchestrator[Any], text: str | None, given: str | None) -> tuple[Any, ...]:
    if text is not None and given is not None:
        raise UsageError("give a text or --input, not both")
    if text is not None:
        return from_text(orchestrator, sys.stdin.read() if text == "-" else text)
    if given is not None:
        return from_json(orchestrator, sys.stdin.read() if given == "-" else given)
    return ()


async def _watched(
    orchestrator: FSMOrchestrator[Any], given: tuple[Any, ...], session: str | None, *, quiet: bool
) -> Run[Any]:
    """Run, tell each item on standard error, and return the run as it ended."""
    from rich.console import Console

    from agentfsm.cli.timeline import told

    console = Console(stderr=True, highlight=False, quiet=quiet)
    ended: Run[Any] | None = None
    async for item in orchestrator.stream(*given, session=session):
        if isinstance(item, Ended):
            ended = item.run
        elif (line := told(item)) is not None:
            console.print(line, soft_wrap=True)
    assert ended is not None, "the last item is the run"
    return ended
