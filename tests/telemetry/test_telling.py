"""What a run tells: one tree in one trace, and every span ended once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from opentelemetry import context as ambient
from opentelemetry import trace
from opentelemetry.context import Context as TraceContext
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor

from agentfsm import Context, Signal, StatePatch, View
from agentfsm.errors import StageError
from agentfsm.telemetry import Telemetry, context_of
from tests import sample
from tests.sample import Bug, Diff, Fix, Machine
from tests.telemetry import machines
from tests.telemetry.trees import Kept

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
