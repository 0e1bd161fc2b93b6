"""The entry point: commands loaded when they are called, errors said in a line, exit codes kept."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import cast

import click

from agentfsm.cli.exits import FAILED, INTERRUPTED, code_of
from agentfsm.errors import AgentFSMError

__all__ = ("COMMANDS", "group", "main")

# Each command's module, which has it as `command`, and what `agentfsm --help` says of it.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("agentfsm.cli.run", "Run a machine and show what happens."),
    "replay": ("agentfsm.cli.replay", "Fold a run's log again and verify it."),
    "show": ("agentfsm.cli.show", "Show a run's log."),
    "trace": ("agentfsm.cli.trace", "Send a past run's trace to a collector."),
    "check": ("agentfsm.cli.check", "Prove that a machine is sound."),
    "explain": ("agentfsm.cli.explain", "Say whether a machine allows a call, and why."),
    "approve": ("agentfsm.cli.approve", "Approve the call that a run waits for, and go on."),
    "reject": ("agentfsm.cli.reject", "Reject the call that a run waits for, and go on."),
    "shell": ("agentfsm.cli.shell", "Say what a shell command could do."),
    "graph": ("agentfsm.cli.graph", "Draw a machine."),
    "test-from-log": ("agentfsm.cli.from_log", "Write a test that takes a recorded run again."),
    "import": ("agentfsm.cli.importing", "Turn another harness's recording into a log."),
}


class _Late(click.Group):
    """A group whose commands are imported when one is called: help and version need none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return cast("click.Command", import_module(COMMANDS[cmd_name][0]).command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"agentfsm {version('agentfsm')}")
        ctx.exit()


@click.group(cls=_Late, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Say the version.")
def group() -> None:
    """
    Typed state machines for agents: run, replay, prove and draw them.

    Exit codes: 0 done, 1 failed or not verified, 2 usage, 3 waiting for approval, 4 budget or limit, 5 conflict or
    version, 130 interrupted.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code; an error is a line on standard error, never a traceback."""
    sys.exit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    try:
        ended = group.main(args=arguments, prog_name="agentfsm", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("agentfsm: interrupted", err=True)
        return INTERRUPTED
    except AgentFSMError as error:
        for line in (str(error) or type(error).__name__).splitlines():
            click.echo(f"agentfsm: {line}", err=True)
        return code_of(error)
    except OSError as error:
        click.echo(f"agentfsm: {error}", err=True)
        return FAILED
    return ended if isinstance(ended, int) else 0
