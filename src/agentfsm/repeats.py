"""A guard against going round in circles: the same call again and again, with nothing changed in between."""

from __future__ import annotations

from enum import Enum
from hashlib import blake2b

from attrs import field, frozen

from agentfsm.bounds import whole
from agentfsm.canonical import writer
from agentfsm.guard import Answer, Decision
from agentfsm.records import Metadata, record
from agentfsm.tools import ToolCall

__all__ = ("LoopGuard", "Repeats")

_REMEMBERED = 64


@record
class Repeats(Metadata):
    """The digests of the calls since the last new one that had an effect, the newest last, 64 at most."""

    recent: tuple[str, ...] = ()


@frozen
class LoopGuard:
    """
    Warns of a call that repeats an earlier one for the *warn_at*-th time, and denies it for the *refuse_at*-th.

    Calls are the same by tool and arguments. A call that is not ``pure`` and was not made before begins the count anew:
    tests that are run again after each edit are no loop. It has no opinion on anything else; a warning is an allow.
    """

    warn_at: int = field(default=3, validator=whole(2))
    refuse_at: int = field(default=5, validator=whole(2))

    def begins(self) -> Repeats:
        """Return the memory of no call."""
        return Repeats()

    def offered(self, memory: Repeats, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        """Return all of *tools*: other arguments are another call."""
        return tools

    def decide(self, memory: Repeats, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        """Warn of a repeated call, then deny it."""
        nth = memory.recent.count(_digest(call)) + 1
        if nth >= self.refuse_at:
            reason = f"{call.name} was called {nth - 1} times with these arguments and nothing changed"
            return Decision("deny", "repeated_call", f"{reason}; do something else", guard="LoopGuard")
        if nth >= self.warn_at:
            reason = f"{call.name} was called {nth - 1} times with these arguments; time {self.refuse_at} is refused"
            return Decision("allow", "repeated_call_warning", reason, guard="LoopGuard")
        return None

    def after(self, memory: Repeats, call: ToolCall, answer: Answer, /) -> Repeats:
        """Remember a call."""
        known = _digest(call)
        effectful = call.tool is None or call.tool.effect != "pure"
        if effectful and known not in memory.recent:
            return Repeats((known,))
        return Repeats((*memory.recent, known)[-_REMEMBERED:])


def _digest(call: ToolCall) -> str:
    made = call.tool
    told = writer(object)(call.arguments) if made is None else writer(type(made))(made)
    return blake2b(f"{call.name}{told}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
