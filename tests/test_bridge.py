"""The bridge: machines of the transitions package accept what the table does, and drawings show the table's edges."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transitions import Machine, MachineError
from transitions.extensions.nesting import HierarchicalMachine

from agentfsm.bridge import dot, from_transitions, mermaid, to_transitions
from agentfsm.errors import UsageError
from agentfsm.graph import Graph
from tests.machines import ACT, DONE, FAILED, INIT, OBSERVE, THINK, Phase, graph, node, react
from tests.test_flow import graphs

RECOVERING = react(recovery=node(None, THINK, FAILED, name="Recover"))


def table_edges(graph: Graph) -> set[tuple[str, str]]:
    """Each exit of each row."""
    rows = (*graph.nodes, *filter(None, [graph.recovery]))
    return {(row.place, target.name) for row in rows for target in row.exits}


def states(*names: str) -> list[Any]:
    """The members of an enum made of *names*."""
    make: Any = Enum
    return list(make("Odd", names))


def test_a_machine_takes_the_steps_of_the_table() -> None:
    """A trigger is named after the state that it leads to; nothing else is accepted, and the ends are final."""
    machine = to_transitions(react())
    taken = [machine.trigger(name) for name in ("THINK", "ACT", "OBSERVE", "THINK", "OBSERVE", "DONE")]

    assert [True] * 6 == taken
    assert DONE is machine.state
    assert ["DONE", "FAILED"] == sorted(name for name, state in machine.states.items() if state.final)
    with pytest.raises(MachineError):
        machine.trigger("THINK")


@given(graphs(), st.lists(st.sampled_from(Phase), max_size=12))
def test_words_are_accepted_as_by_the_table(graph: Graph, word: list[Phase]) -> None:
    """Any sequence of target states is accepted by the machine exactly as far as by the table."""
    table = {node.state: node.exits for node in graph.nodes}
    machine = to_transitions(graph)
    at: Enum = graph.start
    for target in word:
        if target not in table.get(at, ()):
            assert target.name not in machine.get_triggers(at)
            return
        machine.trigger(target.name)
        at = target
        assert at is machine.state


def test_a_recovery_leads_from_every_stage() -> None:
    """Its exits are triggers of their own, from wherever a stage may fail and from no end."""
    machine = to_transitions(RECOVERING)
    froms = [state for state in Phase if "recover:THINK" in machine.get_triggers(state)]

    assert [INIT, THINK, ACT, OBSERVE] == froms


def test_a_state_may_be_called_as_transitions_calls_its_own() -> None:
    """No name that an enum allows gets in the way of a trigger."""
    state, trigger, model, done = states("state", "trigger", "model", "DONE")
    machine = to_transitions(
        Graph((node(state, trigger), node(trigger, model, state)), state, frozenset({model}), done)
    )

    assert all(
        [machine.trigger("trigger"), machine.trigger("state"), machine.trigger("trigger"), machine.trigger("model")]
    )


@given(graphs())
def test_there_and_back_is_the_same_table(graph: Graph) -> None:
    """The edges, the recovery's among them, come back as they went, between members of the same enum."""
    back = from_transitions(to_transitions(graph))

    assert table_edges(graph) == table_edges(back)
    assert (graph.start, graph.failed) == (back.start, back.failed)


def test_the_loop_there_and_back() -> None:
    """For the classic loop nothing of the skeleton is lost."""
    back = from_transitions(to_transitions(RECOVERING))
    by_state = {n.state: set(n.exits) for n in back.nodes}

    assert {n.state: set(n.exits) for n in RECOVERING.nodes} == by_state
    assert (INIT, frozenset({DONE}), FAILED) == (back.start, back.final, back.failed)
    assert back.recovery is not None
    assert {THINK, FAILED} == set(back.recovery.exits)


def test_a_machine_of_text_gets_an_enum() -> None:
    """Automatic and internal transitions are no edges of the table; what nothing leaves is an end."""
    machine = Machine(states=["solid", "liquid", "gas"], initial="solid")
    machine.add_transition("melt", "solid", "liquid", conditions=lambda: False)
    machine.add_transition("boil", ["solid", "liquid"], "gas")
    machine.add_transition("stir", "liquid", None)
    machine.add_transition("wait", "liquid", "=")
    back = from_transitions(machine)

    assert {("solid", "liquid"), ("solid", "gas"), ("liquid", "gas"), ("liquid", "liquid")} == table_edges(back)
    assert ("solid", ["gas"], "FAILED") == (back.start.name, [s.name for s in back.final], back.failed.name)
    assert ["solid", "liquid"] == [n.stage for n in back.nodes]


