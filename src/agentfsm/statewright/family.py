"""Families: machines that invoke each other, linked from the innermost outwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from agentfsm.errors import DefinitionError
from agentfsm.statewright.bounds import Bounds
from agentfsm.statewright.classifier import BASH
from agentfsm.statewright.definition import Definition, Invoke
from agentfsm.statewright.fault import Fault
from agentfsm.statewright.files import Files
from agentfsm.statewright.loading import load
from agentfsm.statewright.machine import Machine
from agentfsm.statewright.plain import path_to
from agentfsm.statewright.shell_port import Shell
from agentfsm.statewright.structure import transitions

__all__ = ("link", "load_family")


def load_family(
    paths: Iterable[str | Path],
    *,
    shell: Shell = BASH,
    files: Files | None = None,
    bounds: Bounds | None = None,
) -> Mapping[str, Machine]:
    """
    Read several machine files and link them by their ids.

    Raises `DefinitionError` with the faults of all of them, with machines that nobody defines, and with every cycle.
    """
    loaded = [load(path) for path in paths]
    DefinitionError.raise_any(f.finding() for each in loaded for f in each.faults if f.refuses)
    return link([each.sound() for each in loaded], shell=shell, files=files, bounds=bounds)


def link(
    definitions: Iterable[Definition],
    *,
    shell: Shell = BASH,
    files: Files | None = None,
    bounds: Bounds | None = None,
) -> Mapping[str, Machine]:
    """Make machines of definitions that invoke each other by id; raises `DefinitionError` as `load_family` does."""
    held = tuple(definitions)
    family = {each.id: each for each in held}
    twice = [
        Fault("duplicate_machine", "$.id", f"two machines are called {n!r}") for n in family if _count(held, n) > 1
    ]
    DefinitionError.raise_any(f.finding() for f in (*twice, *_unknown(family), *_cycles(family)))
    made: dict[str, Machine] = {}
    while len(made) < len(family):
        for name, definition in family.items():
            wanted = {each.machine for each, _ in _invokes(definition)}
            if name not in made and wanted <= made.keys():
                children = {child: made[child] for child in wanted}
                made[name] = Machine.of(definition, machines=children, shell=shell, files=files, bounds=bounds)
    return made


def _count(definitions: tuple[Definition, ...], name: str) -> int:
    return sum(each.id == name for each in definitions)


def _invokes(definition: Definition) -> list[tuple[Invoke, str]]:
    found = transitions(definition)
    return [(t, path_to(*place, "invoke")) for _, place, t in found if isinstance(t, Invoke)]


def _unknown(family: Mapping[str, Definition]) -> Iterable[Fault]:
    for name, definition in family.items():
        for invoke, place in _invokes(definition):
            if invoke.machine not in family:
                message = f"{name!r} invokes {invoke.machine!r}, which is not in the family"
                yield Fault("unknown_machine", place, message)


def _cycles(family: Mapping[str, Definition]) -> Iterable[Fault]:
    """Each machine that comes back to itself, with the shortest way round as witness."""
    for name in family:
        came: dict[str, tuple[str, ...]] = {name: (name,)}
        waiting = [name]
        for each in waiting:
            for invoke, place in _invokes(family[each]) if each in family else ():
                if invoke.machine == name:
                    round_trip = (*came[each], name)
                    yield Fault("invoke_cycle", place, f"{name!r} invokes itself in the end", witness=round_trip)
                    waiting.clear()
                    break
                if invoke.machine not in came:
                    came[invoke.machine] = (*came[each], invoke.machine)
                    waiting.append(invoke.machine)
