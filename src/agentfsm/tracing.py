"""The port to telemetry: what a run tells whoever traces it, and nothing that comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from agentfsm.events import Entry
    from agentfsm.guard import Decision
    from agentfsm.live import Live
    from agentfsm.rows import Row

__all__ = ("Trace", "Tracing")

T = TypeVar("T")


class Trace(Protocol):
    """What is told of one run while it goes on; a context manager around that time. It never raises."""

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def traceparent(self) -> str:
        """The run's root span as W3C trace context; empty where it has none."""

    def entered(self, row: Row) -> None:
        """Let an attempt begin."""

    def clock(self) -> int:
        """A reading to measure by, in nanoseconds; no time of day."""

    def decided(self, index: int, tool: str, decision: Decision, began: int) -> None:
        """Take note of what the guards decided, asked when `clock` said *began*."""

    def inside(self, index: int, name: str, began: int, work: Awaitable[T]) -> Awaitable[T]:
        """Return *work*, to be awaited as that call; *began* is in nanoseconds since 1970."""

    def marked(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return entries with `traceparent` in one of them, where the log does not have it yet."""

    def added(self, entries: Sequence[Entry]) -> None:
        """Tell entries that the log has now."""


class Tracing(Protocol):
    """What an orchestrator has its runs traced by; see `agentfsm.telemetry.Telemetry`."""

    def begin(self, live: Live, /) -> Trace | None:
        """Return what is told of a run from now on; None where nobody listens."""
