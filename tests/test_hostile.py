"""Hostile logs and snapshots: whole by their chains and checks, and yet refused, with a typed error and no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm import AllowList, Context, Limits, MemoryJournal, Run, StatePatch, View
from agentfsm.entries import chained
from agentfsm.errors import AgentFSMError, CorruptSnapshotError, LogError, ReplayMismatchError
from tests.desk import Asking, Counting, Mail
from tests.sample import Again, Bug, Diff, Fix, Machine, Talk, machine


async def works(view: View[Any], ctx: Context) -> StatePatch[Any]:
    """Touch all that a log can say of a stage."""
    talk: Talk = view.get(Talk) or Talk()
    at, sent = ctx.now(), await ctx.call(Mail("ada"))
    return StatePatch(Diff(f"{sent} {at}", ("é",)), Talk(talk.said.add("hi")))


@cache
def stored() -> tuple[tuple[Machine, Run[Any]], ...]:
    """A run that is exhausted in its second iteration, and one that waits in the middle of its first."""
    limits = Limits(stages=3, iterations=3, idle_rounds=3)
    limited = machine(Fix(works), guards=[Counting(9)], limits=limits, recovery=Again(), journal=MemoryJournal())
    waiting = machine(Fix(works), guards=[Asking("Mail"), AllowList("*")])
    return tuple((each, asyncio.run(each.run(Bug("b", {"a": 1})))) for each in (limited, waiting))


def sealed_log(entries: list[Any]) -> list[str]:
    """A log's lines with the chain that they have to have."""
    lines, chain = [], b""
    for entry in entries:
        line, chain = chained(chain, json.dumps(entry, separators=(",", ":")))
        lines.append(line)
    return lines


def opened_log(lines: tuple[str, ...]) -> list[Any]:
    """A log's entries without their chains."""
    entries = [json.loads(line) for line in lines]
    for entry in entries:
        del entry["chain"]
    return entries


def sealed_snapshot(raw: Any) -> str:
    """A snapshot's text with the check that it has to have."""
    text = json.dumps(raw, separators=(",", ":"))
    return f'{text[:-1]},"check":"{blake2b(text.encode(), digest_size=16).hexdigest()}"}}'


def opened_snapshot(text: str) -> Any:
    """A snapshot without its check."""
    return json.loads(text.rpartition(',"check":"')[0] + "}")


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    (None, True, -1, 0, 1, 10**30, 1.5, "", "\ud800", "DONE", "FIX", [], {}, ["a"], [[]], {"$type": "os.system"},
     {"start": 1, "before": "00" * 16, "items": []})
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> Callable[[Any], None]:
    """Something that changes one place of a parsed text: puts junk there, removes it, or doubles it."""
    steps = draw(st.lists(st.integers(0, 40), min_size=1, max_size=6))
    how, junk = draw(st.sampled_from(("put", "remove", "double"))), draw(JUNK)

    def change(raw: Any) -> None:
        at, key = _place(raw, steps)
        if key is None:
            return
        if how == "put":
            at[key] = deepcopy(junk)
        elif how == "remove":
            del at[key]
        elif isinstance(at, list):
            at.append(deepcopy(at[key]))
        else:
            at["halted"] = deepcopy(at[key])

    return change


def _place(raw: Any, steps: list[int]) -> tuple[Any, Any]:
    """The container and the key that *steps* lead to; no key where they lead nowhere."""
    at, key = raw, None
    for step in steps:
        inner = at if key is None else at[key]
        if not isinstance(inner, dict | list) or not inner:
            break
        at, keys = inner, list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = keys[step % len(keys)]
    return at, key


def gone_on(orchestrator: Machine, read: Callable[[], Any]) -> None:
    """Read a text and go on from it; only errors of ours may come of that."""
    try:
        found = read()
        asyncio.run(orchestrator.with_journal(None).resume(found))
    except AgentFSMError:
        pass


@settings(max_examples=300)
@given(which=st.integers(0, 1), changes=st.lists(mutations(), min_size=1, max_size=2))
def test_a_hostile_log_is_refused_or_is_a_log(which: int, changes: list[Callable[[Any], None]]) -> None:
    """R18: whatever was changed in a log whose chain was made good, nothing comes of it but a typed error."""
    orchestrator, run = stored()[which]
    entries = opened_log(orchestrator.lines(run))
    for change in changes:
        change(entries)
    gone_on(orchestrator, lambda: orchestrator.read(sealed_log(entries)))


