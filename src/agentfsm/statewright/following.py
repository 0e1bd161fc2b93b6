"""Following: a machine that is moved by the states of something else, instead of by events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentfsm.statewright.approval import ask
from agentfsm.statewright.definition import Choice, Definition, Edge
from agentfsm.statewright.entering import enter
from agentfsm.statewright.fault import Fault, suggestion
from agentfsm.statewright.law import Law
from agentfsm.statewright.moving import Step
from agentfsm.statewright.plain import path_to
from agentfsm.statewright.session import Session
from agentfsm.statewright.transition import Moved, Refused, resolve

__all__ = ("follow_to", "unfollowable")


def unfollowable(definition: Definition, moves: Iterable[tuple[str, str]]) -> tuple[Fault, ...]:
    """
    Return a fault for each move between states that no edge of the machine allows, and each state it does not have.

    A move from a state to itself needs no edge. Forks and invokes are no edges to follow: they run something first.
    """
    found = []
    for source, target in dict.fromkeys(moves):
        unknown = [name for name in (source, target) if name not in definition.states]
        for name in unknown:
            message = f"there is no state {name!r}{suggestion(name, definition.states)}"
            found.append(Fault("unknown_state", path_to("states", name), message))
        if not unknown and source != target and target not in _followed(definition, source):
            message = f"no edge leads from {source!r} to {target!r}"
            found.append(Fault("no_edge", path_to("states", source, "on"), message, witness=(source, target)))
    return tuple(found)


def _followed(definition: Definition, source: str) -> set[str | None]:
    state = definition.states[source]
    plain = (transition for transition in state.on.values() if isinstance(transition, Edge | Choice))
    return {state.safe_next, *(target.state for transition in plain for target in transition.targets())}


def follow_to(law: Law, session: Session, state: str, now: int) -> Step:
    """
    Bring *session* to *state* over an edge whose guards hold; one that asks nobody is preferred.

    Where every such edge needs approval the session is parked, as for an event.
    """
    if session.state == state:
        return Step(session)
    if session.pending is not None:
        return Step(session, refused=Refused("awaiting_approval", "a move waits for a person"))
    here = law.definition.states.get(session.state)
    if here is not None and here.is_final:
        return Step(session, refused=Refused("run_over", f"{session.state} is final: the run is over"))
    found = sorted(_ways(law, session, state), key=lambda moved: moved.requires_approval)
    if not found:
        reason = f"no edge whose guards hold leads from {session.state!r} to {state!r}"
        return Step(session, refused=Refused("no_edge", reason, (session.state, state)))
    moved = found[0]
    return ask(law, session, moved, "null", now) if moved.requires_approval else enter(law, session, moved)


def _ways(law: Law, session: Session, state: str) -> Iterator[Moved]:
    """The moves to *state* that are possible now, by event, `safe_next` last."""
    here = law.definition.states.get(session.state)
    if here is None:
        return
    for event, transition in here.edges():
        if event and isinstance(transition, Edge | Choice):
            moved = resolve(law.definition, here.name, event, None, session.data)
            if isinstance(moved, Moved) and moved.state == state:
                yield moved
    if here.safe_next == state and state in law.definition.states:
        asks = here.safe_next_asks
        yield Moved("", state, session.data, asks, here.safe_next_message if asks else None)
