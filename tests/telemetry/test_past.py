"""A log told later is the trace that the run would have been while it went on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from agentfsm import Limits, MemoryJournal, Run, Signal
from agentfsm.errors import CorruptLogError
from agentfsm.telemetry import Content, Telemetry
from agentfsm.telemetry.exporting import LogIds
from agentfsm.telemetry.past import retold
from tests.sample import Bug, Diff
from tests.telemetry import machines
from tests.telemetry.trees import Kept, Plain, plain

Lines = Sequence[Mapping[str, Any]]
BUG = Bug("wrong")
CONTENT = Content({Diff}, {"Edit"}, models=True, errors=True)
# What a log does not say: how long a guard took, which invariants were asked, and which guard asked a person.
UNSAID = {"agentfsm.guard.duration", "agentfsm.transition.invariants"}


async def answered(machine: Any, run: Run[Any]) -> None:
    while run.halted is not None:
        run = await machine.resume(run, Signal("approve", run.halted.key, by="ann"))


async def told(how: str) -> tuple[Kept, MemoryJournal]:
    """A machine run with telemetry and a journal."""
    kept, journal = Kept(), MemoryJournal()
    telemetry = Telemetry(tracer_provider=kept.provider, content=CONTENT)
    machine = getattr(machines, how)(telemetry=telemetry, journal=journal, limits=Limits(iterations=9))
    work = asyncio.ensure_future(machine.run(BUG))
    if how == "hanging":
        for _ in range(50):
            await asyncio.sleep(0)
        work.cancel()
    await asyncio.wait({work})
    if how == "asking":
        await answered(machine, await work)
    return kept, journal


async def said(journal: MemoryJournal, run: str) -> Lines:
    return [json.loads(line) async for line in journal.read(run)]


async def again(journal: MemoryJournal, run: str = "run-1", ids: str = "run-1") -> Kept:
    """The run of a journal told from its lines, and those of its children."""
    kept = Kept(id_generator=LogIds(ids))
    names = [name for name in journal._runs if name.startswith(f"{run}/")]
    below = {name: await said(journal, name) for name in names}
    retold(await said(journal, run), Telemetry(content=CONTENT), kept.provider, lambda child: below.get(child, ()))
    return kept


def comparable(kept: Kept) -> list[Plain]:
    """Everything about spans but their ids and what a log does not say."""
    return sorted((without_ids(plain(span)) for span in kept.spans), key=repr)


def unsaid(event: Plain) -> set[str]:
    asked = event["attributes"].get("agentfsm.guard.action") == "ask"
    return UNSAID | ({"agentfsm.guard.name", "agentfsm.guard.code"} if asked else set())


def without_ids(span: Plain) -> Plain:
    attributes = {k: v for k, v in span["attributes"].items() if not k.startswith("agentfsm.run.former")}
    events = [
        {**event, "attributes": {k: v for k, v in event["attributes"].items() if k not in unsaid(event)}}
        for event in span["events"]
    ]
    ids = {"trace": "", "id": "", "parent": "", "links": len(span["links"])}
    return {**span, **ids, "attributes": attributes, "events": events}


@pytest.mark.parametrize("how", ["every", "retried", "failing", "asking", "hanging", "nested"])
async def test_a_log_tells_what_the_run_told(how: str) -> None:
    """Names, kinds, times, attributes, events and status are those of the trace that was exported while it ran."""
    kept, journal = await told(how)
    later = await again(journal)

    assert comparable(kept) == comparable(later)
    assert kept.drawn() == later.drawn()


async def test_ids_follow_from_the_run() -> None:
    """Sent twice, a log is one trace; another run is another."""
    _, journal = await told("asking")

    def ids(kept: Kept) -> list[tuple[int, int]]:
        return [(span.context.trace_id, span.context.span_id) for span in kept.spans]

    assert ids(await again(journal)) == ids(await again(journal))
    assert set(ids(await again(journal))).isdisjoint(ids(await again(journal, ids="run-2")))


async def test_a_log_that_goes_on_keeps_its_beginning() -> None:
    """What was told of a run's beginning has the same ids when more of it is told."""
    _, journal = await told("every")
    lines = await said(journal, "run-1")
    few, all_of_them = Kept(id_generator=LogIds("run-1")), await again(journal)
    retold(lines[:9], Telemetry(content=CONTENT), few.provider, lambda _: ())
    known = {span.context.span_id: span.name for span in all_of_them.spans}

    assert all(known[span.context.span_id] == span.name for span in few.spans)
    assert "running" == few.named("invoke_agent machine")[0]["agentfsm.run.outcome"]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda lines: [], "$"),
        (lambda lines: [{**lines[0], "header": 1}], "$[0].header"),
        (lambda lines: [{**lines[0], "header": {**lines[0]["header"], "stages": [1]}}], "$[0].header.stages"),
        (lambda lines: [{**lines[0], "run": 1}], "$[0].run"),
        (lambda lines: [lines[0], {**lines[1], "kind": "other", "from": "a", "to": "b"}], "$[1].kind"),
        (lambda lines: [lines[0], {k: v for k, v in lines[1].items() if k != "started"}], "$[1].started"),
        (lambda lines: [{**lines[0], "digest": "xy"}], "$[0].digest"),
        (lambda lines: [{**lines[0], "exits": [["a"]]}], "$[0].exits"),
        (lambda lines: [{**lines[0], "owned": {"halted": {"strange": 1}}}], "$[0].owned.halted.strange"),
    ],
)
async def test_what_is_no_log_is_refused(change: Any, path: str) -> None:
    """A line of another shape is named."""
    _, journal = await told("every")
    lines = change(await said(journal, "run-1"))
    with pytest.raises(CorruptLogError) as caught:
        retold(lines, Telemetry(), Kept().provider, lambda _: ())

    assert path == caught.value.path


def test_any_name_of_a_state_can_be_told() -> None:
    """Names that Python gives no member of an enum are states like any other."""
    began = {
        "seq": 0, "kind": "began", "stage": "", "from": "mro", "to": "mro", "exits": [], "iteration": 0, "attempt": 1,
        "patch": {}, "started": 1, "ended": 1, "run": "r", "digest": "00",
        "header": {
            "format": 1, "machine": "m", "version": "1", "hash": "", "session": "", "parent": "", "forked": None,
            "stages": [["A", "mro", [], [], ["_x_"]]],
        },
    }  # fmt: skip
    step = {**began, "seq": 1, "kind": "step", "stage": "A", "to": "_x_", "exits": [["_x_", "taken"]], "ended": 2}
    kept = Kept()
    retold([began, step], Telemetry(), kept.provider, lambda _: ())

    assert ["invoke_agent m", "  stage A [transition]"] == kept.drawn()
