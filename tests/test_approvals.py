"""Approvals: an answer is for one asking about one call in one state of one run, serves once, and can come too late."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agentfsm import Decision, Limits, MemoryJournal, Outcome, Retry, Run, Signal, UsageError, World
from agentfsm.errors import EnsureError
from agentfsm.testing import ManualClock
from tests.desk import DONE, Asking, Gate, Mail, Write, asks, error_of
from tests.sample import Bug, Diff, Fix, Machine, machine
from tests.test_gather import gathers


@pytest.fixture(autouse=True)
def nothing_done() -> Iterator[None]:
    """Each test begins with nothing done."""
    DONE.clear()
    yield
    DONE.clear()


def key_of(run: Run[Any]) -> str:
    assert run.halted is not None, run.outcome
    return run.halted.key


def done() -> list[str]:
    return [text for text in DONE if not text.startswith("asked")]


def asking(*tools: Any, **settings: Any) -> Machine:
    usual: dict[str, Any] = {"guards": [Asking("Mail")], "limits": Limits(stages=1), "journal": MemoryJournal()}
    return machine(Fix(asks(*tools)), **{**usual, **settings})


async def test_an_answer_serves_once() -> None:
    """R62: used twice, it is refused, and nothing happens a second time."""
    orchestrator = asking(Mail("a"), Mail("a"))
    first = await orchestrator.run(Bug("b"))
    second = await orchestrator.resume(first, Signal("approve", key_of(first)))

    assert (["mail a"], True) == (done(), key_of(first) != key_of(second))
    with pytest.raises(UsageError, match="does not wait for"):
        await orchestrator.resume(second, Signal("approve", key_of(first)))
    ended = await orchestrator.resume(second, Signal("approve", key_of(second)))
    assert (["mail a", "mail a"], Diff("sent to a | sent to a")) == (done(), ended.get(Diff))


@pytest.mark.parametrize("other", [Mail("b"), Write("a")])
async def test_an_answer_is_for_its_tool_and_arguments(other: Any) -> None:
    """R62: what was asked for another tool, or with other arguments, answers nothing."""
    guards = [Asking("Mail", "Write")]
    asked = await asking(Mail("a"), guards=guards).run(Bug("b"))
    orchestrator = asking(other, guards=guards)
    run = await orchestrator.run(Bug("b"))

    with pytest.raises(UsageError, match="does not wait for"):
        await orchestrator.resume(run, Signal("approve", key_of(asked)))
    assert [] == done()


async def test_an_answer_is_for_its_run_and_state() -> None:
    """R62: neither another session's run nor a run with other records takes it."""
    orchestrator = asking(Mail("a"))
    runs = [
        await orchestrator.run(Bug(text), session=session) for text, session in (("b", "s"), ("b", "t"), ("c", "s"))
    ]

    assert 3 == len({key_of(run) for run in runs})
    for other in runs[1:]:
        with pytest.raises(UsageError, match="does not wait for"):
            await orchestrator.resume(other, Signal("approve", key_of(runs[0])))
    assert [] == done()


async def test_a_fork_asks_for_itself() -> None:
    """R62: what one run was allowed, its fork was not."""
    orchestrator = asking(Mail("a"))
    run = await orchestrator.run(Bug("b"))
    fork = orchestrator.fork(run, run.events[-1].seq)
    again = await orchestrator.resume(fork, Signal("approve", key_of(run)))

    assert (Outcome.SUSPENDED, []) == (again.outcome, done())
    assert key_of(again) != key_of(run)


async def test_another_attempt_asks_again() -> None:
    """R62: an approval is spent on the call that it was for; when the stage is tried again, a person is asked again."""
    refusing = iter(["not yet", None])
    fix = Fix(asks(Mail("a")), ensure=lambda view: next(refusing), retry=Retry(attempts=2, on=(EnsureError,)))
    orchestrator = machine(fix, guards=[Asking("Mail")], limits=Limits(stages=2), journal=MemoryJournal())
    first = await orchestrator.run(Bug("b"))
    second = await orchestrator.resume(first, Signal("approve", key_of(first)))

    assert (Outcome.SUSPENDED, ["mail a"]) == (second.outcome, done())
    assert key_of(second) != key_of(first)


async def test_answers_before_anything_waits_change_nothing() -> None:
    """R62: however often an approval comes before its request, it is refused, and the call still has to be asked."""
    orchestrator = asking(Mail("a"))
    begun = orchestrator.begin(Bug("b"))
    waits = key_of(await asking(Mail("a")).run(Bug("b")))
    for _ in range(2):
        with pytest.raises(UsageError, match="it waits for nothing"):
            await orchestrator.resume(begun, Signal("approve", waits))
        assert [] == DONE[1:]

    run = await orchestrator.resume(begun)
    assert (Outcome.SUSPENDED, []) == (run.outcome, done())


@pytest.mark.parametrize(("waits", "code"), [(59, Outcome.EXHAUSTED), (60, None), (61, None)])
async def test_an_answer_can_come_too_late(waits: int, code: Outcome | None) -> None:
    """R62: an ask that lapses after 60 seconds takes an answer in the 59th and none in the 60th."""
    clock = ManualClock()
    guard = Gate(lambda call: Decision("ask", "risky", "may it?", seconds=60))
    orchestrator = asking(Mail("a"), guards=[guard], world=World(clock=clock))
    run = await orchestrator.run(Bug("b"))
    clock.move(waits)
    signal = Signal("approve", key_of(run))

    if code is not None:
        assert code is (await orchestrator.resume(run, signal)).outcome
        assert ["mail a"] == done()
        return
    with pytest.raises(UsageError, match="has expired"):
        await orchestrator.resume(run, signal)
    again = await orchestrator.resume(await orchestrator.load(run.id))
    assert ([], True) == (done(), key_of(again) != key_of(run))


async def test_each_of_a_gather_is_asked_for() -> None:
    """Two that need approval are answered one after the other; what was approved stands until it is made."""
    orchestrator = machine(
        Fix(gathers(Mail("a"), Mail("b"))), guards=[Asking("Mail")], limits=Limits(stages=1), journal=MemoryJournal()
    )
    first = await orchestrator.run(Bug("b"))
    second = await orchestrator.resume(await orchestrator.load(first.id), Signal("approve", key_of(first)))
    assert (Outcome.SUSPENDED, [], True) == (second.outcome, done(), key_of(first) != key_of(second))

    run = await orchestrator.resume(await orchestrator.load(first.id), Signal("approve", key_of(second)))
    assert (["mail a", "mail b"], Diff("sent to a sent to b")) == (done(), run.get(Diff))


async def test_one_of_a_gather_rejected_is_none_made() -> None:
    """What was approved before is not made when another of the same gather is rejected."""
    orchestrator = machine(Fix(gathers(Mail("a"), Mail("b"))), guards=[Asking("Mail")], journal=MemoryJournal())
    first = await orchestrator.run(Bug("b"))
    second = await orchestrator.resume(first, Signal("approve", key_of(first)))
    run = await orchestrator.resume(second, Signal("reject", key_of(second), "not b"))

    assert ("ToolRefusedError", "Mail refused (rejected): not b") == error_of(run)
    assert [] == done()
