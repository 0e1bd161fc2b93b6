"""Replay, `at`, forks and differences: pure functions of a log, which run nothing."""

from __future__ import annotations

from typing import Any

import pytest

from agentfsm import (
    AllowList,
    ConflictError,
    Context,
    Iteration,
    MemoryJournal,
    ReplayMismatchError,
    StatePatch,
    UsageError,
    View,
)
from agentfsm.diff import Difference, diff
from agentfsm.errors import IdentityError
from tests.sample import Again, Bug, Diff, Fix, Machine, Owner, Phase, Result, Talk, Verify, machine


async def talks(view: View[Any], ctx: Context) -> StatePatch[Any]:
    talk = view.get(Talk) or Talk()
    return StatePatch(Diff(f"attempt {view[Iteration].number}"), Talk(talk.said.add(f"said {len(talk.said)}")))


async def raises(view: View[Any], ctx: Context) -> StatePatch[Any]:
    raise AssertionError("a stage was run")


def dead() -> Machine:
    """The same machine, none of whose stages can be run."""
    return machine(
        Fix(raises, check=fail, ensure=lambda view: None), Verify(raises), recovery=None, guards=[AllowList("*")]
    )


def fail(view: View[Any]) -> None:
    return None


async def test_replay_runs_nothing() -> None:
    """R29: a log is folded by a machine whose stages, when run, would say so."""
    run = await machine(Fix(talks)).run(Bug("b"))
    again = dead().replay(run.log)

    assert (run.state, run.digest, run.outcome) == (again.state, again.digest, again.outcome)
    assert run.log == again.log


async def test_a_run_is_rebuilt_from_its_lines_alone() -> None:
    """R30: entry 0 holds what the run was given, and the lines hold the rest."""
    orchestrator = machine(Fix(talks))
    run = await orchestrator.run(Bug("b", {"a": 1}), Owner("ada"))
    again = dead().read(orchestrator.lines(run))

    assert (run.state, run.id, run.outcome) == (again.state, again.id, again.outcome)
    assert {Bug: Bug("b", {"a": 1}), Owner: Owner("ada")} == dict(again.events[0].patch)
    assert orchestrator.lines(run) == dead().lines(again)


async def test_what_is_no_log_is_refused() -> None:
    """A run, a path and the text of a whole file are near misses, and the way out is named."""
    orchestrator: Any = machine(Fix(talks))
    run = await orchestrator.run(Bug("b"))

    for given in (run, "run.jsonl"):
        with pytest.raises(UsageError, match=r"give run\.log, or lines of text to read\(\)"):
            orchestrator.replay(given)
    with pytest.raises(UsageError, match=r"give text\.splitlines\(\)"):
        orchestrator.read("\n".join(orchestrator.lines(run)))


async def test_replay_names_the_first_divergence() -> None:
    """R29: a machine that now chooses otherwise is told at the event where it first does."""
    run = await machine(Fix(talks)).run(Bug("b"))
    with pytest.raises(ReplayMismatchError) as caught:
        machine(Fix(leave=lambda view: Phase.DONE)).replay(run.log)

    assert (1, "target", "VERIFY", "DONE") == (
        caught.value.seq,
        caught.value.path,
        caught.value.expected,
        caught.value.found,
    )


@pytest.mark.parametrize(
    ("other", "path"),
    [
        (Fix(ensure=lambda view: "no longer"), "Fix.ensure"),
        (Fix(check=lambda view: "no longer"), "check"),
        (Fix(leave=lambda view: Phase.FIX), "next.FIX"),
    ],
)
async def test_rules_that_changed_are_divergences(other: Fix, path: str) -> None:
    """R29: replay holds a log to every rule that the run was held to."""
    run = await machine().run(Bug("b"))
    with pytest.raises(ReplayMismatchError) as caught:
        machine(other).replay(run.log)

    assert (1, path) == (caught.value.seq, caught.value.path)


