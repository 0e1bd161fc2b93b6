"""Exporting: the SDK and its OTLP exporter, set up for an application; the extra ``otel``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from hashlib import blake2b
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import attrs

from agentfsm.errors import UsageError
from agentfsm.telemetry.settings import Telemetry

try:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.environment_variables import OTEL_BSP_MAX_EXPORT_BATCH_SIZE
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter, SpanExportResult
    from opentelemetry.sdk.trace.id_generator import IdGenerator
except ModuleNotFoundError as missing:
    raise UsageError(f"sending traces needs {missing.name}: pip install 'agentfsm[otel]'") from missing

__all__ = ("Exporting", "LogIds", "exporting", "sending")

BATCH = 512  # spans that one request carries, of a log that is sent
FEW = 32  # of a run under way: writing more of them at once would hold up its stages for longer than a moment


class Exporting:
    """An SDK that sends; a context manager that gives the `Telemetry` and, at its end, sends what is left."""

    def __init__(self, telemetry: Telemetry, close: Callable[[], object]) -> None:
        self.telemetry = telemetry
        self._close = close

    def __enter__(self) -> Telemetry:
        return self.telemetry

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Send what is left and stop; blocks for as long as the exporter tries."""
        self._close()


class LogIds(IdGenerator):
    """Ids that follow from a run's name: the same log becomes the same trace, however often it is sent."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._traces = 0
        self._spans = 0

    def generate_trace_id(self) -> int:
        """Return the id of the next part of the run."""
        self._traces += 1
        return self._id(f"trace {self._traces}", 16)

    def generate_span_id(self) -> int:
        """Return the id of the next span."""
        self._spans += 1
        return self._id(f"span {self._spans}", 8)

    def _id(self, what: str, size: int) -> int:
        return int.from_bytes(blake2b(f"{self._run}\0{what}".encode(), digest_size=size).digest(), "big") or 1


class _Gathering(SpanExporter):
    """Keeps spans until all of them are there."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Keep spans."""
        self.spans.extend(spans)
        return SpanExportResult.SUCCESS


def exporting(endpoint: str | None, service_name: str | None, telemetry: Telemetry) -> Exporting:
    """Return an SDK with a batch processor and a periodic reader; see `agentfsm.telemetry.setup`."""
    resource = _resource(service_name)
    tracers = TracerProvider(resource=resource, shutdown_on_exit=False)
    few = None if os.environ.get(OTEL_BSP_MAX_EXPORT_BATCH_SIZE) else FEW
    tracers.add_span_processor(BatchSpanProcessor(_span_exporter(endpoint), max_export_batch_size=few))
    if os.environ.get("OTEL_METRICS_EXPORTER") == "none":
        return Exporting(attrs.evolve(telemetry, tracer_provider=tracers), tracers.shutdown)
    metrics = OTLPMetricExporter() if endpoint is None else OTLPMetricExporter(_url(endpoint, "metrics"))
    meters = MeterProvider([PeriodicExportingMetricReader(metrics)], resource=resource, shutdown_on_exit=False)

    def close() -> None:
        tracers.shutdown()
        meters.shutdown()

    return Exporting(attrs.evolve(telemetry, tracer_provider=tracers, meter_provider=meters), close)


def sending(run: str, endpoint: str, service_name: str) -> tuple[TracerProvider, Callable[[], int]]:
    """
    Return a provider whose ids follow from *run*, and what sends its spans and returns how many there were.

    The latter raises `ConnectionError` where *endpoint* does not take them.
    """
    exporter, kept = _span_exporter(endpoint), _Gathering()
    tracers = TracerProvider(resource=_resource(service_name), id_generator=LogIds(run), shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(kept))

    def send() -> int:
        for first in range(0, len(kept.spans), BATCH):
            if exporter.export(kept.spans[first : first + BATCH]) is not SpanExportResult.SUCCESS:
                raise ConnectionError(f"{_shown(endpoint)} did not take the spans; is a collector listening there?")
        exporter.shutdown()  # type: ignore[no-untyped-call]  # the exporter does not say what it returns
        return len(kept.spans)

    return tracers, send


def _resource(service_name: str | None) -> Any:
    return Resource.create({SERVICE_NAME: service_name} if service_name else {})


def _span_exporter(endpoint: str | None) -> OTLPSpanExporter:
    return OTLPSpanExporter() if endpoint is None else OTLPSpanExporter(_url(endpoint, "traces"))


def _url(endpoint: str, signal: str) -> str:
    """Return where a signal goes; raises `UsageError` for what is no HTTP address."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"{endpoint!r} is no address of a collector; give one such as http://localhost:4318")
    base = endpoint.rstrip("/").removesuffix("/v1/traces")
    return f"{base}/v1/{signal}"


def _shown(endpoint: str) -> str:
    """Return an address without a user's name and password."""
    parts = urlsplit(endpoint)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
