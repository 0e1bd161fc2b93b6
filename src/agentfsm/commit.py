"""
Commit: the one pure function by which state changes, shared by run, resume, replay and fork.

In order: patch within the WriteSet, values valid, merge, `ensure`, `next`, target among the declared exits, retire what
the edge ends, invariants. No I/O, no clock; what raises here leaves everything as it was.
"""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any, TypeAlias

import attrs

from agentfsm.canonical import writer
from agentfsm.errors import (
    EnsureError,
    InvariantError,
    MissingWriteError,
    PatchError,
    ScopeError,
    TrailError,
    UndeclaredExitError,
    UndeclaredWriteError,
    ValueTypeError,
)
from agentfsm.limits import Spent
from agentfsm.records import Record, name_of
from agentfsm.rows import Exit, Row
from agentfsm.state import EVERYTHING, AgentState, Iteration, StatePatch, state_of
from agentfsm.trail import Trail
from agentfsm.view import View, view_of, view_of_all

__all__ = ("Committed", "commit", "enter", "joined")

Committed: TypeAlias = tuple[AgentState[Any], Exit]
Records: TypeAlias = dict[type[Record], Record]


def commit(row: Row, state: AgentState[Any], patch: StatePatch[Any]) -> Committed:
    """
    Merge *patch*, hold it to every rule, and say where to go: the state after, and the exit taken.

    Raises the `RunError` of the first rule that is broken.
    """
    records = merge(row, state, patch)
    leave = row.exits[0]
    if row.ensure is not None or row.next is not None:
        seen: View[Any] = view_of(records, row.sees, row.scratch)
        if row.ensure is not None and (text := row.ensure(seen)) is not None:
            raise EnsureError(text, path=f"{row.name}.ensure")
        if row.next is not None:
            target = row.next(seen)
            for leave in row.exits:
                if leave.target is target:
                    break
            else:
                raise _undeclared_exit(row, target)
    if leave.homeless:
        _refuse_homeless(leave, patch)
    after = enter(leave, state, records)
    if leave.holds:
        old = view_of_all(state._records, EVERYTHING, row.scratch)
        new = view_of_all(records, EVERYTHING, row.scratch)
        for holds, name in leave.holds:
            if not holds(old, new):
                raise InvariantError(f"invariant broken: {name}", path=name)
    return after, leave


def merge(row: Row, state: AgentState[Any], patch: StatePatch[Any]) -> Records:
    """Return the records of *state* with those of *patch* in their places, once they are allowed and valid."""
    if patch.__class__ is not StatePatch:
        raise PatchError(f"run returned {type(patch).__name__}; return StatePatch(...)", path=f"{row.name}.run")
    given = patch._records
    checks = row.checks
    for kind, value in given.items():
        check = checks.get(kind)
        if check is None:
            raise _undeclared(row, kind, value)
        if (fault := check(value)) is not None:
            raise ValueTypeError(f"{kind.__name__}: {fault}", path=f"{name_of(kind)}.{fault.partition(':')[0]}")
    if len(given) != row.least and not row.surely <= given.keys():
        absent = sorted(kind.__name__ for kind in row.surely - given.keys())
        raise MissingWriteError(f"the patch lacks {', '.join(absent)}", path=", ".join(absent))
    if row.fresh:
        given = {kind: _grown(row, kind, record, state) for kind, record in given.items()}
    records = {**state._records, **given}
    if Spent in records:
        records[Spent] = spent_more(records[Spent], stages=1)
    return records


def enter(leave: Exit, state: AgentState[Any], records: Records) -> AgentState[Any]:
    """Return the state after an exit: what the edge ends is retired, and the iteration counted. Takes over *records*."""
    for kind in leave.retires:
        if kind in records:
            del records[kind]
    if leave.counts:
        records[Iteration] = nth(state.iteration + 1)
    return state_of(leave.target, records, state._marks)


@lru_cache(4096)
def nth(number: int) -> Iteration:
    """Return the record of one iteration; most runs have few, and runs share them."""
    return Iteration(number)


def _undeclared_exit(row: Row, target: object) -> UndeclaredExitError:
    declared = ", ".join(leave.target.name for leave in row.exits)
    named = getattr(target, "name", repr(target))
    return UndeclaredExitError(f"next chose {named}; declared are {declared}", path=f"next.{named}")


def spent_more(record: Record, *, stages: int = 0, tool_calls: int = 0, tokens: int = 0) -> Spent:
    """Return the count with more spent."""
    if not isinstance(record, Spent):
        raise PatchError(f"{record!r} keeps no count")
    return Spent(record.since, record.stages + stages, record.tool_calls + tool_calls, record.tokens + tokens)


def _refuse_homeless(leave: Exit, patch: StatePatch[Any]) -> None:
    for kind in patch._records:
        if kind in leave.homeless:
            raise ScopeError(f"{kind.__name__} does not live in {leave.target.name}", path=name_of(kind))


def _undeclared(row: Row, kind: type, value: object) -> UndeclaredWriteError | PatchError:
    if not issubclass(kind, Record):
        return PatchError(f"a patch holds records, not {value!r:.60}", path=kind.__name__)
    if row.writes.covers(kind):  # a layer says who may, not what there is
        reason = f"{row.name} may write {kind.__name__}, but the machine does not know it; name it in records="
        return UndeclaredWriteError(reason, path=name_of(kind))
    declared = sorted(row.writes.names)
    near = difflib.get_close_matches(kind.__name__, declared, 1, 0.5) or declared
    hint = f"; the nearest declared is {near[0]}" if near else "; this stage declares no writes"
    return UndeclaredWriteError(f"{row.name} does not declare {kind.__name__}{hint}", path=name_of(kind))


def _grown(row: Row, kind: type[Record], record: Record, state: AgentState[Any]) -> Record:
    """Return *record* with its trails joined to the committed ones, and what they gained checked."""
    items = row.fresh.get(kind)
    if items is None:
        return record
    earlier = state._records.get(kind)
    joins: dict[str, object] = {}
    for name, check in items.items():
        before: Trail[object] = getattr(earlier, name) if earlier is not None else Trail()
        trail: Trail[object] = getattr(record, name)
        try:
            whole = joined(kind, name, trail, before)
        except TrailError as error:
            raise TrailError(error.reason, path=f"{name_of(kind)}.{name}") from None
        for place, item in enumerate(whole.since(len(before)), start=len(before)):
            if (fault := check(item)) is not None:
                path = f"{name_of(kind)}.{name}[{place}]"
                raise ValueTypeError(f"{path}: {fault}", path=path)
        if whole is not trail:
            joins[name] = whole
    return attrs.evolve(record, **joins) if joins else record  # type: ignore[misc]  # every record is an attrs class


def joined(kind: type[Record], name: str, trail: Trail[object], before: Trail[object]) -> Trail[object]:
    """Return *trail* as it stands after *before*; raises `TrailError` when it does not extend it."""
    if trail.start:
        (item,) = getattr(kind.field_types[name], "__args__", (object,))
        write = writer(item)
        return trail.onto(before, lambda value: write(value).encode())
    if not trail.extends(before):
        raise TrailError(f"a trail of {len(trail)} does not extend the committed one of {len(before)}; use add()")
    return trail
