"""Traces as text: every span with its kind, status, events in order and links, below its parent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.util.types import AttributeValue

__all__ = ("Kept", "Plain", "drawn", "plain", "tree")

Plain: TypeAlias = Mapping[str, Any]


class Kept:
    """A provider whose ended spans are kept here."""

    def __init__(self, **settings: Any) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False, **settings)
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def drawn(self) -> list[str]:
        """The whole tree of what ended, and nothing kept of it afterwards."""
        found = drawn([plain(span) for span in self.spans])
        self._exporter.clear()
        return found

    def named(self, name: str) -> list[Mapping[str, AttributeValue]]:
        """The attributes of each span of that name."""
        return [dict(span.attributes or {}) for span in self.spans if span.name == name]


def plain(span: ReadableSpan) -> Plain:
    """A span as a receiver would have it."""
    return {
        "name": span.name,
        "kind": span.kind.name,
        "trace": f"{span.context.trace_id:032x}",
        "id": f"{span.context.span_id:016x}",
        "parent": f"{span.parent.span_id:016x}" if span.parent else "",
        "start": span.start_time,
        "end": span.end_time,
        "status": span.status.status_code.name,
        "text": span.status.description or "",
        "attributes": dict(span.attributes or {}),
        "events": [{"name": e.name, "time": e.timestamp, "attributes": dict(e.attributes or {})} for e in span.events],
        "links": [
            {"trace": f"{link.context.trace_id:032x}", "id": f"{link.context.span_id:016x}"} for link in span.links
        ],
    }


def drawn(spans: Iterable[Plain]) -> list[str]:
    """Each span as a line, indented below its parent; roots in the order of their start."""
    return list(tree(tuple(spans)))


def tree(spans: Sequence[Plain]) -> Iterator[str]:
    known = {span["id"]: span for span in spans}
    roots = [span for span in spans if span["parent"] not in known]
    for root in sorted(roots, key=_place):
        yield from _below(root, spans, known, 0)


def _below(span: Plain, spans: Sequence[Plain], known: Mapping[str, Plain], depth: int) -> Iterator[str]:
    links = "".join(f" -> {known[link['id']]['name'] if link['id'] in known else '?'}" for link in span["links"])
    status = "" if span["status"] == "UNSET" else f" {span['status']} {span['text']}"
    events = f" [{', '.join(event['name'].removeprefix('agentfsm.') for event in span['events'])}]"
    kind = "" if span["kind"] == "INTERNAL" else f" {span['kind']}"
    yield f"{'  ' * depth}{span['name']}{kind}{status}{events if span['events'] else ''}{links}"
    for child in sorted((each for each in spans if each["parent"] == span["id"]), key=_place):
        assert child["trace"] == span["trace"]
        yield from _below(child, spans, known, depth + 1)


def _place(span: Plain) -> tuple[int, int, str]:
    return span["start"], span["attributes"].get("agentfsm.seq", 0), span["name"]
