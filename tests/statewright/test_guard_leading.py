"""The guard in a real run, moved by an agent's events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from agentfsm import (
    AllowList,
    BudgetGuard,
    Context,
    DefinitionError,
    MemoryJournal,
    Outcome,
    Signal,
    StatePatch,
    StatewrightGuard,
    Tool,
    ToolCall,
    ToolRefusedError,
    UsageError,
    tool,
)
from agentfsm.statewright import Bounds, Transition
from agentfsm.statewright.plain import Json
from agentfsm.testing import ManualClock
from agentfsm.world import World
from tests.statewright.law_sample import machine as law
from tests.statewright.lifecycles import (
    DONE,
    Bash,
    Deploy,
    Done,
    Edit,
    Phase,
    Read,
    Write,
    answered,
    leads,
    standing,
)

SMALL: Mapping[str, Json] = {
    "planning": {"allowed_tools": ["Read"], "on": {"READY": "working", "FAIL": "failed"}},
    "working": {
        "allowed_tools": ["Read", "Edit"],
        "on": {"SHIP": {"target": "shipping", "requires_approval": True, "approval_message": "Ship?"}},
    },
    "shipping": {"allowed_tools": ["Deploy"], "on": {"DONE": "completed"}},
}


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


async def test_an_agent_leads_by_events() -> None:
    """The machine's state is in the guard's record: it decides, replays and forks."""
    calls = [Edit(), Transition("READY"), Edit(), Transition("nonsense"), Read()]
    orchestrator = leads(law(SMALL), calls)
    run = await orchestrator.run(Done())

    assert ("not_listed", "READY taken", "done", "no_transition", "done") == (run.get(Done) or Done()).told
    assert ["Edit", "Read"] == DONE
    assert "working" == standing(run).session.state
    assert run.state == orchestrator.read(orchestrator.lines(run)).state
    assert standing(orchestrator.fork(run, 0)).session.state == "planning"


async def test_an_event_that_asks_parks_the_run() -> None:
    """R62: the answer is for this event and its data; the state is only then entered."""
    orchestrator = leads(law(SMALL), [Transition("READY"), Transition("SHIP", {"v": 2}), Deploy()])
    waiting = await orchestrator.run(Done())

    assert (Outcome.SUSPENDED, '{"event":"SHIP","data":{"v":2}}') == (
        waiting.outcome,
        waiting.halted.arguments if waiting.halted else "",
    )
    no = await answered(orchestrator, await orchestrator.load(waiting.id), "reject", "too early")
    assert ("working", "too early", []) == (standing(no).session.state, standing(no).session.answers[-1].reason, DONE)


async def test_an_approved_event_is_taken_once() -> None:
    """R62: an answer that was used answers nothing more."""
    orchestrator = leads(law(SMALL), [Transition("READY"), Transition("SHIP"), Deploy()])
    waiting = await orchestrator.run(Done())
    run = await answered(orchestrator, waiting, "approve")

    assert (["Deploy"], "shipping") == (DONE, standing(run).session.state)
    with pytest.raises(UsageError):
        await orchestrator.resume(run, Signal("approve", waiting.halted.key if waiting.halted else ""))
    assert ["Deploy"] == DONE


async def test_an_answer_that_comes_too_late_is_refused_and_asked_anew() -> None:
    """R62: at its expiry a request answers nothing; the run asks again under another key."""
    clock = ManualClock()
    of = law(SMALL, bounds=Bounds(approval_seconds=60))
    orchestrator = leads(of, [Transition("READY"), Transition("SHIP"), Deploy()], world=World(clock=clock))
    waiting = await orchestrator.run(Done())
    first = waiting.halted.key if waiting.halted else ""
    clock.move(60)

    with pytest.raises(UsageError, match="has expired"):
        await orchestrator.resume(waiting, Signal("approve", first))
    again = await orchestrator.resume(waiting)
    assert (Outcome.SUSPENDED, True) == (again.outcome, again.halted is not None and again.halted.key != first)
    with pytest.raises(UsageError, match="does not wait for"):
        await orchestrator.resume(again, Signal("approve", first))
    assert [] == DONE
    assert ["Deploy"] == (await answered(orchestrator, again, "approve"), DONE)[1]


async def test_forged_data_is_refused() -> None:
    """R59: what a guard of the machine reads is not the agent's to write."""
    states: dict[str, Json] = {
        "a": {"allowed_tools": ["Read"], "on": {"GO": {"target": "b", "guard": "passed"}}},
        "b": {"allowed_tools": ["Deploy"], "on": {"END": "completed"}},
    }
    of = law(states, context={"ok": False}, guards={"passed": {"field": "ok", "op": "eq", "value": True}})
    run = await leads(of, [Transition("GO", {"ok": True}), Transition("GO"), Deploy()]).run(Done())

    assert ("protected_context", "guard_failed", "not_listed") == (run.get(Done) or Done()).told
    assert [] == DONE


