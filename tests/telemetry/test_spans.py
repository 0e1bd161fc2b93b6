"""What spans say, how many there are, and that telemetry is never in the way."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from opentelemetry.context import Context as TraceContext
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, Decision, ParentBased, Sampler, SamplingResult

from agentfsm import Context, Iteration, Limits, MemoryJournal, Outcome, Run, StatePatch, View
from agentfsm.telemetry import Telemetry
from tests import sample
from tests.sample import Bug, Diff, Fix
from tests.telemetry import machines
from tests.telemetry.trees import Kept, plain

BUG = Bug("wrong")


@pytest.fixture
def kept() -> Kept:
    return Kept()


def traced(kept: Kept, **settings: Any) -> Telemetry:
    return Telemetry(tracer_provider=kept.provider, **settings)


async def test_the_number_of_spans(kept: Kept) -> None:
    """R54: ten iterations are one span for the run and one for each stage and call, and no more."""

    async def later(view: View[Any], ctx: Context) -> StatePatch[sample.Result]:
        return StatePatch(sample.Result(passed=view[Iteration].number == 10))

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff(await ctx.call(machines.Edit("a"))))

    machine = sample.machine(Fix(work), sample.Verify(later), telemetry=traced(kept), guards=[machines.Strict()])
    await machine.run(BUG)

    assert 1 + 20 + 10 == len(kept.spans)


async def test_beyond_the_cap_spans_are_counted(kept: Kept) -> None:
    """R54: a run has at most so many spans; one of them says how many were left out, of what."""
    await machines.every(telemetry=traced(kept, most_spans=5)).run(BUG)

    assert [
        "invoke_agent machine",
        "  stage Fix [iteration, guard, guard, guard, guard, transition]",
        "    chat scripted CLIENT",
        "    execute_tool Edit",
        "  9 more spans",
    ] == kept.drawn()


async def test_the_summary_says_what_was_left_out(kept: Kept) -> None:
    """R54: the counts are by kind of span."""
    await machines.every(telemetry=traced(kept, most_spans=2)).run(BUG)
    (summary,) = kept.named("12 more spans")

    assert {"stage": 4, "model": 2, "tool": 6} == {
        what: summary[f"agentfsm.dropped.{what}"] for what in ("stage", "model", "tool")
    }


class Bad(Exception):
    """Raised by what telemetry is given."""


class Raising(SpanProcessor):
    def on_start(self, span: Span, parent_context: TraceContext | None = None) -> None:
        raise Bad("canary")

    def on_end(self, span: ReadableSpan) -> None:
        raise Bad("canary")


async def test_nothing_that_telemetry_is_given_reaches_the_run(caplog: pytest.LogCaptureFixture) -> None:
    """R57: a processor that raises changes nothing; it is logged once, without what it says."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(Raising())
    with caplog.at_level(logging.WARNING):
        run = await machines.every(telemetry=Telemetry(tracer_provider=provider)).run(BUG)

    assert Outcome.FINISHED is run.outcome
    assert ["run run-1 is not traced any further: Bad"] == [record.message for record in caplog.records]


async def test_tracing_changes_neither_state_nor_log(kept: Kept) -> None:
    """A traced run has the digest of an untraced one, and its log differs by the trace's name alone."""

    def without(lines: tuple[str, ...]) -> list[str]:
        return [line.partition(',"trace":')[0].partition(',"chain":')[0].partition(',"digest":')[0] for line in lines]

    plainly, told = machines.every(), machines.every(telemetry=traced(kept))
    one, other = await plainly.run(BUG), await told.run(BUG)

    assert one.digest == other.digest == told.replay(other.log).digest
    assert without(plainly.lines(one)) == without(told.lines(other))


class Remembering(Sampler):
    """Samples everything, and remembers with which attributes it was asked."""

    def __init__(self) -> None:
        self.asked: dict[str, dict[str, Any]] = {}

    def should_sample(self, parent_context: Any, trace_id: int, name: str, *rest: Any, **more: Any) -> SamplingResult:
        attributes = rest[1] if len(rest) > 1 else more.get("attributes")
        self.asked[name] = dict(attributes or {})
        return SamplingResult(Decision.RECORD_AND_SAMPLE, attributes)

    def get_description(self) -> str:
        return "Remembering"


async def test_a_sampler_sees_all_there_is(kept: Kept) -> None:
    """A span built from a finished event is sampled with every attribute that it will have."""
    sampler = Remembering()
    told = Kept(sampler=sampler)
    await machines.every(telemetry=traced(told)).run(BUG)

    assert told.named("stage Verify")[-1] == sampler.asked["stage Verify"]
    assert told.named("execute_tool Edit")[-1] == sampler.asked["execute_tool Edit"]


async def test_a_run_that_is_not_sampled_has_no_spans() -> None:
    """A parent-based sampler decides once for the whole run."""
    kept = Kept(sampler=ParentBased(ALWAYS_OFF))
    run = await machines.every(telemetry=traced(kept)).run(BUG)

    assert (Outcome.FINISHED, ()) == (run.outcome, kept.spans)


async def test_without_an_sdk_nothing_is_watched() -> None:
    """With the API alone a run is not even watched: the log names no trace."""
    machine = machines.every(telemetry=Telemetry())
    run = await machine.run(BUG)

    assert not any('"trace"' in line for line in machine.lines(run))


async def test_steps_are_linked(kept: Kept) -> None:
    """A run driven step by step has a root for each, each linked to the one before."""
    machine = machines.every(telemetry=traced(kept))
    run: Run[Any] = machine.begin(BUG)
    for _ in range(2):
        run = await machine.step(run)

    assert [
        "invoke_agent machine",
        "  stage Fix [iteration, guard, guard, guard, guard, transition]",
        "invoke_agent machine -> invoke_agent machine",
        "  stage Verify [iteration, transition]",
    ] == [line for line in kept.drawn() if not line.startswith("    ")]


