"""Sub-machines: a machine as a stage of another, with a log of its own, and nothing shared but what is mapped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentfsm import (
    Business,
    CallEvent,
    Context,
    DefinitionError,
    FSMOrchestrator,
    Journal,
    JsonlJournal,
    Limits,
    MemoryJournal,
    Outcome,
    Retry,
    Run,
    StatePatch,
    SubMachine,
    Trail,
    View,
)
from tests.desk import error_of
from tests.nested import (
    Built,
    Hidden,
    Order,
    Piece,
    Plan,
    Talk,
    Visitor,
    Whole,
    Work,
    gives,
    goes,
    outcome,
    part,
    takes,
    whole,
)
from tests.sample import world


async def test_a_child_is_a_run_of_its_own() -> None:
    """R48: its log is a whole log, by the path that its parent's log names, and reads back by its own machine."""
    child = part()
    run = await whole(child).run(Order("chair"))

    assert (Outcome.FINISHED, "a chair", "finished") == outcome(run)
    assert ["run-1/Build@1.1"] == list(run.children)
    inner = run.children["run-1/Build@1.1"]
    assert ("run-1/Build@1.1", "run-1", "part") == (inner.id, (head := inner.events[0].header).parent, head.machine)
    assert [('"run-1/Build@1.1"', "child")] == [(e.result, e.tool) for e in run.log if isinstance(e, CallEvent)]
    assert inner.state == child.read(child.lines(inner)).state
    assert run.state == whole(part()).read(whole(part()).lines(run)).state


@pytest.mark.parametrize("kind", ["memory", "files"])
async def test_a_childs_log_is_kept_beside_its_parents(kind: str, tmp_path: Path) -> None:
    """R48: by its path, in every journal; a name that is the beginning of another's is another log."""
    journal: Journal = MemoryJournal() if kind == "memory" else JsonlJournal(tmp_path)
    child = part(Work(least=0))
    orchestrator = whole(child, journal=journal)
    first = await orchestrator.run(Order("chair"))
    for number in range(2, 12):
        await orchestrator.run(Order(f"table {number}"))

    assert ("run-1", "run-10", "run-11") == (first.id, "run-10", "run-11")
    reading = child.with_journal(journal)
    pieces = {number: (await reading.load(f"run-{number}/Build@1.1")).get(Piece) for number in (1, 10, 11)}
    assert {1: Piece("a chair"), 10: Piece("a table 10"), 11: Piece("a table 11")} == pieces
    assert first.state == (await orchestrator.load("run-1")).state


