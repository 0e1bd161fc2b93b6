"""Checking a graph document against the real classes, and finding those: the one place that imports user code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import reduce
from importlib import import_module
from typing import Any, ClassVar, Protocol, TypeAlias, TypeGuard

from agentfsm.errors import DefinitionError, Finding
from agentfsm.graph import Graph, Node
from agentfsm.records import ReadSet, RecordSet, WriteSet
from agentfsm.workflow.document import Document, Entry, Said
from agentfsm.workflow.loading import near

__all__ = ("StageClass", "Staged", "check", "declared", "graph_of", "outline", "path_of", "resolve")


class Staged(Protocol):
    """What is asked of a stage's class: its header."""

    enters: ClassVar[Enum | None]
    reads: ClassVar[ReadSet]
    writes: ClassVar[WriteSet]
    exits: ClassVar[tuple[Enum, ...]]


StageClass: TypeAlias = type[Staged]


def path_of(kind: type) -> str:
    """Return ``package.module:Name``."""
    return f"{kind.__module__}:{kind.__qualname__}"


def declared(records: RecordSet) -> frozenset[str]:
    """Return the names of *records* as a document spells them: with ``?`` what may be absent."""
    return frozenset(f"{field.name}{'' if field.surely else '?'}" for field in records)


def resolve(document: Document) -> tuple[StageClass, ...]:
    """
    Import the classes that *document* names, in its order, the recovery last.

    This runs the modules that hold them: call it for a document that you would also import. Raises `DefinitionError`
    with every class that cannot be found; what a module itself raises comes through as it is.
    """
    found, wrong = [], []
    for entry in document.entries:
        kind = _imported(entry.path.text)
        if _is_stage_class(kind):
            found.append(kind)
        else:
            text = kind if isinstance(kind, str) else f"{entry.path.text} is no stage class"
            wrong.append(Finding("no_class", text, place=document.place(entry.path.line), stage=entry.name.text))
    DefinitionError.raise_any(wrong)
    return tuple(found)


def check(document: Document, stages: Iterable[StageClass]) -> tuple[Finding, ...]:
    """
    Return every disagreement between *document* and the real classes, each with file and line.

    Classes are told apart by their path. The proofs over the graph are another matter: `findings` of `graph_of`.
    """
    real = {path_of(kind): kind for kind in stages}
    listed = {entry.path.text for entry in document.entries}
    found = [*_strange_states(document, tuple(real.values()))]
    for entry in document.entries:
        if (kind := real.get(entry.path.text)) is None:
            text = f"{entry.path.text} is none of the stages: {near(entry.path.text, real)}"
            found.append(_finding(document, entry.path, entry, "no_class", text))
        else:
            found.extend(_differences(document, entry, kind))
    for path, kind in real.items():
        if path not in listed:
            text = f"{path} is not in the document: add it, or leave it out of the machine"
            found.append(Finding("not_listed", text, place=document.place(document.line), stage=kind.__name__))
    return tuple(found)


def graph_of(document: Document, stages: Iterable[StageClass]) -> Graph:
    """
    Return the graph of *document* with the records of the real classes, for the proofs.

    Raises `DefinitionError` with every disagreement that `check` finds.
    """
    classes = tuple(stages)
    DefinitionError.raise_any(check(document, classes))
    by_path = {path_of(kind): kind for kind in classes}
    states = _enum_of(document, classes)
    assert not isinstance(states, str), "a document whose enum is another one was refused above"
    nodes = [
        Node(kind.enters, entry.name.text, kind.exits, kind.reads, kind.writes)
        for entry in document.entries
        for kind in [by_path[entry.path.text]]
    ]
    return _graph(document, states, nodes)


def outline(document: Document) -> Graph:
    """
    Return the graph of *document* as far as it can be told without importing: states and edges, no records.

    Its states are of an enum made for it, so it is for drawing and for questions about edges.
    """
    said = [document.start, *document.final, document.failed, *filter(None, [document.iterates])]
    for entry in document.entries:
        said += [*filter(None, [entry.enters]), *entry.exits]
    # In the order of the table, as a person would list them.
    entered = [entry.enters.text for entry in document.stages if entry.enters]
    make: Any = Enum  # its functional form takes members that only the document knows
    states: type[Enum] = make(document.enum.text.split(":")[1], [*dict.fromkeys([*entered, *(s.text for s in said)])])
    nodes = [
        Node(states[e.enters.text] if e.enters else None, e.name.text, tuple(states[s.text] for s in e.exits))
        for e in document.entries
    ]
    return _graph(document, states, nodes)


