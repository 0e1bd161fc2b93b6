"""Invariants: named predicates over the state before and after, held at every commit."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from agentfsm.records import Maybe, Record
from agentfsm.state import Iteration
from agentfsm.view import View

__all__ = ("AnyInvariant", "Invariant", "monotonic", "write_once")

R_co = TypeVar("R_co", covariant=True, bound=Record | Maybe[Record])
Rec = TypeVar("Rec", bound=Record)


@frozen
class Invariant(Generic[R_co]):
    """
    A named predicate over old and new state.

    With *states*, only on entering one of them; with *edges*, only on these (from, to) pairs.
    """

    name: str
    holds: Callable[[View[R_co], View[R_co]], bool]
    states: tuple[Enum, ...] = ()
    edges: tuple[tuple[Enum, Enum], ...] = ()

    def applies(self, source: Enum, target: Enum) -> bool:
        """Tell whether it is to hold on the edge from *source* to *target*."""
        if not self.states and not self.edges:
            return True
        return target in self.states or (source, target) in self.edges


AnyInvariant: TypeAlias = Invariant[Iteration | Maybe[Record]]


def monotonic(kind: type[Rec], of: Callable[[Rec], Any]) -> Invariant[Maybe[Rec]]:
    """Return the invariant that ``of(record)`` never falls while the record is there."""

    def holds(old: View[Maybe[Rec]], new: View[Maybe[Rec]]) -> bool:
        before, after = old.find(kind), new.find(kind)
        return before is None or after is None or bool(of(before) <= of(after))

    return Invariant(f"{kind.__name__} is monotonic", holds)


def write_once(kind: type[Rec]) -> Invariant[Maybe[Rec]]:
    """Return the invariant that a record, once there, neither changes nor goes."""

    def holds(old: View[Maybe[Rec]], new: View[Maybe[Rec]]) -> bool:
        before = old.find(kind)
        return before is None or before == new.find(kind)

    return Invariant(f"{kind.__name__} is written once", holds)