async def test_a_child_sees_what_is_mapped_and_nothing_else() -> None:
    """R49: neither its parent's records nor its session's; and its parent sees of it what is mapped back."""
    seen: list[frozenset[str]] = []

    async def looks(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        seen.append(frozenset(type(each).__name__ for each in ctx.live.state))  # type: ignore[attr-defined]  # on purpose
        return StatePatch(Piece("made"))

    run = await whole(part(Work(looks)), journal=MemoryJournal()).run(
        Order("chair"), Hidden("secret"), Visitor("ada"), session="s"
    )

    assert [frozenset({"Order", "Iteration"})] == seen
    assert {"Order", "Hidden", "Visitor", "Talk", "Built", "Iteration"} == {type(each).__name__ for each in run.state}
    assert "secret" not in "".join(part().lines(run.children["run-1/Build@1.1"]))


async def test_a_childs_own_records_are_no_records_of_its_parent() -> None:
    """R49: what is not mapped cannot be read above, not even by silencing the types."""

    def steals(run: Run[Order | Piece]) -> StatePatch[Built]:
        return StatePatch(Built(run.state.get(Hidden).text))  # type: ignore[arg-type]  # on purpose

    building = SubMachine(part(), enters=Whole.BUILD, takes=takes, gives=steals, goes=goes, name="Build")
    orchestrator = FSMOrchestrator[Business](
        [Plan(), building], start=Whole.PLAN, final={Whole.DONE}, failed=Whole.FAILED, records=[Hidden]
    )
    run = await orchestrator.run(Order("chair"), Hidden("secret"))

    assert (Outcome.FAILED, "StageError") == (run.outcome, error_of(run)[0])


async def test_a_session_is_its_outermost_runs() -> None:
    """R16, R49: a conversation with sub-machines goes on from its own last turn, not from a child's."""
    orchestrator = whole(part(), journal=(journal := MemoryJournal()))
    await orchestrator.run(Order("chair"), session="s")
    run = await orchestrator.run(Order("table"), session="s")

    assert Talk(Trail.of("chair", "table")) == run.get(Talk)
    assert ("", run.id) == (run.children["run-2/Build@1.1"].session, await journal.latest("s"))


@pytest.mark.parametrize(
    ("steps", "limits", "made"),
    [
        (0, Limits(), 0),
        (1, Limits(), 1),
        (3, Limits(), 3),
        (4, Limits(), 4),
        (9, Limits(stages=2), 2),
        (2, Limits(stages=9), 2),
        (None, Limits(stages=3), 3),
    ],
)
async def test_a_child_executes_so_many_stages_and_no_more(steps: int | None, limits: Limits, made: int) -> None:
    """R14: its parent's bound and its own hold, whichever is tighter; its parent is told that it was exhausted."""

    async def adds(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        piece = view.get(Piece)
        return StatePatch(Piece(f"{piece.text if piece else ''}x"))

    child = part(Work(adds, least=99), limits=limits)
    run = await whole(child, {"max_child_steps": steps}).run(Order("chair"))

    assert (Outcome.FINISHED, "x" * made, "exhausted") == outcome(run)
    inner = run.children["run-1/Build@1.1"]
    assert made == sum(event.kind == "step" for event in inner.events)


def nested(levels: int, most: int, inner: FSMOrchestrator[Any]) -> FSMOrchestrator[Any]:
    """*inner* below so many machines, each of which admits *most*."""
    for _ in range(levels):
        building = SubMachine(
            inner, enters=Whole.BUILD, takes=takes, gives=nothing, goes=goes, name="Build", max_depth=most
        )
        inner = FSMOrchestrator[Business](
            [building], start=Whole.BUILD, final={Whole.DONE}, failed=Whole.FAILED, world=world()
        )
    return inner


def nothing(run: Run[Any]) -> StatePatch[Built]:
    """Pass a failure on, or say that it went well."""
    if run.error is not None:
        raise RuntimeError(f"{run.error.kind}: {run.error.message}")
    return StatePatch(Built("well"))


@pytest.mark.parametrize(
    ("levels", "most", "ends"),
    [
        (1, 0, Outcome.FAILED),
        (1, 1, Outcome.FINISHED),
        (2, 1, Outcome.FAILED),
        (2, 2, Outcome.FINISHED),
        (3, 2, Outcome.FAILED),
        (3, 3, Outcome.FINISHED),
    ],
)
async def test_depth_is_exact(levels: int, most: int, ends: Outcome) -> None:
    """The trap of `depth > max`: so many machines below the outermost one, and not one level more."""
    done: list[str] = []

    async def works(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        done.append("worked")
        return StatePatch(Piece("made"))

    run = await nested(levels, most, part(Work(works))).run(Order("chair"))

    assert (ends, ["worked"] if ends is Outcome.FINISHED else []) == (run.outcome, done)
    assert ends is Outcome.FINISHED or f"would be level {most + 1} of at most {most}" in error_of(run)[1]


@pytest.mark.parametrize("bound", [{"max_depth": -1}, {"max_child_steps": -1}])
def test_a_bound_below_nothing_is_refused(bound: dict[str, Any]) -> None:
    """A machine that could never run is a mistake in its definition."""
    with pytest.raises(DefinitionError, match="count from 0"):
        SubMachine(part(), enters=Whole.BUILD, takes=takes, gives=gives, goes=goes, **bound)


async def test_a_child_that_fails_is_its_parents_to_judge() -> None:
    """R10: `gives` is told how it ended; the failure is in the child's log, and nowhere else."""

    async def breaks(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        raise OSError("no saw")

    run = await whole(part(Work(breaks))).run(Order("chair"))

    assert ((Outcome.FINISHED, "", "failed"), None) == (outcome(run), run.error)
    assert ("StageError", "OSError: no saw") == error_of(run.children["run-1/Build@1.1"])


async def test_another_attempt_is_another_child() -> None:
    """R8: a stage that is tried again begins a new child, in a log of its own; the first one's stays as it ended."""
    made: list[str] = []

    async def works(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        made.append(ctx.run_id)
        return StatePatch(Piece(str(len(made))))

    def strict(run: Run[Order | Piece]) -> StatePatch[Built]:
        piece = run.get(Piece)
        if piece is None or piece.text == "1":
            raise OSError("not that one")
        return StatePatch(Built(piece.text))

    building = SubMachine(
        part(Work(works)),
        enters=Whole.BUILD,
        takes=takes,
        gives=strict,
        goes=goes,
        name="Build",
        retry=Retry(2, (Exception,)),  # type: ignore[arg-type]  # whatever it is
    )
    orchestrator = FSMOrchestrator[Business](
        [building], start=Whole.BUILD, final={Whole.DONE}, failed=Whole.FAILED, world=world()
    )
    run = await orchestrator.run(Order("chair"))

    assert (["run-1/Build@0.1", "run-1/Build@0.2"], Built("2")) == (made, run.get(Built))
    assert ["run-1/Build@0.1", "run-1/Build@0.2"] == list(run.children)


async def test_replay_runs_no_child() -> None:
    """R29: a parent's log folds without its child's machine doing anything."""

    async def explodes(view: View[Any], ctx: Context) -> StatePatch[Piece]:
        raise AssertionError("a replay runs no stage")

    run = await whole(part()).run(Order("chair"))
    replaying = whole(part(Work(explodes)))

    assert run.state == replaying.replay(run.log).state
    assert run.state == replaying.read(replaying.lines(run)).state


async def test_a_watcher_sees_inside() -> None:
    """What a child does is shown where its parent is watched."""
    items = [type(item).__name__ async for item in whole(part()).stream(Order("chair"))]

    assert 3 == items.count("StageStarted")
    assert 3 == items.count("Transition")


def unsaid(view: Any) -> tuple[Order]:
    return (view[Order],)


@pytest.mark.parametrize(
    ("maps", "says"),
    [
        ({"takes": unsaid}, r"unsaid has to say View\[...\] in its annotations"),
        ({"gives": unsaid}, r"unsaid has to say StatePatch\[...\] in its annotations"),
        ({"goes": unsaid}, r"unsaid has to say Literal\[...\] in its annotations"),
        ({"goes": lambda view: Whole.DONE}, r"<lambda> has to say Literal\[...\] in its annotations"),
    ],
)
def test_maps_say_what_they_map(maps: dict[str, Any], says: str) -> None:
    """The annotations of the maps are the stage's header; without them there is none."""
    usual: dict[str, Any] = {"takes": takes, "gives": gives, "goes": goes}
    with pytest.raises(DefinitionError, match=says):
        SubMachine(part(), enters=Whole.BUILD, **{**usual, **maps})


@pytest.mark.parametrize("given", [(Hidden("x"),), ("chair",), Order("no tuple")])
async def test_what_a_child_cannot_use_fails_the_stage(given: Any) -> None:
    """R1: a record that the child does not know is refused before its run begins."""

    def maps(view: View[Order]) -> tuple[Order]:
        found: tuple[Order] = given
        return found

    building = SubMachine(part(), enters=Whole.BUILD, takes=maps, gives=gives, goes=goes, name="Build")
    orchestrator = FSMOrchestrator[Business]([building], start=Whole.BUILD, final={Whole.DONE}, failed=Whole.FAILED)
    run = await orchestrator.run(Order("chair"))

    assert ((Outcome.FAILED, "StageError"), {}) == ((run.outcome, error_of(run)[0]), run.children)
