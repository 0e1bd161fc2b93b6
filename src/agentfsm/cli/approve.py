"""`agentfsm approve`: a person's yes to the call that a run waits for."""

from __future__ import annotations

from typing import Any

import click

from agentfsm.cli.answering import Given, answer

__all__ = ("command",)


@click.command("approve")
@click.argument("run")
@click.option("--target", help="The machine, where it is not an installed one: pkg.module:name or graph.yaml.")
@click.option("--key", metavar="KEY", help="The request that is meant; needed where there is no terminal to show it.")
@click.option("--by", metavar="NAME", help="Who answers; by default, the user of this process.")
@click.option("--reason", metavar="TEXT", help="Why; it is kept in the log.")
@click.option("--json", "as_object", is_flag=True, help="Print how the run stands then as JSON.")
def command(run: str, **options: Any) -> int:
    """
    Approve the call that RUN waits for: the call is made, and the run goes on.

    RUN is FILE.jsonl or STORE#RUN. An answer serves once, for the request that it was given to; exit code 3 means that
    the run waits again.
    """
    return answer("approve", run, Given(**options))
