"""The peers with the instrumentation that each of them has, and agentfsm with its own, over one kind of SDK."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import agentfsm_side
import logfire
from burr.integrations.opentelemetry import OpenTelemetryBridge
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from peers import burr_side, langgraph_side, pydantic_graph_side
from peers.case import TRANSITIONS

from agentfsm.telemetry import Telemetry

__all__ = ("SIDES", "Cost", "agentfsm", "burr", "langgraph", "pydantic_graph")

Cost = tuple[float, float]
"""CPU seconds a transition: of the thread that runs the agent, and of the whole process with the exporter's thread."""


class Nowhere(SpanExporter):
    """Takes every span, writes it as OTLP does where `WRITES` says so, and sends none."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        if WRITES:
            encode_spans(spans).SerializeToString()
        return SpanExportResult.SUCCESS


WRITES = os.environ.get("BENCH_EXPORTER") == "writes"
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(BatchSpanProcessor(Nowhere(), max_queue_size=100_000))
LANGCHAIN = LangChainInstrumentor()
LOGFIRE = BatchSpanProcessor(Nowhere(), max_queue_size=100_000)
logfire.configure(
    send_to_logfire=False, console=False, metrics=False, inspect_arguments=False, additional_span_processors=[LOGFIRE]
)


def agentfsm(iterations: int) -> Cost:
    """With its own telemetry."""
    machine = agentfsm_side.machine_of(None)
    traced = machine.with_telemetry(Telemetry(tracer_provider=PROVIDER, most_spans=1_000_000))
    return _cost(lambda: traced.run(agentfsm_side.Goal(iterations)), iterations)


def langgraph(iterations: int) -> Cost:
    """With openinference's instrumentation, which is on for as long as this takes."""
    graph = langgraph_side._graph(None)
    given: langgraph_side.State = {"limit": iterations, "iteration": 0}
    LANGCHAIN.instrument(tracer_provider=PROVIDER)
    try:
        config: Any = {"recursion_limit": iterations * TRANSITIONS + 1}
        return _cost(lambda: graph.ainvoke(given, config), iterations)
    finally:
        LANGCHAIN.uninstrument()


def pydantic_graph(iterations: int) -> Cost:
    """With its own spans, which go through logfire."""
    graph = pydantic_graph_side._graph()
    state = pydantic_graph_side.State(iterations)
    return _cost(lambda: graph.run(state=state, inputs=pydantic_graph_side.Think()), iterations)


def burr(iterations: int) -> Cost:
    """With its own bridge."""
    bridge = OpenTelemetryBridge(tracer=PROVIDER.get_tracer("burr"))
    app = asyncio.run(burr_side._builder(iterations).with_hooks(bridge).abuild())
    return _cost(lambda: app.arun(halt_before=["done"]), iterations)


SIDES: dict[str, Callable[[int], Cost]] = {
    "agentfsm": agentfsm,
    "langgraph + openinference": langgraph,
    "pydantic-graph + logfire": pydantic_graph,
    "apache-burr + its bridge": burr,
}


def _cost(work: Callable[[], Awaitable[object]], iterations: int) -> Cost:
    """Return what a transition costs, everything that was told flushed within the second figure."""
    own: list[float] = []

    async def timed() -> None:
        began = time.thread_time()
        await work()
        own.append(time.thread_time() - began)

    _flush()
    gc.collect()
    gc.freeze()  # what other sides imported is none of this one's garbage
    began = time.process_time()
    asyncio.run(timed())
    _flush()
    count = iterations * TRANSITIONS
    return own[0] / count, (time.process_time() - began) / count


def _flush() -> None:
    PROVIDER.force_flush()
    LOGFIRE.force_flush()
