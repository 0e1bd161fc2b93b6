"""`agentfsm graph`: a machine drawn from the table that runs."""

from __future__ import annotations

import json

import click

from agentfsm.bridge import dot, mermaid
from agentfsm.cli.targets import Target, orchestrator_of, parse
from agentfsm.edges import Graph
from agentfsm.errors import UsageError

__all__ = ("command",)


@click.command("graph")
@click.argument("target")
@click.option("--format", "form", type=click.Choice(["mermaid", "dot"]), default="mermaid", help="The language.")
@click.option("--json", "as_object", is_flag=True, help="Print the table itself as JSON.")
def command(target: str, form: str, *, as_object: bool) -> int:
    """Draw TARGET, code (pkg.module:name) or a graph document, in Mermaid or in the language of Graphviz."""
    name, graph = _graph(parse(target))
    if as_object:
        click.echo(json.dumps(_table(name, graph)))
    else:
        click.echo(mermaid(graph, title=name) if form == "mermaid" else dot(graph, title=name), nl=False)
    return 0


def _graph(target: Target) -> tuple[str, Graph]:
    if target.form == "graph":
        from agentfsm.workflow import graph_of, load, resolve

        document = load(target.text)
        return document.machine.text, graph_of(document, resolve(document))
    if target.form == "statewright":
        raise UsageError(f"{target.text} has no table of stages to draw; name code or a graph document")
    orchestrator = orchestrator_of(target)
    return orchestrator.table.machine, orchestrator.graph


def _table(name: str, graph: Graph) -> dict[str, object]:
    rows = [*graph.nodes, *([graph.recovery] if graph.recovery is not None else [])]
    return {
        "machine": name,
        "start": graph.start.name,
        "final": sorted(state.name for state in graph.final),
        "failed": graph.failed.name,
        "iterates": graph.iterates.name if graph.iterates is not None else None,
        "stages": [
            {
                "name": row.stage,
                "enters": row.state.name if row.state is not None else None,
                "reads": [field.name + ("" if field.surely else "?") for field in row.reads],
                "writes": [field.name + ("" if field.surely else "?") for field in row.writes],
                "exits": [target.name for target in row.exits],
            }
            for row in rows
        ],
    }
