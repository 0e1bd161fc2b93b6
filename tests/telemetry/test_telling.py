"""What a run tells: one tree, every span ended once, and the same log told again later."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from opentelemetry import context as ambient
from opentelemetry import trace
from opentelemetry.context import Context as TraceContext
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased, Sampler, SamplingResult

from agentfsm import Context, Iteration, Limits, MemoryJournal, Outcome, Run, Signal, StatePatch, View
from agentfsm.errors import StageError
from agentfsm.telemetry import Telemetry, context_of
from tests import sample
from tests.sample import Bug, Diff, Fix, Machine
from tests.telemetry import machines
from tests.telemetry.trees import Kept, plain

Inside = Callable[[Context, trace.Tracer], Any]
BUG = Bug("wrong")


@pytest.fixture
def kept() -> Kept:
    return Kept()


def traced(kept: Kept, **settings: Any) -> Telemetry:
    return Telemetry(tracer_provider=kept.provider, **settings)


def tracing(kept: Kept, inside: Inside) -> Machine:
    """A machine whose first stage traces something of its own."""
    tracer = kept.provider.get_tracer("mine")

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        await inside(ctx, tracer)
        return StatePatch(Diff("done"))

    return sample.machine(Fix(work), telemetry=traced(kept), guards=[machines.Strict()])


def mine(tracer: trace.Tracer, where: TraceContext | None = None) -> None:
    tracer.start_span("mine", where).end()


async def by_gather(ctx: Context, tracer: trace.Tracer) -> None:
    async def one() -> None:
        await asyncio.sleep(0)
        mine(tracer)

    await asyncio.gather(one(), one())


async def by_group(ctx: Context, tracer: trace.Tracer) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(by_await(ctx, tracer))


async def by_thread(ctx: Context, tracer: trace.Tracer) -> None:
    await asyncio.to_thread(mine, tracer)


async def by_executor(ctx: Context, tracer: trace.Tracer) -> None:
    with ThreadPoolExecutor(1) as pool:
        await asyncio.get_running_loop().run_in_executor(pool, mine, tracer, context_of(ctx))


async def by_bare_thread(ctx: Context, tracer: trace.Tracer) -> None:
    thread = threading.Thread(target=mine, args=(tracer, context_of(ctx)))
    thread.start()
    thread.join()


async def by_generator(ctx: Context, tracer: trace.Tracer) -> None:
    async def each() -> AsyncIterator[int]:
        mine(tracer)
        yield 1

    async for _ in each():
        mine(tracer)


async def by_new_loop(ctx: Context, tracer: trace.Tracer) -> None:
    where = context_of(ctx)

    async def inner() -> None:
        mine(tracer, where)

    await asyncio.to_thread(lambda: asyncio.run(inner()))


async def by_await(ctx: Context, tracer: trace.Tracer) -> None:
    await asyncio.sleep(0)
    mine(tracer)


WAYS = [by_gather, by_group, by_thread, by_executor, by_bare_thread, by_generator, by_new_loop, by_await]


@pytest.mark.parametrize("inside", WAYS, ids=lambda way: way.__name__)
async def test_one_run_is_one_trace(inside: Inside, kept: Kept) -> None:
    """R50: what a stage traces is below its span, wherever it runs."""
    await tracing(kept, inside).run(BUG)
    spans = {span.context.span_id: span for span in kept.spans}
    parents = {spans[span.parent.span_id].name for span in kept.spans if span.name == "mine" and span.parent}

    assert {"stage Fix"} == parents
    assert 1 == len({span.context.trace_id for span in kept.spans})


async def test_what_a_tool_traces_is_below_its_call(kept: Kept) -> None:
    """R50: the current span in a tool is the tool's, also where several run at the same time."""
    tracer = kept.provider.get_tracer("mine")

    async def edit(self: machines.Edit, site: object) -> str:
        await asyncio.sleep(0)
        mine(tracer)
        return self.text

    class Tracing(machines.Edit):
        run = edit

    async def work(view: View[Any], ctx: Context) -> StatePatch[Diff]:
        await ctx.gather(Tracing("a"), Tracing("b"))
        mine(tracer)
        return StatePatch(Diff("done"))

    await sample.machine(Fix(work), telemetry=traced(kept), guards=[machines.Strict()]).run(BUG)

    assert [
        "  stage Fix [iteration, guard, guard, transition]",
        "    execute_tool Tracing",
        "      mine",
        "    execute_tool Tracing",
        "      mine",
        "    mine",
    ] == [line for line in kept.drawn() if "Verify" not in line][1:7]


async def test_a_stream_read_by_many_tasks(kept: Kept, caplog: pytest.LogCaptureFixture) -> None:
    """R51: each item awaited in a task of its own, and the stream closed in yet another: no token is misused."""
    stream = machines.hanging(telemetry=traced(kept)).stream(BUG)
    for _ in range(3):
        await asyncio.create_task(anext_of(stream))
    await asyncio.create_task(closing(stream))

    assert [] == caplog.records
    assert "cancelled" == kept.named("invoke_agent machine")[0]["agentfsm.run.outcome"]
    assert trace.INVALID_SPAN is trace.get_current_span()


