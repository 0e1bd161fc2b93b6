"""Building: stages and settings into a machine, after everything that is wrong with them was said at once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from attrs import frozen

from agentfsm.codec import Codec
from agentfsm.deciding import Entering
from agentfsm.edges import Graph, Node
from agentfsm.errors import DefinitionError, Finding, UsageError
from agentfsm.graph import findings
from agentfsm.header import parameters_of
from agentfsm.invariants import AnyInvariant
from agentfsm.limits import Limits
from agentfsm.live import AnyGuard, Machine
from agentfsm.places import place
from agentfsm.records import LAYERS, Metadata, Record, is_record, name_of
from agentfsm.stage import AnyStage, Retry, Stage
from agentfsm.store import store_of
from agentfsm.table import OWNED, compile_table
from agentfsm.tools import Tool
from agentfsm.tracing import Tracing
from agentfsm.workspace import Workspace
from agentfsm.world import Journal, World

__all__ = ("Definition", "build", "fitting_store", "graph_of", "several")

T = TypeVar("T")
GUARD = ("begins", "offered", "decide", "after")


@runtime_checkable
class Fitting(Protocol):
    """A guard that speaks of the machine's table, and is held to it when the machine is built."""

    def fits(self, graph: Graph, /) -> tuple[Finding, ...]:
        """Return what does not fit between the guard and *graph*."""


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
    telemetry: Tracing | None
    snapshots: int = 0


def several(what: str, given: Iterable[T]) -> tuple[T, ...]:
    """Return what was given for *what*; raises `DefinitionError` where it is a single one."""
    if not isinstance(given, Iterable):
        raise DefinitionError(f"{what} is {given!r:.80}, one alone: put it into a list or a set").at(place())
    return tuple(given)


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


def fitting_store(definition: Definition) -> None:
    """Raise `UsageError` where snapshots are to be kept in a journal that keeps none, or not so often."""
    if definition.snapshots < 0:
        raise UsageError(f"snapshots are kept every so many entries, not every {definition.snapshots}; 0 keeps none")
    if definition.snapshots and definition.journal is not None:
        store_of(definition.journal)


def build(definition: Definition) -> Machine:
    """Return the machine that *definition* describes; raises `DefinitionError` with everything that is wrong."""
    fitting_store(definition)
    try:
        DefinitionError.raise_any([*_patterns(definition), *_shapeless(definition)])
        graph = graph_of(definition)
        unfit = (finding for guard in definition.guards if isinstance(guard, Fitting) for finding in guard.fits(graph))
        own = (*_bare(definition), *_uncounted(definition), *_vacuous(definition), *_clashes(definition))
        DefinitionError.raise_any([*findings(graph), *own, *unfit])
    except DefinitionError as error:
        raise error.at(place()) from None
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
    entering = tuple((guard, kind) for guard, kind in guards if isinstance(guard, Entering))
    seen = (codec, entering, definition.telemetry, definition.snapshots)
    return Machine(table, definition.world, guards, tools, definition.journal, set(), *seen)


def _node(stage: AnyStage) -> Node:
    return Node(stage.enters, stage.name, stage.exits, stage.reads, stage.writes)


def _patterns(definition: Definition) -> Iterable[Finding]:
    """What is no stage, and stages that only a subclass could wire."""
    for stage in filter(None, (*definition.stages, definition.recovery)):
        given: object = stage  # whatever the types say
        if not isinstance(given, Stage):
            yield Finding("no_stage", f"{given!r:.80} is no stage: give an instance of one")
            continue
        name = type(stage).__name__
        if parameters_of(stage.header):
            text = f"{name} is a pattern: subclass it with a full header and `enters`"
            yield Finding("open_header", text, stage=name)
        elif stage.enters is None and stage is not definition.recovery:
            yield Finding("no_state", f"{name} enters no state: it can only be the recovery", stage=name)
        timeout: object = stage.timeout
        if timeout is not None and not (type(timeout) in {int, float} and cast("float", timeout) > 0):
            text = f"{name} has a timeout of {timeout!r}; it is in seconds, above 0, or None"
            yield Finding("bad_timeout", text, stage=name)
        retry: object = stage.retry
        if not isinstance(retry, Retry):
            text = f"{name} has a retry of {retry!r:.80}; it is Retry(attempts=...)"
            yield Finding("bad_retry", text, stage=name)


