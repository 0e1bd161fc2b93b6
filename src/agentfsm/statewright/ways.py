"""Ways: the shortest legal path of events to a state where something holds."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

from agentfsm.guard import Move
from agentfsm.statewright.definition import Choice, Definition, State

__all__ = ("shortest_way", "spoken")


def shortest_way(definition: Definition, start: str, holds: Callable[[str], bool]) -> tuple[Move, ...]:
    """
    Return the shortest way of events from *start* to another state where *holds*; empty when there is none.

    Of equally short ones the one with the fewest approvals, then the first by event names. Guards are not looked at,
    for what they read may change; `safe_next` and `$return` have no event to be named by.
    """
    count = 0  # so that two ways alike in all else are never compared by their moves
    waiting: list[tuple[int, int, tuple[str, ...], int, str, tuple[Move, ...]]] = [(0, 0, (), count, start, ())]
    settled: set[str] = set()
    while waiting:
        length, approvals, events, _, name, moves = heapq.heappop(waiting)
        if name in settled:
            continue
        settled.add(name)
        if name != start and holds(name):
            return moves
        for move in _moves(definition, definition.states[name]):
            if move.target not in settled:
                asked, count = approvals + move.needs_approval, count + 1
                entry = (length + 1, asked, (*events, move.event), count, move.target, (*moves, move))
                heapq.heappush(waiting, entry)
    return ()


def _moves(definition: Definition, state: State) -> Iterator[Move]:
    if state.is_final:
        return
    for event, transition in state.edges():
        targets = transition.targets()
        for target in targets if isinstance(transition, Choice) else targets[:1]:
            if event and target.state in definition.states:
                yield Move(event, target.state, target.asks)


def spoken(way: tuple[Move, ...]) -> str:
    """Say a way in words: `PLAN_READY to implementing, then DONE to testing (needs approval)`."""
    return ", then ".join(f"{m.event} to {m.target}{' (needs approval)' if m.needs_approval else ''}" for m in way)
