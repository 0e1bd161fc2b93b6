"""
Telemetry: runs, stages, tools, guards and waits as OpenTelemetry spans and metrics, derived from events.

Only the OpenTelemetry API is used, imported when a run is first watched; `setup` alone needs the SDK (extra ``otel``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentfsm.telemetry.settings import Content, Telemetry
from agentfsm.world import Context

if TYPE_CHECKING:
    from opentelemetry.context import Context as TraceContext

    from agentfsm.telemetry.exporting import Exporting

__all__ = ("Content", "Telemetry", "context_of", "setup")


def setup(
    *, endpoint: str | None = None, service_name: str | None = None, telemetry: Telemetry | None = None
) -> Exporting:
    """
    Return an SDK that sends spans and metrics by OTLP over HTTP, for an application: ``with setup() as telemetry:``.

    *endpoint* is the collector's, such as ``http://localhost:4318``; without it and *service_name* the environment
    variables of OpenTelemetry count. *telemetry* says what is told; its providers are replaced. Nothing global is set.
    Raises `UsageError` where the extra ``otel`` is not installed.
    """
    from agentfsm.telemetry.exporting import exporting

    return exporting(endpoint, service_name, telemetry or Telemetry())


def context_of(ctx: Context) -> TraceContext:
    """
    Return the OpenTelemetry context of the attempt that *ctx* belongs to, for what asyncio does not carry it to.

    Tasks and ``asyncio.to_thread`` have it by themselves; a bare thread, an executor or another event loop is given it:
    ``tracer.start_as_current_span("work", context=context_of(ctx))``. Without telemetry it is the current one.
    """
    from agentfsm.context import StageContext
    from agentfsm.telemetry.watching import context_in

    if isinstance(ctx, StageContext):
        return context_in(ctx.live)
    from opentelemetry.context import get_current

    return get_current()
