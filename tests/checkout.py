"""The checkout that is under test: where it is, and the files in it that are ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

__all__ = ("ROOT", "TYPED", "named", "python_files", "text_files")

ROOT = Path(__file__).parents[1]
TYPED = ("src", "stages", "examples", "bench", "tests")
TEXTS = ("*.md", "*.py", "*.pyi", "*.toml", "*.yaml", "*.yml", "*.json", "*.ini", "*.in", "*.lock", "Makefile", "run")
# Pinned peers have an environment of their own; the rejected files are wrong on purpose.
NOT_OURS = ("bench/.venv", "bench/peers/", "tests/typing/rejects/")
MADE = {"build", "dist", "__pycache__"}


def named(path: Path) -> str:
    """Return *path* as a reader of the repository would write it."""
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> tuple[Path, ...]:
    """Return the Python files below *folders*, by default everywhere that types are checked."""
    found = (path for folder in folders or TYPED for path in sorted((ROOT / folder).rglob("*.py")))
    return tuple(path for path in found if not named(path).startswith(NOT_OURS) and MADE.isdisjoint(path.parts))


def text_files() -> Iterator[Path]:
    """Yield every text file of the checkout that a person wrote or a target generates for the repository."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(each for each in folders if each not in MADE and (each == ".ci" or each[0] != "."))
        for name in sorted(files):
            if any(fnmatch(name, pattern) for pattern in TEXTS):
                yield Path(folder, name)
