"""What a log says of the visit to a stage that is under way: its attempts, its calls, and answers not yet used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentfsm.events import CallEvent, Entry, Signal, StateTransitionEvent
from agentfsm.frozen import FrozenMap
from agentfsm.state import Halted

__all__ = ("answered", "due", "feedback", "since_move", "unsettled", "unspent", "visit_of")

# Errors of a call that do not say whether it was done.
_SAYS_NOTHING = ("ToolTimeoutError", "UnknownOutcomeError")


def visit_of(log: Sequence[Entry], base: int) -> int:
    """Return the number of the event that led to where the run stands; it is before *base* where *log* has none."""
    return next((entry.seq for entry in reversed(log) if _moves(entry)), base - 1)


def since_move(log: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return what happened since that event: what going on with the visit needs of a log."""
    found: list[Entry] = []
    for entry in reversed(log):
        if _moves(entry):
            break
        found.append(entry)
    return tuple(reversed(found))


def due(log: Sequence[Entry], attempt: int, rescue: bool) -> tuple[int, bool]:
    """Return the number of the attempt that is due and whether it is the recovery's; as given where *log* is silent."""
    last = next((entry for entry in reversed(log) if _ends_attempt(entry)), None)
    if not isinstance(last, StateTransitionEvent):
        return attempt, rescue
    code = last.exits[0].code if last.kind == "failed" and last.exits else ""
    return (last.attempt + 1 if code == "retry" else 1), code == "recovery"


def feedback(log: Sequence[Entry]) -> tuple[str, ...]:
    """Return why the attempts at the current stage failed, oldest first."""
    events = (entry for entry in since_move(log) if isinstance(entry, StateTransitionEvent))
    return tuple(event.error.message for event in events if event.error is not None)


def answered(log: Sequence[Entry]) -> Mapping[int, tuple[CallEvent, ...]]:
    """Return the calls of the attempt that is under way, by index."""
    found: dict[int, tuple[CallEvent, ...]] = {}
    for entry in _attempt(log):
        if isinstance(entry, CallEvent):
            found[entry.index] = (*found.get(entry.index, ()), entry)
    return FrozenMap(found)


def unspent(log: Sequence[Entry]) -> Mapping[str, Signal]:
    """
    Return the answers from outside that no call of the attempt under way has used, by the key of the call.

    An answer is for one call of one attempt; it stands while the run waits for answers to other calls.
    """
    found: dict[str, Signal] = {}
    asked: dict[str, str] = {}
    for entry in _attempt(log):
        if isinstance(entry, CallEvent):
            found.pop(entry.key, None)
            continue
        asked |= {halted.key: halted.call for halted in entry.owned if isinstance(halted, Halted)}
        found |= {asked[signal.key]: signal for signal in entry.signals if signal.key in asked}
    return FrozenMap(found)


def unsettled(log: Sequence[Entry]) -> set[tuple[int, str, str]]:
    """
    Return the calls of the visit that are to be made once, began, and of which no outcome is known.

    Each is told by its place in the stage (index, tool, arguments), which a fork shares; its key it does not. A person
    who refuses that such a call is made again says nothing about what came of it.
    """
    found: set[tuple[int, str, str]] = set()
    for entry in since_move(log):
        if isinstance(entry, CallEvent) and entry.effect == "once":
            place = (entry.index, entry.tool, entry.arguments)
            if entry.phase == "intent" or (entry.error is not None and entry.error[0] in _SAYS_NOTHING):
                found.add(place)
            elif entry.phase in ("result", "error"):
                found.discard(place)
    return found


def _attempt(log: Sequence[Entry]) -> list[Entry]:
    """Return what happened since the last attempt ended."""
    found: list[Entry] = []
    for entry in reversed(log):
        if _ends_attempt(entry):
            break
        found.append(entry)
    return found[::-1]


def _moves(entry: Entry) -> bool:
    return isinstance(entry, StateTransitionEvent) and entry.kind in ("began", "step")


def _ends_attempt(entry: Entry) -> bool:
    return isinstance(entry, StateTransitionEvent) and entry.kind in ("began", "step", "failed")
