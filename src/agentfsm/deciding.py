"""Deciding: all guards of a machine asked about one call, and what they remember of it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from agentfsm.boundary import Raised, attempted, brief
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
    "Memories",
    "Refusing",
    "Spending",
    "decide",
    "entered",
    "offered",
    "refused",
    "remembered",
    "spent",
    "supposed",
    "way_of",
)

M = TypeVar("M")

# What guards remember; an error where one cannot say it.
Memories: TypeAlias = tuple[Record, ...] | ToolError

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


def watched_decide(live: Live, state: AgentState[Any], index: int, call: ToolCall) -> Decision:
    """Return the decision on a call of a run, once whoever traces it knows it and how long it took."""
    if live.trace is None:
        return decide(live.machine, state, call)
    asked = live.trace.clock()
    decision = decide(live.machine, state, call)
    live.trace.decided(index, call.name, decision, asked)
    return decision


def offered(machine: Machine, state: AgentState[Any]) -> tuple[type[Tool[object]], ...]:
    """Return the tools that all guards allow in *state*; none without a guard, and none where one raises."""
    names = tuple(machine.tools) if machine.guards else ()
    for guard, kind in machine.guards:
        said = attempted(lambda g=guard, k=kind, n=names: _offers(g, _memory(state, k), state, n))  # type: ignore[misc]  # bound now
        names = () if isinstance(said, Raised) else said.value
    return tuple(machine.tools[name] for name in names)


def remembered(machine: Machine, state: AgentState[Any], call: ToolCall, answer: Answer) -> Memories:
    """Return the guards' memories after a call, those that changed; an error where a guard cannot say its own."""
    return _learned(machine, state, "after", lambda guard, memory: guard.after(memory, call, answer))


def refused(machine: Machine, state: AgentState[Any], call: ToolCall, decision: Decision) -> Memories:
    """Return the memories after a refusal, those that changed, or an error."""
    return _learned(machine, state, "refused", lambda g, memory: g.refused(memory, call, decision), Refusing)


def spent(machine: Machine, state: AgentState[Any], tokens: int) -> Memories:
    """Return the memories after tokens were spent, those that changed, or an error."""
    return _learned(machine, state, "spent", lambda g, memory: g.spent(memory, state.lifecycle, tokens), Spending)


def entered(machine: Machine, after: AgentState[Any], source: Enum) -> Memories:
    """Return the memories after the edge from *source* to where *after* stands, those that changed, or an error."""
    return _learned(machine, after, "entered", lambda g, memory: g.entered(memory, source, after.lifecycle), Entering)


def supposed(machine: Machine, state: AgentState[Any], call: ToolCall) -> AgentState[Any]:
    """
    Return *state* as if *call* had been made, and well.

    Calls of one gather are decided on before any of them is made; each on what those before it will have left, so that
    no budget is overdrawn. Raises `ToolError` for a guard that cannot say what it would remember.
    """
    memories = remembered(machine, state, call, Answer(ok=True))
    if isinstance(memories, ToolError):
        raise memories
    count = state.records.get(Spent)
    return state.having(*memories, *(() if count is None else (spent_more(count, tool_calls=1),)))


def _learned(
    machine: Machine,
    state: AgentState[Any],
    what: str,
    learn: Callable[[Any, Record | None], object],
    told: type[Any] = object,
) -> Memories:
    """Return what the guards of the kind *told* remember after something happened, where that differs."""
    found: list[Record] = []
    for guard, kind in machine.guards:
        if kind is None or not isinstance(guard, told):
            continue
        before, name = _memory(state, kind), f"{type(guard).__name__}.{what}"
        said = attempted(lambda g=guard, b=before: learn(g, b))  # type: ignore[misc]  # bound now
        if isinstance(said, Raised):
            return ToolError(f"{name} raised {type(said.error).__name__}: {brief(said.error)}", path=name)
        if not isinstance(said.value, kind):
            return ToolError(f"{name} returned {said.value!r:.80}, not its {kind.__name__}", path=name)
        if said.value is not before:
            found.append(said.value)
    return tuple(found)


def way_of(decision: Decision) -> str:
    """Return the legal way on as text."""
    moves = [f"{m.event} to {m.target}" + (" (needs approval)" if m.needs_approval else "") for m in decision.way]
    return f"the way: {', then '.join(moves)}" if moves else ""


def _offers(guard: AnyGuard, memory: object, state: AgentState[Any], names: tuple[str, ...]) -> tuple[str, ...]:
    said = frozenset(guard.offered(memory, state.lifecycle, names))
    return tuple(name for name in names if name in said)


def _said(guard: AnyGuard, memory: object, state: AgentState[Any], call: ToolCall) -> Decision | None:
    said = attempted(lambda: guard.decide(memory, state.lifecycle, call))
    name = type(guard).__name__
    if isinstance(said, Raised):
        text = f"{name} raised {type(said.error).__name__}: {brief(said.error)}"
        return Decision("deny", "guard_failed", text, guard=name)
    answer: object = said.value
    if answer is None or (isinstance(answer, Decision) and answer.action in ("allow", "ask", "deny")):
        return said.value
    return Decision("deny", "guard_failed", f"{name} answered {answer!r:.80}, which is no decision", guard=name)


def _memory(state: AgentState[Any], kind: type[Record] | None) -> Record | None:
    return None if kind is None else state.records.get(kind)
