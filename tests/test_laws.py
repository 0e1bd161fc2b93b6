"""Laws of logs, on random machines, patches and failures: whatever happens, the fold of the log is the live state."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterable
from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from transitions import Machine as Transitions
from transitions import MachineError

from agentfsm import AgentState, Business, Limits, MemoryJournal, Outcome, Run
from agentfsm.errors import UsageError
from agentfsm.state import state_of
from tests.checkout import python_files
from tests.random_machines import Act, Drawn, Script, Steps, built, machines, scripts

FEW = settings(max_examples=60)


def afresh(state: AgentState[Any]) -> bytes:
    """The digest of the same records, worked out from nothing."""
    return state_of(state.lifecycle, dict(state.records), {}).digest


def told(run: Run[Any]) -> tuple[str, ...]:
    """What happened, without the states that each machine has for itself."""
    return tuple(event.edge.text for event in run.events)


@FEW
@given(machines(), scripts)
def test_the_fold_of_a_log_is_the_live_state(drawn: Drawn, script: Script) -> None:
    """R26, R27: at every event, from the values and from the lines, live and folded states and digests are equal."""
    orchestrator = built(drawn, script)
    run = orchestrator.run_sync()
    lines = orchestrator.lines(run)

    assert None is not run.outcome
    assert run.state == orchestrator.replay(run.log).state
    assert run.state == orchestrator.read(lines).state
    assert afresh(run.state) == run.digest == orchestrator.read(lines).digest
    for event in run.events:
        assert event.after == orchestrator.at(run, event.seq).state
        assert afresh(orchestrator.at(run, event.seq).state) == event.digest


@FEW
@given(machines(), scripts, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_schedules_do_not_matter(drawn: Drawn, script: Script, lets: list[int]) -> None:
    """R26: whenever others run in between, and however many runs go on at once, one script gives one digest."""

    other = tuple(evolve(act, lets=number) for act, number in zip(script, lets, strict=False))
    one, two = built(drawn, script), built(drawn, other)

    async def all_at_once() -> list[Run[Any]]:
        return await asyncio.gather(*(each.run() for each in (one, two, one, two)))

    runs = asyncio.run(all_at_once())
    assert 1 == len({run.state.layer_digest(Business) for run in runs})
    assert 1 == len({told(run) for run in runs})


@FEW
@given(machines(), scripts, st.integers(0, 20))
def test_a_fork_goes_where_its_parent_went(drawn: Drawn, script: Script, place: int) -> None:
    """R28: from any event, a fork ends where its parent did, and the parent's log is what it was."""
    orchestrator = built(drawn, script, journal=MemoryJournal())
    parent = orchestrator.run_sync()
    lines, seqs = orchestrator.lines(parent), [event.seq for event in parent.events]
    fork = orchestrator.fork(parent, seqs[place % len(seqs)])
    try:
        gone_on = asyncio.run(orchestrator.resume(fork))
    except UsageError:  # it was over there
        gone_on = fork

    assert lines == orchestrator.lines(parent)
    if gone_on.outcome is Outcome.EXHAUSTED is not parent.outcome:
        return
    assert parent.lifecycle is gone_on.lifecycle
    assert parent.get(Steps) == gone_on.get(Steps)


@FEW
@given(machines(), scripts)
def test_step_by_step_is_the_same(drawn: Drawn, script: Script) -> None:
    """R26: a run that is stopped and taken up after each step has the log of one that is not."""

    async def stepped() -> Run[Any]:
        orchestrator = built(drawn, script)
        run = orchestrator.begin()
        while run.outcome is None:
            run = await orchestrator.step(orchestrator.read(orchestrator.lines(run)))
        return run

    run, whole = asyncio.run(stepped()), built(drawn, script).run_sync()
    assert (whole.outcome, whole.get(Steps)) == (run.outcome, run.get(Steps))
    assert told(whole) == told(run)


def table(drawn: Drawn) -> tuple[list[str], list[list[str]]]:
    """The states of a machine, and its edges as triggers of `transitions`: each is called like its target."""
    names = [*(f"S{n}" for n in range(drawn.size)), "END"]
    edges = sorted((source, target) for source in range(drawn.size) for target in drawn.exits(source))
    return names, [[names[target], names[source], names[target]] for source, target in edges]


def accepted_by_transitions(drawn: Drawn, word: Iterable[str]) -> list[str]:
    """The longest beginning of *word* that a machine of `transitions` takes."""
    names, edges = table(drawn)
    taken: list[str] = []
    machine = Transitions(states=names, transitions=edges, initial="S0", auto_transitions=False, send_event=False)
    model: Any = machine
    for target in word:
        try:
            model.trigger(target)
        except (MachineError, AttributeError):  # no such edge here, or none to there at all
            break
        taken.append(target)
    return taken


@FEW
@given(machines(), st.data())
def test_words_are_accepted_as_by_transitions(drawn: Drawn, data: st.DataObject) -> None:
    """R65: of any word of states, a run takes as much as a machine of `transitions` with the same table."""
    names, edges = table(drawn)
    word = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=12))
    expected = accepted_by_transitions(drawn, word)
    orchestrator = built(drawn, tuple(Act(to=target) for target in word), limits=Limits(stages=len(word)))
    run = orchestrator.run_sync()

    assert expected == [event.target.name for event in run.events if event.kind == "step"]
    refused = len(expected) < len(word) and run.outcome is not Outcome.FINISHED
    assert ("UndeclaredExitError" if refused else None) == (run.error.kind if run.error else None)
    nodes = orchestrator.graph.nodes
    assert sorted(edges) == sorted([target.name, node.place, target.name] for node in nodes for target in node.exits)


def test_there_is_one_way_in_which_state_changes() -> None:
    """R27: `commit` is called where a stage has run and where a log is folded, and nowhere else."""
    callers = {
        path.stem
        for path in python_files("src")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "commit"
    }

    assert {"loop", "replay"} == callers
