"""A scripted hostile agent in real runs that it leads itself, against random machines."""

from __future__ import annotations

import asyncio
import json
from typing import TypeAlias, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentfsm import CallEvent, Context, Outcome, Signal, StatePatch, StatewrightGuard, Tool, ToolRefusedError
from agentfsm.statewright import Session, ToolCall, Transition
from agentfsm.statewright.plain import Json
from tests.statewright.fake_shell import FakeShell
from tests.statewright.law_sample import parsed
from tests.statewright.law_strategies import EVENTS, STATES, machines
from tests.statewright.lifecycles import (
    DONE,
    Bash,
    Deploy,
    Done,
    Edit,
    GitPush,
    Read,
    RunTests,
    Write,
    apply_patch,
    leads,
    standing,
)
from tests.statewright.test_hostile import COMMANDS, FORGED, PATCHES, may_move, obtains

TOOLS = (Read, Write, Edit, Bash, RunTests, Deploy, GitPush, apply_patch, Transition)
PATHS = st.sampled_from(("k/a.env", "./k/../k/a.env", "x.py", "y.py", "/srv/demo/x.py"))

Case: TypeAlias = tuple[dict[str, Json], list[list[Tool[str]]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A machine, and what its agent tries: calls alone and in gathers, and events, among them the machine's own."""
    value = draw(machines())
    states = cast("dict[str, dict[str, dict[str, Json]]]", value["states"])
    own = sorted({event for state in states.values() for event in state.get("on", {})}) or ["GO"]
    names = st.sampled_from((*EVENTS, *STATES, "$return", "", "approve", "APPROVED"))
    data: st.SearchStrategy[dict[str, object]] = st.sampled_from(
        ({}, cast("dict[str, object]", FORGED), {"free": 1}, {"ready": True})
    )
    tools: st.SearchStrategy[Tool[str]] = st.one_of(
        st.builds(Read, PATHS),
        st.builds(Write, PATHS),
        st.builds(Edit, PATHS),
        st.builds(Bash, st.sampled_from(COMMANDS)),
        st.sampled_from((RunTests(), Deploy(), GitPush())),
        st.builds(apply_patch, st.sampled_from(PATCHES)),
        st.builds(Transition, names, data),
    )
    events: st.SearchStrategy[Tool[str]] = st.builds(Transition, st.sampled_from(own))
    together = st.lists(st.one_of(tools, events), min_size=1, max_size=3)
    return value, draw(st.lists(together, min_size=1, max_size=10))


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases(), st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_hostile_agent_obtains_nothing_forbidden(case: Case, answers: list[bool]) -> None:
    """
    It calls every tool, alone and in gathers, sends events, forges data, and uses answers again.

    R58 to R63: no tool runs that the definition, read by an oracle of its own, forbids in the state where the machine
    stands; the state changes only over edges; what is offered is what may be called; the run folds back to its state.
    """
    DONE.clear()
    value, script = case
    of = parsed(value, shell=FakeShell())
    guard = StatewrightGuard(of)

    async def agent(ctx: Context) -> StatePatch[Done]:
        told: list[str] = []
        for together in script:
            offered = {each.__name__ for each in ctx.tools}
            try:
                told += await (ctx.gather(*together) if len(together) > 1 else ctx.gather(together[0]))
                assert type(together[0]).__name__ in offered
            except ToolRefusedError as error:
                told.append(error.code)
        return StatePatch(Done(tuple(told)))

    orchestrator = leads(of, agent, guards=[guard], tools=TOOLS)
    run = asyncio.run(orchestrator.run(Done()))
    used: list[str] = []
    for yes in answers:
        if run.outcome is not Outcome.SUSPENDED or run.halted is None:
            break
        assert run.halted.key not in used
        used.append(run.halted.key)
        signal = Signal("approve" if yes else "reject", run.halted.key, by="ada")
        run = asyncio.run(orchestrator.resume(run, signal))
    assert run.error is None, run.error

    session = of.start()
    ran: list[str] = []
    for entry in run.log:
        if isinstance(entry, CallEvent) and entry.phase in ("result", "refused"):
            session, name = _after(guard, session, entry)
            ran += [name] if name else []
    assert sorted(ran) == sorted(DONE)
    if run.outcome is Outcome.FINISHED:
        assert standing(run).session.state == session.state
    assert run.state == orchestrator.read(orchestrator.lines(run)).state


def _after(guard: StatewrightGuard, session: Session, entry: CallEvent) -> tuple[Session, str]:
    """Return where the machine stands after one entry of the log, held to the oracle; and the tool that ran."""
    arguments = cast("dict[str, object]", json.loads(entry.arguments))
    decision = entry.decision
    assert decision is not None
    of = guard.machine
    if entry.tool == Transition.__name__:
        if entry.phase == "refused":
            return session, ""
        step = of.send(session, str(arguments["event"]), cast("Json", arguments["data"]))
        assert step.refused is None
        if step.pending is not None:
            assert "approved" == decision.code
            return of.approve(step.session, step.pending.id, by="ada", now=0).session, ""
        assert may_move(of, session, step.session)
        return step.session, ""
    call = ToolCall(entry.tool, arguments)
    if entry.phase == "refused":
        if decision.code != "iterations_exhausted" or of.decide(session, call).code != decision.code:
            return session, ""
        step = of.give_way(session)
        return (session if step.pending else step.session), ""
    assert obtains(of, session, call, decision) is None
    return of.after(session, call, read=len(entry.result)).session, entry.tool
