"""Deciding: all guards of a machine asked about one call, and what they remember of it."""

from __future__ import annotations

from typing import Any

from agentfsm.boundary import Raised, attempted
from agentfsm.errors import ToolError
from agentfsm.guard import Answer, Decision, combine
from agentfsm.live import AnyGuard, Live, Machine
from agentfsm.records import Record
from agentfsm.state import AgentState
from agentfsm.tools import Tool, ToolCall

__all__ = ("decide", "offered", "remembered", "way_of")

NO_GUARD = Decision("deny", "no_guard", "this machine has no guard, so it allows no call; give it AllowList(...)")


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


def remembered(live: Live, call: ToolCall, answer: Answer) -> tuple[Record, ...]:
    """Return the guards' memories after a call, those that changed."""
    found: list[Record] = []
    for guard, kind in live.machine.guards:
        if kind is None:
            continue
        before = _memory(live.state, kind)
        after = guard.after(before, call, answer)
        if not isinstance(after, kind):
            raise ToolError(f"{type(guard).__name__}.after returned {after!r:.80}, not its {kind.__name__}")
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
