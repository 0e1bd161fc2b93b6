"""Logs read back: each kind of damage is refused and named, and nothing in them is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentfsm import AllowList, Context, Iteration, JsonlJournal, Limits, Outcome, Retry, StatePatch, View
from agentfsm.entries import chained
from agentfsm.errors import AgentFSMError, CorruptLogError, IdentityError, ReplayMismatchError
from tests.desk import Mail, asks
from tests.sample import Again, Bug, Diff, Echo, Fix, Machine, Owner, Talk, machine

Change = Callable[[list[str]], list[str]]


async def says(view: View[Any], ctx: Context) -> StatePatch[Any]:
    talk = view.get(Talk) or Talk()
    text = await ctx.call(Echo(f"said {len(talk.said)}"))
    return StatePatch(Diff(text), Talk(talk.said.add(text)))


def talking() -> Machine:
    return machine(Fix(says), guards=[AllowList("*")])


async def lines_of_a_run() -> list[str]:
    orchestrator = talking()
    return list(orchestrator.lines(await orchestrator.run(Bug("b"), Owner("ada"))))


def without(number: int) -> Change:
    return lambda lines: lines[:number] + lines[number + 1 :]


def swapped(number: int) -> Change:
    return lambda lines: [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]


def replaced(number: int, old: str, new: str) -> Change:
    def change(lines: list[str]) -> list[str]:
        assert old in lines[number]
        return [*lines[:number], lines[number].replace(old, new), *lines[number + 1 :]]

    return change


def torn(number: int) -> Change:
    return lambda lines: [*lines[:number], lines[number][:-20], *lines[number + 1 :]]


def rechained(change: Callable[[list[dict[str, Any]]], object]) -> Change:
    """A change by somebody who knows how lines are chained."""

    def changed(lines: list[str]) -> list[str]:
        entries = [json.loads(line) for line in lines]
        change(entries)
        found, chain = [], b""
        for entry in entries:
            entry.pop("chain", None)
            line, chain = chained(chain, json.dumps(entry, separators=(",", ":")))
            found.append(line)
        return found

    return changed


def other_lines() -> list[str]:
    orchestrator = machine(Fix(says), guards=[AllowList("*")], limits=Limits(stages=3))
    return list(orchestrator.lines(orchestrator.run_sync(Bug("another"))))


OTHERS = other_lines()
DAMAGES: list[tuple[str, Change, type[AgentFSMError], str, str]] = [
    ("a line is gone", without(2), CorruptLogError, "$[2]", "was changed, dropped or moved"),
    ("the first is gone", without(0), CorruptLogError, "$[0]", "was changed, dropped or moved"),
    ("two are swapped", swapped(2), CorruptLogError, "$[2]", "was changed, dropped or moved"),
    ("one is there twice", lambda ls: [*ls[:3], ls[2], *ls[3:]], CorruptLogError, "$[3]", "changed, dropped or moved"),
    ("a letter is another", replaced(2, "said 0", "said 1"), CorruptLogError, "$[2]", "changed, dropped or moved"),
    ("a line is torn", torn(2), CorruptLogError, "$[2]", "entry 2 is torn: it has no chain at its end"),
    ("a line is empty", lambda ls: [*ls[:2], "", *ls[2:]], CorruptLogError, "$[2]", "entry 2 is torn"),
    ("nothing at all", lambda ls: [], CorruptLogError, "$", "entry 0 is missing"),
    ("another's log", lambda ls: [*ls[:2], *OTHERS[2:]], CorruptLogError, "$[2]", "changed, dropped or moved"),
    (
        "no known kind",
        rechained(lambda es: es[2].update(kind="jumped")),
        CorruptLogError,
        "$[2].kind",
        "found 'jumped'",
    ),
    (
        "a state that is none",
        rechained(lambda es: es[2].update({"to": "LIMBO"})),
        CorruptLogError,
        "$[2].to",
        "no state LIMBO; it has FIX, VERIFY, DONE, FAILED",
    ),
    (
        "a record that is none",
        rechained(lambda es: es[2]["patch"].update(evil={"module": "os"})),
        CorruptLogError,
        "$[2].patch.evil",
        "evil",
    ),
    (
        "a field of another type",
        rechained(lambda es: es[2]["patch"]["diff"].update(text=3)),
        CorruptLogError,
        "$[2].patch.diff.text",
        "",
    ),
    ("a key is missing", rechained(lambda es: es[2].pop("digest")), CorruptLogError, "$[2].digest", "missing"),
    ("a digest is none", rechained(lambda es: es[2].update(digest="xyz")), CorruptLogError, "$[2].digest", "no digest"),
    ("a number is another", rechained(lambda es: es[2].update(seq=7)), CorruptLogError, "$[2].seq", "it is number 7"),
    ("a call that is none", rechained(lambda es: es[1].update(phase="guess")), CorruptLogError, "$[1].phase", ""),
    ("no object", lambda ls: [chained(b"", "[1]")[0]], CorruptLogError, "$[0]", ""),
    (
        "a format of tomorrow",
        rechained(lambda es: es[0]["header"].update(format=99)),
        IdentityError,
        "$",
        "format 99 cannot be read; this version reads 1",
    ),
    (
        "another machine's",
        rechained(lambda es: es[0]["header"].update(hash="00")),
        IdentityError,
        "$.header.hash",
        "the log is of machine machine (00)",
    ),
    ("begun twice", rechained(lambda es: es.insert(1, {**es[0], "seq": 1})), CorruptLogError, "", ""),
    (
        "a digest that is not the state's",
        rechained(lambda es: es[2].update(digest="00" * 16)),
        ReplayMismatchError,
        "digest",
        "recorded '0000",
    ),
    (
        "a fact that is not the run's",
        rechained(lambda es: es[2]["patch"]["diff"].update(text="forged")),
        ReplayMismatchError,
        "digest",
        "recorded",
    ),
    (
        "an exit that was not taken",
        rechained(lambda es: es[2].update({"to": "DONE"})),
        ReplayMismatchError,
        "target",
        "recorded 'DONE', now 'VERIFY'",
    ),
    (
        "a stage that is none",
        rechained(lambda es: es[2].update(stage="Mend")),
        ReplayMismatchError,
        "stage",
        "now 'no such stage in FIX'",
    ),
]


@pytest.mark.parametrize(
    ("change", "kind", "path", "says"), [row[1:] for row in DAMAGES], ids=[row[0] for row in DAMAGES]
)
async def test_damage_is_named(change: Change, kind: type[AgentFSMError], path: str, says: str) -> None:
    """R18, R30: where a log is not what was written, or not of this machine, the entry is named and nothing is read."""
    lines = await lines_of_a_run()
    with pytest.raises(kind) as caught:
        talking().read(change(lines))

    assert says in str(caught.value)
    found = caught.value
    if isinstance(found, CorruptLogError | IdentityError | ReplayMismatchError) and path:
        assert path == found.path


async def test_a_log_may_end_anywhere() -> None:
    """R30: each whole line is a whole fact, so a log that is cut is a shorter one."""
    lines = await lines_of_a_run()
    whole = talking().read(lines)

    for length in range(1, len(lines)):
        cut = talking().read(lines[:length])
        assert whole.log[:length] == tuple(cut.log)
        assert None is cut.outcome


async def test_every_kind_of_entry_comes_back() -> None:
    """R30: steps, failures, attempts, halts, resumptions and calls are read as they were written."""

    async def work(view: View[Any], ctx: Context) -> StatePatch[Any]:
        number = view[Iteration].number
        if number == 1:
            raise OSError("no editor")
        ctx.now()
        return StatePatch(Diff(await ctx.call(Mail("ada"))))

    def ensure(view: View[Any]) -> str | None:
        return None

    fix = Fix(work, ensure=ensure, retry=Retry(attempts=2))
    orchestrator = machine(fix, recovery=Again(), guards=[AllowList("*")], limits=Limits(stages=3))
    run = await orchestrator.run(Bug("b"))
    run = await orchestrator.resume(run, Limits(stages=99))

    again = orchestrator.read(orchestrator.lines(run))
    assert Outcome.FINISHED is run.outcome
    assert {"began", "failed", "step", "resumed"} == {event.kind for event in run.events}
    assert (run.state, run.outcome, orchestrator.lines(run)) == (again.state, again.outcome, orchestrator.lines(again))
    assert tuple(run.log) == tuple(again.log)


async def test_a_torn_file_is_gone_on_with(tmp_path: Path) -> None:
    """R34: after a crash in the middle of a line, the run goes on from the last whole one."""
    first = machine(
        Fix(asks(Echo("x"))), guards=[AllowList("*")], journal=JsonlJournal(tmp_path), limits=Limits(stages=2)
    )
    await first.run(Bug("b"))
    path = tmp_path / "run-1.jsonl"
    text = path.read_text()
    path.write_text(text[:-30])

    second = machine(Fix(asks(Echo("x"))), guards=[AllowList("*")], journal=JsonlJournal(tmp_path))
    run = await second.resume(await second.load("run-1"), Limits(stages=50))

    assert Outcome.FINISHED is run.outcome
    assert run.state == (await second.load("run-1")).state
