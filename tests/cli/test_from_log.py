"""`agentfsm test-from-log`: the test that it writes passes, and fails readably once the machine is another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.cli.calling import call
from tests.cli.test_logs import WORKS, log

__all__ = ("log",)

# A machine as a user has it in a file of their own; the edits below are made to it.
PEOPLE = """
from enum import Enum
from typing import Literal

from agentfsm import (
    AllowList, Business, Context, FSMOrchestrator, Invariant, Iteration, Site, Stage, StatePatch, Tool, View, record,
    tool,
)


class Phase(Enum):
    COUNT, CHECK, DONE, FAILED = "count", "check", "done", "failed"


@record
class Guests(Business):
    names: str


@record
class Counted(Business):
    number: int


@tool(effect="pure")
class Count(Tool[int]):
    text: str

    async def run(self, site: Site) -> int:
        return len(self.text.split())


class Counting(Stage[Guests, Counted, Literal[Phase.CHECK]], enters=Phase.COUNT):
    async def run(self, view: View[Guests], ctx: Context) -> StatePatch[Counted]:
        return StatePatch(Counted(await ctx.call(Count(view[Guests].names)) + 1))


class Checking(Stage[Counted | Iteration, Counted, Literal[Phase.COUNT, Phase.DONE]], enters=Phase.CHECK):
    async def run(self, view: View[Counted], ctx: Context) -> StatePatch[Counted]:
        return StatePatch(Counted(view[Counted].number))

    def next(self, view: View[Counted | Iteration]) -> Literal[Phase.COUNT, Phase.DONE]:
        return Phase.DONE if view[Iteration].number > 1 else Phase.COUNT


def few(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number < 2


def party(invariants=(Invariant("one round", few),)):
    return FSMOrchestrator[Guests | Counted](
        [Counting(), Checking()], start=Phase.COUNT, iterates=Phase.COUNT, final={Phase.DONE}, failed=Phase.FAILED,
        guards=[AllowList("Count")], invariants=invariants, name="party",
    )
"""


def tried(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the test that was written, as its owner would."""
    path = os.pathsep.join([str(folder), *(str(ROOT / each) for each in ("src", "stages"))])
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    return subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_party.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def party(tmp_path: Path) -> Path:
    """A folder with a machine, and a test made of a run of it."""
    (tmp_path / "people.py").write_text(PEOPLE)
    path = os.pathsep.join([str(tmp_path), *(str(ROOT / each) for each in ("src", "stages"))])
    for arguments in (
        ("run", "people:party", "--input", '{"guests": {"names": "ann bob"}}', "--output", "party.jsonl", "--quiet"),
        ("test-from-log", "party.jsonl", "--target", "people:party", "--output", "test_party.py"),
    ):
        subprocess.run(
            [sys.executable, "-B", "-c", "from agentfsm.cli import main; main()", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            check=False,
        )
    return tmp_path


def test_the_test_passes(party: Path) -> None:
    """R33: as it is written, over the machine as it was."""
    done = tried(party)

    assert 0 == done.returncode, done.stdout


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "number > 1",
            "number > 0",
            "event 3, kind: recorded 'failed: InvariantError: invariant broken: one round', now 'step'",
        ),
        ("number: int", "number: int\n    more: int = 0", "$[2].patch.counted: more missing"),
        ("+ 1))", "+ 2))", "event 2, patch.counted: recorded '{\"number\":3}', now '{\"number\":4}'"),
        (
            'invariants=(Invariant("one round", few),)',
            "invariants=()",
            "event 3, kind: recorded 'failed: InvariantError: invariant broken: one round', now 'step'",
        ),
        ("view[Guests].names)", "view[Guests].names.upper())", 'recorded \'Count({"text":"ann bob"})\''),
        ("Tool[int]", "Tool[str]", "calls[0].result: recorded '2', now 'an answer of another type: "),
    ],
    ids=[
        "a changed exit",
        "a changed field",
        "a changed record",
        "a weaker invariant",
        "another call",
        "another answer",
    ],
)
def test_the_test_fails_readably(old: str, new: str, says: str, party: Path) -> None:
    """R33: the first entry that differs is named, with what was recorded."""
    assert 1 == PEOPLE.count(old)
    (party / "people.py").write_text(PEOPLE.replace(old, new))
    done = tried(party)

    assert 1 == done.returncode
    assert says in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("{log}", "--target", "graph.yaml", "--output", "{folder}/test_a.py"), "is no code"),
        (("{log}", "--target", WORKS, "--output", "{log}"), "is there already"),
        (("nowhere.jsonl", "--target", WORKS, "--output", "{folder}/test_a.py"), "cannot be read"),
    ],
)
def test_what_no_test_can_be_made_of(
    arguments: tuple[str, ...], says: str, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written over, and nothing is written for what cannot be tested."""
    given = [each.format(log=log, folder=log.parent) for each in arguments]
    done = call(capsys, "test-from-log", *given)

    assert 2 == done.code
    assert says in done.err
    assert not (log.parent / "test_a.py").exists()
