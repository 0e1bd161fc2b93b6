"""The guard in a real run, following the orchestrator's edges."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest

from agentfsm import (
    DefinitionError,
    Outcome,
)
from agentfsm.statewright import Transition
from agentfsm.statewright.plain import Json
from agentfsm_stages.coding.machines import load_machine
from tests.statewright.law_sample import machine as law
from tests.statewright.lifecycles import (
    BUGFIX,
    DONE,
    Done,
    Edit,
    GitCommit,
    GitPush,
    Phase,
    Read,
    RunTests,
    answered,
    codes,
    follows,
    standing,
)


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


async def test_edges_drive_the_machine() -> None:
    """Each lifecycle state has the tools of the state that stands for it, and the machine's own edges are taken."""
    script: dict[Enum, Any] = {Phase.FIX: [Edit(), RunTests()], Phase.VERIFY: [RunTests(), Edit()]}
    orchestrator = follows(load_machine("bugfix"), script)
    run = await orchestrator.run(Done())

    assert [("Edit", "allowed"), ("RunTests", "not_listed"), ("RunTests", "allowed"), ("Edit", "not_listed")] == codes(
        run
    )
    assert (["Edit", "RunTests"], Outcome.FINISHED) == (DONE, run.outcome)
    assert ("review", ("committing",)) == (standing(run).session.state, standing(run).behind)
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_an_edge_that_asks_parks_the_first_call_beyond_it() -> None:
    """The decision is an ask with the machine's own message; once a person agrees the machine goes along."""
    orchestrator = follows(load_machine("bugfix"), {Phase.FIX: [Edit()], Phase.COMMIT: [GitCommit(), GitPush()]})
    waiting = await orchestrator.run(Done())

    assert (Outcome.SUSPENDED, ["Edit"]) == (waiting.outcome, DONE)
    assert "review -> committing: Commit this fix?" == (waiting.halted.why if waiting.halted else "")
    run = await answered(orchestrator, await orchestrator.load(waiting.id), "approve")
    assert (["Edit", "GitCommit"], "committing") == (DONE, standing(run).session.state)
    assert [("GitCommit", "approved"), ("GitPush", "not_listed")] == codes(run)[1:]
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_a_rejection_leaves_the_machine_where_it_was() -> None:
    """The call is not made, the reason is kept in the session, and the next call asks again."""
    orchestrator = follows(load_machine("bugfix"), {Phase.COMMIT: [GitCommit("a"), GitCommit("b")]})
    run = await answered(orchestrator, await orchestrator.run(Done()), "reject", "not on a Friday")

    assert (Outcome.SUSPENDED, []) == (run.outcome, DONE)
    ended = await answered(orchestrator, run, "reject", "still not")
    assert ("review", []) == (standing(ended).session.state, DONE)
    assert ["not on a Friday", "still not"] == [answer.reason for answer in standing(ended).session.answers]
    assert [("GitCommit", "rejected")] * 2 == codes(ended)


@pytest.mark.parametrize(
    ("states", "code", "says"),
    [
        ({**BUGFIX, Phase.VERIFY: "planning"}, "no_edge", "no edge leads from 'planning' to 'review'"),
        ({**BUGFIX, Phase.FIX: "review"}, "no_edge", "no edge leads from 'planning' to 'review'"),
        ({**BUGFIX, Phase.DONE: "planning"}, "no_edge", "no edge leads from 'committing' to 'planning'"),
        ({**BUGFIX, Phase.REVIEW: "reviev"}, "unknown_state", "did you mean 'review'?"),
        ({Phase.FIX: "implementing"}, "unmapped_state", "stands for VERIFY"),
        ({**BUGFIX, Outcome.FINISHED: "review"}, "stray_state", "which is no lifecycle state of this table"),
    ],
)
def test_what_cannot_be_followed_is_refused_when_built(states: dict[Enum, str], code: str, says: str) -> None:
    """Every edge of the orchestrator is an edge of the machine, or nothing is built."""
    with pytest.raises(DefinitionError) as caught:
        follows(load_machine("bugfix"), {}, states=states)

    assert any(code == each.code and says in each.message for each in caught.value.findings), caught.value


async def test_an_interrupt_holds_the_run_until_it_returns() -> None:
    """On a detour the handler's tools count and its events are taken; nowhere else does an agent move a machine."""
    states: dict[str, Json] = {
        "coding": {"allowed_tools": ["Edit"], "on": {"GO": "testing"}},
        "testing": {"allowed_tools": ["RunTests"], "on": {"GO": "completed"}},
        "audit": {"allowed_tools": ["Read"], "on": {"CLEAN": "$return", "LEAK": "failed"}},
    }
    of = law(states, context={}, interrupts={"secrets": {"trigger": {"file_pattern": "**/*.env"}, "target": "audit"}})
    mapped = {Phase.FIX: "coding", Phase.VERIFY: "testing", Phase.REVIEW: "testing", Phase.COMMIT: "testing"}
    script: dict[Enum, Any] = {
        Phase.FIX: [Transition("GO"), Edit("k/a.env"), Edit("b.py"), Read()],
        Phase.VERIFY: [RunTests(), Transition("CLEAN"), RunTests()],
    }
    run = await follows(of, script, states=mapped).run(Done())

    assert [
        ("Transition", "led_by_the_run"),
        ("Edit", "allowed"),
        ("Edit", "not_listed"),
        ("Read", "allowed"),
        ("RunTests", "no_edge"),
        ("Transition", "event"),
        ("RunTests", "allowed"),
    ] == codes(run)
    assert "testing" == standing(run).session.state
