"""Building: stages and settings into a machine, after everything that is wrong with them was said at once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from attrs import frozen

from agentfsm.codec import Codec
from agentfsm.edges import Graph, Node
from agentfsm.errors import DefinitionError, Finding
from agentfsm.graph import findings
from agentfsm.header import parameters_of
from agentfsm.invariants import AnyInvariant
from agentfsm.limits import Limits
from agentfsm.live import AnyGuard, Machine
from agentfsm.records import Metadata, Record, is_record
from agentfsm.stage import AnyStage
from agentfsm.table import compile_table
from agentfsm.tools import Tool
from agentfsm.workspace import Workspace
from agentfsm.world import Journal, World

__all__ = ("Definition", "build", "graph_of")


@frozen(eq=False)
class Definition:
    """All that an orchestrator is given."""

    name: str
    version: str
    stages: tuple[AnyStage, ...]
    start: Enum
    final: frozenset[Enum]
    failed: Enum
    iterates: Enum | None
    recovery: AnyStage | None
    invariants: tuple[AnyInvariant, ...]
    guards: tuple[AnyGuard, ...]
    tools: tuple[type[Tool[Any]], ...]
    records: tuple[type[Record], ...]
    limits: Limits
    journal: Journal | None
    world: World


def graph_of(definition: Definition) -> Graph:
    """Return the table of a definition as data."""
    rescue = definition.recovery
    return Graph(
        nodes=tuple(_node(stage) for stage in definition.stages),
        start=definition.start,
        final=definition.final,
        failed=definition.failed,
        iterates=definition.iterates,
        recovery=_node(rescue) if rescue is not None else None,
    )


def build(definition: Definition) -> Machine:
    """Return the machine that *definition* describes; raises `DefinitionError` with everything that is wrong."""
    DefinitionError.raise_any(_patterns(definition))
    graph = graph_of(definition)
    DefinitionError.raise_any([*findings(graph), *_clashes(definition)])
    guards = tuple((guard, _memory_of(guard)) for guard in definition.guards)
    memories = tuple(kind for _, kind in guards if kind is not None)
    table = compile_table(
        (definition.name, definition.version),
        definition.stages,
        definition.recovery,
        (definition.start, definition.final, definition.failed, definition.iterates),
        (definition.invariants, (Workspace, *definition.records, *memories)),
    )
    tools = {tool.__name__: tool for tool in definition.tools}
    codec = Codec(table.kinds.values())
    return Machine(table, definition.world, guards, tools, definition.journal, set(), codec)


def _node(stage: AnyStage) -> Node:
    return Node(stage.enters, stage.name, stage.exits, stage.reads, stage.writes)


def _patterns(definition: Definition) -> Iterable[Finding]:
    """Stages that only a subclass could wire."""
    for stage in definition.stages:
        name = type(stage).__name__
        if parameters_of(stage.header):
            yield Finding(
                "open_header", f"{name} is a pattern: subclass it with a full header and `enters`", stage=name
            )
        elif stage.enters is None:
            yield Finding("no_state", f"{name} enters no state: it can only be the recovery", stage=name)


def _memory_of(guard: AnyGuard) -> type[Record] | None:
    memory = guard.begins()
    if memory is None:
        return None
    if not isinstance(memory, Metadata) or not is_record(type(memory)):
        raise DefinitionError(f"{type(guard).__name__}.begins returned {memory!r:.60}; a memory is a Metadata record")
    return type(memory)


def _clashes(definition: Definition) -> Iterable[Finding]:
    """Two guards with one memory, two tools of one name."""
    memories = [kind for kind in map(_memory_of, definition.guards) if kind is not None]
    for kind in {kind for kind in memories if memories.count(kind) > 1}:
        yield Finding(
            "shared_memory", f"two guards remember in {kind.__name__}; give each its own", record=kind.__name__
        )
    names = [tool.__name__ for tool in definition.tools]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Finding("shared_name", f"two tools are called {name}; rename one of them")
