"""Links: the root span of a run as W3C trace context, and the link by which the next one refers to it."""

from __future__ import annotations

from opentelemetry.trace import Link, Span, SpanContext, TraceFlags

__all__ = ("link_to", "traceparent_of")


def traceparent_of(span: Span) -> str:
    """Return a span's context as W3C trace context, empty for one that is none."""
    context = span.get_span_context()
    if not context.is_valid:
        return ""
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags):02x}"


def link_to(traceparent: str) -> Link | None:
    """Return a link to the span that a traceparent names; None where it names none."""
    parts = traceparent.split("-")
    if len(parts) != 4:
        return None
    try:
        trace, span, flags = (int(part, 16) for part in parts[1:])
    except ValueError:
        return None
    context = SpanContext(trace, span, is_remote=True, trace_flags=TraceFlags(flags))
    return Link(context, {"agentfsm.link": "former"}) if context.is_valid else None