async def test_used_up_iterations_lead_on() -> None:
    """The call after the last is refused, and the guard itself takes `safe_next`; never round an approval."""
    work: dict[str, Json] = {"allowed_tools": ["Read"], "max_iterations": 2, "safe_next": "rest"}
    rest: dict[str, Json] = {"allowed_tools": ["Deploy"], "on": {"END": "completed"}}
    calls = [Read("1"), Read("2"), Read("3"), Deploy()]
    run = await leads(law({"work": work, "rest": rest}), calls).run(Done())
    assert ("done", "done", "iterations_exhausted", "done") == (run.get(Done) or Done()).told

    guarded: dict[str, Json] = {**work, "on": {"REST": {"target": "rest", "requires_approval": True}}}
    held = await leads(law({"work": guarded, "rest": rest}), calls).run(Done())
    assert ("done", "done", "iterations_exhausted", "not_listed") == (held.get(Done) or Done()).told
    assert "work" == standing(held).session.state


async def test_refusals_are_learned_again_after_a_wait() -> None:
    """A run that waits and goes on remembers the refusals before: they are in the log, and so is where they led."""
    work: dict[str, Json] = {"allowed_tools": ["Read"], "max_iterations": 1, "safe_next": "rest"}
    rest: dict[str, Json] = {
        "allowed_tools": ["Read"],
        "on": {"SHIP": {"target": "ship", "requires_approval": True}},
    }
    ship: dict[str, Json] = {"allowed_tools": ["Deploy"], "on": {"END": "completed"}}
    calls = [Read("1"), Read("2"), Transition("SHIP"), Deploy()]

    orchestrator = leads(law({"work": work, "rest": rest, "ship": ship}), calls)
    waiting = await orchestrator.run(Done())
    assert Outcome.SUSPENDED is waiting.outcome
    run = await answered(orchestrator, await orchestrator.load(waiting.id), "approve")
    assert ("done", "iterations_exhausted", "SHIP taken", "done") == (run.get(Done) or Done()).told
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


async def test_a_gather_cannot_overdraw() -> None:
    """
    Calls of one gather are decided on as if those before them had been made.

    The third of two is refused, and with it the gather: none of the three is made, so two are left.
    """
    states: dict[str, Json] = {"work": {"allowed_tools": ["Read"], "max_iterations": 2, "on": {"END": "completed"}}}

    async def gathers(ctx: Context) -> StatePatch[Done]:
        told: list[str] = []
        for width in (3, 2, 1):
            try:
                told.append(" ".join(await ctx.gather(*(Read(f"{width}{n}") for n in range(width)))))
            except ToolRefusedError as error:
                told.append(error.code)
        return StatePatch(Done(tuple(told)))

    run = await leads(law(states), gathers).run(Done())

    assert ("iterations_exhausted", "done done", "iterations_exhausted") == (run.get(Done) or Done()).told
    assert (["Read", "Read"], "failed") == (DONE, standing(run).session.state)


