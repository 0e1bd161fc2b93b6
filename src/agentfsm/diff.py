"""Differences between two states, by record and path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import frozen

from agentfsm.records import name_of
from agentfsm.state import AgentState
from agentfsm.trail import Trail

__all__ = ("Difference", "diff", "first_difference")


@frozen
class Difference:
    """One place at which two states differ; None on a side where there is nothing."""

    path: str
    left: object
    right: object


def diff(left: AgentState[Any], right: AgentState[Any]) -> tuple[Difference, ...]:
    """Return every difference, by record name and path within the record."""
    return tuple(_states(left, right))


def first_difference(left: AgentState[Any], right: AgentState[Any]) -> tuple[str, object, object]:
    """Return the first difference as (path, left, right)."""
    found = next(_states(left, right), Difference("", left, right))
    return found.path, found.left, found.right


def _states(left: AgentState[Any], right: AgentState[Any]) -> Iterator[Difference]:
    if left.lifecycle is not right.lifecycle:
        yield Difference("lifecycle", left.lifecycle.name, right.lifecycle.name)
    kinds = dict.fromkeys((*left.records, *right.records))
    for kind in sorted(kinds, key=name_of):
        yield from _values(name_of(kind), left.records.get(kind), right.records.get(kind))


def _values(path: str, left: object, right: object) -> Iterator[Difference]:
    if left is right or left == right:
        return
    kind = type(left)
    if kind is type(right) and attrs.has(kind):
        for field in attrs.fields(kind):
            yield from _values(f"{path}.{field.name}", getattr(left, field.name), getattr(right, field.name))
    elif isinstance(left, tuple | Trail) and isinstance(right, tuple | Trail):
        for place in range(max(len(left), len(right))):
            yield from _values(f"{path}[{place}]", _item(left, place), _item(right, place))
    elif isinstance(left, Mapping) and isinstance(right, Mapping):
        for key in dict.fromkeys((*left, *right)):
            yield from _values(f"{path}[{key!r}]", left.get(key), right.get(key))
    else:
        yield Difference(path, left, right)


def _item(items: tuple[object, ...] | Trail[object], place: int) -> object:
    return items[place] if place < len(items) else None
