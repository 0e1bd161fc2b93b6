"""StatewrightGuard: a machine as a guard of an orchestrator, following its lifecycle states or leading by events."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TypeVar

from attrs import field, frozen

from agentfsm.edges import Graph
from agentfsm.errors import Finding
from agentfsm.frozen import FrozenMap
from agentfsm.guard import Answer, Decision
from agentfsm.statewright.bounds import Bounds
from agentfsm.statewright.classifier import BASH
from agentfsm.statewright.event_tool import EVENT_TOOLS, event_of
from agentfsm.statewright.files import Files
from agentfsm.statewright.fitting import unfit
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.moving import Step
from agentfsm.statewright.nesting import at_work
from agentfsm.statewright.plain import Json
from agentfsm.statewright.session import ApprovalRequest, Session
from agentfsm.statewright.shell_port import Shell
from agentfsm.statewright.standing import (
    Placed,
    Standing,
    agreed,
    brought,
    first_branch,
    moved_on,
    sent,
    turned_down,
)
from agentfsm.statewright.transition import Refused
from agentfsm.tools import ToolCall

__all__ = ("StatewrightGuard",)

E = TypeVar("E", bound=Enum)

_MOST_BEHIND = 64
_GUARD = "statewright"


@frozen(init=False, eq=False)
class StatewrightGuard:
    """
    A machine that decides about the calls of a run. What it has to remember is a `Standing` record.

    With *states* it follows: the orchestrator's edges drive it, and each has to be an edge of the machine, which is
    checked when the orchestrator is built. Without, it leads: the agent moves it by calling `Transition`.
    """

    machine: Machine
    states: Mapping[Enum, str] | None = field(default=None)

    def __init__(self, machine: Machine, *, states: Mapping[E, str] | None = None) -> None:
        self.__attrs_init__(machine, None if states is None else _of_any(states))

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        states: Mapping[E, str] | None = None,
        machines: Mapping[str, Machine] | None = None,
        shell: Shell = BASH,
        files: Files | None = None,
        bounds: Bounds | None = None,
    ) -> StatewrightGuard:
        """Read the machine as `Machine.load` does; raises `DefinitionError` with every fault."""
        machine = Machine.load(path, machines=machines, shell=shell, files=files, bounds=bounds)
        return StatewrightGuard(machine, states=states)

    def fits(self, graph: Graph) -> tuple[Finding, ...]:
        """Return every edge of *graph* that is none of the machine's, and every lifecycle state without a state."""
        return () if self.states is None else unfit(self.machine.definition, self.states, graph)

    def begins(self) -> Standing:
        """Return the machine in its initial state."""
        return Standing(self.machine.start())

    def offered(self, memory: Standing, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        """Return those of *tools* that a call could pass with now, or once a person has agreed to the move it needs."""
        placed = self._placed(memory, lifecycle)
        if placed.refused is not None and not memory.session.frames:
            return ()
        session = placed.standing.session
        passing: set[str] = set()
        if placed.refused is None:
            others = (name for name in tools if name not in EVENT_TOOLS)
            passing = {*self.machine.offered(session, others, branch=first_branch(session))}
        if self._takes_events(memory):
            passing.update(EVENT_TOOLS)
        return tuple(name for name in tools if name in passing)

    def decide(self, memory: Standing, lifecycle: Enum, call: ToolCall, /) -> Decision:
        """Decide on a call by the machine's law; a move that needs a person's approval makes it an ask."""
        event = event_of(call)
        if event is not None:
            return self._decide_event(memory, *event)
        placed = self._placed(memory, lifecycle)
        if placed.refused is not None:
            return _deny(placed.refused)
        decision = self._judged(placed.standing.session, call)
        return self._ask(placed.asks) if decision.action == "allow" and placed.asks else decision

    def after(self, memory: Standing, call: ToolCall, answer: Answer, /) -> Standing:
        """Return where the machine stands after a call: counted, detoured by an interrupt, or moved by its event."""
        event = event_of(call)
        if event is not None:
            step = agreed(self.machine, sent(self.machine, memory.session, *event))
            return moved_on(memory, step.session) if answer.ok else memory
        standing = memory if call.lifecycle is None else self._placed(memory, call.lifecycle).standing
        read = len(answer.text.encode("utf-8", "surrogatepass"))
        session = standing.session
        return moved_on(standing, self.machine.after(session, call, read=read, branch=first_branch(session)).session)

    def refused(self, memory: Standing, call: ToolCall, decision: Decision, /) -> Standing:
        """Return where it stands after a refusal: on the way on, where the iterations are used up; a no is kept."""
        if decision.code == "rejected":
            return self._turned_down(memory, call, decision.reason)
        if decision.code != "iterations_exhausted" or call.lifecycle is None:
            return memory
        placed = self._placed(memory, call.lifecycle)
        session = placed.standing.session
        if placed.refused or placed.asks or self._judged(session, call).code != decision.code:
            return memory  # they would have been used up by others of the same gather, which were not made either
        step = self.machine.give_way(session, branch=first_branch(session))
        # A way on that asks a person is not taken: the agent has to send its event, and then the person is asked.
        return memory if step.pending is not None else moved_on(placed.standing, step.session)

    def entered(self, memory: Standing, source: Enum, target: Enum, /) -> Standing:
        """Return where it stands after the run went from *source* to *target*: as far on as nobody has to be asked."""
        if self.states is None:
            return memory
        path = (*self._path(memory, source), *filter(None, [self.states.get(target)]))
        standing = memory
        while path:
            placed = brought(self.machine, standing, path[:1])
            if placed.refused is not None or placed.asks:
                break
            standing, path = placed.standing, path[1:]
        after = Standing(standing.session, standing.at, path[:_MOST_BEHIND])
        return memory if after == memory else after

    def _path(self, memory: Standing, lifecycle: Enum) -> tuple[str, ...]:
        """Return the states that the machine is behind when the run is in *lifecycle*."""
        name = (self.states or {}).get(lifecycle)
        last = memory.behind[-1] if memory.behind else memory.at
        return memory.behind if name is None or name == last else (*memory.behind, name)

    def _placed(self, memory: Standing, lifecycle: Enum) -> Placed:
        if self.states is None:
            return Placed(memory)
        if lifecycle not in self.states:
            reason = f"no state of the machine stands for {lifecycle.name}, so it allows nothing there"
            return Placed(memory, refused=Refused("unmapped_state", reason))
        if len(memory.behind) >= _MOST_BEHIND:
            return Placed(memory, refused=Refused("lost_track", f"the run went on {_MOST_BEHIND} edges unapproved"))
        return brought(self.machine, memory, self._path(memory, lifecycle))

    def _judged(self, session: Session, call: ToolCall) -> Decision:
        branch = first_branch(session)
        return self.machine.decide_in(session, call, branch) if branch else self.machine.decide(session, call)

    def _takes_events(self, memory: Standing) -> bool:
        """Whether an event of the agent's could pass: one that follows takes them only on an interrupt's detour."""
        if self.states is not None and not memory.session.frames:
            return False
        found = at_work(self.machine.law, memory.session, first_branch(memory.session))
        if isinstance(found, Refused) or memory.session.cancelled or found[1].pending is not None:
            return False
        state = found[0].state(found[1].state)
        return not state.is_final and (bool(state.on) or state.safe_next is not None)

    def _decide_event(self, memory: Standing, event: str, data: Json) -> Decision:
        if self.states is not None and not memory.session.frames:
            reason = "the run's own edges move this machine; an event is taken only on an interrupt's detour"
            return Decision("deny", "led_by_the_run", reason, guard=_GUARD)
        step = sent(self.machine, memory.session, event, data)
        if step.refused is not None:
            return _deny(step.refused)
        if step.pending is not None:
            return self._ask((step.pending,))
        target = step.moved.target if step.moved is not None else step.session.state
        return Decision("allow", "event", f"{event} leads to {target}", guard=_GUARD)

    def _ask(self, requests: tuple[ApprovalRequest, ...]) -> Decision:
        told = [f"{each.source} -> {each.target}" + (f": {each.message}" if each.message else "") for each in requests]
        reason = "; ".join(told)
        return Decision("ask", "approval", reason, guard=_GUARD, seconds=self.machine.law.bounds.approval_seconds)

    def _turned_down(self, memory: Standing, call: ToolCall, reason: str) -> Standing:
        event = event_of(call)
        if event is not None:
            step: Step = sent(self.machine, memory.session, *event)
        else:
            path = () if call.lifecycle is None else self._path(memory, call.lifecycle)
            step = self.machine.follow(memory.session, path[0]) if path else Step(memory.session)
        return memory if step.pending is None else moved_on(memory, turned_down(self.machine, step, reason))


def _of_any(states: Mapping[E, str]) -> Mapping[Enum, str]:
    return FrozenMap((state, name) for state, name in states.items())


def _deny(refused: Refused) -> Decision:
    return Decision("deny", refused.code, refused.reason, guard=_GUARD)
