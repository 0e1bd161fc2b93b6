"""Bash: a command line, run by the shell."""

from __future__ import annotations

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.processes import run_process

__all__ = ("Bash", "Output")


@frozen
class Output:
    """
    How a command ended: its exit status, minus the signal where one killed it, and what it wrote to both streams.

    *cut* says what was left out of the middle.
    """

    status: int
    text: str
    timed_out: bool = False
    cut: str = ""

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.status == 0 and not self.timed_out


@tool
class Bash(Tool[Output]):
    """
    Run *command* by ``bash -c`` in the workspace, for *seconds* at most, with nothing to read.

    All processes of the command are killed when it ends, when the time is up and when the run is cancelled. The jail of
    the other tools does not hold for what a command does: a guard has to decide on it, and a sandbox has to hold it.
    """

    command: str
    seconds: float = 120.0

    def writes(self) -> tuple[str, ...]:
        """Name the whole workspace: a command may change anything in it."""
        return (".",)

    async def run(self, site: Site) -> Output:
        """Return what came of it; raises `ToolError` where there is no bash or the command holds a NUL."""
        if "\0" in self.command:
            raise ToolError("the command holds a NUL, which no command line can", path="command")
        ended = await run_process(("bash", "--noprofile", "--norc", "-c", self.command), site, self.seconds)
        return Output(ended.status, ended.output.text, ended.timed_out, ended.output.cut)
