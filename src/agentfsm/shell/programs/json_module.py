"""python -m json.tool and its like: modules that read and write files."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled

__all__ = (
    "archive_module",
    "json_tool",
)


def json_tool(call: Call) -> None:
    """``json.tool [IN [OUT]]``"""
    spec = compiled(
        "strict | r w | --sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent "
        "--compact -h,--help --color --no-color"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


def archive_module(call: Call) -> None:
    """``zipfile`` and ``tarfile`` list and test, or write."""
    first = call.args[0].text if call.args else ""
    if first in ("-l", "--list", "-t", "--test"):
        for arg in call.args[1:2]:
            call.reads(arg)
    else:
        add(call, "W", first)
