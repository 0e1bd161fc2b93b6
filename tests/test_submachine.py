"""Sub-machines: a machine as one stage of another, which sees what is mapped to it and nothing else."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Journal,
    JsonlJournal,
    Limits,
    MemoryJournal,
    Outcome,
    Run,
    Signal,
    Stage,
    StatePatch,
    SubMachine,
    View,
    record,
)
from tests.desk import DONE, Asking, Mail
from tests.sample import world


class Outer(Enum):
    CALL, END, FAILED = range(3)


class Inner(Enum):
    WORK, END, FAILED = range(3)


@record
class Order(Business):
    text: str


@record
class Secret(Business):
    text: str = "not for the child"


@record
class Task(Business):
    text: str
    rounds: int


@record
class Made(Business):
    text: str


@record
class Answer(Business):
    text: str


class Work(Stage[Task, Made | Task, Literal[Inner.WORK, Inner.END]], enters=Inner.WORK):
    """Works as many rounds as it is told to."""

    async def run(self, view: View[Task], ctx: Context) -> StatePatch[Made | Task]:
        task = view[Task]
        if task.text == "mail":
            await ctx.call(Mail("ada"))
        return StatePatch(Made(f"{task.text} {task.rounds}"), Task(task.text, task.rounds - 1))

    def next(self, view: View[Task]) -> Literal[Inner.WORK, Inner.END]:
        return Inner.WORK if view[Task].rounds > 0 else Inner.END


def takes(view: View[Order]) -> list[Business]:
    text, _, rounds = view[Order].text.partition(" ")
    return [Task(text, int(rounds or 1))]


def gives(run: Run[Any]) -> StatePatch[Answer]:
    made = run.get(Made)
    how = run.outcome.name.lower() if run.outcome is not None else "open"
    return StatePatch(Answer(f"{how}: {made.text if made is not None else 'nothing'}"))


def goes(view: View[Answer]) -> Literal[Outer.END]:
    return Outer.END


def inner(**settings: Any) -> FSMOrchestrator[Business]:
    return FSMOrchestrator[Business](
        [Work()], start=Inner.WORK, final={Inner.END}, failed=Inner.FAILED, name="inner", **settings
    )


def outer(child: FSMOrchestrator[Business], journal: Journal | None = None, **more: Any) -> FSMOrchestrator[Business]:
    call: Any = SubMachine(child, enters=Outer.CALL, takes=takes, gives=gives, goes=goes, **more)
    return FSMOrchestrator[Business](
        [call],
        start=Outer.CALL,
        final={Outer.END},
        failed=Outer.FAILED,
        journal=journal,
        world=world(),
        records=[Secret],
        name="outer",
    )


@pytest.fixture(autouse=True)
def nothing_done() -> None:
    """Each test begins with nothing done."""
    DONE.clear()


async def test_what_is_mapped_goes_in_and_comes_back() -> None:
    """R49: the child has what it was given, the parent what it was given back, and neither the other's records."""
    run = await outer(inner()).run(Order("saw 2"), Secret())
    (child,) = run.children.values()

    assert (Outcome.FINISHED, Answer("finished: saw 1")) == (run.outcome, run.get(Answer))
    assert {"Task", "Made", "Iteration"} == {kind.__name__ for kind in child.state.records}
    assert {"Order", "Secret", "Answer", "Iteration"} == {kind.__name__ for kind in run.state.records}


async def test_a_childs_log_has_its_own_name() -> None:
    """R48: it is found by its path, holds its parent's name, and is no prefix trouble."""
    run = await outer(inner()).run(Order("saw"))
    ((name, child),) = run.children.items()

    assert "run-1/RunInner@0.1" == name == child.id
    header = child.events[0].header
    assert ("run-1", "inner") == ((header.parent, header.machine) if header is not None else None)


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_child_steps_are_admitted_exactly(most: int) -> None:
    """A child executes so many stages and no more, and its parent is told."""
    run = await outer(inner(), max_child_steps=most).run(Order("saw 3"))
    (child,) = run.children.values()

    assert most == sum(event.kind == "step" for event in child.events)
    assert Answer(f"{'finished' if most == 3 else 'exhausted'}: saw {4 - most}") == run.get(Answer)


@pytest.mark.parametrize(("depth", "outcome"), [(0, Outcome.FAILED), (1, Outcome.FINISHED)])
async def test_depth_is_admitted_exactly(depth: int, outcome: Outcome) -> None:
    """One level too many is refused before it begins."""
    run = await outer(inner(), max_depth=depth).run(Order("saw"))

    assert outcome is run.outcome
    assert "DepthError" == (run.error.kind if run.error else "DepthError")


@pytest.fixture(params=["memory", "jsonl"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Journal:
    return MemoryJournal() if request.param == "memory" else JsonlJournal(tmp_path)


async def test_a_child_is_kept_beside_its_parent(journal: Journal) -> None:
    """R48: both logs are in the journal, each to be read by its own machine."""
    child = inner(journal=journal)
    run = await outer(child, journal).run(Order("saw 2"))
    (name,) = run.children

    assert run.state == (await outer(child, journal).load(run.id)).state
    assert run.children[name].state == (await child.load(name)).state


async def test_a_child_is_no_run_of_the_session(journal: Journal) -> None:
    """R16, R48: the session goes on from the outermost run."""
    orchestrator = outer(inner(), journal)
    run = await orchestrator.run(Order("saw"), session="s")
    again = await orchestrator.run(Order("saw"), session="s")

    assert (Outcome.FINISHED, Outcome.FINISHED) == (run.outcome, again.outcome)
    assert again.id == await journal.latest("s")


async def test_where_the_child_waits_its_parent_waits(journal: Journal) -> None:
    """R34, R48: an answer given to the parent reaches the child, and nothing is done twice."""
    child = inner(guards=[Asking("Mail")])
    orchestrator = outer(child, journal)
    run = await orchestrator.run(Order("mail"))
    assert (Outcome.SUSPENDED, "Mail", []) == (
        run.outcome,
        run.halted.tool if run.halted else "",
        [text for text in DONE if text.startswith("mail")],
    )

    other = outer(child, journal)
    run = await other.resume(await other.load(run.id), Signal("approve", run.halted.key if run.halted else ""))
    assert (Outcome.FINISHED, Answer("finished: mail 1")) == (run.outcome, run.get(Answer))
    assert ["mail ada"] == [text for text in DONE if text.startswith("mail")]


async def test_a_childs_own_limits_are_its_own() -> None:
    """R14: what the child may spend is not what its parent may."""
    run = await outer(inner(limits=Limits(stages=2))).run(Order("saw 3"))

    assert (Outcome.FINISHED, Answer("exhausted: saw 2")) == (run.outcome, run.get(Answer))