@pytest.mark.parametrize(
    ("machine", "text"),
    [
        (HierarchicalMachine(states=["a", {"name": "b", "children": ["c"]}], initial="a"), "nested"),
        (Machine(None, states=["a"], initial=None), "no initial state"),
        (Machine(states=["mro"], initial="mro"), "members of an enum"),
        (Machine(states=states("a", "b"), initial="a"), "no FAILED among a, b"),
    ],
)
def test_what_is_no_flat_table_is_refused(machine: Machine, text: str) -> None:
    """A machine that cannot be a graph is refused with the reason."""
    with pytest.raises(UsageError, match=text):
        from_transitions(machine)


def mermaid_edges(text: str) -> Iterator[tuple[str, str, str]]:
    """Read a diagram back: source, target and label of each edge, by the labels of its states."""
    labels = {found[2]: found[1] for found in re.finditer(r'^  state "(.*)" as (\S+)$', text, re.MULTILINE)}
    for found in re.finditer(r"^  (\S+) --> (\S+)(?:: (.*))?$", text, re.MULTILINE):
        yield labels.get(found[1], found[1]), labels.get(found[2], found[2]), found[3] or ""


def dot_edges(text: str) -> Iterator[tuple[str, str, str]]:
    """Read a drawing back: source, target and attributes of each edge."""
    for found in re.finditer(r'^  "(.*?)" -> "(.*?)"(?: \[(.*)\])?;$', text, re.MULTILINE):
        yield found[1], found[2], found[3] or ""


@given(graphs())
def test_drawn_edges_are_the_edges_of_the_table(graph: Graph) -> None:
    """R65: read back, both drawings have each exit of each row once, and no other edge."""
    drawn = [(a, b) for a, b, _ in mermaid_edges(mermaid(graph)) if "[*]" not in (a, b)]
    dotted = [(a, b) for a, b, _ in dot_edges(dot(graph)) if a]

    assert sorted(table_edges(graph)) == sorted(drawn)
    assert sorted(table_edges(graph)) == sorted(dotted)


def test_a_mermaid_diagram_marks_start_ends_and_recovery() -> None:
    """R65: what is special about a state can be seen, and each line is one that Mermaid knows."""
    text = mermaid(RECOVERING, title='a "loop": small')
    edges = list(mermaid_edges(text))

    assert text.startswith('---\ntitle: "a \\"loop\\": small"\n---\nstateDiagram-v2\n')
    assert ("[*]", "INIT", "") in edges
    assert [("FAILED", "[*]", ""), ("DONE", "[*]", "")] == [edge for edge in edges if edge[1] == "[*]"]
    assert ("Recover", "THINK", "recovery") in edges
    assert {"  Class DONE s_final", "  Class FAILED s_failed", "  Class Recover s_recovery"} <= set(text.splitlines())
    known = r'stateDiagram-v2|  (direction LR|classDef s_\w+ [\w:,]+|state ".*" as \w+|Class \w+ s_\w+|\S+ --> .*)?|'
    assert [] == [line for line in text.splitlines()[3:] if not re.fullmatch(known, line)]


def test_a_dot_drawing_marks_start_ends_and_recovery() -> None:
    """R65: a point leads to the start, ends have a double border, the recovery is dashed."""
    lines = dot(RECOVERING, title='a "loop"').splitlines()

    assert 'digraph "a \\"loop\\"" {' == lines[0]
    assert '  "" -> "INIT";' in lines
    assert '  "DONE" [peripheries=2];' in lines
    assert '  "FAILED" [peripheries=2, color=red];' in lines
    assert '  "Recover" -> "THINK" [label="Recover", style=dashed];' in lines
    assert "}" == lines[-1]


@pytest.mark.parametrize("name", ["state", "NOTE", "end", "stateful", "Default", "\u00fcbergang", "accTitle"])
def test_words_of_mermaid_are_no_ids(name: str) -> None:
    """A state may have any name; where Mermaid would take it for its own, or not at all, the label alone has it."""
    odd, done, failed = states(name, "DONE", "FAILED")
    text = mermaid(Graph((node(odd, odd, done, failed),), odd, frozenset({done}), failed))

    assert f'  state "{name}" as s_' in text
    assert f"  {name} -->" not in text
    assert {(name, name), (name, "DONE"), (name, "FAILED")} == {
        (a, b) for a, b, _ in mermaid_edges(text) if "[*]" not in (a, b)
    }


def test_a_recovery_called_like_a_state_is_another_place() -> None:
    """Two places of one name would be drawn as one."""
    edges = {
        (a, b)
        for a, b, _ in mermaid_edges(mermaid(graph(node(ACT, DONE), start=ACT, recovery=node(None, DONE, name="ACT"))))
    }

    assert {("ACT", "DONE"), ("ACT_", "DONE")} <= edges


def test_transitions_is_imported_when_it_is_needed() -> None:
    """Who draws nothing does not wait for it."""
    code = "import agentfsm.bridge, sys; sys.exit('transitions' in sys.modules)"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
