"""Transitions: which edge an event takes, whether it may, and what the context is after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen

from agentfsm.statewright.definition import RETURN, Branch, Choice, Definition, Edge, Fork, Invoke, State, Transition
from agentfsm.statewright.guard_check import holds, protected_fields
from agentfsm.statewright.plain import Json, is_object, same_key

__all__ = ("STACK", "Moved", "Refused", "find_event", "resolve", "stack_of")

STACK = "_interrupt_return"


@frozen
class Refused:
    """An event that changed nothing: a stable code, the sentence for a person or a model, and what it is about."""

    code: str
    reason: str
    about: tuple[str, ...] = ()


@frozen
class Moved:
    """
    Where an event leads.

    *context* is what holds there; *fork* or *invoke* says what has to run first. *event* is the declared name, empty
    for `safe_next`; *returns* says that the top of the interrupt stack was taken.
    """

    event: str
    state: str
    context: Json
    requires_approval: bool = False
    approval_message: str | None = None
    approval_reviewer: str | None = None
    invoke: Invoke | None = None
    fork: Fork | None = None
    returns: bool = False


_Way: TypeAlias = tuple[str, Transition | None]


def find_event(state: State, event: str) -> str | Refused | None:
    """
    Find the declared event that *event* names: exactly, in another case, or as a first target's name.

    None when nothing matches; several at one step are ambiguous.
    """
    if event in state.on and event:
        return event
    folded = same_key(event)
    by_name = sorted(name for name in state.on if same_key(name) == folded)
    by_target = sorted(name for name, t in state.on.items() if t.targets() and same_key(t.targets()[0].state) == folded)
    for found in (by_name, by_target):
        if len(found) == 1:
            return found[0]
        if found:
            return Refused("ambiguous_event", f"{event!r} fits {', '.join(found)}; name one of them", tuple(found))
    return None


def resolve(definition: Definition, state: str, event: str, data: Json, context: Json) -> Moved | Refused:
    """
    Resolve *event* in *state*, by the standard's order: state, event, data, guards, `$return`, target.

    The guards see *context* before *data* is merged into it.
    """
    here = definition.states.get(state)
    if here is None:
        return _unknown(definition, state)
    found = _edge(here, event)
    if isinstance(found, Refused):
        return found
    if refused := _forged(definition, data):
        return refused
    taken = _choose(definition, here, found, context)
    if isinstance(taken, Refused):
        return taken
    merged = {**context, **data} if is_object(context) and is_object(data) else context
    return _arrive(definition, _Arrival(here, found, taken), context, merged)


def _unknown(definition: Definition, state: str) -> Refused:
    return Refused("unknown_state", f"there is no state {state!r} in {definition.id!r}", (state,))


def _edge(state: State, event: str) -> _Way | Refused:
    """The event and its transition; no transition for `safe_next`."""
    known = ", ".join(sorted(state.on)) or "none"
    nothing = Refused("no_transition", f"{event!r} is no event of {state.name!r}; its events are: {known}", (event,))
    if not event:
        return nothing
    found = find_event(state, event)
    if isinstance(found, Refused):
        return found
    if found is not None:
        return found, state.on[found]
    return nothing if state.safe_next is None else ("", None)


def _forged(definition: Definition, data: Json) -> Refused | None:
    if not is_object(data):
        return None
    keys = tuple(sorted(protected_fields(definition.guards, definition.agent_context) & data.keys()))
    if not keys:
        return None
    return Refused("protected_context", f"data may not set {', '.join(keys)}: guards read that", keys)


def _failing(guards: Mapping[str, object], names: tuple[str, ...], definition: Definition, context: Json) -> str | None:
    """The first of *names* that is undefined or does not hold."""
    return next((n for n in names if n not in guards or not holds(definition.guards[n], context)), None)


def _choose(definition: Definition, state: State, way: _Way, context: Json) -> str | Refused:
    """The name of the target, its guards holding."""
    _, transition = way
    if transition is None:
        return state.safe_next or ""
    if isinstance(transition, Choice):
        return _first_open(definition, transition.branches, context)
    if not isinstance(transition, Edge):
        return transition.on_complete
    name = _failing(definition.guards, transition.guards, definition, context)
    if name is None:
        return transition.target
    if name not in definition.guards:
        return Refused("unknown_guard", f"guard {name!r} is not defined, so it denies", (name,))
    return Refused("guard_failed", f"guard {name!r} does not hold", (name,))


def _first_open(definition: Definition, branches: tuple[Branch, ...], context: Json) -> str | Refused:
    for branch in branches:
        if _failing(definition.guards, branch.guards, definition, context) is None:
            return branch.target
    return Refused("guard_failed", "no branch's guards hold")


@frozen
class _Arrival:
    state: State
    way: _Way
    target: str


def stack_of(context: Json) -> tuple[str, ...]:
    """The states to return to, the top last; a bare text from an older session counts as a stack of one."""
    held = context.get(STACK) if is_object(context) else None
    if isinstance(held, str):
        return (held,)
    if isinstance(held, list | tuple) and all(isinstance(name, str) for name in held):
        return tuple(name for name in held if isinstance(name, str))
    return ()


def _arrive(definition: Definition, arrival: _Arrival, context: Json, merged: Json) -> Moved | Refused:
    event, transition = arrival.way
    target = arrival.target
    returns = isinstance(transition, Edge | Choice) and target == RETURN
    if returns:
        stack = stack_of(context)
        if not stack or not is_object(merged):
            return Refused("no_interrupt", f"{event!r} returns, but no interrupt led here")
        target = stack[-1]
        rest = {key: value for key, value in merged.items() if key != STACK}
        merged = {**rest, STACK: list(stack[:-1])} if len(stack) > 1 else rest
    if target not in definition.states:
        return _unknown(definition, target)
    asking = _asking(arrival)
    return Moved(
        event,
        target,
        merged,
        requires_approval=asking[0],
        approval_message=asking[1],
        approval_reviewer=transition.approval_reviewer if isinstance(transition, Edge) else None,
        invoke=transition if isinstance(transition, Invoke) else None,
        fork=transition if isinstance(transition, Fork) else None,
        returns=returns,
    )


def _asking(arrival: _Arrival) -> tuple[bool, str | None]:
    """Whether the move needs approval, and with what message."""
    _, transition = arrival.way
    if transition is not None:
        return transition.requires_approval, transition.approval_message
    asks = arrival.state.safe_next_asks
    return asks, arrival.state.safe_next_message if asks else None
