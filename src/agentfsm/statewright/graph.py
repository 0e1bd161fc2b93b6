"""The graph of a machine: every way a session could move, invoked machines included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import frozen

from agentfsm.statewright.definition import RETURN, Fork, Invoke, State
from agentfsm.statewright.effects import how
from agentfsm.statewright.law import Law
from agentfsm.statewright.safety import FAILED
from agentfsm.statewright.structure import reach
from agentfsm.statewright.tools import Rung

__all__ = ("Graph", "Way")


@frozen
class Way:
    """One way out of a node, and whether a person has to agree to it."""

    event: str
    target: str
    asks: bool = False


@frozen
class Graph:
    """
    Nodes are states; those of an invoked machine are `machine/state`, and one that was not given is `machine/?`.

    Where it is not exact it has more ways than a session, never fewer.
    """

    initial: str
    ways: Mapping[str, tuple[Way, ...]]
    states: Mapping[str, tuple[Law, str]]

    @classmethod
    def of(cls, law: Law) -> Graph:
        drawing = _Drawing()
        drawing.add(law, "")
        return cls(law.definition.initial, {n: tuple(ways) for n, ways in drawing.ways.items()}, drawing.states)

    def path(
        self,
        starts: Iterable[str],
        ends: Callable[[str], bool],
        *,
        passes: Callable[[Way], bool] = lambda _: True,
    ) -> tuple[str, ...] | None:
        """Return a shortest path from one of *starts* to a node where *ends*, as node, event, node, …; or None."""
        came: dict[str, tuple[str, str] | None] = {}
        for start in starts:
            came.setdefault(start, None)
        waiting = list(came)
        for node in waiting:
            if ends(node):
                return tuple(_trace(came, node))
            for way in self.ways.get(node, ()):
                if way.target not in came and passes(way):
                    came[way.target] = (node, way.event)
                    waiting.append(way.target)
        return None

    def reachable(self) -> frozenset[str]:
        """The nodes that a session can come to."""
        found = {self.initial}
        waiting = [self.initial]
        for node in waiting:
            fresh = {way.target for way in self.ways.get(node, ())} - found
            found |= fresh
            waiting.extend(fresh)
        return frozenset(found)


def _trace(came: Mapping[str, tuple[str, str] | None], node: str) -> list[str]:
    steps = [node]
    while (before := came[node]) is not None:
        node, event = before
        steps[:0] = [node, event]
    return steps


class _Drawing:
    def __init__(self) -> None:
        self.ways: dict[str, list[Way]] = {}
        self.states: dict[str, tuple[Law, str]] = {}

    def add(self, law: Law, prefix: str) -> None:
        for name in law.definition.states:
            self.ways[prefix + name] = []
            self.states[prefix + name] = (law, name)
        for state in law.definition.states.values():
            if not state.is_final:
                for way in _declared(state):
                    self._draw(prefix, state.name, way)
                self._nested(law, prefix, state)
        self._interrupts(law, prefix)

    def _draw(self, prefix: str, state: str, way: Way) -> None:
        if prefix + way.target in self.states:
            self.ways[prefix + state].append(Way(way.event, prefix + way.target, way.asks))

    def _nested(self, law: Law, prefix: str, state: State) -> None:
        for event, transition in state.edges():
            if isinstance(transition, Fork):
                for branch in transition.branches.values():
                    self._draw(prefix, branch.terminal, Way("join", transition.on_complete))
                    self._everywhere(law, prefix, branch.initial, Way("join", transition.on_fail or FAILED))
            elif isinstance(transition, Invoke):
                self._invoke(law, prefix, state, event, transition)

    def _everywhere(self, law: Law, prefix: str, start: str, way: Way) -> None:
        for name in reach(law.definition, (start,)):
            self._draw(prefix, name, way)

    def _invoke(self, law: Law, prefix: str, state: State, event: str, invoke: Invoke) -> None:
        inner = f"{prefix}{invoke.machine}/"
        child = law.children.get(invoke.machine)
        if child is None:
            self.ways.setdefault(inner + "?", [])
            self.ways[prefix + state.name].append(Way(event, inner + "?"))
            ends = [inner + "?"]
        else:
            if inner + child.definition.initial not in self.states:
                self.add(child, inner)
            self.ways[prefix + state.name].append(Way(event, inner + child.definition.initial))
            ends = [inner + name for name in child.definition.states]
        for end in ends:
            held = self.states.get(end)
            if held is None or (held[0].state(held[1]).is_final and held[1] != FAILED):
                self.ways[end].append(Way("complete", prefix + invoke.on_complete))
            on_fail = prefix + (invoke.on_fail or FAILED)
            if on_fail in self.states:
                self.ways[end].append(Way("fail", on_fail))

    def _interrupts(self, law: Law, prefix: str) -> None:
        """From every state where a file can be changed to each handler, and from each `$return` back to all of them."""
        if not law.definition.interrupts:
            return
        editing = [name for name in law.definition.states if _edits(law, name)]
        for name in editing:
            for interrupt, held in law.definition.interrupts.items():
                self._draw(prefix, name, Way(f"interrupt {interrupt}", held.target))
        for state in law.definition.states.values():
            for event, transition in state.edges():
                for target in transition.targets():
                    if target.state == RETURN:
                        for back in editing:
                            self._draw(prefix, state.name, Way(event, back, target.asks))


_EDITS = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Delete", "Bash")


def _edits(law: Law, state: str) -> bool:
    return any(how(law, state, tool) is not None for tool in _EDITS)


def _declared(state: State) -> Iterator[Way]:
    for event, transition in state.edges():
        if isinstance(transition, Invoke):
            continue
        targets = transition.targets()
        # A fork comes to its end only over its branches, unless it has none.
        held = targets[1:] if isinstance(transition, Fork) and transition.branches else targets
        for target in held:
            yield Way(event, target.state, target.asks)
    if state.safe_next is not None:
        yield Way("safe_next", state.safe_next, state.safe_next_asks)
    elif state.max_iterations is not None:
        yield Way("iterations_exhausted", FAILED)


def rung_named(name: str) -> Rung | None:
    """Return the rung of that name."""
    return Rung.__members__.get(name)
