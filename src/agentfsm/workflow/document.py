"""A graph document as values: what graph.yaml says, each part with the line it stands in, and the keys it may have."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

__all__ = ("MACHINE", "RECOVERY", "STAGE", "Document", "Entry", "Key", "Kind", "Said")

Kind: TypeAlias = Literal["text", "texts", "stages", "recovery"]

# Names are what Python lets one write, in the words that both its regular expressions and JSON Schema's understand.
_FIRST, _REST = r"[A-Za-z_\u0080-\uFFFF]", r"[0-9A-Za-z_\u0080-\uFFFF]"
NAME = f"{_FIRST}{_REST}*"
MACHINE_NAME = f"{_REST}[-.0-9A-Za-z_\\u0080-\\uFFFF]*"
PATH = rf"{NAME}(\.{NAME})*:{NAME}(\.{NAME})*"
RECORD = r"[a-z_\u0080-\uFFFF][0-9a-z_\u0080-\uFFFF]*\??"


@frozen
class Key:
    """One key of a document: what stands under it, whether it must, what its text looks like, and what it means."""

    name: str
    kind: Kind
    needed: bool
    pattern: str
    says: str


MACHINE = (
    Key("machine", "text", True, MACHINE_NAME, "The machine's name."),
    Key("enum", "text", True, PATH, "The enum of the lifecycle states, as package.module:Name."),
    Key("start", "text", True, NAME, "The lifecycle state in which a run starts."),
    Key("final", "texts", True, NAME, "The lifecycle states in which a run has finished."),
    Key("failed", "text", True, NAME, "The lifecycle state in which a run has failed."),
    Key("iterates", "text", False, NAME, "The lifecycle state whose entry begins an iteration."),
    Key("stages", "stages", True, "", "The stages, one for each lifecycle state that is no end."),
    Key("recovery", "recovery", False, "", "The stage that names where to go on after a failure."),
)
_SHARED = (
    Key("name", "text", True, NAME, "The stage's name, which is its class's."),
    Key("reads", "texts", False, RECORD, "The records that it reads, in snake_case; with ? it may be absent."),
    Key("exits", "texts", True, NAME, "The lifecycle states that it may lead to."),
    Key("class", "text", True, PATH, "The class, as package.module:Name."),
)
RECOVERY = _SHARED
STAGE = (
    *_SHARED[:1],
    Key("enters", "text", True, NAME, "The lifecycle state in which the stage runs."),
    _SHARED[1],
    Key("writes", "texts", False, RECORD, "The records that it writes, in snake_case; with ? it may be left out."),
    *_SHARED[2:],
)


@frozen
class Said:
    """A text of the document, and the line it stands in, counted from 1."""

    text: str
    line: int


@frozen
class Entry:
    """One stage as the document has it; *enters* is None for the recovery alone."""

    name: Said
    path: Said
    enters: Said | None
    exits: tuple[Said, ...]
    reads: tuple[Said, ...]
    writes: tuple[Said, ...]
    line: int

    @property
    def texts(self) -> tuple[str, str | None, frozenset[str], frozenset[str], frozenset[str], str]:
        """Name, `enters`, exits, reads, writes and class path, without lines."""
        exits, reads, writes = (frozenset(s.text for s in side) for side in (self.exits, self.reads, self.writes))
        return self.name.text, self.enters.text if self.enters else None, exits, reads, writes, self.path.text


@frozen
class Document:
    """
    A machine as a file declares it. Holding one imports nothing and proves nothing: see `check` and `graph_of`.

    *file* is the path as it was given, for messages.
    """

    file: str
    machine: Said
    enum: Said
    start: Said
    final: tuple[Said, ...]
    failed: Said
    iterates: Said | None
    stages: tuple[Entry, ...]
    recovery: Entry | None
    line: int

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All stages, the recovery last."""
        return (*self.stages, self.recovery) if self.recovery else self.stages

    def place(self, line: int) -> str:
        """Return ``file:line``."""
        return f"{self.file}:{line}"
