"""
Commit: the one pure function by which state changes, shared by run, resume, replay and fork.

In order: patch within the WriteSet, values valid, merge, `ensure`, `next`, target among the declared exits, retire what
the edge ends, invariants. No I/O, no clock; what raises here leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NoReturn, TypeAlias

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
from agentfsm.limits import Limits, Spent
from agentfsm.records import Record, name_of
from agentfsm.rows import Exit, Row
from agentfsm.state import EVERYTHING, AgentState, Halted, Iteration, LastError, StatePatch, state_of
from agentfsm.trail import Trail
from agentfsm.view import View, view_of, views_of_all

__all__ = ("Committed", "commit", "enter", "joined")

Committed: TypeAlias = tuple[AgentState[Any], Exit]
Records: TypeAlias = dict[type[Record], Record]


def commit(row: Row, state: AgentState[Any], patch: StatePatch[Any]) -> Committed:
    """
    Merge *patch*, hold it to every rule, and say where to go: the state after, and the exit taken.

    Raises the `RunError` of the first rule that is broken.
    """
    given = patch._records if patch.__class__ is StatePatch else _no_patch(row, patch)
    for kind, value in given.items():
        check = row.checks.get(kind)
        if check is None:
            raise _undeclared(row, kind, value)
        if (fault := check(value)) is not None:
            raise _invalid(kind, fault)
    if len(given) != row.least and not row.surely <= given.keys():
        raise _missing(row, given)
    if row.fresh:
        given = {kind: _grown(row, kind, record, state) for kind, record in given.items()}
    old = state._records
    new = {**old, **given}
    if Spent in old:
        new[Spent] = spent_more(old[Spent], stages=1)
    leave = row.exits[0]
    if row.judges:
        leave = _judged(row, view_of(new, row.sees, row.scratch))
    if leave.homeless:
        _refuse_homeless(leave, given)
    after = enter(leave, state, new if not leave.counts else {**new})
    if leave.holds:
        was, now = views_of_all(old, after._records, EVERYTHING, row.scratch)
        for holds, name in leave.holds:
            if not holds(was, now):
                raise InvariantError(f"invariant broken: {name}", path=name)
    if leave.counts and Limits in old and not _admits(old[Limits], state):
        return _at_door(leave, state, new), leave
    return after, leave


def enter(leave: Exit, state: AgentState[Any], records: Records) -> AgentState[Any]:
    """Return the state after an exit: what the edge ends is retired, the iteration counted. Takes over *records*."""
    for kind in leave.retires:
        if kind in records:
            del records[kind]
    if leave.counts:
        records[Iteration] = nth(state.iteration + 1)
    return state_of(leave.target, records, state._marks)


def _judged(row: Row, seen: View[Any]) -> Exit:
    """Return the exit that the stage's own hooks lead to."""
    if row.ensure is not None and (text := row.ensure(seen)) is not None:
        raise EnsureError(text, path=f"{row.name}.ensure")
    if row.next is None:
        return row.exits[0]
    target = row.next(seen)
    for leave in row.exits:
        if leave.target is target:
            return leave
    declared = ", ".join(leave.target.name for leave in row.exits)
    named = getattr(target, "name", repr(target))
    raise UndeclaredExitError(f"next chose {named}; declared are {declared}", path=f"next.{named}")


def _admits(limits: Record, state: AgentState[Any]) -> bool:
    """Tell whether another iteration may begin."""
    return not isinstance(limits, Limits) or limits.iterations is None or state.iteration < limits.iterations


def _at_door(leave: Exit, state: AgentState[Any], records: Records) -> AgentState[Any]:
    """Return the state that stands before the `iterates` state: merged, but not entered."""
    records.pop(LastError, None)
    records[Halted] = Halted("iterations", at_door=True)
    return state_of(leave.target, records, state._marks)


@lru_cache(4096)
def nth(number: int) -> Iteration:
    """Return the record of one iteration; most runs have few, and runs share them."""
    return Iteration(number)


def spent_more(record: Record, *, stages: int = 0, tool_calls: int = 0, tokens: int = 0) -> Spent:
    """Return the count with more spent."""
    if not isinstance(record, Spent):
        raise PatchError(f"{record!r} keeps no count")
    return Spent(record.since, record.stages + stages, record.tool_calls + tool_calls, record.tokens + tokens)


def _no_patch(row: Row, patch: object) -> NoReturn:
    raise PatchError(f"run returned {type(patch).__name__}; return StatePatch(...)", path=f"{row.name}.run")


def _invalid(kind: type[Record], fault: str) -> ValueTypeError:
    return ValueTypeError(f"{kind.__name__}: {fault}", path=f"{name_of(kind)}.{fault.partition(':')[0]}")


def _missing(row: Row, given: Mapping[type[Record], Record]) -> MissingWriteError:
    absent = sorted(kind.__name__ for kind in row.surely - given.keys())
    return MissingWriteError(f"the patch lacks {', '.join(absent)}", path=", ".join(absent))


def _refuse_homeless(leave: Exit, given: Mapping[type[Record], Record]) -> None:
    for kind in given:
        if kind in leave.homeless:
            raise ScopeError(f"{kind.__name__} does not live in {leave.target.name}", path=name_of(kind))


def _undeclared(row: Row, kind: type, value: object) -> UndeclaredWriteError | PatchError:
    if not issubclass(kind, Record):
        return PatchError(f"a patch holds records, not {value!r:.60}", path=kind.__name__)
    if row.writes.covers(kind):  # a layer says who may, not what there is
        reason = f"{row.name} may write {kind.__name__}, but the machine does not know it; name it in records="
        return UndeclaredWriteError(reason, path=name_of(kind))
    declared = sorted(row.writes.names)
    import difflib  # only where something is wrong

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
