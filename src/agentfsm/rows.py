"""Rows: each stage compiled once, when an orchestrator is built, into what a commit needs to know about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from enum import Enum
from typing import Any, TypeAlias, cast

from attrs import frozen

from agentfsm.errors import StageTimeoutError
from agentfsm.events import Candidate, Edge
from agentfsm.invariants import AnyInvariant
from agentfsm.records import Record, RecordSet, is_record
from agentfsm.stage import AnyStage, Stage
from agentfsm.state import LastError
from agentfsm.values import checker, trail_items

__all__ = ("Exit", "Row", "Rules", "compile_rows")

Check: TypeAlias = Callable[[object], str | None]
Holds: TypeAlias = Callable[[Any, Any], bool]


@frozen
class Exit:
    """One declared exit of a stage: what ends on the way there, what has to hold, and whether an iteration begins."""

    target: Enum
    retires: tuple[type[Record], ...]
    homeless: frozenset[type[Record]]
    counts: bool
    holds: tuple[tuple[Holds, str], ...]
    edge: Edge


@frozen(eq=False)
class Row:
    """
    A stage, compiled.

    *fresh* checks the items that a trail gained; *least* is how many records every patch has, where that is known;
    *scratch* takes what hooks read, which nobody asks for; *plain* is a stage without trails and streams.
    """

    stage: AnyStage
    name: str
    enters: Enum
    reads: RecordSet
    writes: RecordSet
    sees: RecordSet
    surely: frozenset[type[Record]]
    least: int
    judges: bool
    reads_count: int
    scratch: set[object]
    checks: Mapping[type[Record], Check]
    fresh: Mapping[type[Record], Mapping[str, Check]]
    check: Callable[[Any], str | None] | None
    ensure: Callable[[Any], str | None] | None
    next: Callable[[Any], Enum] | None
    exits: tuple[Exit, ...]
    run: Callable[[Any, Any], Awaitable[Any]]
    plain: bool


@frozen
class Rules:
    """What a machine says about all its stages."""

    iterates: Enum | None
    failed: Enum
    kinds: tuple[type[Record], ...]
    invariants: tuple[AnyInvariant, ...]


def lives(kind: type[Record], target: Enum, iterates: Enum | None) -> bool:
    """Tell whether a record of this class is still there on entering *target*."""
    if kind.scope == "iteration":
        return target is not iterates
    return isinstance(kind.scope, str) or target in kind.scope


def compile_rows(stages: Iterable[tuple[Enum, AnyStage]], rules: Rules) -> tuple[Row, ...]:
    """Return a row for each (entered state, stage)."""
    return tuple(_row(enters, stage, rules) for enters, stage in stages)


def _row(enters: Enum, stage: AnyStage, rules: Rules) -> Row:
    known = [*stage.writes.all, *(k for k in rules.kinds if stage.writes.covers(k))]
    written = frozenset(kind for kind in known if is_record(kind))
    surely = frozenset(kind for kind in stage.writes.surely if is_record(kind))
    return Row(
        stage=stage,
        name=stage.name,
        enters=enters,
        reads=stage.reads,
        writes=stage.writes,
        sees=stage.sees,
        surely=surely,
        least=len(surely) if len(surely) == len(written) else -1,
        scratch=set(),
        judges=_overridden(stage, "ensure") is not None or _overridden(stage, "next") is not None,
        reads_count=len(stage.reads.all),
        checks={kind: checker(cast("type", kind)) for kind in written},
        fresh={kind: items for kind in written if (items := trail_items(cast("type", kind)))},
        check=_overridden(stage, "check"),
        ensure=_overridden(stage, "ensure"),
        next=_overridden(stage, "next"),
        exits=tuple(_exit(enters, stage, target, rules) for target in stage.exits),
        run=stage.run if stage.timeout is None else timed(stage, stage.timeout),
        plain=stage.streams is None and not any(trail_items(cast("type", kind)) for kind in written),
    )


def timed(stage: AnyStage, seconds: float) -> Callable[[Any, Any], Awaitable[Any]]:
    """Return a stage's `run` that raises `StageTimeoutError` after *seconds*, even where the stage swallows that."""

    async def run(view: Any, context: Any) -> Any:
        import asyncio

        patch = None
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                patch = await stage.run(view, context)
        except TimeoutError:
            if not limit.expired():
                raise
        if limit.expired():
            raise StageTimeoutError(f"{stage.name} took longer than {seconds} s", path=f"{stage.name}.timeout")
        return patch

    return run


def _overridden(stage: AnyStage, name: str) -> Any:
    """Return a hook that the stage really has: one left as it is costs nothing."""
    return None if getattr(type(stage), name) is getattr(Stage, name) else getattr(stage, name)


def _exit(source: Enum, stage: AnyStage, target: Enum, rules: Rules) -> Exit:
    gone = tuple(kind for kind in rules.kinds if not lives(kind, target, rules.iterates))
    # A recovery that gives up leaves the failure in the state: it is what the run ended with.
    gives_up = stage.enters is None and target is rules.failed
    considered = tuple(Candidate(e, "taken" if e is target else "not_chosen") for e in stage.exits)
    return Exit(
        target=target,
        retires=gone if gives_up else (LastError, *gone),
        homeless=frozenset(kind for kind in gone if kind.scope != "iteration"),
        counts=target is rules.iterates,
        holds=tuple((i.holds, i.name) for i in rules.invariants if i.applies(source, target)),
        edge=Edge("step", stage.name, source, target, considered),
    )
