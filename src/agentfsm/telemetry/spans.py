"""
Spans: started through the API with explicit parents and times, within a cap.

A span of ours is built from what a log says once that is complete, so that samplers see all of its attributes when they
decide. Until then it is a `Lazy`: the context that a stage or a tool runs in has it as the current span, and the first
who needs it as a parent, or writes to it, starts it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Link, Span, SpanContext, SpanKind, Tracer, set_span_in_context
from opentelemetry.util.types import Attributes, AttributeValue

from agentfsm.telemetry.mapping import Own, What

if TYPE_CHECKING:
    from agentfsm.telemetry.finished import Quick

__all__ = ("Begin", "Facts", "Lazy", "Say", "Spans")

Facts: TypeAlias = dict[str, AttributeValue]
Say: TypeAlias = Callable[[], Facts]
Begin: TypeAlias = Callable[[Say, int, bool], Span]


class Spans:
    """Starts the spans of one run: at most so many, the rest counted."""

    def __init__(self, tracer: Tracer | None, most: int, base: Context, quick: Quick | None = None) -> None:
        self._tracer = tracer
        self._quick = quick
        self._left = most
        self.base = base
        self.lock = threading.RLock()
        self.dropped = Counter[What]()
        self.dropped_times: tuple[int, int] | None = None

    def inside(self, span: Span) -> Context:
        """Return the context whose current span is *span*, with what else the caller's context had."""
        return set_span_in_context(span, self.base)

    def root(self, name: str, facts: Facts, at: int, *links: Link) -> Span:
        """Start the span of the run itself."""
        if self._tracer is None:
            return INVALID_SPAN
        self._left -= 1
        return self._tracer.start_span(name, self.base, SpanKind.INTERNAL, facts, links, at, record_exception=False)

    def start(self, what: What, name: str, parent: Context, say: Say, at: int, whole: bool = True) -> Span:
        """
        Start a span, or count it where the run has had as many as it may.

        One that is *whole* gets all of its attributes from *say*, which may then be called later.
        """
        if self._tracer is None:
            return INVALID_SPAN
        if self._left <= (0 if what == "summary" else 1):  # the last one is the summary's
            self.dropped[what] += 1
            first = self.dropped_times[0] if self.dropped_times else at
            self.dropped_times = (min(first, at), at)
            return INVALID_SPAN
        self._left -= 1
        kind = SpanKind.CLIENT if what == "model" else SpanKind.INTERNAL
        if whole and self._quick is not None and self._quick.fits:
            return self._quick.start(name, parent, kind, say, at)
        return self._tracer.start_span(name, parent, kind, say(), (), at, record_exception=False)

    def note(self, span: Span, name: str, say: Say, at: int) -> None:
        """Add an event to a span, its attributes worked out when they are needed."""
        later: Callable[[str, Say, int], None] | None = getattr(span, "note", None)
        if later is not None:
            later(name, say, at)
        elif span.is_recording():
            span.add_event(name, say(), at)

    def summary(self, parent: Context, facts: Facts, at: int) -> None:
        """Say in one span which were left out, where any were."""
        if self.dropped_times is None:
            return
        counts = {f"{Own.DROPPED}.{what}": count for what, count in self.dropped.items()}
        name = f"{sum(self.dropped.values())} more spans"
        span = self.start("summary", name, parent, lambda: {**facts, **counts}, self.dropped_times[0])
        span.end(max(at, self.dropped_times[1]))


class Lazy(Span):
    """
    A span that starts when it is first needed, and is ended by telemetry alone: exactly once, whoever else calls `end`.
    """

    def __init__(self, begin: Begin, lock: threading.RLock, early: Say, at: int) -> None:
        self._begin = begin
        self._lock = lock
        self._early = early
        self.at = at
        self._span: Span | None = None
        self._ended = False

    @property
    def started(self) -> bool:
        """Whether somebody needed it."""
        return self._span is not None

    def real(self) -> Span:
        """Return the span, started now if it was not."""
        if self._span is None:
            with self._lock:
                if self._span is None:
                    self._span = self._begin(self._early, self.at, False)
        return self._span

    def with_facts(self, more: Say) -> Span:
        """Return the span with all that is known of it: given when it starts, or set where it has started."""
        with self._lock:
            if self._span is None:
                early = self._early
                self._span = self._begin(lambda: {**early(), **more()}, self.at, True)
            else:
                self._span.set_attributes(more())
            return self._span

    def finish(self, at: int) -> None:
        """End the span; the second time it does nothing."""
        if not self._ended:
            self._ended = True
            self.real().end(at)

    def end(self, end_time: int | None = None) -> None:
        """Do nothing: it ends with what it is the span of."""

    def get_span_context(self) -> SpanContext:
        return self.real().get_span_context()

    def set_attributes(self, attributes: Mapping[str, AttributeValue]) -> None:
        self.real().set_attributes(attributes)

    def set_attribute(self, key: str, value: AttributeValue) -> None:
        self.real().set_attribute(key, value)

    def add_event(self, name: str, attributes: Attributes = None, timestamp: int | None = None) -> None:
        self.real().add_event(name, attributes, timestamp)

    def add_link(self, context: SpanContext, attributes: Attributes = None) -> None:
        self.real().add_link(context, attributes)

    def update_name(self, name: str) -> None:
        self.real().update_name(name)

    def is_recording(self) -> bool:
        return self.real().is_recording()

    def set_status(self, status: Any, description: str | None = None) -> None:
        self.real().set_status(status, description)

    def record_exception(self, exception: BaseException, *args: Any, **more: Any) -> None:
        self.real().record_exception(exception, *args, **more)
