"""Telemetry: what an orchestrator tells OpenTelemetry about its runs, and what it keeps to itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from agentfsm.bounds import one_of, whole
from agentfsm.errors import UsageError
from agentfsm.records import Record, is_record, name_of
from agentfsm.redaction import redacted
from agentfsm.telemetry.mapping import CONVENTIONS, Convention, Semconv

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from agentfsm.live import Live
    from agentfsm.telemetry.sources import Sources
    from agentfsm.telemetry.watching import Watcher

__all__ = ("Content", "Telemetry")


def _names(given: Iterable[type[Record] | str]) -> frozenset[str]:
    """Return the names of records as logs and traces have them; raises `UsageError` for a class that is no record."""
    found: set[str] = set()
    for kind in given:
        if isinstance(kind, str):
            found.add(kind)
        elif is_record(kind):
            found.add(name_of(kind))
        else:
            raise UsageError(f"content is allowed by record: {kind!r:.80} is none")
    return frozenset(found)


def _tools(given: Iterable[str]) -> frozenset[str]:
    return frozenset(given)


@frozen
class Content:
    """
    What may be told beyond names, sizes and digests; by default nothing.

    *records* are those whose fields are told when a stage writes them, by class or by the name they have in logs;
    *tools* the tools whose arguments and answers are, by name; *models* the replies of models; *errors* the texts of
    exceptions. All of it goes through the redactor and is cut to `Telemetry.most_bytes`.
    """

    records: frozenset[str] = field(default=frozenset[str](), converter=_names)
    tools: frozenset[str] = field(default=frozenset[str](), converter=_tools)
    models: bool = False
    errors: bool = False


@frozen(eq=False)
class Telemetry:
    """
    Spans and metrics of an orchestrator's runs: ``FSMOrchestrator(..., telemetry=Telemetry())``.

    Only the OpenTelemetry API is used, and no environment variable is read. Without providers those that the
    application set globally are asked; none is ever set here. *most_spans* bounds one run, the rest being counted in
    one more span; *most_bytes* bounds one attribute. *redact* is applied to every text that is told.
    """

    semconv: Semconv = field(default="genai-0.1", validator=one_of(*CONVENTIONS))
    tracer_provider: TracerProvider | None = field(default=None, kw_only=True)
    meter_provider: MeterProvider | None = field(default=None, kw_only=True)
    content: Content = field(default=Content(), kw_only=True)
    redact: Callable[[str], str] = field(default=redacted, kw_only=True)
    most_spans: int = field(default=2000, validator=whole(2), kw_only=True)
    most_bytes: int = field(default=4096, validator=whole(64), kw_only=True)
    _known: list[Sources] = field(factory=list["Sources"], init=False, repr=False)

    @property
    def convention(self) -> Convention:
        """The names that are used."""
        return CONVENTIONS[self.semconv]

    def begin(self, live: Live) -> Watcher | None:
        """Return what watches a run from now on; None where nothing would come of it, as without an SDK."""
        from agentfsm.telemetry.watching import watching

        return watching(self, live)

    def sources(self) -> Sources:
        """Return the tracer and the meters, made once for as long as the providers are the same."""
        from agentfsm.telemetry.sources import sources_of

        found = sources_of(self, self._known[0] if self._known else None)
        self._known[:] = [found]
        return found
