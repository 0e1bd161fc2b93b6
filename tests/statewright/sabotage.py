"""
Sabotages of the law: one line of the package broken at a time, and the test file that has to notice.

    python tests/statewright/sabotage.py

works on a copy of the package, runs the named test for each, and exits 0 only when every sabotage was noticed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from attrs import frozen

__all__ = ("SABOTAGES", "Sabotage", "noticed", "read")

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "agentfsm" / "statewright"


@frozen
class Sabotage:
    """Replace *old* by *new* in *file*; *test* has to fail. *shows* names the rule or requirement."""

    shows: str
    file: str
    old: str
    new: str
    test: str


def read(text: str) -> tuple[Sabotage, ...]:
    """Return the sabotages of a table."""
    return tuple(Sabotage(**each) for each in tomllib.loads(text)["sabotage"])


SABOTAGES = read((Path(__file__).parent / "sabotages.toml").read_text(encoding="utf-8"))


def noticed(sabotage: Sabotage, folder: Path) -> bool:
    """Whether the test fails on a copy of the package with the sabotage in it."""
    package = folder / "src" / "agentfsm" / "statewright"
    file = package / sabotage.file
    sound = file.read_text(encoding="utf-8")
    file.write_text(sound.replace(sabotage.old, sabotage.new), encoding="utf-8")
    path = os.pathsep.join(map(str, (folder / "src", folder / "stages")))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        f"tests/statewright/{sabotage.test}",
    ]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, check=False)
    file.write_text(sound, encoding="utf-8")
    return done.returncode == 1


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "checkout"
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".*_cache", "__pycache__"))
        shared = ROOT.parent / "shared"
        if shared.exists():
            (Path(name) / "shared").symlink_to(shared.resolve(), target_is_directory=True)
        missed = [each.shows for each in SABOTAGES if not noticed(each, folder)]
    for shows in missed:
        print(f"not noticed: {shows}")
    print(f"{len(SABOTAGES) - len(missed)} of {len(SABOTAGES)} sabotages noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
