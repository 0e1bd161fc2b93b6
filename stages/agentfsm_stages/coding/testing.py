"""RunTests: a project's own test suite, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

from agentfsm import Site, Tool, ToolError, tool
from agentfsm_stages.coding.jail import Jail, plain
from agentfsm_stages.coding.processes import Ended, run_process

__all__ = ("RunTests", "TestReport", "Verdict")

Verdict: TypeAlias = Literal["passed", "failed", "interrupted", "broken", "misused", "no_tests", "timed_out", "killed"]

# pytest's own exit statuses.
_VERDICTS: Mapping[int, Verdict] = {
    0: "passed",
    1: "failed",
    2: "interrupted",
    3: "broken",
    4: "misused",
    5: "no_tests",
}

# No compiled files: one that is as old and as long as the source after an edit would be taken for it.
_PYTEST = ("-B", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider")


@frozen
class TestReport:
    """How the tests went, and what pytest wrote; *cut* says what was left out of the middle."""

    __test__ = False  # pytest takes a class of this name for a test

    verdict: Verdict
    text: str
    cut: str = ""

    @property
    def ok(self) -> bool:
        """Whether there were tests and all of them passed."""
        return self.verdict == "passed"


@tool(effect="idempotent")
class RunTests(Tool[TestReport]):
    """
    Run the tests with pytest, all or only those of *targets*: paths, or ``path::test``. *keyword* is pytest's ``-k``.

    They run for *seconds* at most, by the environment's own Python (``VIRTUAL_ENV``) or else by the one that runs this.
    No option can be given, so it runs the project's tests and its ``conftest.py`` and nothing that the caller names.
    """

    targets: tuple[str, ...] = ()
    keyword: str = ""
    seconds: float = 300.0

    def writes(self) -> tuple[str, ...]:
        """Name the whole workspace: a test may change anything in it."""
        return (".",)

    async def run(self, site: Site) -> TestReport:
        """Return how they went; raises `ToolError` for a target outside the workspace."""
        jail = Jail(site.workspace)
        targets = [_target(jail, each) for each in self.targets]
        chosen = [f"-k={self.keyword}"] if self.keyword else []
        command = (_python(site), *_PYTEST, *chosen, "--", *targets)
        ended = await run_process(command, site, self.seconds)
        return TestReport(_verdict(ended), ended.output.text, ended.output.cut)


def _target(jail: Jail, target: str) -> str:
    path, colons, name = target.partition("::")
    jail.kind(path)
    return f"{plain(path)}{colons}{name}"


def _python(site: Site) -> str:
    if place := site.environment.get("VIRTUAL_ENV"):
        python = Path(place) / "bin" / "python"
        if not python.is_file():
            raise ToolError(f"VIRTUAL_ENV is {place}, which has no bin/python", path="VIRTUAL_ENV")
        return str(python)
    return sys.executable


def _verdict(ended: Ended) -> Verdict:
    if ended.timed_out:
        return "timed_out"
    return _VERDICTS.get(ended.status, "killed" if ended.status < 0 else "broken")