def _graph(document: Document, states: type[Enum], nodes: list[Node]) -> Graph:
    recovery = nodes.pop() if document.recovery else None
    return Graph(
        nodes=tuple(nodes),
        start=states[document.start.text],
        final=frozenset(states[said.text] for said in document.final),
        failed=states[document.failed.text],
        iterates=states[document.iterates.text] if document.iterates else None,
        recovery=recovery,
    )


def _enum_of(document: Document, kinds: Iterable[StageClass]) -> type[Enum] | str:
    """Return the enum that *document* names, found in the classes' own states, or text that says which they are of."""
    enums = {type(state): None for kind in kinds for state in (kind.enters, *kind.exits) if state is not None}
    real = ", ".join(map(path_of, enums)) or "none, for there is no stage"
    found = (enum for enum in enums if path_of(enum) == document.enum.text)
    return next(found, f"the states are not of {document.enum.text}, but of {real}")


def _strange_states(document: Document, kinds: Iterable[StageClass]) -> Iterator[Finding]:
    """Yield what the document says about the machine's states that is not so."""
    enum = _enum_of(document, kinds)
    if isinstance(enum, str):
        yield Finding("other_enum", enum, place=document.place(document.enum.line))
        return
    said = [document.start, *document.final, document.failed, *filter(None, [document.iterates])]
    said += [state for entry in document.entries for state in (*filter(None, [entry.enters]), *entry.exits)]
    for state in said:
        if state.text not in enum.__members__:
            text = f"there is no state {state.text}: {near(state.text, enum.__members__)}"
            yield Finding("unknown_state", text, place=document.place(state.line))


def _differences(document: Document, entry: Entry, kind: StageClass) -> Iterator[Finding]:
    if entry.name.text != kind.__name__:
        yield _finding(document, entry.name, entry, "other_name", f"the class is called {kind.__name__}")
    real = kind.enters.name if kind.enters is not None else None
    if (entry.enters.text if entry.enters else None) != real:
        said = entry.enters or Said("nothing", entry.line)
        text = f"it enters {real or 'nothing'}, not {said.text}"
        yield _finding(document, said, entry, "other_enters", text)
    sides = (
        ("exits", entry.exits, frozenset(state.name for state in kind.exits)),
        ("reads", entry.reads, declared(kind.reads)),
        ("writes", entry.writes, declared(kind.writes)),
    )
    for what, listed, have in sides:
        names = {said.text for said in listed}
        for said in listed:
            if said.text not in have:
                yield _finding(document, said, entry, f"other_{what}", _extra(what, said.text, have))
        for name in sorted(have - names):
            if _other(name) not in names:  # else said where it is spelled otherwise
                text = f"{what} lacks {name}, which the class declares"
                yield _finding(document, Said("", entry.line), entry, f"other_{what}", text)


def _extra(what: str, name: str, have: frozenset[str]) -> str:
    if _other(name) in have:
        return f"{what} says {name}, the class declares {_other(name)}"
    return f"{what} says {name}, which the class does not declare: {near(name, have)}"


def _other(name: str) -> str:
    return name.removesuffix("?") if name.endswith("?") else f"{name}?"


def _finding(document: Document, said: Said, entry: Entry, code: str, text: str) -> Finding:
    return Finding(code, f"{entry.name.text}: {text}", place=document.place(said.line), stage=entry.name.text)


def _imported(path: str) -> object:
    """Return what *path* names, or text that says why it is not there."""
    module, _, name = path.partition(":")
    try:
        found: object = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, and lacks something itself
        return f"there is no module {error.name}"
    try:
        return reduce(getattr, name.split("."), found)
    except AttributeError:
        return f"{module} has no {name}"


def _is_stage_class(kind: object) -> TypeGuard[StageClass]:
    return isinstance(kind, type) and all(hasattr(kind, each) for each in ("enters", "reads", "writes", "exits"))
