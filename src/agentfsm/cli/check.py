"""`agentfsm check`: a machine proved sound, or everything that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import click
from attrs import frozen

from agentfsm.cli.exits import DONE, FAILED
from agentfsm.cli.targets import Target, orchestrator_of, parse
from agentfsm.edges import Graph
from agentfsm.errors import DefinitionError, Finding, UsageError

__all__ = ("command",)


@frozen
class Report:
    """What a check found: errors make the machine unusable, warnings deserve a look."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    sound: str = ""


@click.command("check")
@click.argument("target")
@click.option("--json", "as_object", is_flag=True, help="Print the findings as JSON.")
def command(target: str, *, as_object: bool) -> int:
    """
    Check TARGET: code (pkg.module:name), a graph document, or a statewright machine.

    A machine of stages is proved to have no dangling exit, unreachable stage, trap, unwritten required record or dead
    write; a graph document is held to its classes, too; a statewright machine to its structure and safety.
    """
    parsed = parse(target)
    report = _CHECKS[parsed.form](parsed)
    if as_object:
        found = {"target": target, "sound": not report.errors, "errors": report.errors, "warnings": report.warnings}
        click.echo(json.dumps(found))
    else:
        for line in (*report.errors, *report.warnings):
            click.echo(line)
        click.echo(f"{target}: {len(report.errors)} errors" if report.errors else f"{target}: sound, {report.sound}")
    return FAILED if report.errors else DONE


def _code(target: Target) -> Report:
    try:
        graph = orchestrator_of(target).graph
    except DefinitionError as error:
        return _wrong(error.findings)
    return Report(sound=_size(graph))


def _document(target: Target) -> Report:
    from agentfsm.graph import findings
    from agentfsm.workflow import graph_of, load, resolve

    try:
        document = load(target.text)
        graph = graph_of(document, resolve(document))
        DefinitionError.raise_any(findings(graph))
    except DefinitionError as error:
        return _wrong(error.findings)
    return Report(sound=_size(graph))


def _machine(target: Target) -> Report:
    from agentfsm.statewright import load

    if not Path(target.text).is_file():
        raise UsageError(f"{target.text} cannot be read: there is no such file")
    loaded = load(target.text)
    faults = [fault for fault in loaded.faults if fault.severity == "warning"]
    size = f"{len(loaded.definition.states)} states" if loaded.definition is not None else ""
    return Report(tuple(map(str, loaded.errors)), tuple(map(str, faults)), size)


_CHECKS = {"code": _code, "graph": _document, "statewright": _machine}


def _wrong(findings: tuple[Finding, ...]) -> Report:
    return Report(tuple(map(str, findings)))


def _size(graph: Graph) -> str:
    edges = sum(len(node.exits) for node in graph.nodes)
    rescue = f", recovery {graph.recovery.stage}" if graph.recovery is not None else ""
    return f"{len(graph.nodes)} stages, {edges} edges{rescue}"