async def test_a_limit_and_what_follows(kept: Kept) -> None:
    """A run that is exhausted says so, and the one that goes on links to it."""
    machine = machines.every(telemetry=traced(kept), limits=Limits(iterations=1), journal=MemoryJournal())
    run = await machine.run(BUG)
    await machine.resume(run, Limits(iterations=2))
    first, second = kept.named("invoke_agent machine")

    assert ("exhausted", "finished") == (first["agentfsm.run.outcome"], second["agentfsm.run.outcome"])
    assert "  stage Verify [halted, transition]" in kept.drawn()


async def test_attributes_of_a_transition(kept: Kept) -> None:
    """The last event of a stage says whence, whither, what was considered and which invariants were asked."""
    await machines.every(telemetry=traced(kept)).run(BUG)
    (stage, *_) = (plain(span) for span in kept.spans if span.name == "stage Fix")

    assert {
        "agentfsm.lifecycle.from": "FIX",
        "agentfsm.lifecycle.to": "VERIFY",
        "agentfsm.transition.candidates": ("VERIFY: taken", "DONE: not_chosen"),
        "agentfsm.transition.invariants": ("grows",),
    } == stage["events"][-1]["attributes"]
    assert ("diff",) == stage["attributes"]["agentfsm.patch.records"]
    assert len('{"text":"done","files":[]}') == stage["attributes"]["agentfsm.patch.bytes"]


async def test_usage_of_a_model(kept: Kept) -> None:
    """A model call has its model, its tokens and why it ended; the run has their sum."""
    await machines.every(telemetry=traced(kept)).run(BUG)
    call, root = kept.named("chat scripted")[0], kept.named("invoke_agent machine")[0]

    assert {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "scripted",
        "gen_ai.usage.input_tokens": 5,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.response.finish_reasons": ("stop",),
    } == {key: value for key, value in call.items() if key.startswith("gen_ai")}
    assert (10, 4) == (root["gen_ai.usage.input_tokens"], root["gen_ai.usage.output_tokens"])


async def test_openinference(kept: Kept) -> None:
    """With the other convention each span has its kind, for Phoenix."""
    await machines.every(telemetry=traced(kept, semconv="openinference")).run(BUG, session="s1")
    found = {(span.name.split()[0], dict(span.attributes or {})["openinference.span.kind"]) for span in kept.spans}
    call, root = kept.named("chat scripted")[0], kept.named("invoke_agent machine")[0]

    assert {("invoke_agent", "AGENT"), ("stage", "CHAIN"), ("chat", "LLM"), ("execute_tool", "TOOL")} == found
    assert (5, 2, 7) == tuple(call[f"llm.token_count.{what}"] for what in ("prompt", "completion", "total"))
    assert "s1" == root["session.id"]
    assert not any(key.startswith("gen_ai") for span in kept.spans for key in span.attributes or {})


@pytest.mark.parametrize("how", ["every", "retried", "failing", "asking", "nested"])
async def test_a_processor_that_looks_early_sees_the_same_spans(how: str) -> None:
    """Spans made the SDK's own way, for a processor that sees them start, say what finished ones say."""
    quick, slow = Kept(), Kept()
    seen = Seeing()
    slow.provider.add_span_processor(seen)
    for each in (quick, slow):
        await getattr(machines, how)(telemetry=traced(each)).run(BUG)
    made = [{type(span).__name__ for span in each.spans} for each in (quick, slow)]

    assert [True, False] == ["Finished" in kinds for kinds in made]
    assert sorted(span.name for span in slow.spans) == sorted(seen.names)
    assert quick.drawn() == slow.drawn()


class Seeing(SpanProcessor):
    """Takes the names of spans when they start."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def on_start(self, span: Span, parent_context: TraceContext | None = None) -> None:
        self.names.append(span.name)


async def test_a_processor_that_comes_later_is_seen(kept: Kept) -> None:
    """A processor that is added while a run goes on sees the spans that start from then on."""
    seen = Seeing()

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        kept.provider.add_span_processor(seen)
        return StatePatch(Diff("done"))

    await sample.machine(Fix(work), sample.Verify(passes), telemetry=traced(kept)).run(BUG)

    assert ["stage Fix", "stage Verify"] == seen.names


async def passes(view: View[Any], ctx: Context) -> StatePatch[sample.Result]:
    return StatePatch(sample.Result(passed=True))


async def test_limits_of_the_application_are_kept() -> None:
    """Where the SDK is told to cut attributes, its own spans are used, which do."""
    kept = Kept(span_limits=SpanLimits(max_attribute_length=3))
    await machines.every(telemetry=traced(kept)).run(BUG)

    assert "mac" == kept.named("stage Fix")[0]["agentfsm.machine.name"]


async def test_a_finished_span_is_readable_as_any(kept: Kept) -> None:
    """Exporters read it as the SDK's own: as JSON, and once it has ended it says nothing else."""
    await machines.every(telemetry=traced(kept)).run(BUG)
    (span, *_) = (span for span in kept.spans if span.name == "stage Fix")
    said: Any = span
    said.set_attribute("late", 1)
    said.end(5)

    assert '"agentfsm.stage.name": "Fix"' in span.to_json()
    assert "late" not in dict(span.attributes or {})
    assert (0, 0, 0) == (span.dropped_attributes, span.dropped_events, span.dropped_links)
    assert span.end_time != 5
