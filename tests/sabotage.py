"""
Break each requirement in a copy of the tree, and demand that its tests notice.

`python tests/sabotage.py [--only R1,R2] [--root FOLDER] [--jobs N]`; the copies are removed again.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import frozen

__all__ = ("Requirement", "Sabotage", "broken", "main", "noticed", "read")

NUMBER = re.compile(r"R[1-9]\d*")
NOT_COPIED = (".*", "__pycache__", "build", "dist", "*.egg-info", "*.db")
SECONDS = 600
Verdict: TypeAlias = Literal["noticed", "unnoticed", "not run"]
# What pytest's exit codes mean here; any other means that the tests did not run.
VERDICTS: Mapping[int, Verdict] = {1: "noticed", 0: "unnoticed"}


@frozen
class Sabotage:
    """One small change of one file that breaks a requirement."""

    file: str
    old: str
    new: str


@frozen
class Requirement:
    """A requirement, the tests that show it and the sabotage that they must notice."""

    number: str
    title: str
    tests: tuple[str, ...]
    sabotage: Sabotage


def read(text: str) -> tuple[Requirement, ...]:
    """Return the requirements of a table; raise ValueError, naming the requirement, where it has another shape."""
    return tuple(one(number, table) for number, table in tomllib.loads(text).items())


def one(number: str, table: object) -> Requirement:
    match table:
        case {
            "title": str(title),
            "tests": [*tests],
            "sabotage": {"file": str(file), "old": str(old), "new": str(new), **further},
            **others,
        } if title and tests and old and old != new and not further and not others and NUMBER.fullmatch(number):
            named = tuple(each for each in tests if isinstance(each, str))
            if len(named) == len(tests):
                return Requirement(number, title, named, Sabotage(file, old, new))
        case _:
            pass
    raise ValueError(f"{number}: wants title, tests (not empty) and sabotage = {{file, old, new}}, and nothing else")


def broken(source: str, sabotage: Sabotage) -> str:
    """Return *source* with the change made; raise ValueError unless the old text occurs exactly once."""
    if (count := source.count(sabotage.old)) != 1:
        raise ValueError(f"{sabotage.file}: the old text occurs {count} times: {sabotage.old!r}")
    return source.replace(sabotage.old, sabotage.new)


def noticed(requirement: Requirement, root: Path) -> tuple[Verdict, str]:
    """Break *requirement* in a copy of *root*, run its tests there and return the verdict with what pytest said."""
    with tempfile.TemporaryDirectory(prefix=f"sabotage-{requirement.number}-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
        if (root.parent / "shared").is_dir():
            # What tests read beside the checkout, or they would be skipped and notice nothing.
            (copy.parent / "shared").symlink_to(root.parent.resolve() / "shared")
        target = copy / requirement.sabotage.file
        target.write_text(broken(target.read_text(encoding="utf-8"), requirement.sabotage), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *requirement.tests],
            cwd=copy,
            # The copy's sources come before the editable install of the original.
            env={**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy / 'stages'}"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    return VERDICTS.get(done.returncode, "not run"), done.stdout + done.stderr


def chosen(requirements: Sequence[Requirement], only: str) -> Sequence[Requirement]:
    wanted = {*filter(None, only.split(","))}
    if strangers := wanted - {each.number for each in requirements}:
        raise ValueError(f"no such requirement: {', '.join(sorted(strangers))}")
    return [each for each in requirements if not wanted or each.number in wanted]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try every requirement, or those named; return 0 when all sabotages were noticed, 1 otherwise, 2 for misuse."""
    parser = argparse.ArgumentParser(description="Break each requirement in a copy; its tests must notice.")
    parser.add_argument("--only", default="", metavar="R1,R2", help="try these alone")
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[1], help="the tree to copy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    given = parser.parse_args(arguments)
    try:
        requirements = chosen(
            read((given.root / "tests" / "requirements.toml").read_text(encoding="utf-8")), given.only
        )
        with ThreadPoolExecutor(max(given.jobs, 1)) as pool:
            results = list(pool.map(partial(noticed, root=given.root), requirements))
    except (ValueError, OSError, subprocess.TimeoutExpired) as error:
        print(error, file=sys.stderr)
        return 2
    for requirement, (verdict, said) in zip(requirements, results, strict=True):
        print(f"{requirement.number:4} {verdict:9} {requirement.title}")
        if verdict == "not run":
            print(said)
    missed = sum(verdict != "noticed" for verdict, _ in results)
    print(f"{len(results)} sabotages, {missed} not noticed")
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
