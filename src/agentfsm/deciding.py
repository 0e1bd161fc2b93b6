"""Deciding: all guards of a machine asked about one call, and what they remember of it."""

from __future__ import annotations

from typing import Any

from agentfsm.boundary import Raised, attempted, brief
from agentfsm.commit import spent_more
from agentfsm.errors import ToolError
from agentfsm.guard import Answer, Decision, combine
from agentfsm.limits import Spent
from agentfsm.live import AnyGuard, Machine
from agentfsm.records import Record
from agentfsm.state import AgentState
from agentfsm.tools import Tool, ToolCall

__all__ = ("decide", "foreseen", "offered", "remembered", "way_of")

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
        said = attempted(lambda g=guard, k=kind, n=names: _offers(g, _memory(state, k), state, n))  # type: ignore[misc]  # bound now
        names = () if isinstance(said, Raised) else said.value
    return tuple(machine.tools[name] for name in names)


def remembered(
    machine: Machine, state: AgentState[Any], call: ToolCall, answer: Answer
) -> tuple[Record, ...] | ToolError:
    """Return the guards' memories after a call, those that changed; an error where a guard cannot say its own."""
    found: list[Record] = []
    for guard, kind in machine.guards:
        if kind is None:
            continue
        before, name = _memory(state, kind), type(guard).__name__
        said = attempted(lambda g=guard, b=before: g.after(b, call, answer))  # type: ignore[misc]  # bound now
        if isinstance(said, Raised):
            text = f"{name}.after raised {type(said.error).__name__}: {brief(said.error)}"
            return ToolError(text, path=f"{name}.after")
        if not isinstance(said.value, kind):
            return ToolError(f"{name}.after returned {said.value!r:.80}, not its {kind.__name__}", path=f"{name}.after")
        if said.value is not before:
            found.append(said.value)
    return tuple(found)


def foreseen(machine: Machine, state: AgentState[Any], call: ToolCall | None) -> AgentState[Any]:
    """
    Return the state that the next call of a gather is decided in: as if *call* had been made, and well.

    So calls that are made together are held to what they would be held to one after the other. Raises `ToolError` for
    a guard that cannot say what it would remember.
    """
    if call is None:
        return state
    memories = remembered(machine, state, call, Answer(True, "null"))
    if isinstance(memories, ToolError):
        raise memories
    spent = state.records.get(Spent)
    return state.having(*memories, *((spent_more(spent, tool_calls=1),) if spent is not None else ()))


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
        return Decision(
            "deny", "guard_failed", f"{name} raised {type(said.error).__name__}: {brief(said.error)}", guard=name
        )
    answer: object = said.value
    if answer is None or (isinstance(answer, Decision) and answer.action in ("allow", "ask", "deny")):
        return said.value
    return Decision("deny", "guard_failed", f"{name} answered {answer!r:.80}, which is no decision", guard=name)


def _memory(state: AgentState[Any], kind: type[Record] | None) -> Record | None:
    return None if kind is None else state.records.get(kind)
