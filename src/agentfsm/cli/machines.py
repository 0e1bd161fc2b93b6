"""Statewright machines named on the command line, with those that they invoke."""

from __future__ import annotations

from pathlib import Path

from agentfsm.errors import UsageError
from agentfsm.statewright import Machine, load, load_family

__all__ = ("machine_at",)


def machine_at(path: str, others: tuple[str, ...] = ()) -> Machine:
    """
    Return the machine in the file *path*; with *others*, linked to the machines that it may invoke.

    Raises `UsageError` where there is no such file, and `DefinitionError` with every fault that refuses a machine.
    """
    for each in (path, *others):
        if not Path(each).is_file():
            raise UsageError(_missing(each))
    if not others:
        return Machine.load(path)
    return load_family((path, *others))[load(path).sound().id]


def _missing(path: str) -> str:
    module, mark, name = path.partition(":")
    if mark and name.isidentifier() and all(part.isidentifier() for part in module.split(".")):
        return f"{path} is code; this command asks a statewright machine, which is a file: machine.json"
    return f"{path} cannot be read: there is no such file"
