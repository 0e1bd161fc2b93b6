"""
The bridge to the transitions package: machines exchanged with it, and graphs drawn, Mermaid by its own back-end.

What is drawn is the table that the proofs take and the orchestrator runs: each exit of each row, and no other edge.
transitions is imported when one of these functions is first called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

from agentfsm.edges import Graph, Node, targets_by_state
from agentfsm.errors import UsageError

if TYPE_CHECKING:
    from transitions import Machine

__all__ = ("dot", "from_transitions", "mermaid", "to_transitions")

RECOVER = "recover:"
# What Mermaid's state diagrams may take for a word of their own, alone or, with the first, at the beginning.
MERMAID_WORDS = re.compile(
    r"state.*|as|acc(title|descr)|class(def)?|click|concurrent|default|description|direction|end|hide|href|note|scale|style",
    re.IGNORECASE,
)
STYLES: dict[str, Any] = {
    "default": {"fillcolor": "white", "color": "black"},
    "final": {"fillcolor": "honeydew", "color": "darkgreen"},
    "failed": {"fillcolor": "mistyrose", "color": "darkred"},
    "recovery": {"fillcolor": "white", "color": "gray"},
}


def to_transitions(graph: Graph) -> Machine:
    """
    Return a `transitions.Machine` that accepts the steps of *graph*.

    Each declared exit is a trigger with the name of the target state. Where there is a recovery, each of its exits is
    one too, from every state that a stage enters, named ``recover:`` and the target. The ends are final states, and
    no other transition is added.
    """
    from transitions import Machine

    table = targets_by_state(graph)
    steps: list[list[str | Enum]] = [
        [target.name, state, target] for state, targets in table.items() for target in targets
    ]
    rescue = dict.fromkeys(graph.recovery.exits if graph.recovery else ())
    steps += [[RECOVER + target.name, state, target] for state in table for target in rescue]
    return Machine(
        model="self",
        states=[{"name": state, "final": state in graph.ends} for state in _states(graph)],
        initial=graph.start,
        transitions=steps,
        auto_transitions=False,
        # A trigger may not be called like the attribute that holds the state.
        model_attribute=_apart("state", {state.name for state in _states(graph)}),
    )


def from_transitions(machine: Machine, *, failed: str = "FAILED") -> Graph:
    """
    Return the skeleton of a graph: the states and edges of *machine*, with stages named after their states.

    Conditions, callbacks, internal transitions and the automatic ``to_...`` ones are left out, and reads and writes
    are empty. States that are marked final, or that nothing leaves, are ends; *failed* is the one that is not
    success, added where there is no such state. States that are members of one enum stay so, others become members
    of an enum made for them. Raises `UsageError` for a nested machine, one without an initial state, and an enum that
    has no *failed*.
    """
    names = tuple(machine.states)
    _refuse_nested(machine)
    if machine.initial is None:
        raise UsageError("the machine has no initial state: a run starts in one")
    states = _enum(machine, names, failed)
    targets: dict[str, dict[str, None]] = {name: {} for name in names}
    for source, target in _moves(machine):
        targets[source][target] = None
    final = {name for name in names if machine.states[name].final or not targets[name]} - {failed}
    recover = tuple(states[name] for name in dict.fromkeys(_recovered(machine)))
    return Graph(
        nodes=tuple(
            Node(states[name], name, tuple(states[target] for target in exits))
            for name, exits in targets.items()
            if exits
        ),
        start=states[machine.initial],
        final=frozenset(states[name] for name in final),
        failed=states[failed],
        recovery=Node(None, "Recover", recover) if recover else None,
    )


def mermaid(graph: Graph, *, title: str = "") -> str:
    """
    Return *graph* as a Mermaid state diagram.

    The start follows the initial mark, the ends lead to the final one, an edge bears its stage's name. The recovery
    is a state of its own without a way in, for a failure anywhere leads to it; its edges are marked ``recovery``.
    """
    ids = _ids(graph)
    labels = {f'state "{name}" as {name}': f'state "{_plain(place)}" as {name}' for place, name in ids.items()}
    source = _transitions_mermaid(graph, ids).splitlines()[3:]  # without their heading, which is no YAML
    body = ["  " + labels[line.strip()] if line.strip() in labels else line.rstrip() for line in source]
    body += [f"  {ids[state.name]} --> [*]" for state in _states(graph) if state in graph.ends]
    head = ["---", f"title: {json.dumps(title, ensure_ascii=False)}", "---"] if title else []
    return "\n".join([*head, *body]) + "\n"


def dot(graph: Graph, *, title: str = "") -> str:
    """
    Return *graph* in the language of Graphviz, which need not be installed.

    The start has an arrow from a point, the final states a double border, `failed` a double red one. The recovery and
    its edges are dashed.
    """
    lines = [f"digraph {_quoted(title or 'machine')} {{", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    lines += ['  "" [shape=point];', f'  "" -> {_quoted(graph.start.name)};']
    for state in _states(graph):
        looks = (state in graph.ends) * ["peripheries=2"] + (state is graph.failed) * ["color=red"]
        lines.append(f"  {_quoted(state.name)} [{', '.join(looks)}];")
    if graph.recovery:
        lines.append(f'  {_quoted(_recovery_name(graph))} [style="rounded,dashed"];')
    for place, target, row in _edges(graph):
        dashed = ", style=dashed" if row is graph.recovery else ""
        lines.append(f"  {_quoted(place)} -> {_quoted(target)} [label={_quoted(row.stage)}{dashed}];")
    return "\n".join([*lines, "}"]) + "\n"


def _transitions_mermaid(graph: Graph, ids: dict[str, str]) -> str:
    from transitions.extensions.diagrams import GraphMachine

    class Table(GraphMachine):
        """How states look; the back-end writes one class for each of these."""

        style_attributes = {"node": STYLES, "edge": {"default": {}}, "graph": {"default": {}}}  # noqa: RUF012  as in its base

    class Model:
        """Holds the state that is drawn as current."""

    model: Any = Model()
    table = Table(
        model=model,
        states=list(ids.values()),
        initial=ids[graph.start.name],
        transitions=[[_label(graph, row), ids[place], ids[target]] for place, target, row in _edges(graph)],
        auto_transitions=False,
        graph_engine="mermaid",
        model_attribute=_apart("state", {_label(graph, row) for row in _rows(graph)}),
        title="-",
    )
    drawing = table.model_graphs[id(model)]
    drawing.reset_styling()
    for state in graph.final:
        drawing.set_node_style(ids[state.name], "final")
    drawing.set_node_style(ids[graph.failed.name], "failed")
    if graph.recovery:
        drawing.set_node_style(ids[_recovery_name(graph)], "recovery")
    return str(model.get_graph().source)


def _rows(graph: Graph) -> tuple[Node, ...]:
    return (*graph.nodes, graph.recovery) if graph.recovery else graph.nodes


def _edges(graph: Graph) -> Iterator[tuple[str, str, Node]]:
    """Yield each exit of each row: the row's place, the target's name, the row."""
    for row in _rows(graph):
        place = _recovery_name(graph) if row is graph.recovery else row.place
        for target in dict.fromkeys(row.exits):
            yield place, target.name, row


def _label(graph: Graph, row: Node) -> str:
    return "recovery" if row is graph.recovery else _plain(row.stage)


def _states(graph: Graph) -> tuple[Enum, ...]:
    """Return all states that the table names: the start, then as the stages go, then the ends."""
    entered = [row.state for row in graph.nodes if row.state is not None]
    exits = [target for row in _rows(graph) for target in row.exits]
    ends = sorted(graph.final, key=lambda state: state.name)
    return tuple(dict.fromkeys([graph.start, *entered, *exits, *ends, graph.failed]))


def _recovery_name(graph: Graph) -> str:
    name = graph.recovery.stage if graph.recovery else ""
    return _apart(name, {state.name for state in _states(graph)})


def _ids(graph: Graph) -> dict[str, str]:
    """Return an id for each place that Mermaid does not take for a word of its own."""
    places = [state.name for state in _states(graph)]
    places += [_recovery_name(graph)] if graph.recovery else []
    ids: dict[str, str] = {}
    for place in places:
        bare = re.sub(r"[^0-9A-Za-z_]", lambda found: f"_{ord(found[0]):x}_", place)
        is_safe = bare == place and not MERMAID_WORDS.fullmatch(place)
        ids[place] = place if is_safe else _apart(f"s_{bare}", {*places, *ids.values()})
    return ids


def _plain(text: str) -> str:
    """Return *text* as a label that ends nothing in Mermaid."""
    return re.sub(r"[\s\";:#{}]+", " ", text).strip() or "-"


def _apart(name: str, taken: Iterable[str]) -> str:
    """Return *name* with as many underscores as set it apart from what is *taken*."""
    others = set(taken)
    while name in others:
        name += "_"
    return name


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _refuse_nested(machine: Machine) -> None:
    from transitions.extensions.nesting import HierarchicalMachine

    if isinstance(machine, HierarchicalMachine):
        raise UsageError("the machine is nested: a graph is flat, make a sub-machine of each nested state")


def _enum(machine: Machine, names: tuple[str, ...], failed: str) -> dict[str, Enum]:
    values = [machine.states[name].value for name in names]
    enums = {type(value) for value in values if isinstance(value, Enum)}
    if len(enums) == 1 and all(isinstance(value, Enum) for value in values):
        members = dict(enums.pop().__members__)
        if failed not in members:
            raise UsageError(f"there is no {failed} among {', '.join(members)}: name the state that is failure")
        return members
    make: Any = Enum  # its functional form takes members that only the machine knows
    try:
        return dict(make("States", [*dict.fromkeys([*names, failed])]).__members__)
    except ValueError as error:
        raise UsageError(f"the states cannot be members of an enum: {error}") from error


def _moves(machine: Machine) -> Iterator[tuple[str, str]]:
    """Yield source and target of each transition that somebody asked for."""
    for name, event in machine.events.items():
        is_automatic = machine.auto_transitions and name.removeprefix("to_") in machine.states
        if name.startswith(RECOVER) or (is_automatic and name.startswith("to_")):
            continue
        for source, moves in event.transitions.items():
            yield from ((source, move.dest) for move in moves if move.dest is not None)


def _recovered(machine: Machine) -> Iterator[str]:
    """Yield the targets of what `to_transitions` made of a recovery."""
    yield from (name.removeprefix(RECOVER) for name in machine.events if name.startswith(RECOVER))