@settings(max_examples=300)
@given(which=st.integers(0, 1), changes=st.lists(mutations(), min_size=1, max_size=2))
def test_a_hostile_snapshot_is_refused_or_is_a_snapshot(which: int, changes: list[Callable[[Any], None]]) -> None:
    """R18: the same of a snapshot whose check was made good."""
    orchestrator, run = stored()[which]
    raw = opened_snapshot(orchestrator.snapshot(run).to_json())
    for change in changes:
        change(raw)
    gone_on(orchestrator, lambda: orchestrator.restore(sealed_snapshot(raw)))


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("chain", "zz", "'zz' is no chain"),
        ("attempt", 0, "0 is no number of attempt"),
        ("entries", -1, "-1 is no number of entries"),
        ("entries", 1, "a tail of 2 is no part of 1 entries"),
        ("tail", ["{}"], "is torn"),
        ("records", {}, "a state has its iteration"),
        ("digest", "00", "do not have the digest"),
    ],
)
def test_a_snapshot_is_held_to_what_one_is(key: str, value: object, says: str) -> None:
    """R18, R22: each part of a snapshot is what it can be, though its check fits."""
    orchestrator, run = stored()[1]
    raw = opened_snapshot(orchestrator.snapshot(run).to_json())
    raw[key] = value
    with pytest.raises(CorruptSnapshotError, match=says):
        orchestrator.restore(sealed_snapshot(raw))


def test_a_snapshot_has_whole_trails() -> None:
    """R18: a trail of which the beginning is missing is no state to go on from."""
    orchestrator, run = stored()[0]
    raw = opened_snapshot(orchestrator.snapshot(run).to_json())
    raw["records"]["talk"]["said"]["start"] = 1
    with pytest.raises(LogError, match="the first 1 items are missing"):
        orchestrator.restore(sealed_snapshot(raw))


DIFF = {"diff": {"text": "x", "files": []}}


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("halted", {"from": "FIX", "to": "DONE"}, "target: recorded 'DONE', now 'FIX'"),
        ("failed", {"from": "FIX", "to": "DONE"}, "target: recorded 'DONE', now 'FIX or FAILED'"),
        ("halted", {"from": "VERIFY", "to": "VERIFY"}, "source: recorded 'VERIFY', now 'FIX'"),
        (
            "halted",
            {"from": "FIX", "to": "FIX", "owned": {"diff": {"text": "x", "files": []}}},
            "owned: recorded 'Diff'",
        ),
        (
            "failed",
            {"from": "FIX", "to": "FIX", "learned": {"diff": {"text": "x", "files": []}}},
            "learned: recorded 'D",
        ),
        (
            "halted",
            {"from": "FIX", "to": "FIX", "patch": {"diff": {"text": "x", "files": []}}},
            "patch: recorded 'Diff'",
        ),
        (
            "step",
            {"from": "FIX", "to": "FIX", "stage": "Verify"},
            "stage: recorded 'Verify', now 'no such stage in FIX'",
        ),
    ],
)
def test_an_event_does_what_its_kind_does(kind: str, changes: dict[str, object], says: str) -> None:
    """R18, R27: who folds a log holds each event to who may write what, and to where its kind leads."""
    orchestrator, run = stored()[1]  # its log: began, a note, halted
    entries = opened_log(orchestrator.lines(run))
    usual: dict[str, object] = {"owned": {}, "learned": {}, "patch": {}}
    entries[-1] |= {**usual, "kind": kind, **changes}
    with pytest.raises(ReplayMismatchError, match=says):
        orchestrator.read(sealed_log(entries))


def test_a_run_that_stands_still_takes_no_step() -> None:
    """R14, R27: between a halt and a step somebody has to have resumed the run."""
    orchestrator, run = stored()[0]
    entries = opened_log(orchestrator.lines(run))
    step = next(entry for entry in entries if entry["kind"] == "step" and entry["stage"] == "Verify")
    entries.append({**step, "seq": len(entries)})
    with pytest.raises(ReplayMismatchError, match="the run stood still"):
        orchestrator.read(sealed_log(entries))
