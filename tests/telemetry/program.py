"""
A run in a process of its own, exported by the real SDK: `python -m tests.telemetry.program ENDPOINT FOLDER HOW`.

*HOW* names a machine of `tests.telemetry.machines`, `resume` goes on with the run in FOLDER, `demo` is the example.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from agentfsm import JsonlJournal, MemoryJournal, Run, Signal, World
from agentfsm.telemetry import Telemetry, setup
from tests.checkout import ROOT
from tests.sample import Bug
from tests.telemetry import machines


async def cancelled(work: asyncio.Task[Run[Any]]) -> None:
    for _ in range(50):
        await asyncio.sleep(0)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def go(how: str, folder: Path, name: str, telemetry: Telemetry) -> None:
    journal = MemoryJournal() if how == "nested" else JsonlJournal(str(folder))  # whose files have no name for a child
    settings: dict[str, Any] = {"world": World(), "telemetry": telemetry, "journal": journal}
    if how == "resume":
        machine = machines.asking(**settings)
        run = await machine.load(name)
        while run.halted is not None:
            run = await machine.resume(run, Signal("approve", run.halted.key, by="ann@example.org"))
    elif how == "hanging":
        await cancelled(asyncio.ensure_future(machines.hanging(**settings).run(Bug("wrong"))))
    else:
        await getattr(machines, how)(**settings).run(Bug("wrong"))


async def demo(telemetry: Telemetry) -> None:
    sys.path.insert(0, str(ROOT / "examples" / "repair"))
    example = import_module("demo")
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "package"
        shutil.copytree(ROOT / "examples" / "repair" / "package", package)
        await example.watched(example.agent().with_telemetry(telemetry), package)


def main(endpoint: str, folder: str, how: str) -> None:
    kept = next(Path(folder).glob("*.jsonl"), Path())
    with setup(endpoint=endpoint, service_name="tests") as telemetry:
        asyncio.run(demo(telemetry) if how == "demo" else go(how, Path(folder), kept.stem, telemetry))


if __name__ == "__main__":
    main(*sys.argv[1:])