async def test_another_machines_log_is_refused() -> None:
    """R22: the stages that differ are named."""
    run = await machine().run(Bug("b"))
    with pytest.raises(IdentityError, match="stage Again is new"):
        machine(recovery=Again()).replay(run.log)


async def test_at_is_the_run_as_it_was() -> None:
    """R29: an earlier event is the state after it, and needs no stage."""
    run = await machine(Fix(talks)).run(Bug("b"))
    earlier = dead().at(run, 1)

    assert run.events[1].after == earlier.state
    assert (None, Phase.VERIFY, 2) == (earlier.outcome, earlier.lifecycle, len(earlier.log))
    assert Diff("attempt 1") == earlier.get(Diff)


@pytest.mark.parametrize("seq", [-1, 5, 99])
async def test_at_an_event_that_is_not_there(seq: int) -> None:
    """The events that there are are named."""
    run = await machine().run(Bug("b"))

    with pytest.raises(UsageError, match=f"no transition {seq}; it has 0, 1, 2, 3, 4"):
        machine().at(run, seq)


async def test_a_fork_and_its_parent_go_their_own_ways() -> None:
    """R28: they share nothing after the fork, and neither changes when the other goes on."""
    orchestrator = machine(Fix(talks), journal=MemoryJournal())
    parent = await orchestrator.run(Bug("b"))
    kept, digest = orchestrator.lines(parent), parent.digest
    fork = orchestrator.fork(parent, 2)
    gone_on = await orchestrator.resume(fork)

    assert (parent.id, 2) == (fork.events[0].header and fork.events[0].header.forked)
    assert fork.id != parent.id
    assert (kept, digest) == (orchestrator.lines(parent), parent.digest)
    assert parent.state == gone_on.state
    assert (await orchestrator.load(parent.id)).state == parent.state
    assert (await orchestrator.load(fork.id)).state == gone_on.state
    assert {fork.id} == {event.run for event in gone_on.events}


async def test_two_forks_of_one_event_are_two_runs() -> None:
    """R28: what one of them does is not in the other."""
    orchestrator = machine(Fix(talks))
    parent = await orchestrator.run(Bug("b"))
    one, two = orchestrator.fork(parent, 1), orchestrator.fork(parent, 1)
    one = await orchestrator.step(one)

    assert (3, 2) == (len(one.log), len(two.log))
    assert Phase.VERIFY is two.lifecycle


async def test_going_on_twice_from_one_run_is_a_conflict() -> None:
    """R28, R44: a run that has gone on is not gone on with from before; the way is a fork."""
    orchestrator = machine()
    run = orchestrator.begin(Bug("b"))
    await orchestrator.step(run)

    with pytest.raises(ConflictError, match="expected its head at 1, found it at 2"):
        await orchestrator.step(run)


async def test_restored_and_forked_runs_have_the_same_kind_of_state() -> None:
    """R6: whichever way a run came about, its records are instances of the same classes."""
    orchestrator = machine(Fix(talks), journal=MemoryJournal())
    run = await orchestrator.run(Bug("b"))
    others = [
        orchestrator.fork(run, len(run.log) - 1),
        orchestrator.replay(run.log),
        orchestrator.read(orchestrator.lines(run)),
        await orchestrator.load(run.id),
    ]

    for other in others:
        assert run.state == other.state
        assert {type(each) for each in run.state} == {type(each) for each in other.state}


async def test_differences_are_told_by_path() -> None:
    """Two states differ in records, fields and items."""
    orchestrator = machine(Fix(talks))
    run = await orchestrator.run(Bug("b"))
    before, after = orchestrator.at(run, 1).state, orchestrator.at(run, 3).state

    assert [
        Difference("diff.text", "attempt 1", "attempt 2"),
        Difference("iteration.number", 1, 2),
        Difference("result", None, Result(passed=False)),
        Difference("talk.said[1]", None, "said 1"),
    ] == list(diff(before, after))
    assert () == diff(before, before)
