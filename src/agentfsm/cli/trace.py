"""`agentfsm trace`: a past run's trace, rebuilt from its log and sent to a collector."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

import click

from agentfsm.cli.logs import lines_of, parsed, under
from agentfsm.errors import UsageError

__all__ = ("command",)


@click.command("trace")
@click.argument("run")
@click.option("--otlp", "endpoint", required=True, metavar="URL", help="The collector, such as http://localhost:4318.")
@click.option("--service-name", default="agentfsm", show_default=True, help="What the collector calls the sender.")
@click.option(
    "--semconv", type=click.Choice(["genai-0.1", "openinference"]), default="genai-0.1", help="Names of attributes."
)
@click.option("--record", "records", metavar="NAME", multiple=True, help="A record whose fields are sent too.")
@click.option("--tool", "tools", metavar="NAME", multiple=True, help="A tool whose arguments and answers are sent too.")
@click.option("--errors", is_flag=True, help="Send the texts of exceptions too.")
@click.option("--json", "as_object", is_flag=True, help="Print what was sent as JSON.")
def command(run: str, endpoint: str, **options: Any) -> int:
    """
    Rebuild RUN's trace from its log and send it: RUN need not have been traced while it went on.

    RUN is FILE.jsonl or STORE#RUN; in a store, runs of sub-machines are sent with it. Times are those of the log, and
    ids follow from the run's name, so sending it again changes nothing. No content is sent unless it is named.
    """
    from agentfsm.telemetry import Content, Telemetry
    from agentfsm.telemetry.exporting import sending
    from agentfsm.telemetry.past import retold

    with under(run):
        said = [line.said for line in parsed(lines_of(run))]
    name = str(said[0].get("run", ""))
    tracers, send = sending(name, endpoint, options["service_name"])
    content = Content(options["records"], options["tools"], errors=options["errors"])
    store, mark, _ = run.rpartition("#")

    def children(child: str) -> Sequence[Any]:
        return _said(f"{store}#{child}") if mark else ()

    retold(said, Telemetry(cast("Any", options["semconv"]), content=content), tracers, children)
    count = send()
    if options["as_object"]:
        click.echo(json.dumps({"run": name, "spans": count}))
    else:
        click.echo(f"sent {count} spans of run {name}")
    return 0


def _said(run: str) -> Sequence[Any]:
    try:
        lines = lines_of(run)
    except UsageError:  # no such run
        return ()
    with under(run):
        return [line.said for line in parsed(lines)]
