"""Deciding: all guards of a machine asked about one call, and what they remember of it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol, TypeVar, runtime_checkable

from agentfsm.boundary import Raised, attempted
from agentfsm.commit import spent_more
from agentfsm.errors import ToolError
from agentfsm.guard import Answer, Decision, combine
from agentfsm.limits import Spent
from agentfsm.live import AnyGuard, Live, Machine
from agentfsm.records import Record
from agentfsm.state import AgentState
from agentfsm.tools import Tool, ToolCall

__all__ = (
    "Entering",
    "Refusing",
    "Spending",
    "decide",
    "entered",
    "learn",
    "learn_refusal",
    "offered",
    "refused",
    "remembered",
    "spent",
    "supposed",
    "way_of",
)

M = TypeVar("M")

NO_GUARD = Decision("deny", "no_guard", "this machine has no guard, so it allows no call; give it AllowList(...)")


@runtime_checkable
class Entering(Protocol[M]):
    """A guard that is told of every edge: its memory after it is committed with the edge."""

    def entered(self, memory: M, source: Enum, target: Enum, /) -> M:
        """Return the memory after the run has gone from *source* to *target*."""


@runtime_checkable
class Refusing(Protocol[M]):
    """A guard that is told of calls that were refused, by itself, by another guard or by a person (`rejected`)."""

    def refused(self, memory: M, call: ToolCall, decision: Decision, /) -> M:
        """Return the memory after *call* was refused."""


@runtime_checkable
class Spending(Protocol[M]):
    """A guard that is told of tokens: those of models, and those that a tool's answer counts."""

    def spent(self, memory: M, lifecycle: Enum, tokens: int, /) -> M:
        """Return the memory after *tokens* were spent."""


def decide(machine: Machine, state: AgentState[Any], call: ToolCall) -> Decision:
    """Return the strictest answer of all guards; one that raises denies, and without a guard nothing is allowed."""
    if not machine.guards:
        return NO_GUARD
    answers = [_said(guard, _memory(state, kind), state, call) for guard, kind in machine.guards]
    return combine(answer for answer in answers if answer is not None)


def offered(machine: Machine, state: AgentState[Any]) -> tuple[type[Tool[object]], ...]:
    """Return the tools that all guards allow in *state*; none without a guard, and none where one raises."""
    names = tuple(machine.tools) if machine.guards else ()
    for guard, kind in machine.guards:
        said = attempted(lambda g=guard, k=kind, n=names: g.offered(_memory(state, k), state.lifecycle, n))  # type: ignore[misc]  # bound now
        names = () if isinstance(said, Raised) else tuple(name for name in names if name in said.value)
    return tuple(machine.tools[name] for name in names)


def remembered(machine: Machine, state: AgentState[Any], call: ToolCall, answer: Answer) -> tuple[Record, ...]:
    """Return the guards' memories after a call, those that changed."""
    return _learned(machine, state, lambda guard, memory: guard.after(memory, call, answer))


def refused(machine: Machine, state: AgentState[Any], call: ToolCall, decision: Decision) -> tuple[Record, ...]:
    """Return the memories after a refusal, those that changed."""
    return _learned(machine, state, lambda g, memory: g.refused(memory, call, decision), Refusing)


def spent(machine: Machine, state: AgentState[Any], tokens: int) -> tuple[Record, ...]:
    """Return the memories after tokens were spent, those that changed."""
    return _learned(machine, state, lambda g, memory: g.spent(memory, state.lifecycle, tokens), Spending)


def learn(live: Live, call: ToolCall | None, answer: Answer, tokens: int) -> None:
    """Let guards and counts take in what came of a call, or of a question to something that is no tool."""
    if call is not None:
        live.learn(remembered(live.machine, live.state, call, answer), tool_calls=1, tokens=tokens)
    elif tokens:
        live.learn((), tokens=tokens)
    if tokens:
        live.learn(spent(live.machine, live.state, tokens))


def learn_refusal(live: Live, call: ToolCall | None, decision: Decision) -> None:
    """Let guards take in that a call was refused."""
    if call is not None:
        live.learn(refused(live.machine, live.state, call, decision))


def entered(machine: Machine, after: AgentState[Any], source: Enum) -> tuple[Record, ...]:
    """Return the memories after the edge from *source* to where *after* stands, those that changed."""
    return _learned(machine, after, lambda g, memory: g.entered(memory, source, after.lifecycle), Entering)


def supposed(machine: Machine, state: AgentState[Any], call: ToolCall) -> AgentState[Any]:
    """
    Return *state* as if *call* had been made.

    Calls of one gather are decided on before any of them is made; each on what those before it will have left, so that
    no budget is overdrawn.
    """
    count = state.records.get(Spent)
    counted = () if count is None else (spent_more(count, tool_calls=1),)
    return state.having(*remembered(machine, state, call, Answer(ok=True)), *counted)


def _learned(
    machine: Machine,
    state: AgentState[Any],
    learn: Callable[[Any, Record | None], object],
    told: type[Any] = object,
) -> tuple[Record, ...]:
    """Return what the guards of the kind *told* remember after something happened, where that differs."""
    found: list[Record] = []
    for guard, kind in machine.guards:
        if kind is None or not isinstance(guard, told):
            continue
        before = _memory(state, kind)
        after = learn(guard, before)
        if not isinstance(after, kind):
            raise ToolError(f"{type(guard).__name__} remembers {after!r:.80}, which is no {kind.__name__}")
        if after is not before:
            found.append(after)
    return tuple(found)


def way_of(decision: Decision) -> str:
    """Return the legal way on as text."""
    moves = [f"{m.event} to {m.target}" + (" (needs approval)" if m.needs_approval else "") for m in decision.way]
    return f"the way: {', then '.join(moves)}" if moves else ""


def _said(guard: AnyGuard, memory: object, state: AgentState[Any], call: ToolCall) -> Decision | None:
    said = attempted(lambda: guard.decide(memory, state.lifecycle, call))
    name = type(guard).__name__
    if isinstance(said, Raised):
        return Decision("deny", "guard_failed", f"{name} raised {type(said.error).__name__}: {said.error}", guard=name)
    answer: object = said.value
    if answer is None or (isinstance(answer, Decision) and answer.action in ("allow", "ask", "deny")):
        return said.value
    return Decision("deny", "guard_failed", f"{name} answered {answer!r:.80}, which is no decision", guard=name)


def _memory(state: AgentState[Any], kind: type[Record] | None) -> Record | None:
    return None if kind is None else state.records.get(kind)