def _shapeless(definition: Definition) -> Iterable[Finding]:
    """Guards that are no guards, and tools that are none."""
    for guard in definition.guards:
        if isinstance(guard, type):
            yield Finding("no_guard", f"{guard.__name__} is the class of a guard: give an instance of it")
        elif lacking := [name for name in GUARD if not callable(getattr(guard, name, None))]:
            yield Finding("no_guard", f"{guard!r:.80} is no guard: it has no {', '.join(lacking)}")
    for tool in definition.tools:
        kind: object = tool
        if not (isinstance(kind, type) and issubclass(kind, Tool) and "__attrs_attrs__" in kind.__dict__):
            yield Finding("no_tool", f"{kind!r:.80} is no tool: give a Tool subclass that @tool decorates")


def _bare(definition: Definition) -> Iterable[Finding]:
    """Layers of one's own with no record below them: records that were never decorated."""
    for stage in filter(None, (*definition.stages, definition.recovery)):
        for kind in stage.sees.layers:
            if kind not in {*LAYERS, Record} and not kind.__subclasses__():
                text = f"{kind.__name__} is a layer with no record below it: decorate it with @record"
                yield Finding("no_record", text, stage=stage.name, record=kind.__name__)


def _uncounted(definition: Definition) -> Iterable[Finding]:
    """A limit that no run could reach: of iterations, where no state begins one."""
    if definition.limits.iterations is not None and definition.iterates is None:
        text = f"limits has iterations={definition.limits.iterations}, but nothing begins one: say iterates="
        yield Finding("no_iterates", text)


def _vacuous(definition: Definition) -> Iterable[Finding]:
    """Invariants that would never be asked: of another enum, or on an edge that no stage declares."""
    home = type(definition.start)
    wired = (*definition.stages, *filter(None, (definition.recovery,)))
    edges = {(stage.enters, target) for stage in wired for target in stage.exits if stage.enters is not None}
    if definition.recovery is not None:
        entered = [stage.enters for stage in definition.stages if stage.enters is not None]
        edges |= {(state, target) for state in entered for target in definition.recovery.exits}
    for invariant in definition.invariants:
        said = (*invariant.states, *(state for edge in invariant.edges for state in edge))
        if strange := [state for state in said if type(state) is not home]:
            text = f"invariant {invariant.name!r} speaks of {strange[0]}, which is no {home.__name__}"
            yield Finding("mixed_enums", text)
        elif absent := [edge for edge in invariant.edges if edge not in edges]:
            source, target = absent[0]
            text = f"invariant {invariant.name!r} is for {source.name} -> {target.name}, which no stage declares"
            yield Finding("no_edge", text)


def _memory_of(guard: AnyGuard) -> type[Record] | None:
    memory = guard.begins()
    if memory is None:
        return None
    if not isinstance(memory, Metadata) or not is_record(type(memory)):
        raise DefinitionError(f"{type(guard).__name__}.begins returned {memory!r:.60}; a memory is a Metadata record")
    return type(memory)


def _clashes(definition: Definition) -> Iterable[Finding]:
    """Two guards with one memory, two tools or two records of one name."""
    memories = [kind for kind in map(_memory_of, definition.guards) if kind is not None]
    for kind in {kind for kind in memories if memories.count(kind) > 1}:
        text = f"two guards remember in {kind.__name__}; give each its own"
        yield Finding("shared_memory", text, record=kind.__name__)
    names = [tool.__name__ for tool in definition.tools]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Finding("shared_name", f"two tools are called {name}; rename one of them")
    wired = (*definition.stages, *filter(None, (definition.recovery,)))
    kinds = {kind for stage in wired for kind in stage.sees.all if is_record(kind)}
    kinds |= {*OWNED, Workspace, *definition.records, *memories}
    called = [name_of(kind) for kind in kinds]
    for name in sorted({name for name in called if called.count(name) > 1}):
        text = f"two records are called {name} in logs; rename one of them"
        yield Finding("shared_name", text, record=name)
