"""Proofs: claims about every run of a machine, each with a witness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from attrs import frozen

from agentfsm.errors import UsageError
from agentfsm.statewright.effects import beyond, how
from agentfsm.statewright.fault import suggestion
from agentfsm.statewright.graph import Graph, rung_named
from agentfsm.statewright.law import Law
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.plain import same_key
from agentfsm.statewright.safety import rung_of_state
from agentfsm.statewright.tools import TOOLS, listed_name

__all__ = ("Claim", "Kind", "Proof", "prove", "read_claim")

Kind: TypeAlias = Literal["never", "only", "approved", "reach", "must_pass"]


@frozen
class Claim:
    """
    One claim. *start*, *end* and *over* name a state, a rung (READ_ONLY, …) or a tool.

    never and only: *start* and *tools*. approved, reach and must_pass: from *start* to *end*; *over* is what reach goes
    without, or what must_pass has to go through.
    """

    kind: Kind
    start: str
    end: str = ""
    over: str = ""
    tools: tuple[str, ...] = ()

    def __str__(self) -> str:
        tail = f":{','.join(self.tools)}" if self.tools else f"..{self.end}"
        without = f" without {self.over}" if self.kind == "reach" else f":{self.over}"
        return f"{self.kind} {self.start}{tail}{without if self.over else ''}"


@frozen
class Proof:
    """Whether *claim* holds. *witness* is a path (state, event, state, …): what breaks a claim, or shows a reach."""

    claim: Claim
    holds: bool
    witness: tuple[str, ...] = ()
    effect: str = ""

    @property
    def text(self) -> str:
        """The verdict in one line, the witness in the next."""
        lines = [f"{'holds' if self.holds else 'does not hold'}: {self.claim}"]
        if self.witness:
            lines.append("  " + _spoken(self.witness) + (f" allows {self.effect}" if self.effect else ""))
        return "\n".join(lines)


def _spoken(path: tuple[str, ...]) -> str:
    return "".join(step if index % 2 == 0 else f" -[{step}]-> " for index, step in enumerate(path))


def read_claim(kind: Kind, text: str, without: str = "") -> Claim:
    """
    Read a claim as it stands on the command line: `S:T` and `S:T1,T2`, `A..B`, `A..B:C`.

    Raises `UsageError` for any other form.
    """
    if kind in ("never", "only"):
        start, colon, tools = text.rpartition(":")
        if not start or not colon or not tools:
            raise UsageError(f"{kind} wants STATE:TOOL, as in planning:Write, found {text!r}")
        return Claim(kind, start, tools=tuple(tool.strip() for tool in tools.split(",")))
    start, dots, rest = text.partition("..")
    end, colon, over = rest.rpartition(":") if kind == "must_pass" else (rest, "", without)
    if not start or not dots or not end or (kind == "must_pass" and not over):
        wanted = "A..B:C" if kind == "must_pass" else "A..B"
        raise UsageError(f"{kind} wants {wanted}, found {text!r}")
    return Claim(kind, start, end, over)


def prove(machine: Machine, claim: Claim) -> Proof:
    """
    Prove *claim*, or find what breaks it.

    Raises `UsageError` when it names a state, rung or tool that the machine does not know: a claim about nothing would
    hold of itself.
    """
    graph = Graph.of(machine.law)
    return _PROVERS[claim.kind](graph, claim)


_Test: TypeAlias = Callable[[str], bool]


def _nodes(graph: Graph, name: str) -> _Test:
    """The nodes that *name* stands for: a state, the states of a rung, or those where a tool's effect can happen."""
    if name in graph.ways:
        return _equals(name)
    rung = rung_named(name)
    if rung is not None:
        return lambda node: node in graph.states and _rung(graph, node) == rung
    _known_tool(graph, name)
    return lambda node: _effect(graph, node, name) is not None


def _rung(graph: Graph, node: str) -> int:
    law, state = graph.states[node]
    return rung_of_state(law.state(state))


