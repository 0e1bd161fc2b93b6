"""The table: a machine compiled for running and for folding, with the identity that its logs carry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import blake2b

from attrs import frozen

from agentfsm.events import Edge, Header, StageLine
from agentfsm.invariants import AnyInvariant
from agentfsm.limits import Limits, Rounds, Spent
from agentfsm.records import Record, is_record, name_of
from agentfsm.rows import Exit, Row, Rules, compile_rows, lives
from agentfsm.stage import AnyStage
from agentfsm.state import Halted, Iteration, LastError, Partial

__all__ = ("OWNED", "Table", "compile_table")

# Records that the orchestrator itself writes; they may be in any state.
OWNED: tuple[type[Record], ...] = (Iteration, LastError, Halted, Partial, Limits, Spent, Rounds)


@frozen(eq=False)
class Table:
    """A compiled machine: its rows, by the identity of the state they enter and by name, and its own identity."""

    machine: str
    version: str
    hash: str
    start: Enum
    final: frozenset[Enum]
    failed: Enum
    iterates: Enum | None
    rows: Mapping[int, Row]
    named: Mapping[str, Row]
    rescues: Mapping[int, Row]
    door: Exit | None
    kinds: Mapping[str, type[Record]]
    lines: tuple[StageLine, ...]
    began: Edge

    def header(self, session: str, parent: str = "") -> Header:
        """Return what entry 0 of a run says."""
        return Header(self.machine, self.version, self.hash, self.lines, session, parent)

    def row_of(self, stage: str, source: Enum) -> Row | None:
        """Return the row of a stage that ran in *source*; a recovery has one for each state."""
        rescue = self.rescues.get(id(source))
        return rescue if rescue is not None and rescue.name == stage else self.named.get(stage)

    def is_end(self, state: Enum) -> bool:
        """Tell whether a run is over in this lifecycle state."""
        return state is self.failed or state in self.final


def compile_table(
    named: tuple[str, str],
    stages: Iterable[AnyStage],
    recovery: AnyStage | None,
    ends: tuple[Enum, frozenset[Enum], Enum, Enum | None],
    extra: tuple[Iterable[AnyInvariant], Iterable[type[Record]]],
) -> Table:
    """
    Compile a machine whose definition was found sound.

    *named* is (machine, version), *ends* (start, final states, failed, iterates); *extra* the invariants and the record
    classes beyond the headers'.
    """
    start, final, failed, iterates = ends
    wired = [(stage.enters, stage) for stage in stages if stage.enters is not None]
    every = [stage for _, stage in wired] + ([recovery] if recovery else [])
    kinds = dict.fromkeys(k for stage in every for k in stage.sees.all if is_record(k))
    kinds |= dict.fromkeys((*OWNED, *extra[1]))
    rules = Rules(iterates, failed, tuple(kinds), tuple(extra[0]))
    rows = compile_rows(wired, rules)
    # A recovery may run in any state that a stage enters; its edges start there.
    rescues = compile_rows([(state, recovery) for state, _ in wired], rules) if recovery else ()
    lines = tuple(_line(stage) for stage in every)
    return Table(
        machine=named[0],
        version=named[1],
        hash=_hash(start, final, failed, iterates, lines),
        start=start,
        final=final,
        failed=failed,
        iterates=iterates,
        rows={id(row.enters): row for row in rows},  # an Enum hashes in Python, an int does not
        named={row.name: row for row in rows},
        rescues={id(row.enters): row for row in rescues},
        door=_door(iterates, rules),
        kinds={name_of(kind): kind for kind in kinds},
        lines=lines,
        began=Edge("began", "", start, start),
    )


def _door(iterates: Enum | None, rules: Rules) -> Exit | None:
    """What entering the `iterates` state ends, for a run that stood before it because of a limit."""
    if iterates is None:
        return None
    gone = tuple(kind for kind in rules.kinds if not lives(kind, iterates, iterates))
    return Exit(
        iterates, (LastError, Partial, Halted, *gone), frozenset(), True, (), Edge("resumed", "", iterates, iterates)
    )


def _line(stage: AnyStage) -> StageLine:
    return StageLine(
        name=stage.name,
        enters=stage.enters.name if stage.enters is not None else "",
        reads=tuple(f.name + ("" if f.surely else "?") for f in stage.reads),
        writes=tuple(f.name + ("" if f.surely else "?") for f in stage.writes),
        exits=tuple(target.name for target in stage.exits),
    )


def _hash(
    start: Enum, final: frozenset[Enum], failed: Enum, iterates: Enum | None, lines: tuple[StageLine, ...]
) -> str:
    ends = (start.name, sorted(state.name for state in final), failed.name, iterates.name if iterates else None)
    stages = sorted((line.name, line.enters, line.reads, line.writes, line.exits) for line in lines)
    return blake2b(json.dumps([ends, stages]).encode(), digest_size=16).hexdigest()
