"""The one door to the shell classifier: what the guard asks of it, and the answer while there is none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from attrs import field, frozen

from agentfsm.guard import Decision

__all__ = ("UNCLASSIFIED", "Classified", "Shell", "TouchedFiles", "mentions")


class TouchedFiles(Protocol):
    """The files a command touches, as far as their names are constant."""

    @property
    def written(self) -> Sequence[str]: ...

    @property
    def deleted(self) -> Sequence[str]: ...


class Classified(Protocol):
    """What a command could do: names of operation classes, and whether all of it was understood."""

    @property
    def classes(self) -> Collection[str]: ...

    @property
    def resolved(self) -> bool: ...

    @property
    def files(self) -> TouchedFiles: ...


class Shell(Protocol):
    """The two functions of `agentfsm.shell`; the module itself is such an object."""

    def classify(self, command: str) -> Classified:
        """Say what *command* could do; never raises."""
        ...

    def check_against_allowed(
        self, command: str, allowed_tools: Collection[str], allowed_commands: Sequence[str] = ()
    ) -> Decision:
        """Allow or deny *command* in a state that allows these tools; `allowed_commands` is a limit and a key."""
        ...


@frozen
class _NoFiles:
    written: Sequence[str] = ()
    deleted: Sequence[str] = ()


@frozen
class _Unknown:
    classes: Collection[str] = frozenset({"Destructive"})
    resolved: bool = False
    files: TouchedFiles = field(factory=_NoFiles)


@frozen
class _Unclassified:
    """Every command may do anything, so it passes only where `Destructive` is opened by name, and no limit stands."""

    def classify(self, command: str) -> Classified:
        return _Unknown()

    def check_against_allowed(
        self, command: str, allowed_tools: Collection[str], allowed_commands: Sequence[str] = ()
    ) -> Decision:
        if allowed_commands:
            return Decision("deny", "command_not_listed", "no classifier can tell whether this command is listed")
        if "Destructive" in allowed_tools:
            return Decision("allow", "allowed")
        return Decision(
            "deny", "destructive", "without a classifier every command counts as Destructive, which is not open here"
        )


UNCLASSIFIED: Shell = _Unclassified()

_QUOTES = re.compile(r"\\\n|[\\'\"]")


def mentions(command: str, names: Iterable[str]) -> str | None:
    """Return the first of *names* that stands in *command* as a word, with quotes and escapes or without them."""
    for text in (command, _QUOTES.sub("", command)):
        words = set(re.findall(r"[A-Za-z0-9_]+", text))
        for name in names:
            if name in words:
                return name
    return None
