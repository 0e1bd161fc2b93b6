"""Faults of a definition: a code, a place in JSON, how grave it is, and the way out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal, TypeAlias

from attrs import evolve, frozen

from agentfsm.errors import Finding
from agentfsm.statewright.plain import Part, path_to

__all__ = ("SAFETY_CODES", "Fault", "Severity", "fault", "ordered", "suggestion")

Severity: TypeAlias = Literal["error", "warning"]

# What the validator for agents asks beyond a sound structure.
SAFETY_CODES = frozenset({"no_failed_state", "cannot_fail", "initial_too_powerful", "no_approval_edge", "escalation"})


@frozen
class Fault:
    """
    One fault: *path* is a JSON path to the value at fault, *witness* a path through the machine by state name.

    *file* and *line* (from 1) are set where the definition came from a file. An error makes the machine unusable; a
    warning does not. Faults of shape and structure *refuse* the machine; those of safety only say what to mend.
    """

    code: str
    path: str
    message: str = ""
    severity: Severity = "error"
    witness: tuple[str, ...] = ()
    file: str = ""
    line: int = 0

    @property
    def refuses(self) -> bool:
        """Whether the machine cannot be used: an error of shape or structure."""
        return self.severity == "error" and self.code not in SAFETY_CODES

    def at(self, file: str, line: int) -> Fault:
        return evolve(self, file=file, line=line)

    def finding(self) -> Finding:
        """Return the fault in the form that `DefinitionError` carries."""
        source = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return Finding(self.code, self.message, f"{source}{self.path}", path=self.witness)

    def __str__(self) -> str:
        return f"{self.severity}: {self.finding()}"


def fault(code: str, at: tuple[Part, ...], message: str, witness: tuple[str, ...] = ()) -> Fault:
    """Return an error at the place *at*, given part by part."""
    return Fault(code, path_to(*at), message, witness=witness)


def ordered(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Sort by path, then code, in code point order, and keep each pair of them once."""
    first: dict[tuple[str, str], Fault] = {}
    for each in faults:
        first.setdefault((each.path, each.code), each)
    return tuple(first[key] for key in sorted(first))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean …?` for the nearest of *known*, or the names themselves when none is near."""
    names = sorted(known)
    folded = {each.lower().replace("_", ""): each for each in names}
    near = difflib.get_close_matches(name.lower().replace("_", "").replace("-", ""), folded, n=1)
    if near:
        return f"; did you mean {folded[near[0]]!r}?"
    return f"; known are {', '.join(names)}" if names else ""
