"""Tools for repositories of many packages, and runners in front of other tools: lerna, nx, turbo, nyc."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.npm import (
    run_script,
)
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = (
    "assignments_first",
    "coverage_wrapper",
    "lerna",
)


def lerna(call: Call) -> None:
    """Monorepo runners: ``run`` a target by name in every package."""
    by_subcommand(
        (
            "list ls changed diff info graph show report  affected:graph print-affected |\n"
            "bootstrap add link | NW\n"
            "version publish | NWG\n"
            "clean reset prune | D\n"
            "exec | U\n"
            "build | W\n"
            "test lint |\n"
            "format | M\n"
            "format:check |\n"
            "boundaries ls query scan |"
        ),
        (
            "words | | --scope= --filter= -t,--target= --projects= --targets= -p= --concurrency= "
            "--base= --head= --parallel= --all --stream --since=? -F= --dry-run=? --dry=? --graph=?:w "
            "--output-logs= --skip-nx-cache --no-cache --force --continue=? --verbose --runner=:X "
            "--configuration= -c= --api=!N --token=!N --team=!N --remote-only!N --cache-dir=:w "
            "--log-order="
        ),
        {"run": lerna_run, "run-many": lerna_targets, "affected": lerna_targets},
    )(call)


def lerna_run(call: Call, found: Parsed) -> None:
    """Judge the scripts named behind ``run``."""
    for name in found.operands[1:]:
        run_script(call, Arg(name.text.rpartition(":")[2] or name.text, name.loose, name.glob), [])


def lerna_targets(call: Call, found: Parsed) -> None:
    """Judge the targets of ``nx run-many`` and ``nx affected``."""
    names = found.values("-t", "--target", "--targets")
    if not names:
        call.unresolved("unknown_subcommand", "no target")
    for name in names:
        for part in name.text.split(","):
            run_script(call, Arg(part), [])


def coverage_wrapper(call: Call) -> None:
    """``c8`` and ``nyc`` measure what they run, and report."""
    spec = compiled(
        "words stop | | -r,--reporter= --reports-dir=:w --report-dir=:w --temp-directory=:w "
        "-x,--exclude= -n,--include= --all -a --check-coverage --lines= --branches= --functions= "
        "--statements= -c,--config=:o --require=:X -i=:X --extension= --src= --clean --cwd= "
        "--silent -s"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    payload = found.operands
    if payload and payload[0].text in ("report", "check-coverage", "merge", "instrument"):
        if payload[0].text in ("merge", "instrument"):
            call.note(OpClass.FILE_WRITE, "writes_file")
        return
    if payload:
        call.run(payload)


def assignments_first(call: Call) -> None:
    """``cross-env`` and ``dotenv`` set variables and run the rest."""
    payload = list(call.args)
    while payload and ("=" in payload[0].text or payload[0].starts("-")):
        arg = payload.pop(0)
        if arg.text == "--":
            break
        if arg.starts("-"):
            if arg.text in ("-e", "-v", "-c", "-p") and payload:
                payload.pop(0)
            continue
        name, _, value = arg.text.partition("=")
        call.variable(name, Arg(value))
    if payload:
        call.run(payload)
