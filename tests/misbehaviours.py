"""A table of the ways in which a stage can misbehave, each with the error that it gets."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import frozen

from agentfsm import Context, Iteration, StatePatch, Trail, View
from tests.sample import (
    Bug,
    Diff,
    Fix,
    Note,
    Owner,
    Phase,
    Secret,
    Talk,
    Work,
)

REFUSED = "what was refused"


def work(does: Callable[[View[Any], Context], Any]) -> Work:
    """Work that does this and returns what comes of it."""

    async def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        patch: StatePatch[Any] = does(view, ctx)
        return patch

    return run


def untyped(value: object) -> Any:
    """What silences the types, as a careless stage might."""
    return value


def helper(view: View[Any]) -> object:
    return Secret.of(view)


def mutated(change: Callable[[View[Any]], object]) -> Work:
    """Work that changes something first and then goes on as if nothing were."""

    def run(view: View[Any], ctx: Context) -> StatePatch[Any]:
        change(view)
        return StatePatch(Diff(REFUSED))

    return work(run)


def setting(name: str, value: object) -> Callable[[View[Any]], object]:
    return lambda view: setattr(view[Bug], name, value)


async def raises(view: View[Any], ctx: Context) -> StatePatch[Any]:
    try:
        raise KeyError("the first")
    except KeyError as error:
        raise OSError(f"no editor for {REFUSED[:0]}it") from error


async def hangs(view: View[Any], ctx: Context) -> StatePatch[Any]:
    await asyncio.Event().wait()
    return StatePatch(Diff(REFUSED))


async def hangs_on(view: View[Any], ctx: Context) -> StatePatch[Any]:
    """What a stage that swallows its own cancellation hands back comes too late."""
    with suppress(asyncio.CancelledError):
        await asyncio.Event().wait()
    return StatePatch(Diff(REFUSED))


async def shrinks(view: View[Any], ctx: Context) -> StatePatch[Any]:
    return StatePatch(Diff(REFUSED), Talk(Trail[str]().add(REFUSED)))


@frozen
class Misbehaviour:
    """A way to go wrong: the stage, the error that it gets, where that is and what it says."""

    name: str
    stage: Fix
    kind: str
    path: str
    says: str


def refused_writes(*records: object) -> Fix:
    return Fix(work(lambda view, ctx: StatePatch(*records)))


WAYS = [
    Misbehaviour("read by index", Fix(work(lambda v, c: v[Secret])), "UndeclaredReadError", "secret", "Secret"),
    Misbehaviour("read by get", Fix(work(lambda v, c: v.get(Secret))), "UndeclaredReadError", "secret", "Secret"),
    Misbehaviour(
        "read by attribute", Fix(work(lambda v, c: untyped(v).secret)), "UndeclaredReadError", "secret", "'secret'"
    ),
    Misbehaviour(
        "read by getattr",
        Fix(work(lambda v, c: getattr(v, "secret", None))),
        "UndeclaredReadError",
        "secret",
        "'secret'",
    ),
    Misbehaviour("read by helper", Fix(work(lambda v, c: helper(v))), "UndeclaredReadError", "secret", "Secret"),
    Misbehaviour(
        "read by name", Fix(work(lambda v, c: untyped(v)["secret"])), "UndeclaredReadError", "'secret'", "by record"
    ),
    Misbehaviour(
        "read in ensure",
        Fix(ensure=lambda v: str(v[Secret])),
        "UndeclaredReadError",
        "secret",
        "Secret is not declared",
    ),
    Misbehaviour(
        "read in next", Fix(leave=lambda v: v[Secret]), "UndeclaredReadError", "secret", "Secret is not declared"
    ),
    Misbehaviour(
        "read in check", Fix(check=lambda v: str(v[Diff])), "UndeclaredReadError", "diff", "Diff is not declared"
    ),
    Misbehaviour(
        "undeclared write", refused_writes(Diff(REFUSED), Secret(REFUSED)), "UndeclaredWriteError", "secret", "nearest"
    ),
    Misbehaviour(
        "writes the orchestrator's",
        refused_writes(Diff(REFUSED), Iteration(9)),
        "UndeclaredWriteError",
        "iteration",
        "",
    ),
    Misbehaviour("writes metadata", refused_writes(Diff(REFUSED), Owner("x")), "UndeclaredWriteError", "owner", ""),
    Misbehaviour("missing write", refused_writes(), "MissingWriteError", "Diff", "lacks Diff"),
    Misbehaviour(
        "wrong type",
        refused_writes(untyped(Diff)(REFUSED, [REFUSED])),
        "ValueTypeError",
        "diff.files",
        "expected tuple",
    ),
    Misbehaviour(
        "wrong type deep",
        refused_writes(untyped(Diff)(REFUSED, (REFUSED, 3))),
        "ValueTypeError",
        "diff.files[1]",
        "found int",
    ),
    Misbehaviour("no record", refused_writes(Diff(REFUSED), REFUSED), "PatchError", "str", "holds records"),
    Misbehaviour("no patch", Fix(work(lambda v, c: Diff(REFUSED))), "PatchError", "Fix.run", "run returned Diff"),
    Misbehaviour("nothing", Fix(work(lambda v, c: None)), "PatchError", "Fix.run", "run returned NoneType"),
    Misbehaviour(
        "one record twice",
        Fix(work(lambda v, c: StatePatch(Diff(REFUSED), Diff()))),
        "PatchError",
        "Fix.run",
        "same record twice",
    ),
    Misbehaviour("assigns to the view", Fix(mutated(lambda v: setattr(v, "bug", 1))), "FrozenViewError", "bug", ""),
    Misbehaviour("deletes from the view", Fix(mutated(lambda v: delattr(v, "bug"))), "FrozenViewError", "bug", ""),
    Misbehaviour(
        "sets an item",
        Fix(mutated(lambda v: operator.setitem(untyped(v), Bug, Bug(REFUSED)))),
        "FrozenViewError",
        "bug",
        "",
    ),
    Misbehaviour("mutates a record", Fix(mutated(setting("report", REFUSED))), "MutatedError", "Fix.run", "in place"),
    Misbehaviour(
        "mutates a mapping in a record",
        Fix(mutated(lambda v: untyped(v[Bug].lines).update(a=2))),
        "MutatedError",
        "Fix.run",
        "does not change",
    ),
    Misbehaviour("raises", Fix(raises), "StageError", "Fix.run", "OSError: no editor"),
    Misbehaviour("raises in next", Fix(leave=lambda v: 1 / 0), "StageError", "Fix.run", "ZeroDivisionError"),
    Misbehaviour("raises in ensure", Fix(ensure=lambda v: 1 / 0), "StageError", "Fix.run", "ZeroDivisionError"),
    Misbehaviour("hangs", Fix(hangs, timeout=0.001), "StageTimeoutError", "Fix.timeout", "longer than 0.001 s"),
    Misbehaviour("hangs on", Fix(hangs_on, timeout=0.001), "StageTimeoutError", "Fix.timeout", "longer than 0.001 s"),
    Misbehaviour("exit", Fix(leave=lambda v: Phase.FIX), "UndeclaredExitError", "next.FIX", "chose FIX; declared are"),
    Misbehaviour("no exit", Fix(leave=lambda v: None), "UndeclaredExitError", "next.None", "chose None"),
    Misbehaviour("check", Fix(check=lambda v: "not now"), "CheckError", "Fix.check", "not now"),
    Misbehaviour("ensure", Fix(ensure=lambda v: "too short"), "EnsureError", "Fix.ensure", "too short"),
    Misbehaviour(
        "scope",
        Fix(work(lambda v, c: StatePatch(Diff(), Note(REFUSED))), leave=lambda v: Phase.DONE),
        "ScopeError",
        "note",
        "does not live in DONE",
    ),
    Misbehaviour("trail", Fix(shrinks), "TrailError", "talk.said", "does not extend"),
    Misbehaviour(
        "invariant", Fix(work(lambda v, c: StatePatch(Diff(REFUSED)))), "InvariantError", "no diffs", "broken: no diffs"
    ),
]
