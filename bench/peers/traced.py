"""The peers with the instrumentation each of them has, over an SDK whose batch processor exports to nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import logfire
from burr.integrations.opentelemetry import OpenTelemetryBridge
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from peers import burr_side, langgraph_side, pydantic_graph_side
from peers.case import TRANSITIONS, cpu_async

__all__ = ("Nowhere", "burr", "langgraph", "provider", "pydantic_graph")


class Nowhere(SpanExporter):
    """Takes every span and sends none."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return SpanExportResult.SUCCESS


def provider() -> TracerProvider:
    made = TracerProvider()
    made.add_span_processor(BatchSpanProcessor(Nowhere()))
    return made


PROVIDER = provider()
LANGCHAIN = LangChainInstrumentor()
logfire.configure(
    send_to_logfire=False,
    console=False,
    metrics=False,
    inspect_arguments=False,
    additional_span_processors=[BatchSpanProcessor(Nowhere())],
)


def langgraph(iterations: int) -> float:
    """Seconds a transition with openinference's instrumentation, which is on for as long as this takes."""
    LANGCHAIN.instrument(tracer_provider=PROVIDER)
    try:
        seconds = langgraph_side.bare(iterations)
    finally:
        LANGCHAIN.uninstrument()
    assert seconds is not None
    return seconds


def pydantic_graph(iterations: int) -> float:
    """Seconds a transition with its own spans, which go through logfire."""
    seconds = pydantic_graph_side.bare(iterations)
    assert seconds is not None
    return seconds


def burr(iterations: int) -> float:
    """Seconds a transition with its own bridge."""
    bridge = OpenTelemetryBridge(tracer=PROVIDER.get_tracer("burr"))
    app = asyncio.run(burr_side._builder(iterations).with_hooks(bridge).abuild())
    return cpu_async(lambda: app.arun(halt_before=["done"])) / (iterations * TRANSITIONS)