def _effect(graph: Graph, node: str, tool: str) -> str | None:
    if node not in graph.states:
        return f"{tool}, for the machine is not known"
    law, state = graph.states[node]
    return how(law, state, tool)


def _known_tool(graph: Graph, name: str) -> None:
    known = {same_key(other) for tool in TOOLS for other in (tool.name, *tool.same, *tool.lesser)}
    listed = (entry for law, state in graph.states.values() for entry in law.state(state).allowed_tools or ())
    if same_key(name) not in known | set(map(same_key, listed)) and not name.lower().startswith("mcp"):
        raise UsageError(f"{name!r} is no state, rung or tool here{suggestion(name, graph.states)}")


def _starting(graph: Graph, name: str) -> list[str]:
    test = _nodes(graph, name)
    reachable = graph.reachable()
    return sorted(node for node in graph.ways if node in reachable and test(node) and not _is_over(graph, node))


def _is_over(graph: Graph, node: str) -> bool:
    return node in graph.states and graph.states[node][0].state(graph.states[node][1]).is_final


def _at(graph: Graph, claim: Claim, told: Callable[[str], str | None]) -> Proof:
    """Look at each node that the claim is about; the witness leads there from the initial state."""
    if claim.start not in graph.ways and rung_named(claim.start) is None:
        raise UsageError(f"{claim.start!r} is no state or rung here{suggestion(claim.start, graph.states)}")
    test = _nodes(graph, claim.start)
    for node in sorted(graph.reachable()):
        if test(node) and (effect := told(node)) is not None:
            path = graph.path((graph.initial,), _equals(node))
            return Proof(claim, False, path or (node,), effect)
    return Proof(claim, True)


def _equals(node: str) -> _Test:
    return lambda other: other == node


def _never(graph: Graph, claim: Claim) -> Proof:
    for tool in claim.tools:
        _known_tool(graph, tool)
    return _at(graph, claim, lambda node: _first(_effect(graph, node, tool) for tool in claim.tools))


def _first(told: Iterable[str | None]) -> str | None:
    return next((each for each in told if each is not None), None)


def _only(graph: Graph, claim: Claim) -> Proof:
    for tool in claim.tools:
        _known_tool(graph, tool)
    tools = frozenset(map(listed_name, claim.tools))

    def told(node: str) -> str | None:
        if node not in graph.states:
            return "anything, for the machine is not known"
        law: Law = graph.states[node][0]
        return beyond(law, graph.states[node][1], tools)

    return _at(graph, claim, told)


def _approved(graph: Graph, claim: Claim) -> Proof:
    path = graph.path(_starting(graph, claim.start), _nodes(graph, claim.end), passes=lambda way: not way.asks)
    if path is None:
        return Proof(claim, True)
    tool = claim.end not in graph.ways and rung_named(claim.end) is None
    return Proof(claim, False, path, (_effect(graph, path[-1], claim.end) or "") if tool else "")


def _reach(graph: Graph, claim: Claim) -> Proof:
    avoided = _nodes(graph, claim.over) if claim.over else lambda _: False
    starts = [node for node in _starting(graph, claim.start) if not avoided(node)]
    path = graph.path(starts, _nodes(graph, claim.end), passes=lambda way: not avoided(way.target))
    return Proof(claim, path is not None, path or ())


def _must_pass(graph: Graph, claim: Claim) -> Proof:
    over = _nodes(graph, claim.over)
    starts = [node for node in _starting(graph, claim.start) if not over(node)]
    path = graph.path(starts, _nodes(graph, claim.end), passes=lambda way: not over(way.target))
    return Proof(claim, path is None, path or ())


_PROVERS: Mapping[Kind, Callable[[Graph, Claim], Proof]] = {
    "never": _never,
    "only": _only,
    "approved": _approved,
    "reach": _reach,
    "must_pass": _must_pass,
}