async def anext_of(stream: AsyncIterator[Any]) -> Any:
    return await anext(stream)


async def closing(stream: Any) -> None:
    await stream.aclose()


class Counting(SpanProcessor):
    """Counts how often each span starts and ends."""

    def __init__(self) -> None:
        self.started: list[int] = []
        self.ended: list[int] = []

    def on_start(self, span: Span, parent_context: TraceContext | None = None) -> None:
        self.started.append(span.get_span_context().span_id)

    def on_end(self, span: ReadableSpan) -> None:
        self.ended.append(span.context.span_id)


async def success(ctx: Context, tracer: trace.Tracer) -> None:
    trace.get_current_span().set_attribute("mine", 1)


async def error(ctx: Context, tracer: trace.Tracer) -> None:
    raise StageError("no", path="fix")


async def stubborn_end(ctx: Context, tracer: trace.Tracer) -> None:
    trace.get_current_span().set_attribute("mine", 1)
    trace.get_current_span().end()


async def interrupt(ctx: Context, tracer: trace.Tracer) -> None:
    trace.get_current_span().set_attribute("mine", 1)
    raise KeyboardInterrupt


async def generator_exit(ctx: Context, tracer: trace.Tracer) -> None:
    trace.get_current_span().set_attribute("mine", 1)
    raise GeneratorExit


async def cancel(ctx: Context, tracer: trace.Tracer) -> None:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await ctx.call(machines.Edit("wait"))


async def hang(ctx: Context, tracer: trace.Tracer) -> None:
    await ctx.gather(machines.Edit("wait"), machines.Edit("break"))


@pytest.mark.parametrize(
    ("inside", "outcome"),
    [
        (success, "finished"),
        (stubborn_end, "finished"),
        (error, "failed"),
        (interrupt, "cancelled"),
        (generator_exit, "cancelled"),
        (cancel, "cancelled"),
        (asyncio.timeout, "failed"),
    ],
)
def test_every_span_ends_once(inside: Any, outcome: str, kept: Kept) -> None:
    """R52: success, error, cancel, timeout, GeneratorExit, KeyboardInterrupt: what started has ended, and once."""
    counting = Counting()
    kept.provider.add_span_processor(counting)
    if inside is asyncio.timeout:
        machine = sample.machine(Fix(machines.wait, timeout=0.001), telemetry=traced(kept), guards=[machines.Strict()])
    else:
        machine = tracing(kept, inside)

    async def go() -> None:
        work = asyncio.ensure_future(machine.run(BUG))
        await asyncio.wait({work})
        work.exception() if not work.cancelled() else None

    try:
        asyncio.run(go())
    except (KeyboardInterrupt, GeneratorExit):
        assert inside in (interrupt, generator_exit)

    assert counting.started
    assert sorted(counting.started) == sorted(counting.ended)
    assert outcome == kept.named("invoke_agent machine")[0]["agentfsm.run.outcome"]


async def test_breaking_out_of_a_stream_ends_every_span(kept: Kept) -> None:
    """R52: leaving the loop cancels the run, whose trace says so."""
    stream = machines.hanging(telemetry=traced(kept)).stream(BUG)
    async for item in stream:
        if type(item).__name__ == "ToolStarted":
            break
    await closing(stream)

    assert [
        "invoke_agent machine",
        "  stage Fix [iteration, guard, halted]",
        "    execute_tool Edit ERROR unanswered",
    ] == kept.drawn()


async def test_a_torn_down_run_leaves_the_context_of_others_alone(kept: Kept) -> None:
    """R51, R52: a run closed by whoever collects it ends its spans, and sets no context back in a foreign task."""
    work: Any = machines.hanging(telemetry=traced(kept)).run(BUG)
    theirs = trace.set_span_in_context(trace.INVALID_SPAN, ambient.Context({"theirs": 1}))
    work.send(None)
    ambient.attach(theirs)
    work.close()

    assert theirs is ambient.get_current()
    assert "cancelled" == kept.named("invoke_agent machine")[0]["agentfsm.run.outcome"]


async def test_a_resumed_run_links_to_the_former_root(kept: Kept) -> None:
    """R53: from a snapshot as from the journal, the next root links to the suspended one."""
    machine = machines.asking(telemetry=traced(kept))
    run = await machine.run(BUG)
    text = machine.snapshot(run).to_json()
    assert run.halted is not None
    again = machines.asking(telemetry=traced(kept))
    await again.resume(again.restore(text), Signal("approve", run.halted.key))
    first, second = (span for span in kept.spans if span.name == "invoke_agent machine")

    assert [first.context.span_id] == [link.context.span_id for link in second.links]
    assert first.context.trace_id != second.context.trace_id
    assert f"{first.context.trace_id:032x}" == dict(second.attributes or {})["agentfsm.run.former.trace_id"]


async def test_a_run_is_below_what_its_caller_traces(kept: Kept) -> None:
    """R50: a run of a request is part of the request's trace."""
    with kept.provider.get_tracer("web").start_as_current_span("request") as request:
        await machines.every(telemetry=traced(kept)).run(BUG)

        assert request is trace.get_current_span()
    assert "request" == kept.drawn()[0].strip()


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
        from opentelemetry.sdk.trace.sampling import Decision

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
