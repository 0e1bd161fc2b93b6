"""Past: a log read as text and told again with the times that it has; no SDK was needed when it was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from opentelemetry.context import Context

from agentfsm.events import CallEvent, StateTransitionEvent
from agentfsm.telemetry.facts import Subject, halt_of
from agentfsm.telemetry.links import traceparent_of
from agentfsm.telemetry.plain_log import PlainLog, Said
from agentfsm.telemetry.settings import Telemetry
from agentfsm.telemetry.sources import quick, tracer_of
from agentfsm.telemetry.spans import Spans
from agentfsm.telemetry.telling import Teller
from agentfsm.telemetry.watching import teaching_of

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

__all__ = ("Children", "retold")

Children = Callable[[str], Sequence[Said]]


def retold(lines: Sequence[Said], telemetry: Telemetry, tracers: TracerProvider, children: Children) -> None:
    """
    Tell the run whose log *lines* say, as it would have been told while it went on.

    *children* returns the log of a sub-machine's run by its name, empty where there is none. A log does not say how
    long guards took nor which invariants were asked. Raises `CorruptLogError` for lines that are none of a log.
    """
    _Past(telemetry, tracers, children, Context()).tell(PlainLog(lines))


class _Past:
    """Tells logs below one parent context."""

    def __init__(self, telemetry: Telemetry, tracers: TracerProvider, children: Children, base: Context) -> None:
        self._telemetry = telemetry
        self._tracers = tracers
        self._children = children
        self._base = base

    def tell(self, log: PlainLog) -> None:
        """Tell a run: one root span for each part of it between two resumptions."""
        last = log.entries[-1]
        subject = log.subject(is_workflow=any(self._children(name) for _, name in log.child_runs()))
        below = {seq: name for seq, name in log.child_runs() if self._children(name)}
        teller, asked = self._teller(subject, log.entries[0].ended), None
        teller.begin("", None)
        for entry in log.entries:
            if isinstance(entry, StateTransitionEvent) and entry.kind == "resumed":
                former, teller = traceparent_of(teller.root), self._teller(subject, entry.ended)
                teller.begin(former, entry)
                if asked is not None:
                    teller.waited(asked, entry)
            if isinstance(entry, CallEvent) and entry.seq in log.first_calls:
                began = log.first_calls[entry.seq]
                teller.enter(entry.stage, entry.lifecycle.name, entry.iteration, entry.attempt, began)
            if isinstance(entry, StateTransitionEvent) and entry.seq in below:
                self._tell_below(teller, entry, PlainLog(self._children(below[entry.seq])))
            teller.take(entry)
            if isinstance(entry, StateTransitionEvent):
                asked = entry if halt_of(entry) is not None else asked
                if (outcome := log.outcome(entry)) is not None:
                    teller.close(entry.ended, outcome, entry.target.name)
        teller.close(last.ended, "running", log.stands.name)

    def _teller(self, subject: Subject, began: int) -> Teller:
        tracer = tracer_of(self._telemetry, self._tracers)
        spans = Spans(tracer, self._telemetry.most_spans, self._base, quick(tracer))
        return Teller(spans, teaching_of(self._telemetry, subject), None, began)

    def _tell_below(self, teller: Teller, entry: StateTransitionEvent, log: PlainLog) -> None:
        """Tell the run of a sub-machine below the stage that ran it."""
        span = teller.enter(entry.stage, entry.source.name, entry.iteration, entry.attempt, entry.started)
        _Past(self._telemetry, self._tracers, self._children, teller.spans.inside(span)).tell(log)
