"""`agentfsm test-from-log`: a recorded run becomes a test that takes it again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from agentfsm.cli.logs import lines_of
from agentfsm.cli.targets import orchestrator_of, parse
from agentfsm.errors import UsageError

__all__ = ("command",)

_TEST = '''"""A recorded run of {target}, taken again: its stages run, tools and models answer from the log."""

from pathlib import Path

from agentfsm import FSMOrchestrator, Outcome
from agentfsm.testing import replay_log
from {module} import {top}

LOG = Path(__file__).with_name("{log}")


def test_{name}() -> None:
    """Each attempt has the patch, the edge and the end that are recorded."""
    machine = {path} if isinstance({path}, FSMOrchestrator) else {path}()
    run = replay_log(machine, LOG)

    assert Outcome{outcome} is run.outcome
    assert "{digest}" == run.digest.hex()
'''


@click.command("test-from-log")
@click.argument("run")
@click.option("--target", required=True, help="The machine, as pkg.module:name.")
@click.option(
    "--output", metavar="TEST.py", required=True, type=click.Path(path_type=Path), help="The test, a new file."
)
@click.option("--json", "as_object", is_flag=True, help="Print what was written as JSON.")
def command(run: str, target: str, output: Path, *, as_object: bool) -> int:
    """
    Write a pytest file from RUN, FILE.jsonl or STORE#RUN, with the log beside it.

    The test takes the run again and fails at the first entry that differs: a changed exit, record, invariant, call or
    answer. The log is verified before anything is written.
    """
    named = parse(target)
    if named.form != "code":
        raise UsageError(f"{target} is no code: a test imports its machine, as pkg.module:name")
    log = output.with_suffix(".jsonl")
    if there := [path for path in (output, log) if path.exists()]:
        raise UsageError(f"{there[0]} is there already; name another file")
    lines = lines_of(run)
    found = orchestrator_of(named).read(lines)
    if found.outcome is None:
        raise UsageError(f"run {found.id} has not ended; a test takes a whole run again")
    module, _, path = target.partition(":")
    text = _TEST.format(
        target=target,
        module=module,
        top=path.partition(".")[0],
        path=path,
        log=log.name,
        name=re.sub(r"\W+", "_", output.stem.removeprefix("test_")) or "run",
        outcome=f".{found.outcome.name}",
        digest=found.digest.hex(),
    )
    log.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    output.write_text(text, encoding="utf-8")
    told = {"test": str(output), "log": str(log), "events": len(found.events), "outcome": found.outcome.value}
    click.echo(json.dumps(told) if as_object else "{test} and {log}: {events} events, {outcome}".format(**told))
    return 0
