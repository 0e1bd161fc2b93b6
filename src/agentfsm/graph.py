"""
Proofs over a machine's table: each way to be wrong is one pure function, and all are found before any run.

`findings` asks them all. None of them is a guess: what is reported would go wrong, or could never be of use.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from agentfsm.edges import Graph, Node, can_reach, must_pass, targets_by_state, ways_from
from agentfsm.errors import Finding
from agentfsm.lifetimes import by_name, dead_writes, homeless_writes, in_order, not_surely_written

__all__ = (
    "Graph",
    "Node",
    "can_reach",
    "dangling_exits",
    "dead_writes",
    "findings",
    "homeless_writes",
    "mixed_enums",
    "must_pass",
    "not_surely_written",
    "shared_names",
    "traps",
    "two_stages",
    "unreachable_stages",
    "wrong_ends",
    "wrong_recovery",
    "wrong_starts",
)


def findings(graph: Graph) -> tuple[Finding, ...]:
    """Return everything that is wrong with *graph*; empty means that it may be built."""
    # Where the states are of two enums, all that follows would only repeat it.
    return mixed_enums(graph) or (
        *wrong_starts(graph),
        *wrong_ends(graph),
        *wrong_recovery(graph),
        *two_stages(graph),
        *shared_names(graph),
        *homeless_writes(graph),
        *dangling_exits(graph),
        *unreachable_stages(graph),
        *traps(graph),
        *not_surely_written(graph),
        *dead_writes(graph),
    )


def mixed_enums(graph: Graph) -> tuple[Finding, ...]:
    """States that are of another enum than the start."""
    given: object = graph.start
    if not isinstance(given, Enum):
        text = f"start is {given!r:.80}, which is no lifecycle state: name a member of your enum"
        return (Finding("mixed_enums", text),)
    home = type(graph.start)
    said = [("final", "", state) for state in in_order(graph.final)]
    said += [("failed", "", graph.failed), ("iterates", "", graph.iterates or graph.start)]
    for node in _all(graph):
        said += [("an exit", node.stage, target) for target in node.exits]
        said += [("enters", node.stage, node.state)] if node.state is not None else []
    return tuple(
        Finding("mixed_enums", f"{_of(stage)}{what} is {state}, but start is {graph.start}: use one enum", stage=stage)
        for what, stage, state in said
        if type(state) is not home
    )


def wrong_starts(graph: Graph) -> tuple[Finding, ...]:
    """A start or an `iterates` that no stage enters, and a start in which a run would be over."""
    entered = targets_by_state(graph)
    found = []
    if graph.start in graph.ends:
        found.append(Finding("bad_start", f"start is {graph.start}, where a run is over: start where a stage enters"))
    elif graph.start not in entered:
        found.append(Finding("bad_start", f"start is {graph.start}, which no stage enters: enters={graph.start}"))
    if graph.iterates is not None and graph.iterates not in entered:
        text = f"iterates is {graph.iterates}, which no stage enters: no iteration would be counted"
        found.append(Finding("bad_iterates", text))
    return tuple(found)


def wrong_ends(graph: Graph) -> tuple[Finding, ...]:
    """No final state, one that is also `failed`, and an end that a stage enters."""
    found = []
    if not graph.final:
        found.append(Finding("bad_final", "final is empty: no run could finish"))
    if graph.failed in graph.final:
        text = f"{graph.failed} is both final and failed: leave it out of final, it is an end without that"
        found.append(Finding("bad_final", text))
    for node in graph.nodes:
        if node.state in graph.ends:
            code, what = ("bad_failed", "failed") if node.state is graph.failed else ("bad_final", "final")
            text = f"{node.stage} enters {node.state}, which is {what}: nothing runs where a run is over"
            found.append(Finding(code, text, stage=node.stage))
    return tuple(found)


def wrong_recovery(graph: Graph) -> tuple[Finding, ...]:
    """A recovery that enters a state or writes, and a stage that enters none."""
    found = [
        Finding("bad_recovery", f"{node.stage} enters no state: say enters=, or pass it as recovery", stage=node.stage)
        for node in graph.nodes
        if node.state is None
    ]
    if (recovery := graph.recovery) is None:
        return tuple(found)
    name = recovery.stage
    if recovery.state is not None:
        text = f"the recovery {name} enters {recovery.state}: enters=None, it runs wherever a stage failed"
        found.append(Finding("bad_recovery", text, stage=name))
    if not recovery.exits:
        found.append(Finding("bad_recovery", f"the recovery {name} has no exit: name where it leads", stage=name))
    for kind in by_name(recovery.writes.all):
        text = f"the recovery {name} writes {kind.__name__}: it reads anything and only names an edge"
        found.append(Finding("bad_recovery", text, stage=name, record=kind.__name__))
    return tuple(found)


def two_stages(graph: Graph) -> tuple[Finding, ...]:
    """Lifecycle states that more than one stage enters."""
    entering: dict[Enum, list[str]] = {}
    for node in graph.nodes:
        if node.state is not None:
            entering.setdefault(node.state, []).append(node.stage)
    return tuple(
        Finding("two_stages", f"{' and '.join(stages)} enter {state}: one stage a state", stage=stages[1])
        for state, stages in entering.items()
        if len(stages) > 1
    )


def shared_names(graph: Graph) -> tuple[Finding, ...]:
    """One name for the stages of two states: a log tells stages apart by their names."""
    found = []
    named: dict[str, Node] = {}
    for node in _all(graph):
        other = named.setdefault(node.stage, node)
        if other.state is not node.state:
            text = f"{_where(other)} and {_where(node)} both go by {node.stage}: give each its own name"
            found.append(Finding("overlap", text, stage=node.stage))
    return tuple(found)


def dangling_exits(graph: Graph) -> tuple[Finding, ...]:
    """Exits to a state that no stage enters and that is no end."""
    known = {*targets_by_state(graph), *graph.ends}
    return tuple(
        Finding(
            "dangling_exit",
            f"{node.stage} leads to {target}, which no stage enters: give it a stage or make it final",
            stage=node.stage,
            path=(node.place, target.name),
        )
        for node in _all(graph)
        for target in dict.fromkeys(node.exits)
        if target not in known
    )


def unreachable_stages(graph: Graph) -> tuple[Finding, ...]:
    """Stages to which no way leads from the start; none are named where the start itself is wrong."""
    reached = ways_from(graph, graph.start)
    if graph.start not in targets_by_state(graph):
        return ()
    return tuple(
        Finding("unreachable_stage", f"no way leads from {graph.start} to {node.state}", stage=node.stage)
        for node in graph.nodes
        if node.state is not None and node.state not in reached
    )


def traps(graph: Graph) -> tuple[Finding, ...]:
    """
    States from which no declared exits lead to a final state.

    `failed` is not a way out: a state that can only fail is a trap, and so is one that only the recovery leaves. A
    dangling exit counts as one, for it is reported as such.
    """
    table = targets_by_state(graph)
    before: dict[Enum, list[Enum]] = {}
    for state, targets in table.items():
        for target in targets:
            before.setdefault(target, []).append(state)
    out = {state for state in before if state not in table and state is not graph.failed} | graph.final
    queue = deque(out)
    while queue:
        for state in before.get(queue.popleft(), ()):
            if state not in out:
                out.add(state)
                queue.append(state)
    return tuple(
        Finding("trap", f"no way leads from {node.state} to a final state", stage=node.stage, path=(node.state.name,))
        for node in graph.nodes
        if node.state is not None and node.state not in out
    )


def _all(graph: Graph) -> tuple[Node, ...]:
    return (*graph.nodes, graph.recovery) if graph.recovery else graph.nodes


def _of(stage: str) -> str:
    return f"{stage}: " if stage else ""


def _where(node: Node) -> str:
    return f"the stage of {node.state}" if node.state else "the recovery"
