"""Watching: a run under way told as it goes, its spans the current ones where stages and tools run."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from opentelemetry import context as ambient
from opentelemetry.context import Context

from agentfsm.boundary import Raised, attempted
from agentfsm.events import Entry, StateTransitionEvent, changed
from agentfsm.guard import Decision
from agentfsm.run import outcome_of
from agentfsm.telemetry.facts import Subject, Teaching, texts_of
from agentfsm.telemetry.links import traceparent_of
from agentfsm.telemetry.mapping import Own
from agentfsm.telemetry.spans import Spans
from agentfsm.telemetry.telling import Teller

if TYPE_CHECKING:
    from agentfsm.live import Live
    from agentfsm.rows import Row
    from agentfsm.table import Table
    from agentfsm.telemetry.settings import Telemetry

__all__ = ("Watcher", "context_in", "teaching_of", "watching")

T = TypeVar("T")
_log = logging.getLogger("agentfsm.telemetry")


class Watcher:
    """
    Tells one run while it goes on; a context manager around the time that its root span covers.

    Contexts are set where a stage or a call begins and set back where it ends: no token is kept, so none is ever used
    in another task. Nothing that a provider, a processor, a sampler or a redactor raises reaches the run: it is logged
    once, by its class alone, and the rest of the run is not told.
    """

    def __init__(self, live: Live, teller: Teller, base: Context) -> None:
        self._live = live
        self._teller = teller
        self._base = base
        self._inside = base
        self._is_marked = False
        self.broken = False
        self.traceparent = ""

    def __enter__(self) -> Watcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or not issubclass(kind, GeneratorExit):  # torn down, perhaps in a context of somebody else's
            ambient.attach(self._base)
        live = self._live
        outcome = outcome_of(live.machine.table, live.settled)
        ended = outcome.value if outcome is not None else "running" if error is None else "interrupted"
        told = type(error).__name__ if error is not None and (outcome is None or ended == "cancelled") else ""
        self._close(ended, "" if ended == "cancelled" else told)

    def begin(self, former: str, log: Sequence[Entry]) -> None:
        """Start the root span, and tell how long the run waited where it goes on after that."""
        last = log[-1] if log else None
        resumed = last if isinstance(last, StateTransitionEvent) and last.kind == "resumed" else None
        self._safely(lambda: self._begin(former, log, resumed))

    def _begin(self, former: str, log: Sequence[Entry], resumed: StateTransitionEvent | None) -> None:
        teller = self._teller
        teller.begin(former, resumed)
        self.traceparent = traceparent_of(teller.root)
        asked = next((e for e in reversed(log) if isinstance(e, StateTransitionEvent) and e.kind == "halted"), None)
        if resumed is not None and asked is not None:
            teller.waited(asked, resumed)

    def entered(self, row: Row) -> None:
        """Let an attempt begin: what it traces itself is below its span from here on."""
        live = self._live
        enter = self._teller.enter
        span = self._safely(lambda: enter(row.name, row.enters._name_, live.iteration, live.attempt, live.started))
        self._inside = self._teller.spans.inside(span) if span is not None else self._base
        ambient.attach(self._inside)

    def decided(self, index: int, tool: str, decision: Decision, began: int) -> None:
        """Take note of a decision; *began* is what `clock` said before it."""
        took = self.clock() - began
        self._safely(lambda: self._teller.decided(index, tool, decision, took))

    @staticmethod
    def clock() -> int:
        """A reading to measure guards by, in nanoseconds; no time of day."""
        return time.perf_counter_ns()

    async def inside(self, index: int, name: str, began: int, work: Awaitable[T]) -> T:
        """Await *work* with the span of its call as the current one."""
        span = self._safely(lambda: self._teller.call(index, name, began))
        outer = ambient.get_current()
        if span is not None:
            ambient.attach(self._teller.spans.inside(span))
        try:
            return await work
        finally:
            if not isinstance(sys.exc_info()[1], GeneratorExit):
                ambient.attach(outer)

    def marked(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return entries with this trace's name in the first event of them: who goes on with the run links to it."""
        if self._is_marked or not self.traceparent:
            return entries
        for place, entry in enumerate(entries):
            if isinstance(entry, StateTransitionEvent):
                return (*entries[:place], changed(entry, trace=self.traceparent), *entries[place + 1 :])
        return entries

    def added(self, entries: Sequence[Entry]) -> None:
        """Tell entries that the log has now."""
        for entry in entries:
            if isinstance(entry, StateTransitionEvent) and entry.trace:
                self._is_marked = True
            self._safely(lambda e=entry: self._teller.take(e))  # type: ignore[misc]  # bound now

    @property
    def context(self) -> Context:
        """The context of the attempt that is under way."""
        return self._inside

    def _close(self, outcome: str, error: str) -> None:
        now, state = self._live.machine.world.clock.now(), self._live.settled
        self._safely(lambda: self._teller.close(now, outcome, state.lifecycle.name, error), always=True)

    def _safely(self, do: Callable[[], T], *, always: bool = False) -> T | None:
        """Return what *do* returns; None where it raises, and from then on."""
        if self.broken and not always:
            return None
        done = attempted(do)
        if isinstance(done, Raised):
            if not self.broken:
                self.broken = True
                _log.warning("run %s is not traced any further: %s", self._live.id, type(done.error).__name__)
            return None
        return done.value


def watching(telemetry: Telemetry, live: Live) -> Watcher | None:
    """Return what tells *live* from now on; None where neither spans nor metrics would go anywhere."""
    sources = telemetry.sources()
    if sources.tracer is None and sources.meters is None:
        return None
    base = ambient.get_current()
    spans = Spans(sources.tracer, telemetry.most_spans, base, sources.quick)
    last = live.log[-1] if live.log else None
    fresh = isinstance(last, StateTransitionEvent) and last.kind in ("began", "resumed")
    began = last.ended if last is not None and fresh else live.machine.world.clock.now()
    teller = Teller(spans, teaching_of(telemetry, _subject(live)), sources.meters, began)
    watcher = Watcher(live, teller, base)
    watcher.begin(live.former, live.log)
    return watcher


def teaching_of(telemetry: Telemetry, subject: Subject) -> Teaching:
    """Return how a telemetry words what it says of a run."""
    common = {Own.RUN: subject.run, Own.MACHINE: subject.machine, Own.VERSION: subject.version}
    most = telemetry.most_bytes
    return Teaching(telemetry.convention, telemetry.content, telemetry.redact, most, subject, {**common})


def context_in(live: Live) -> Context:
    """Return the OpenTelemetry context of the attempt that is under way."""
    return live.trace.context if isinstance(live.trace, Watcher) else ambient.get_current()


def _subject(live: Live) -> Subject:
    table = live.machine.table
    first = live.log[0] if live.log else None
    header = first.header if isinstance(first, StateTransitionEvent) else None
    forked = header.forked if header is not None else None
    return Subject(
        run=live.id,
        session=live.session,
        machine=table.machine,
        version=table.version,
        parent=header.parent if header is not None else "",
        forked=f"{forked[0]}@{forked[1]}" if forked else "",
        is_workflow=any(row.stage.nested for row in table.rows.values()),
        declared={line.name: (line.reads, line.writes) for line in table.lines},
        texts=texts_of,
        invariants=lambda event: _held(table, event),
    )


def _held(table: Table, event: StateTransitionEvent) -> tuple[str, ...]:
    """Return the invariants that were checked on a transition."""
    row = table.row_of(event.stage, event.source)
    found = next((e for e in row.exits if e.target is event.target), None) if row is not None else None
    return tuple(name for _, name in found.holds) if found is not None else ()
