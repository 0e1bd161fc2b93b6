"""
Telling: the entries of a run's log, one by one, become the spans of its trace.

The same code tells a run that is under way and one whose log is read later. The span of a stage is that of its
`StateTransitionEvent`; a stage that was attempted more than once has one span for each attempt below its own.
"""

from __future__ import annotations

from functools import partial

from opentelemetry.trace import Span, StatusCode

from agentfsm.events import CallEvent, Entry, StateTransitionEvent
from agentfsm.guard import Decision
from agentfsm.telemetry.attempts import NOT_BEGUN, Attempt, Work
from agentfsm.telemetry.facts import CHAT, Teaching, halt_of, hashed
from agentfsm.telemetry.links import link_to
from agentfsm.telemetry.mapping import ERROR, EXCEPTION, Own
from agentfsm.telemetry.meters import Meters
from agentfsm.telemetry.spans import Begin, Facts, Lazy, Say, Spans
from agentfsm.telemetry.totals import Counting

__all__ = ("Teller",)

_NS = 1_000_000_000


class Teller:
    """Tells one run, or the part of it that one root span covers."""

    def __init__(self, spans: Spans, teaching: Teaching, meters: Meters | None, began: int) -> None:
        self.spans = spans
        self._say = teaching
        self._counts = Counting(teaching.subject, meters, began)
        self._work: Work | None = None
        self._error = ""
        self._outcome = ""
        self._closed = False
        self.root: Span

    def begin(self, former: str, resumed: StateTransitionEvent | None) -> None:
        """Start the root span; *former* is the traceparent of the one before, when a run goes on."""
        facts, links, link = self._say.root(), [], link_to(former)
        if link is not None:
            links.append(link)
            facts[Own.FORMER_TRACE] = f"{link.context.trace_id:032x}"
            facts[Own.FORMER_SPAN] = f"{link.context.span_id:016x}"
        if former or resumed is not None:
            facts[Own.RESUMED] = True
        if resumed is not None:
            facts[Own.ATTEMPT] = resumed.attempt
        name = f"{self._say.subject.operation} {self._say.subject.machine}"
        self.root = self.spans.root(name, facts, self._counts.totals.began, *links)
        self._context = self.spans.inside(self.root)

    def waited(self, asked: StateTransitionEvent, resumed: StateTransitionEvent) -> None:
        """Tell how long a run waited for an answer, from when it was asked."""
        halted = halt_of(asked)
        for signal in resumed.signals if halted is not None else ():
            facts = self._say.named("wait")
            facts[Own.DECISION], facts[Own.WAITED] = signal.action, (resumed.started - asked.ended) / _NS
            facts[Own.SEQ] = resumed.seq
            facts[Own.GUARD_TOOL] = halted.tool if halted is not None else ""
            if signal.by:
                facts[Own.ACTOR] = hashed(signal.by)
            name = f"wait {halted.tool if halted is not None else ''}"
            self.spans.start("wait", name, self._context, partial(dict, facts), asked.ended).end(resumed.started)

    def enter(self, stage: str, source: str, iteration: int, number: int, began: int) -> Lazy:
        """Begin an attempt; return the span that it runs in, which starts when somebody needs it."""
        work = self._work
        if work is None or work.stage != stage or number == 1:
            begin = partial(self.spans.start, "stage", f"stage {stage}", self._context)
            span = self._lazy(begin, partial(self._say.stage, stage, source, iteration, number), began)
            self._work = Work(
                stage, began, span, Attempt(number, began, span), iteration if self._counts.begins(iteration) else 0
            )
            return span
        work.attempt = Attempt(number, began, self._attempt_span(work, number, began))
        return work.attempt.span

    def call(self, index: int, name: str, began: int) -> Lazy:
        """Begin a call; return the span that it runs in."""
        attempt = self._due()
        span = self._lazy(partial(self._start_call, name, attempt), partial(self._say.begun_call, index, name), began)
        _, intended, _ = attempt.begun.get(index, NOT_BEGUN)
        attempt.begun[index] = (name, intended or began, span)
        return span

    def decided(self, index: int, tool: str, decision: Decision, took: int) -> None:
        """Take note of a guard's decision and how long it took, in nanoseconds."""
        self._due().verdicts[index] = (tool, decision, took, 0)

    def take(self, entry: Entry) -> None:
        """Tell an entry of the log."""
        self._counts.seen(entry.ended)
        if isinstance(entry, CallEvent):
            self._call(entry)
        elif entry.kind in ("step", "failed", "halted"):
            self._event(entry)

    def close(self, at: int, outcome: str, lifecycle: str, error: str = "") -> None:
        """End what is open and the root; the second time it does nothing."""
        if self._closed:
            return
        self._closed = True
        if (work := self._work) is not None:  # nothing in the log says when
            self._counts.seen(at)
            self._cut(work, error or "cancelled", self._counts.totals.ended)
        error, at = error or self._error, self._counts.totals.ended
        facts: Facts = {**self._say.totals(self._counts.totals, outcome), Own.ENDED_IN: lifecycle}
        if error:
            facts[ERROR] = error
            self.root.set_status(StatusCode.ERROR, error)
        self.spans.summary(self._context, dict(self._say.common), at)
        self.root.set_attributes(facts)
        self.root.end(at)
        self._counts.run(outcome, error)

    def _lazy(self, begin: Begin, say: Say, at: int) -> Lazy:
        return Lazy(begin, self.spans.lock, say, at)

    def _attempt_span(self, work: Work, number: int, began: int) -> Lazy:
        def begin(say: Say, at: int, whole: bool) -> Span:
            return self.spans.start("attempt", f"attempt {number}", self.spans.inside(work.span.real()), say, at, whole)

        def say() -> Facts:
            return {**self._say.named("attempt"), Own.STAGE: work.stage, Own.ATTEMPT: number}

        return self._lazy(begin, say, began)

    def _start_call(self, name: str, attempt: Attempt, say: Say, at: int, whole: bool) -> Span:
        is_model = name.startswith(CHAT)
        title = name if is_model else f"execute_tool {name}"
        parent = self.spans.inside(attempt.span.real())
        return self.spans.start("model" if is_model else "tool", title, parent, say, at, whole)

    def _due(self) -> Attempt:
        work = self._work
        assert work is not None, "a call is made in an attempt"
        assert work.attempt is not None, "a call is made in an attempt"
        return work.attempt

    def _call(self, call: CallEvent) -> None:
        if call.phase == "asked":
            return
        if self._work is None or self._work.attempt is None:  # read from a log, where nothing says that it begins
            self.enter(call.stage, call.lifecycle.name, call.iteration, call.attempt, call.started)
        attempt = self._due()
        if call.decision is not None:
            took = attempt.verdicts[call.index][2] if call.index in attempt.verdicts else 0
            attempt.verdicts[call.index] = (call.tool, call.decision, took, call.started)
        if call.phase == "refused":
            self._counts.refused(call)
        elif call.phase == "intent":
            attempt.begun.setdefault(call.index, (call.tool, call.started, None))
        else:
            self._answered(attempt, call)

    def _answered(self, attempt: Attempt, call: CallEvent) -> None:
        self._counts.answered(call)
        _, _, span = attempt.begun.get(call.index, NOT_BEGUN)
        if span is not None and span.started:  # somebody traces inside it: it goes out as it ends
            self._end_call(attempt, call)
        else:
            attempt.calls.append(call)

    def _end_call(self, attempt: Attempt, call: CallEvent) -> None:
        _, _, known = attempt.begun.pop(call.index, NOT_BEGUN)
        span = known or self._lazy(partial(self._start_call, call.tool, attempt), dict, call.started)
        real = span.with_facts(partial(self._say.call, call))
        if call.error is not None:
            self._failed(real, *call.error, call.ended)
        span.finish(call.ended)

    def _event(self, event: StateTransitionEvent) -> None:
        if not event.stage:
            return
        work = self._working(event)
        self._counts.stage(event)
        again = event.kind == "failed" and event.exits[0].code == "retry" and halt_of(event) is None
        if again and work.attempt is not None and not work.many:
            work.many = True
            self._first_of_many(work, work.attempt)
        if work.attempt is not None:
            self._end_attempt(work, work.attempt, event)
        if again:
            work.attempt = None
        else:
            self._end_stage(work, event)
            self._work = None

    def _working(self, event: StateTransitionEvent) -> Work:
        """Return the stage that an event ends an attempt at; of a log that is read, nothing else says that it began."""
        work = self._work
        if work is None or work.stage != event.stage or (work.attempt is None and event.kind != "halted"):
            self.enter(event.stage, event.source.name, event.iteration, event.attempt, event.started)
        assert self._work is not None, "entered just now"
        return self._work

    def _first_of_many(self, work: Work, attempt: Attempt) -> None:
        """Give the first attempt a span of its own, now that there is another one."""
        self._begun(work, work.span.real())
        attempt.span = self._attempt_span(work, attempt.number, attempt.began)

    def _end_attempt(self, work: Work, attempt: Attempt, event: StateTransitionEvent) -> None:
        """Tell what an attempt asked; and the attempt itself, where it is one of several."""
        if not work.many:
            self._begun(work, work.span.with_facts(partial(self._say.ended, event)))
        self._end_calls(attempt, event.ended)
        span = attempt.span.real()
        halted, asked = (
            halt_of(event),
            {tool for tool, decision, _, _ in attempt.verdicts.values() if decision.action == "ask"},
        )
        if halted is not None and halted.reason == "approval" and halted.tool not in asked:  # a log does not say it
            attempt.verdicts[-1] = (halted.tool, Decision("ask"), 0, 0)
        for tool, decision, took, at in attempt.verdicts.values():
            told = partial(self._say.guard, tool, decision, took)
            self.spans.note(span, Own.EVENT_GUARD, told, at or event.ended)
        if work.many:
            if event.error is not None:
                attempt.span.with_facts(partial(self._say.failed_attempt, event.error, event.seq))
                self._failed(span, event.error.kind, event.error.message, event.ended)
            attempt.span.finish(event.ended)

    def _begun(self, work: Work, span: Span) -> None:
        """Tell that an iteration begins with a stage, where it does."""
        if work.begins:
            self.spans.note(span, Own.EVENT_ITERATION, partial(dict, {Own.ITERATION: work.begins}), work.began)
            work.begins = 0

    def _end_calls(self, attempt: Attempt, at: int) -> None:
        for call in attempt.calls:
            self._end_call(attempt, call)
        for index, (name, began, known) in attempt.begun.items():
            self._end_open(attempt, index, name, began, known, at)
        attempt.begun.clear()

    def _end_open(self, attempt: Attempt, index: int, name: str, began: int, known: Lazy | None, at: int) -> None:
        """End a call that was never answered."""
        span = known or self._lazy(partial(self._start_call, name, attempt), dict, began)
        span.at = began
        real = span.with_facts(lambda: {**self._say.begun_call(index, name), ERROR: "unanswered"})
        real.set_status(StatusCode.ERROR, "unanswered")
        span.finish(max(at, began))

    def _end_stage(self, work: Work, event: StateTransitionEvent) -> None:
        span = work.span.with_facts(partial(self._say.ended, event)) if work.many else work.span.real()
        if (halted := halt_of(event)) is not None:
            if halted.key:
                self.spans.note(span, Own.EVENT_ASKED, partial(self._say.asked, halted), event.ended)
            self.spans.note(span, Own.EVENT_HALTED, partial(dict, {Own.HALT: halted.reason}), event.ended)
        if event.error is not None:
            self._error = event.error.kind
            self._failed(span, event.error.kind, event.error.message, event.ended)
        elif event.kind == "step":
            self._error = ""
        if event.kind != "halted":
            self.spans.note(span, Own.EVENT_TRANSITION, partial(self._say.transition, event), event.ended)
        work.span.finish(event.ended)

    def _cut(self, work: Work, error: str, at: int) -> None:
        """End a stage that has no event: something ended the run before it could be recorded."""
        attempt = work.attempt
        if attempt is not None:
            self._end_calls(attempt, at)
        for span in (attempt.span if attempt is not None else work.span, work.span):
            span.real().set_status(StatusCode.ERROR, error)
            span.finish(at)
        self._work = None

    def _failed(self, span: Span, kind: str, message: str, at: int) -> None:
        self.spans.note(span, EXCEPTION[0], partial(self._say.exception, kind, message), at)
        span.set_status(StatusCode.ERROR, kind)
