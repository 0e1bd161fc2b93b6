"""The law of laws: what a run is, its log says, whatever happened to the run on the way (R26, R27, R29)."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar, Literal, TypeAlias

from hypothesis import event as noted
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm import (
    CallEvent,
    Context,
    Decision,
    Iteration,
    Limits,
    MemoryJournal,
    Outcome,
    Record,
    Retry,
    Run,
    Signal,
    Spent,
    StatePatch,
    ToolCall,
    View,
)
from agentfsm.errors import RunError
from tests.desk import DONE, Counting, Flaky, Gate, Mail, Seen, Write
from tests.sample import Again, Bug, Diff, Echo, Fix, Machine, Note, Result, Talk, Verify, machine

Deed: TypeAlias = Literal["now", "echo", "mail", "ask", "deny", "flaky", "gather", "model", "emit", "raise", "talk"]
Deeds: TypeAlias = tuple[Deed, ...]
Move: TypeAlias = Literal["same", "loaded", "read", "snapshot", "fork", "reject"]

DEEDS = st.lists(
    st.sampled_from(("now", "echo", "mail", "ask", "deny", "flaky", "gather", "model", "emit", "raise", "talk")),
    max_size=5,
).map(tuple)
LIMITS = st.builds(
    Limits,
    iterations=st.sampled_from((None, 1, 2)),
    stages=st.sampled_from((None, 2, 3)),
    tool_calls=st.sampled_from((None, 3)),
    idle_rounds=st.sampled_from((None, 2)),
)


class Showing(Fix):
    streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "text")
    keeps_partial = True


def judge(call: ToolCall) -> Decision:
    """Ask about some mail, deny other, and allow the rest."""
    match call.arguments.get("to"):
        case "ask":
            return Decision("ask", "risky", "may it?")
        case "deny":
            return Decision("deny", "no", "it may not")
        case _:
            return Decision("allow")


async def do(deed: Deed, ctx: Context, talk: Talk) -> Talk:
    """Do one thing that a stage may do."""
    match deed:
        case "now":
            return Talk(talk.said.add(f"{ctx.now()} {ctx.new_id()} {ctx.random()}"))
        case "echo":
            return Talk(talk.said.add(await ctx.call(Echo("é"))))
        case "mail" | "ask":
            return Talk(talk.said.add(await ctx.call(Mail(deed))))
        case "deny" | "flaky":
            try:
                await ctx.call(Flaky("x") if deed == "flaky" else Mail("deny"))
            except RunError as error:
                return Talk(talk.said.add(f"{type(error).__name__} {error.reason}"))
            raise AssertionError("neither ends well")
        case "gather":
            return Talk(talk.said.extend(await ctx.gather(Write("a"), Mail("ask"), Write("b"))))
        case "model":

            async def model() -> str:
                return "said"

            return Talk(talk.said.add(await ctx.ask("model", {"turn": len(talk.said)}, str, model)))
        case "emit":
            await ctx.emit("half")
            return talk
        case "raise":
            raise OSError("no disk")
        case "talk":
            return Talk(talk.said.extend(("a", "b")))


def orchestrator(plan: dict[tuple[int, int], Deeds], limits: Limits, journal: MemoryJournal | None) -> Machine:
    """A machine whose first stage does in each attempt what *plan* says, by iteration and attempt."""

    async def work(view: View[Any], ctx: Context) -> StatePatch[Any]:
        talk: Talk = view.get(Talk) or Talk()
        deeds = plan.get((view[Iteration].number % 3, ctx.attempt % 2), ())
        for deed in deeds:
            talk = await do(deed, ctx, talk)
        return StatePatch(Diff("half" * deeds.count("emit")), talk, Note("n"))

    def ensure(view: View[Any]) -> str | None:
        talk: Talk | None = view.get(Talk)
        return "say something" if talk is not None and len(talk.said) % 5 == 4 else None

    async def verify(view: View[Any], ctx: Context) -> StatePatch[Any]:
        return StatePatch(Result(view[Iteration].number > 2))

    return machine(
        Showing(work, ensure=ensure, retry=Retry(2)),
        Verify(verify),
        guards=[Gate(judge), Counting(40)],
        limits=limits,
        journal=journal,
        recovery=Again(),
    )


def hold(m: Machine, run: Run[Any]) -> None:
    """Hold a run to its log, read back, at each of its transitions."""
    again = m.read(m.lines(run))
    assert (run.state, run.digest, run.outcome) == (again.state, again.digest, again.outcome)
    assert m.lines(run) == m.lines(again)
    assert run.state == m.replay(run.log).state
    for event in run.events:
        assert event.digest == m.at(again, event.seq).digest
    hold_counts(run)


def hold_counts(run: Run[Any]) -> None:
    """What guards remember and what was spent is what the log has of ended attempts: each call once."""
    ended = max(event.seq for event in run.events if event.kind in ("began", "step", "failed"))
    made = [entry for entry in run.log if isinstance(entry, CallEvent) and entry.phase in ("result", "error")]
    tools = [call for call in made if call.tool != "model"]
    counted = sum(call.seq < ended for call in tools)
    seen, spent = run.state.get(Seen), run.state.get(Spent)
    limited_from_the_start = run.events[0].owned

    assert Seen(counted) == seen
    assert not limited_from_the_start or (spent is not None and counted == spent.tool_calls)
    assert len(made) == len({(call.key, call.attempt, call.iteration) for call in made})


async def elsewhere(m: Machine, run: Run[Any], move: Move) -> tuple[Run[Any], Any]:
    """Take a run that stands still through a door; return it as it was, and as it is to be resumed."""
    match move:
        case "loaded":
            return run, await m.load(run.id)
        case "read":
            return run, m.read(m.lines(run))
        case "snapshot":
            return run, m.restore(m.snapshot(run).to_json())
        case "fork":
            forked = m.fork(run, run.events[-1].seq)
            return forked, forked
        case "same" | "reject":
            return run, run


async def live(plan: dict[tuple[int, int], Deeds], limits: Limits, moves: list[Move]) -> None:
    m = orchestrator(plan, limits, MemoryJournal())
    run = await m.run(Bug("b"))
    for move in moves:
        noted(f"{move} {run.outcome} {run.halted.reason if run.halted else ''} {run.log.base > 0}")
        if run.log.base and m.machine.journal is not None:
            run = await m.load(run.id)
        if run.log.base and move in ("loaded", "read", "fork"):  # what it did before the snapshot is nowhere
            continue
        if not run.log.base:
            hold(m, run)
        if run.outcome not in (Outcome.SUSPENDED, Outcome.EXHAUSTED):
            break
        if move == "read":
            m = m.with_journal(None)  # a run that was read is not the journal's
        if move == "loaded" and m.machine.journal is None:
            continue
        run, halted = await elsewhere(m, run, move)
        if run.halted is not None and run.halted.key:
            run = await m.resume(halted, Signal("reject" if move == "reject" else "approve", run.halted.key))
        else:
            run = await m.resume(halted, Limits(iterations=9, stages=40))
        if m.machine.journal is not None and not run.log.base:
            assert m.lines(run) == tuple([line async for line in m.machine.journal.read(run.id)])


@given(
    plan=st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 1)), DEEDS, max_size=6),
    limits=LIMITS,
    moves=st.lists(st.sampled_from(("same", "loaded", "read", "snapshot", "fork", "reject")), max_size=8),
)
@settings(max_examples=200)
def test_live_state_is_the_fold_of_the_log(
    plan: dict[tuple[int, int], Deeds], limits: Limits, moves: list[Move]
) -> None:
    """R26, R27: for any scenario, live, loaded, read, forked and snapshotted runs are the fold of their logs."""
    DONE.clear()
    asyncio.run(live(plan, limits, moves))
