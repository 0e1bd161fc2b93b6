"""Targets: what a command works on, named on the command line as `pkg.module:name`, `graph.yaml` or `machine.json`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal, TypeAlias

from attrs import frozen

from agentfsm.boundary import Raised, attempted
from agentfsm.errors import AgentFSMError, DefinitionError, UsageError
from agentfsm.guard import AllowList
from agentfsm.orchestrator import FSMOrchestrator

__all__ = ("Form", "Target", "machine_named", "orchestrator_of", "parse")

Form: TypeAlias = Literal["code", "graph", "statewright"]
AnyOrchestrator: TypeAlias = FSMOrchestrator[Any]  # its schema is known where it was written, not here
MACHINES = "agentfsm.machines"


@frozen
class Target:
    """A target's text, and which of the three forms it has."""

    text: str
    form: Form


def parse(text: str) -> Target:
    """
    Return the target that *text* names; nothing is imported or read yet.

    A YAML file is a graph document unless its name ends with `.machine.yaml`. Raises `UsageError` for any other text.
    """
    if text.endswith((".json", ".machine.yaml", ".machine.yml")):
        return Target(text, "statewright")
    if text.endswith((".yaml", ".yml")):
        return Target(text, "graph")
    module, _, name = text.partition(":")
    if all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        return Target(text, "code")
    raise UsageError(f"{text!r} is no target; give pkg.module:name, graph.yaml or machine.json")


def orchestrator_of(target: Target, allowed: Iterable[str] = ()) -> AnyOrchestrator:
    """
    Return the orchestrator that *target* names, or that a function of no arguments with that name returns.

    A graph document's stages are made without arguments; *allowed* names the tools that they may call. Raises
    `UsageError` where there is no such orchestrator and `DefinitionError` where it is not sound.
    """
    if target.form == "graph":
        return _from_document(Path(target.text), tuple(allowed))
    if target.form == "statewright":
        raise UsageError(f"{target.text} says what an agent may do, not what it does: name the code as pkg.module:name")
    if tuple(allowed):
        raise UsageError(f"--allow is for a graph document; {target.text} has its guards in its code")
    return _built(_found(target.text), target.text)


def machine_named(name: str, wanted_by: str) -> AnyOrchestrator:
    """
    Return an installed machine by the name that logs call it by: an entry point of the group ``agentfsm.machines``.

    Raises `UsageError` where none is installed under that name; the log's structural hash is compared later.
    """
    for point in entry_points(group=MACHINES, name=name):
        return _built(point.load(), point.value)
    raise UsageError(
        f"{wanted_by} is of machine {name!r}, which is not installed; name it with --target pkg.module:name"
    )


def _found(text: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:  # as `python -m` has it
        sys.path.insert(0, here)
    module, _, name = text.partition(":")
    loaded = attempted(lambda: import_module(module))
    if isinstance(loaded, Raised):
        raise _refusal(module, loaded.error)
    found: object = loaded.value
    for part in name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{module} has no {name}; {_instead(loaded.value, name)}")
        found = getattr(found, part)
    return found


def _instead(module: object, meant: str) -> str:
    held = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    if near := get_close_matches(meant, held, 1):
        return f"did you mean {near[0]}?"
    known = ", ".join(sorted(name for name, value in held.items() if isinstance(value, FSMOrchestrator)))
    return f"it has {known}" if known else "it has no orchestrator: name a function of it that returns one"


def _refusal(module: str, error: Exception) -> AgentFSMError:
    if isinstance(error, AgentFSMError):
        return error
    if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
        return UsageError(
            f"there is no module {error.name} here; modules are looked for in {Path.cwd()} and on the path"
        )
    return DefinitionError(f"importing {module} raised {type(error).__name__}: {error}")


def _built(found: object, text: str) -> AnyOrchestrator:
    if isinstance(found, FSMOrchestrator):
        return found
    if not callable(found):
        raise UsageError(f"{text} is a {type(found).__name__}, not an FSMOrchestrator or a function that returns one")
    made = attempted(found)
    if isinstance(made, Raised):
        if isinstance(made.error, AgentFSMError):
            raise made.error
        raise DefinitionError(f"{text}() raised {type(made.error).__name__}: {made.error}")
    if isinstance(made.value, FSMOrchestrator):
        return made.value
    raise UsageError(f"{text}() returned a {type(made.value).__name__}, not an FSMOrchestrator")


def _from_document(path: Path, allowed: tuple[str, ...]) -> AnyOrchestrator:
    from agentfsm.workflow import graph_of, load, resolve

    document = load(path)
    classes: tuple[Any, ...] = resolve(document)
    graph = graph_of(document, classes)
    stages = [_stage(kind) for kind in classes]
    recovery = stages.pop() if document.recovery else None
    return FSMOrchestrator[Any](
        stages,
        start=graph.start,
        final=set(graph.final),
        failed=graph.failed,
        iterates=graph.iterates,
        recovery=recovery,
        guards=[AllowList(*allowed)] if allowed else [],
        name=document.machine.text,
    )


def _stage(kind: type[Any]) -> Any:
    made = attempted(kind)
    if isinstance(made, Raised):
        raise UsageError(
            f"{kind.__name__} cannot be made without arguments ({made.error}); name the code that makes it"
        )
    return made.value
