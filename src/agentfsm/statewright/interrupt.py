"""Interrupts: which detours a file's path takes, and the stack that leads back."""

from __future__ import annotations

from attrs import frozen

from agentfsm.statewright.definition import Definition
from agentfsm.statewright.pattern import glob_matches
from agentfsm.statewright.plain import Json, is_object
from agentfsm.statewright.transition import STACK, Refused, stack_of

__all__ = ("MAX_INTERRUPTS", "Fired", "fire", "matching")

MAX_INTERRUPTS = 8


@frozen
class Fired:
    """The interrupt that fired, None for none, and the state and context after it."""

    interrupt: str | None
    state: str
    context: Json


def matching(definition: Definition, path: str) -> tuple[str, ...]:
    """Return the interrupts whose glob fits *path*, by name in code point order."""
    return tuple(n for n in sorted(definition.interrupts) if glob_matches(definition.interrupts[n].pattern, path))


def fire(definition: Definition, state: str, context: Json, interrupts: tuple[str, ...]) -> Fired | Refused:
    """
    Take the first of *interrupts*, pushing *state* on the stack in the context.

    One whose target is *state* itself does not fire: its handler is already at work. The ninth entry is refused.
    """
    if state not in definition.states:
        return Refused("unknown_state", f"there is no state {state!r} in {definition.id!r}", (state,))
    name = next((n for n in interrupts if definition.interrupts[n].target != state), None)
    if name is None:
        return Fired(None, state, context)
    target = definition.interrupts[name].target
    stack = stack_of(context)
    if len(stack) >= MAX_INTERRUPTS:
        reason = f"interrupt {name!r} would be the {len(stack) + 1}th, {MAX_INTERRUPTS} is the limit"
        return Refused("interrupt_depth", reason, (name,))
    if target not in definition.states:
        return Refused("unknown_state", f"interrupt {name!r} leads to {target!r}, which does not exist", (target,))
    held = context if is_object(context) else {}
    if context is not None and not is_object(context):
        return Refused("context_not_object", f"interrupt {name!r} cannot keep its way back in this context", (name,))
    return Fired(name, target, {**held, STACK: [*stack, state]})
