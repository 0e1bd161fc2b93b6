"""Validator, first part: every name exists, every state can be reached, policies fit each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from agentfsm.statewright.definition import RETURN, Choice, Definition, Edge, Fork, Invoke, State, Transition
from agentfsm.statewright.fault import Fault, fault, suggestion
from agentfsm.statewright.plain import Part

__all__ = ("leading_to", "reach", "structure_faults", "transitions")

_POLICY_STATES = (
    ("preview", "prepare_state"),
    ("preview", "deploy_state"),
    ("preview", "validate_state"),
    ("promotion", "promote_state"),
)


def transitions(definition: Definition) -> Iterator[tuple[str, tuple[Part, ...], Transition]]:
    """Every transition with its state and its place."""
    for name, state in definition.states.items():
        for event, transition in state.edges():
            yield name, ("states", name, "on", event), transition


def structure_faults(definition: Definition, known_machines: Collection[str] | None) -> Iterator[Fault]:
    """Yield what is wrong with the structure; invoked machines are checked when their names are given."""
    yield from _unknown_states(definition)
    yield from _unknown_guards(definition)
    yield from _odd_transitions(definition, known_machines)
    if not any(state.is_final for state in definition.states.values()):
        yield fault("no_final_state", ("states",), 'no state has type final; give the last one "type": "final"')
    yield from _unreachable(definition)
    yield from _returns(definition)
    yield from _policies(definition)


def _named_states(definition: Definition) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """Every place that names a state, but for `$return` where it may stand."""
    yield definition.initial, ("initial",)
    for name, interrupt in definition.interrupts.items():
        yield interrupt.target, ("interrupts", name, "target")
    for _, place, transition in transitions(definition):
        for target in transition.targets():
            if target.state != RETURN or not isinstance(transition, Edge | Choice):
                yield target.state, (*place, *target.at)
        if isinstance(transition, Fork):
            for branch, ends in transition.branches.items():
                yield ends.terminal, (*place, "fork", "branches", branch, "terminal")
    for name, state in definition.states.items():
        if state.safe_next is not None:
            yield state.safe_next, ("states", name, "safe_next")
    for policy, key in _POLICY_STATES:
        held = definition.meta.get(policy)
        if isinstance(held, Mapping):
            yield str(held[key]), ("meta", policy, key)


def _unknown_states(definition: Definition) -> Iterator[Fault]:
    for name, place in _named_states(definition):
        if name not in definition.states:
            yield fault("unknown_state", place, f"there is no state {name!r}{suggestion(name, definition.states)}")


def _unknown_guards(definition: Definition) -> Iterator[Fault]:
    for _, place, transition in transitions(definition):
        held = transition.branches if isinstance(transition, Choice) else ()
        edge = ((transition, place),) if isinstance(transition, Edge) else ()
        for guarded, at in (*edge, *((branch, (*place, index)) for index, branch in enumerate(held))):
            for name, below in zip(guarded.guards, guarded.guards_at, strict=True):
                if name not in definition.guards:
                    message = f"guard {name!r} is not defined, so it denies{suggestion(name, definition.guards)}"
                    yield fault("unknown_guard", (*at, *below), message)


def _odd_transitions(definition: Definition, known_machines: Collection[str] | None) -> Iterator[Fault]:
    for _, place, transition in transitions(definition):
        if isinstance(transition, Choice) and not transition.branches:
            yield fault("empty_branches", place, "a list without branches leads nowhere")
        if isinstance(transition, Invoke) and known_machines is not None and transition.machine not in known_machines:
            message = f"there is no machine {transition.machine!r}{suggestion(transition.machine, known_machines)}"
            yield fault("unknown_machine", (*place, "invoke"), message)


def _following(state: State) -> list[str]:
    """The states that the declared edges and `safe_next` of *state* lead to."""
    named = [target.state for transition in state.on.values() for target in transition.targets()]
    return named if state.safe_next is None else [*named, state.safe_next]


def _closure(ways: Mapping[str, Iterable[str]], roots: Iterable[str]) -> frozenset[str]:
    waiting = [name for name in roots if name in ways]
    found = set(waiting)
    while waiting:
        fresh = {name for name in ways[waiting.pop()] if name in ways} - found
        found |= fresh
        waiting.extend(fresh)
    return frozenset(found)


def reach(definition: Definition, roots: Iterable[str]) -> frozenset[str]:
    """Return the states that can be entered from *roots*, themselves included, over every target and `safe_next`."""
    return _closure({name: _following(state) for name, state in definition.states.items()}, roots)


def leading_to(definition: Definition, goals: Iterable[str]) -> frozenset[str]:
    """Return the states from which one of *goals* can be entered, the goals included."""
    back: dict[str, list[str]] = {name: [] for name in definition.states}
    for name, state in definition.states.items():
        for target in _following(state):
            if target in back:
                back[target].append(name)
    return _closure(back, goals)


def _unreachable(definition: Definition) -> Iterator[Fault]:
    if definition.initial not in definition.states:
        return
    forks = [t for _, _, t in transitions(definition) if isinstance(t, Fork)]
    ends = [name for fork in forks for branch in fork.branches.values() for name in (branch.initial, branch.terminal)]
    found = reach(definition, (definition.initial, *(i.target for i in definition.interrupts.values()), *ends))
    for name in definition.states:
        if name not in found:
            yield fault("unreachable_state", ("states", name), f"no way leads from {definition.initial!r} to {name!r}")


def _returns(definition: Definition) -> Iterator[Fault]:
    handlers = reach(definition, (interrupt.target for interrupt in definition.interrupts.values()))
    for name, place, transition in transitions(definition):
        if name in handlers or not isinstance(transition, Edge | Choice):
            continue
        for target in transition.targets():
            if target.state == RETURN:
                message = f"no interrupt leads to {name!r}, so there is nothing to return to"
                yield fault("return_outside_interrupt", (*place, *target.at), message)


def _policies(definition: Definition) -> Iterator[Fault]:
    required = {}
    for policy in ("workspace", "preview", "promotion"):
        held = definition.meta.get(policy)
        required[policy] = isinstance(held, Mapping) and held["required"] is True
        if isinstance(held, Mapping) and held["version"] != 1:
            yield fault("wrong_value", ("meta", policy, "version"), f"version {held['version']} is unknown; 1 is known")
    for policy, needs in (("preview", "workspace"), ("promotion", "preview")):
        if required[policy] and not required[needs]:
            message = f"a required {policy} policy needs a required {needs} policy"
            yield fault("missing_policy", ("meta", policy, "required"), message)