async def test_an_event_in_a_gather_counts_for_those_after_it() -> None:
    """What is declared after an event is decided on in the state that the event leads to."""

    async def gathers(ctx: Context) -> StatePatch[Done]:
        with pytest.raises(ToolRefusedError):
            await ctx.gather(Edit(), Transition("READY"))
        return StatePatch(Done(tuple(await ctx.gather(Transition("READY"), Edit()))))

    run = await leads(law(SMALL), gathers).run(Done())

    assert (("READY taken", "done"), ["Edit"]) == ((run.get(Done) or Done()).told, DONE)


async def test_the_tools_offered_are_the_tools_allowed() -> None:
    """R63: in each state the agent is shown what it may call, and the event tool while there are events."""
    seen: list[set[str]] = []

    async def looks(ctx: Context) -> StatePatch[Done]:
        for event in ("READY", "SHIP", "DONE"):
            seen.append({each.__name__ for each in ctx.tools})
            await ctx.call(Transition(event))
        seen.append({each.__name__ for each in ctx.tools})
        return StatePatch(Done())

    orchestrator = leads(law(SMALL), looks, tools=[Read, Edit, Write, Bash, Deploy, Transition])
    await answered(orchestrator, await orchestrator.run(Done()), "approve")

    assert [{"Read", "Transition"}, {"Read", "Edit", "Transition"}, {"Deploy", "Transition"}, set()] == seen[-4:]


async def test_another_guard_may_be_stricter() -> None:
    """The strictest answer of all guards wins, whichever it is of."""
    guards = [AllowList("*"), StatewrightGuard(law(SMALL)), BudgetGuard(calls=2)]
    run = await leads(law(SMALL), [Edit(), Read("1"), Read("2"), Read("3")], guards=guards).run(Done())

    assert ("not_listed", "done", "done", "budget_spent") == (run.get(Done) or Done()).told


async def test_a_fork_is_worked_off_branch_by_branch() -> None:
    """An agent that does one thing after the other is in the first branch that still runs."""
    states: dict[str, Json] = {
        "start": {
            "on": {
                "SPLIT": {
                    "fork": {
                        "branches": {
                            "a": {"initial": "code", "terminal": "coded"},
                            "b": {"initial": "docs", "terminal": "told"},
                        },
                        "on_complete": "completed",
                    }
                }
            }
        },
        "code": {"allowed_tools": ["Edit"], "on": {"NEXT": "coded"}},
        "docs": {"allowed_tools": ["Write"], "on": {"NEXT": "told"}},
        "coded": {"type": "final"},
        "told": {"type": "final"},
    }
    calls = [Transition("SPLIT"), Write(), Edit(), Transition("NEXT"), Edit(), Write(), Transition("NEXT")]
    run = await leads(law(states), calls).run(Done())

    assert ("SPLIT taken", "not_listed", "done", "NEXT taken", "not_listed", "done", "NEXT taken") == (
        run.get(Done) or Done()
    ).told
    assert "completed" == standing(run).session.state


async def test_a_session_of_another_machine_is_refused() -> None:
    """R60: a machine that was changed while a run waited allows nothing any more."""
    journal = MemoryJournal()
    calls = [Transition("READY"), Transition("SHIP"), Deploy(), Read()]
    waiting = await leads(law(SMALL), calls, journal=journal).run(Done())
    other = leads(law({**SMALL, "more": {"on": {"END": "failed"}}}), calls, journal=journal)
    run = await answered(other, await other.load(waiting.id), "approve")

    assert ("READY taken", "other_machine", "other_machine", "other_machine") == (run.get(Done) or Done()).told
    assert [] == DONE


def test_the_guard_reads_machines_as_they_are_loaded() -> None:
    """R60: a malformed machine is no guard."""
    with pytest.raises(DefinitionError):
        StatewrightGuard.from_file("nowhere.json")


def test_a_tool_that_is_only_called_transition_is_none() -> None:
    """R59: the event tool is ours; one of the same name is judged like any other tool."""

    @tool
    class Transition(Tool[str]):
        event: str

    guard = StatewrightGuard(law(SMALL))
    call = ToolCall("Transition", {"event": "READY"}, Transition("READY"))

    assert "not_listed" == guard.decide(guard.begins(), Phase.FIX, call).code
