"""
Finished spans: built from an event that is complete, without what a span needs while it is open.

The SDK's own span copies and checks every attribute when it starts, and locks itself for each later one. A finished
span has nothing to guard: its sampler is asked, its id drawn and its processors told as the SDK does it, and what it
says is worked out from the (frozen) event when somebody reads it, which is the exporter's thread. This needs an SDK
whose processors look at spans when they end; with any other the ordinary way is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Event, ReadableSpan, SpanProcessor, Tracer
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    get_current_span,
)
from opentelemetry.util.types import Attributes, AttributeValue

from agentfsm.boundary import Raised, attempted
from agentfsm.frozen import FrozenMap

__all__ = ("Finished", "Quick", "quick_of")

Say: TypeAlias = Callable[[], dict[str, AttributeValue]]
# What processors do with a span that starts: these do nothing.
IDLE = (SpanProcessor.on_start, BatchSpanProcessor.on_start, SimpleSpanProcessor.on_start)
IDLE_AT_ITS_END = tuple(
    getattr(kind, "_on_ending", None) for kind in (SpanProcessor, BatchSpanProcessor, SimpleSpanProcessor)
)
ENOUGH = 64  # attributes and events that a span of ours may have
RANDOM = 2  # the W3C flag of a trace id that is random


class _Said(Mapping[str, AttributeValue]):
    """Attributes that are worked out when somebody looks."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._found: Mapping[str, AttributeValue] | None = None

    @property
    def _facts(self) -> Mapping[str, AttributeValue]:
        if self._found is None:
            said = attempted(self._say)  # of a redactor or a value that raises, the exporter shall not hear
            self._found = {"error.type": type(said.error).__name__} if isinstance(said, Raised) else said.value
        return self._found

    def __getitem__(self, key: str) -> AttributeValue:
        return self._facts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


class Finished(ReadableSpan, Span):
    """A span that is told what it says once, and handed to the processors when it ends."""

    # On the class until they differ: a run has many spans, and few are added to.
    _more: Mapping[str, AttributeValue] = FrozenMap()
    _seen: tuple[Event, ...] | None = None
    _end_time: int | None = None
    _links: Sequence[Link] = ()
    _status = Status(StatusCode.UNSET)

    def __init__(self, tracer: Any, name: str, contexts: tuple[SpanContext, SpanContext | None], at: int) -> None:
        # What the base class would set, less what it checks; both read these fields.
        self._name = name
        self._context, self._parent = contexts
        self._start_time = at
        self._resource = tracer.resource
        self._instrumentation_info = tracer.instrumentation_info
        self._instrumentation_scope = tracer._instrumentation_scope
        self._processor = tracer.span_processor
        self._noted: list[tuple[str, Say, int]] = []

    def saying(self, kind: SpanKind, said: Mapping[str, AttributeValue]) -> Finished:
        """Set what it says."""
        self._kind, self._said = kind, said
        return self

    # The base class reads these two fields for all that it offers and writes.
    @property
    def _attributes(self) -> Mapping[str, AttributeValue]:  # type: ignore[override, mutable-override]  # a field there
        return {**self._said, **self._more}

    @property
    def _events(self) -> Sequence[Event]:  # type: ignore[override]  # a field there
        if self._seen is None:
            self._seen = tuple(Event(name, dict(_Said(say)), at) for name, say, at in self._noted)
        return self._seen

    def get_span_context(self) -> Any:
        return self._context

    def note(self, name: str, say: Say, at: int) -> None:
        """Add an event whose attributes are worked out when somebody looks."""
        self._noted.append((name, say, at))

    def add_event(self, name: str, attributes: Attributes = None, timestamp: int | None = None) -> None:
        self._noted.append((name, lambda: dict(attributes or {}), timestamp or self._start_time or 0))

    def set_attributes(self, attributes: Mapping[str, AttributeValue]) -> None:
        if self._end_time is None:
            self._more = {**self._more, **attributes}

    def set_attribute(self, key: str, value: AttributeValue) -> None:
        self.set_attributes({key: value})

    def set_status(self, status: Any, description: str | None = None) -> None:
        self._status = status if isinstance(status, Status) else Status(status, description)

    def update_name(self, name: str) -> None:
        self._name = name

    def is_recording(self) -> bool:
        return self._end_time is None

    def record_exception(self, exception: BaseException, *args: Any, **more: Any) -> None:
        self.add_event("exception", {"exception.type": type(exception).__name__})

    def end(self, end_time: int | None = None) -> None:
        if self._end_time is None:
            self._end_time = end_time or self._start_time
            self._processor.on_end(self)


class Quick:
    """Makes finished spans for a tracer, for as long as its processors are those that were looked at."""

    def __init__(self, tracer: Any) -> None:
        self._tracer = tracer
        self._processors = tracer.span_processor._span_processors
        # The SDK's default: what is below a sampled span of this process is sampled, whatever it says.
        sampler = tracer.sampler
        self._is_parents = type(sampler) is ParentBased and sampler._local_parent_sampled is ALWAYS_ON

    @property
    def fits(self) -> bool:
        """Whether the processors are those that were looked at."""
        return self._tracer.span_processor._span_processors is self._processors

    def start(self, name: str, parent: Context, kind: SpanKind, say: Say, at: int) -> Span:
        """Return a span of which *say* gives all attributes, or one that records nothing where it is not sampled."""
        tracer, above = self._tracer, get_current_span(parent).get_span_context()
        if self._is_parents and above.trace_flags.sampled and not above.is_remote:
            context = SpanContext(
                above.trace_id, tracer.id_generator.generate_span_id(), False, above.trace_flags, above.trace_state
            )
            return Finished(tracer, name, (context, above), at).saying(kind, _Said(say))
        trace = above.trace_id if above.is_valid else tracer.id_generator.generate_trace_id()
        result = tracer.sampler.should_sample(parent, trace, name, kind, _Said(say), ())
        flags = above.trace_flags
        if not above.is_valid or flags.sampled is not result.decision.is_sampled():
            flags = TraceFlags((flags & RANDOM) | (1 if result.decision.is_sampled() else 0))
        context = SpanContext(trace, tracer.id_generator.generate_span_id(), False, flags, result.trace_state)
        if not result.decision.is_recording():
            return NonRecordingSpan(context)
        made = Finished(tracer, name, (context, above if above.is_valid else None), at)
        return made.saying(kind, result.attributes)


def quick_of(tracer: object) -> Quick | None:
    """Return what makes finished spans for *tracer*; None where it or a processor needs to see spans being open."""
    found: Any = tracer
    if type(tracer) is not Tracer:
        return None
    processors = getattr(found.span_processor, "_span_processors", None)
    if not isinstance(processors, tuple) or not hasattr(found, "_instrumentation_scope"):
        return None
    if hasattr(found, "_is_enabled") and not found._is_enabled():
        return None
    if any(_looks_early(type(each)) for each in processors) or not _is_roomy(getattr(found, "_span_limits", None)):
        return None
    return Quick(found)


def _looks_early(kind: Any) -> bool:
    """Tell whether a class of processors does something before a span has ended."""
    return kind.on_start not in IDLE or getattr(kind, "_on_ending", None) not in IDLE_AT_ITS_END


def _is_roomy(limits: Any) -> bool:
    """Tell whether the limits that the application set never cut a span of ours."""
    if limits is None:
        return False
    counts = [getattr(limits, name, 0) for name in ("max_span_attributes", "max_event_attributes", "max_events")]
    lengths = [getattr(limits, name, 0) for name in ("max_attribute_length", "max_span_attribute_length")]
    return all(count is None or count >= ENOUGH for count in counts) and lengths == [None, None]
