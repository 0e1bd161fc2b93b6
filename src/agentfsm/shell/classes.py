"""What a command could do: the operation classes, and the answer that holds them."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

__all__ = ("Classification", "Command", "Effect", "OpClass", "Reason", "Span", "Touched")


class OpClass(StrEnum):
    """One kind of effect on the world; the names are those of the labelling standard."""

    FILE_WRITE = "FileWrite"
    FILE_MODIFY = "FileModify"
    FILE_READ = "FileRead"
    CONTENT_SEARCH = "ContentSearch"
    FILE_SEARCH = "FileSearch"
    DESTRUCTIVE = "Destructive"
    NETWORK = "Network"
    GIT_WRITE = "GitWrite"
    GIT_READ = "GitRead"
    PASSTHROUGH = "Passthrough"


@frozen
class Span:
    """A stretch of the command's text, in UTF-8 bytes, end exclusive."""

    start: int
    end: int


@frozen
class Reason:
    """
    Why a class is in the answer: a stable code, the place, the rule that spoke and what it spoke about.

    *resolved* is False where the text could not be understood, which is what Destructive then stands for.
    """

    op: OpClass
    code: str
    span: Span
    rule: str
    detail: str = ""
    resolved: bool = True


@frozen
class Command:
    """
    One simple command that could run, after evaluation and without its wrappers.

    A word that is not constant is None. A *wrapper* has no effect of its own but runs another command of the
    list. *longer* holds the same command with the wrappers that add an effect of
    their own (sudo, a shell's -c); each is (words, index of the first word of the payload).
    """

    argv: tuple[str | None, ...]
    span: Span
    longer: tuple[tuple[tuple[str | None, ...], int], ...] = ()
    wrapper: bool = False


@frozen
class Effect:
    """A reason, and the command it belongs to: an index into `Classification.commands`, -1 for none."""

    reason: Reason
    owner: int = -1


@frozen
class Touched:
    """The files a command could write, read and delete, as far as their names are constant."""

    written: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@frozen
class Classification:
    """
    Everything a command could do.

    *classes* is the union over every branch; *resolved* is False when any part was not understood, and then
    Destructive is among the classes.
    """

    classes: frozenset[OpClass]
    resolved: bool
    reasons: tuple[Reason, ...]
    commands: tuple[Command, ...] = ()
    effects: tuple[Effect, ...] = ()
    files: Touched = Touched()
