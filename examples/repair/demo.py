"""
An agent repairs a package: `python examples/repair/demo.py [FOLDER]`.

The tools are real: they search, edit and test a copy of `package/`. What the model says was recorded in
`replies.jsonl`; everything else happens here and now. Ends with exit code 1 unless the tests failed before and pass
after it, the run finished, its guard refused what is not allowed, and its log replays to the same digest.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from agentfsm import AllowList, CallEvent, Ended, FSMOrchestrator, Limits, Outcome, Run, Workspace
from agentfsm.cli.timeline import told
from agentfsm.models import AskedCall, Reply, ScriptedModel
from agentfsm_stages.coding import LS, Bash, Edit, Glob, Grep, Read, RunTests
from agentfsm_stages.react import Loop, Observation, UserInput, tool_loop

HERE = Path(__file__).parent
TASK = "The tests of this package fail. Find out why, repair the package, and leave the tests as they are."
ALLOWED = ("Read", "Grep", "Glob", "LS", "Edit", "RunTests")  # Bash is there, and not allowed

console = Console(highlight=False)


def replies() -> Iterator[Reply]:
    """Give what the model said, turn by turn."""
    for line in (HERE / "replies.jsonl").read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        calls = tuple(AskedCall(**call) for call in said["calls"])
        yield Reply(said["text"], calls, stop="calls" if calls else "end")


def agent() -> FSMOrchestrator[Loop]:
    """Return the machine: model and tools take turns, and a guard decides on each call."""
    return tool_loop(
        ScriptedModel(*replies(), pieces=40),
        tools=(Read, Grep, Glob, LS, Edit, RunTests, Bash),
        guards=[AllowList(*ALLOWED)],
        limits=Limits(iterations=16, tool_calls=40),
    )


async def watched(machine: FSMOrchestrator[Loop], package: Path) -> Run[Loop]:
    """Run the machine on *package*, and show what it does while it does it."""
    environment = {"PATH": os.environ["PATH"], "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    async for item in machine.stream(UserInput(TASK), Workspace(str(package), environment)):
        if isinstance(item, Ended):
            return item.run
        if (line := told(item)) is not None:
            console.print(line, soft_wrap=True)
    raise AssertionError("a stream ends with the run")


def tests_pass(package: Path) -> bool:
    """Run the tests of *package* apart from the agent, and show how they end."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, timeout=120, check=False)
    console.print(f"  {(done.stdout or done.stderr).strip().splitlines()[-1]}", markup=False)
    return done.returncode == 0


def main(folder: Path) -> int:
    """Do the whole job in *folder*; return the exit code."""
    package, log = folder / "package", folder / "run.jsonl"
    shutil.copytree(HERE / "package", package, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    console.print(f"[bold]The package, as it is[/bold] in {package}")
    broken = not tests_pass(package)

    console.print("\n[bold]The agent at work[/bold]")
    machine = agent()
    run = asyncio.run(watched(machine, package))
    answer = run.get(Observation)
    console.print(f"\n[bold]Its answer[/bold]\n  {answer.final_answer if answer else '(none)'}")

    console.print("\n[bold]The package, after it[/bold]")
    repaired = tests_pass(package)

    log.write_text("".join(f"{line}\n" for line in machine.lines(run)), encoding="utf-8")
    replayed = agent().read(log.read_text(encoding="utf-8").splitlines())
    calls = [entry for entry in run.log if isinstance(entry, CallEvent) and entry.effect]
    refused = [call for call in calls if call.phase == "refused"]
    verified = replayed.digest == run.digest
    console.print(f"\n[bold]The log[/bold] {log}")
    console.print(f"  {len(run.log)} entries, {len(run.events)} transitions, {len(refused)} refused")
    console.print(f"  replayed: digest {replayed.digest.hex()} {'verified' if verified else 'DIFFERS'}")
    return 0 if broken and repaired and verified and run.outcome is Outcome.FINISHED and refused else 1


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="agentfsm-repair-"))
    sys.exit(main(given))
