"""A guard that keeps count: so many calls and tokens for a run, and for each lifecycle state."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from attrs import field, frozen

from agentfsm.bounds import whole
from agentfsm.frozen import FrozenMap
from agentfsm.guard import Answer, Decision
from agentfsm.records import Metadata, record
from agentfsm.tools import ToolCall

__all__ = ("Budget", "BudgetGuard", "BudgetSpent", "Used")

E = TypeVar("E", bound=Enum)


@frozen
class Budget:
    """What may be spent: *calls* of tools, and *tokens* in and out; None for no limit."""

    calls: int | None = field(default=None, validator=whole(0))
    tokens: int | None = field(default=None, validator=whole(0))


@frozen
class Used:
    """What was spent."""

    calls: int = 0
    tokens: int = 0

    def and_also(self, calls: int, tokens: int) -> Used:
        """Return the sum."""
        return Used(self.calls + calls, self.tokens + tokens)


@record
class BudgetSpent(Metadata):
    """What a `BudgetGuard` has counted: in the run, and by lifecycle state, over all of its entries."""

    run: Used = Used()
    states: Mapping[str, Used] = field(factory=FrozenMap[str, Used])


@frozen(init=False)
class BudgetGuard:
    """
    Denies a tool call once its budget is spent, and has no opinion before.

    ``BudgetGuard(calls=50, states={Phase.FIX: Budget(calls=10)})``. Calls are exact: N are admitted, however they are
    made. What a call or a model will cost in tokens is known after it only, so the one that goes over is the last.
    `Limits` halt a run instead, which can be resumed; a denied call is told to the stage, which can go on without.
    """

    run: Budget
    states: Mapping[Enum, Budget]

    def __init__(
        self, *, calls: int | None = None, tokens: int | None = None, states: Mapping[E, Budget] | None = None
    ) -> None:
        self.__attrs_init__(Budget(calls, tokens), FrozenMap((state, most) for state, most in (states or {}).items()))

    def begins(self) -> BudgetSpent:
        """Return a count of nothing."""
        return BudgetSpent()

    def offered(self, memory: BudgetSpent, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        """Return all of *tools*, or none once a budget is spent."""
        return tools if self._over(memory, lifecycle) is None else ()

    def decide(self, memory: BudgetSpent, lifecycle: Enum, call: ToolCall, /) -> Decision | None:
        """Deny where a budget is spent."""
        reason = self._over(memory, lifecycle)
        return None if reason is None else Decision("deny", "budget_spent", reason, guard="BudgetGuard")

    def after(self, memory: BudgetSpent, call: ToolCall, answer: Answer, /) -> BudgetSpent:
        """Count a call."""
        return _more(memory, call.lifecycle, calls=1, tokens=0)

    def spent(self, memory: BudgetSpent, lifecycle: Enum, tokens: int, /) -> BudgetSpent:
        """Count tokens."""
        return _more(memory, lifecycle, calls=0, tokens=tokens)

    def _over(self, memory: BudgetSpent, lifecycle: Enum) -> str | None:
        here = self.states.get(lifecycle, Budget())
        return _spent("the run", self.run, memory.run) or _spent(
            lifecycle.name, here, memory.states.get(lifecycle.name, Used())
        )


def _more(memory: BudgetSpent, lifecycle: Enum | None, *, calls: int, tokens: int) -> BudgetSpent:
    run = memory.run.and_also(calls, tokens)
    if lifecycle is None:
        return BudgetSpent(run, memory.states)
    here = memory.states.get(lifecycle.name, Used()).and_also(calls, tokens)
    return BudgetSpent(run, FrozenMap({**memory.states, lifecycle.name: here}))


def _spent(whose: str, budget: Budget, used: Used) -> str | None:
    for what, most, count in (("calls", budget.calls, used.calls), ("tokens", budget.tokens, used.tokens)):
        if most is not None and count >= most:
            return f"{whose} has used {count} of {most} {what}"
    return None
