"""Assignments among a build tool's arguments: ``make CC=x`` hands make a variable."""

from __future__ import annotations

from agentfsm.shell.call import Call, judge_variable
from agentfsm.shell.values import Arg

__all__ = ("judged_assignment",)

_MAKE_RUNS = frozenset(
    {
        "SHELL",
        ".SHELLFLAGS",
        "MAKE",
        "MAKEFILES",
        "INSTALL",
        "RM",
        "PYTHON",
        "PYTEST",
        "NPM",
        "NODE",
        "GO",
        "CARGO",
        "CMD",
        "RUN",
        "EXEC",
        "PREFIX_CMD",
        "SUDO",
        "DOCKER",
        "TEST_CMD",
        "RUNNER",
    }
)


def judged_assignment(call: Call, arg: Arg) -> None:
    """Judge one assignment: a name that makefiles run, or a value with make functions, is code."""
    name, _, value = arg.text.partition("=")
    name = name.rstrip(":+?!")
    if name in _MAKE_RUNS or "$(shell" in value or "${shell" in value or "`" in value or "$(eval" in value:
        call.unresolved("variable_runs_code", name)
        return
    judge_variable(call.machine, name, value, call.name)
