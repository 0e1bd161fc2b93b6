"""`agentfsm check`: a machine proved sound, or everything that is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import click
from attrs import evolve, frozen

from agentfsm.cli.exits import DONE, FAILED
from agentfsm.cli.targets import Target, orchestrator_of, parse
from agentfsm.edges import Graph
from agentfsm.errors import DefinitionError, Finding, UsageError

__all__ = ("command",)


@frozen
class Claimed:
    """A claim that was made on the command line, whether it holds, and the path that shows or breaks it."""

    claim: str
    holds: bool
    witness: tuple[str, ...]
    text: str


@frozen
class Report:
    """What a check found: errors make the machine unusable, warnings deserve a look; and what became of each claim."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    sound: str = ""
    claims: tuple[Claimed, ...] = ()

    @property
    def code(self) -> int:
        """Exit code 0 where the machine is sound and every claim holds."""
        return FAILED if self.errors or not all(claim.holds for claim in self.claims) else DONE


@click.command("check")
@click.argument("target")
@click.option("--never", metavar="S:TOOL", multiple=True, help="In state S the effect of TOOL cannot happen.")
@click.option("--only", metavar="S:T1,T2", multiple=True, help="In state S nothing but these can happen.")
@click.option("--approved", metavar="A..B", multiple=True, help="Every path from A to B asks a person.")
@click.option("--reach", metavar="A..B", multiple=True, help="There is a path from A to B.")
@click.option("--without", metavar="C", default="", help="What --reach has to go without.")
@click.option("--must-pass", metavar="A..B:C", multiple=True, help="Every path from A to B goes through C.")
@click.option("--with", "others", metavar="MACHINE", multiple=True, help="A machine that the target invokes.")
@click.option("--json", "as_object", is_flag=True, help="Print the findings as JSON.")
def command(target: str, *, without: str, others: tuple[str, ...], as_object: bool, **claims: tuple[str, ...]) -> int:
    """
    Check TARGET: code (pkg.module:name), a graph document, or a statewright machine.

    A machine of stages is proved to have no dangling exit, unreachable stage, trap, unwritten required record or dead
    write; a graph document is held to its classes, too; a statewright machine to its structure and safety.

    Claims are about every run of a statewright machine. A and B are states, rungs of the privilege ladder (READ_ONLY,
    WRITE, EXECUTE, GIT_MUTATE, EXTERNAL) or tools. Exit code 1 shows the path that breaks one.
    """
    parsed = parse(target)
    said = [(kind, text) for kind, texts in claims.items() for text in texts]
    if without and not claims["reach"]:
        raise UsageError("--without says what --reach has to go without; give --reach A..B")
    if (said or others) and parsed.form != "statewright":
        raise UsageError(f"claims and --with are for a statewright machine, which {target} is not")
    report = _claimed(parsed, said, without, others) if said else _CHECKS[parsed.form](parsed)
    if as_object:
        found = {"target": target, "sound": not report.errors, "errors": report.errors, "warnings": report.warnings}
        told = [{"claim": each.claim, "holds": each.holds, "witness": each.witness} for each in report.claims]
        click.echo(json.dumps({**found, "claims": told} if told else found))
    else:
        for line in (*report.errors, *report.warnings):
            click.echo(line)
        click.echo(f"{target}: {len(report.errors)} errors" if report.errors else f"{target}: sound, {report.sound}")
        for each in report.claims:
            click.echo(each.text)
    return report.code


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


def _claimed(target: Target, claims: list[tuple[str, str]], without: str, others: tuple[str, ...]) -> Report:
    """Check a machine, and where it can be used prove what is claimed of it."""
    from agentfsm.cli.machines import machine_at
    from agentfsm.statewright import prove, read_claim

    report = _machine(target)
    try:
        machine = machine_at(target.text, others)
    except DefinitionError:
        if report.errors:
            return report
        raise
    read = [read_claim(cast("Any", kind), text, without if kind == "reach" else "") for kind, text in claims]
    proofs = [prove(machine, claim) for claim in read]
    return evolve(report, claims=tuple(Claimed(str(p.claim), p.holds, p.witness, p.text) for p in proofs))


_CHECKS = {"code": _code, "graph": _document, "statewright": _machine}


def _wrong(findings: tuple[Finding, ...]) -> Report:
    return Report(tuple(map(str, findings)))


def _size(graph: Graph) -> str:
    edges = sum(len(node.exits) for node in graph.nodes)
    rescue = f", recovery {graph.recovery.stage}" if graph.recovery is not None else ""
    return f"{len(graph.nodes)} stages, {edges} edges{rescue}"
