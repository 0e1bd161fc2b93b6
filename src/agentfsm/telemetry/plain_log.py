"""Plain logs: the lines of a run as entries, for telling alone; nothing of the machine that wrote them is needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from agentfsm.errors import CorruptLogError
from agentfsm.events import CallEvent, Candidate, Edge, Entry, Header, Signal, StageLine, StateTransitionEvent, event
from agentfsm.guard import Decision
from agentfsm.records import Record
from agentfsm.state import Halted, LastError
from agentfsm.telemetry.facts import Subject, halt_of

__all__ = ("PlainLog", "Said")

T = TypeVar("T")
Said: TypeAlias = Mapping[str, Any]  # JSON of any shape; each value is held to a type where it is taken
_REQUIRED: Any = object()
_TEXTS = ("machine", "version", "hash", "session", "parent")
# Halts that are no limit, as in `agentfsm.run`.
_WAITS = frozenset({"approval", "unknown_outcome", "paused", "child"})


class PlainLog:
    """
    A log whose lines are JSON already, held to the shape that telling needs.

    Its lifecycle states are made from the names in it. Raises `CorruptLogError` naming the entry that is another thing.
    """

    def __init__(self, lines: Sequence[Said]) -> None:
        if not lines:
            raise CorruptLogError("a log has at least the entry of its beginning", path="$")
        self._patches: dict[int, Mapping[str, str]] = {}
        self._header = _header(_Line(lines[0], 0))
        self.run = _Line(lines[0], 0).take("run", str)
        self._states = _states(lines)
        self.entries: tuple[Entry, ...] = tuple(self._entry(_Line(said, n)) for n, said in enumerate(lines))

    @property
    def stands(self) -> Enum:
        """The lifecycle state that the run is in at the end of its log."""
        last = self.entries[-1]
        return last.lifecycle if isinstance(last, CallEvent) else last.target

    def subject(self, *, is_workflow: bool) -> Subject:
        """Return the run that the log is of."""
        header = self._header
        return Subject(
            run=self.run,
            session=header.session,
            machine=header.machine,
            version=header.version,
            parent=header.parent,
            forked=f"{header.forked[0]}@{header.forked[1]}" if header.forked else "",
            is_workflow=is_workflow,
            declared={line.name: (line.reads, line.writes) for line in header.stages},
            texts=lambda event: self._patches[event.seq],
            invariants=lambda _: (),
        )

    def child_runs(self) -> Iterator[tuple[int, str]]:
        """Give, for each event that ends an attempt, its number and the name that a sub-machine's run there has."""
        visit = 0
        for entry in self.entries:
            if isinstance(entry, StateTransitionEvent):
                if entry.stage:
                    yield entry.seq, f"{self.run}/{entry.stage}@{visit}.{entry.attempt}"
                if entry.kind in ("began", "step"):
                    visit = entry.seq

    @cached_property
    def first_calls(self) -> Mapping[int, int]:
        """The number of the first call of each attempt, and when that attempt began."""
        found: dict[int, int] = {}
        first: CallEvent | None = None
        for entry in self.entries:
            if isinstance(entry, CallEvent):
                if entry.phase == "asked":  # a note is no call
                    continue
                first = first or entry
                found.setdefault(first.seq, first.started)
            else:
                if first is not None and entry.stage:
                    found[first.seq] = entry.started
                first = None
        return found

    def outcome(self, after: StateTransitionEvent) -> str | None:
        """Return how the run ended or why it stands still after an event, or None where it goes on."""
        if after.target is self._failed:
            return "failed"
        if after.kind == "step" and after.target.name not in self._entered:
            return "finished"
        halted = halt_of(after)
        if halted is None:
            return None
        return "suspended" if halted.reason in _WAITS else "cancelled" if halted.reason == "cancelled" else "exhausted"

    @cached_property
    def _entered(self) -> frozenset[str]:
        return frozenset(line.enters for line in self._header.stages)

    @cached_property
    def _failed(self) -> Enum | None:
        """The state that failures lead to: a log names it where it was led to, and else it is the one called so."""
        events = (e for e in self.entries if isinstance(e, StateTransitionEvent) and e.kind == "failed")
        found = next((e.target for e in events if e.exits and e.exits[0].code == "failed"), None)
        return found or self._states.get("FAILED")

    def _entry(self, line: _Line) -> Entry:
        return self._call(line) if line.take("kind", str) == "call" else self._event(line)

    def _event(self, line: _Line) -> StateTransitionEvent:
        kind = line.one_of("kind", ("began", "step", "failed", "halted", "resumed"))
        exits = tuple(Candidate(self._states[name], code) for name, code in line.take("exits", list))
        edge = Edge(kind, line.take("stage", str), self._state(line, "from"), self._state(line, "to"), exits)
        seq = line.take("seq", int)
        self._patches[seq] = {name: _text(value) for name, value in line.take("patch", dict).items()}
        return event(
            run=self.run,
            seq=seq,
            edge=edge,
            iteration=line.take("iteration", int),
            attempt=line.take("attempt", int),
            started=line.take("started", int),
            ended=line.take("ended", int),
            owned=tuple(_owned(line)),
            reads=frozenset(line.take("reads", list)) if "reads" in line.said else None,
            signals=tuple(Signal(*signal) for signal in line.take("signals", list, [])),
            recorded=line.digest(),
        )

    def _call(self, line: _Line) -> CallEvent:
        said = line.take("decision", list, None)
        error = line.take("error", list, None)
        return CallEvent(
            run=self.run,
            seq=line.take("seq", int),
            phase=line.one_of("phase", ("intent", "result", "error", "refused", "asked")),
            stage=line.take("stage", str),
            lifecycle=self._state(line, "lifecycle"),
            iteration=line.take("iteration", int),
            attempt=line.take("attempt", int),
            index=line.take("index", int),
            key=line.take("key", str),
            tool=line.take("tool", str),
            arguments=line.take("arguments", str),
            effect=line.take("effect", str),
            decision=Decision(said[0], said[1], guard=said[4]) if said else None,
            result=line.take("result", str, ""),
            error=(error[0], error[1]) if error else None,
            tokens=line.take("tokens", int, 0),
            started=line.take("started", int),
            ended=line.take("ended", int),
        )

    def _state(self, line: _Line, key: str) -> Enum:
        return self._states[line.take(key, str)]


class _Line:
    """One line, its values taken by key and type."""

    def __init__(self, said: Said, number: int) -> None:
        self.said = said
        self._number = number

    def take(self, key: str, kind: type[T], default: Any = _REQUIRED) -> Any:
        """Return a value; raises `CorruptLogError` where it is missing or of another type."""
        value = self.said.get(key, default)
        if value is default and default is not _REQUIRED:
            return value
        if not isinstance(value, kind):
            raise self.wrong(key)
        return value

    def one_of(self, key: str, known: tuple[str, ...]) -> Any:
        """Return a text that is one of those *known*."""
        if (value := self.take(key, str)) not in known:
            raise self.wrong(key)
        return value

    def digest(self) -> bytes:
        """Return the digest of the state."""
        try:
            return bytes.fromhex(self.take("digest", str))
        except ValueError:
            raise self.wrong("digest") from None

    def wrong(self, key: str) -> CorruptLogError:
        """Return the error of a value that is missing or of another kind."""
        at = f"$[{self._number}].{key}"
        return CorruptLogError(f"entry {self._number} has no such {key} as a log has", path=at)


def _states(lines: Sequence[Said]) -> Mapping[str, Enum]:
    """Return a state for each name that the log has for one."""
    names: dict[str, None] = {}
    for number, said in enumerate(lines):
        line = _Line(said, number)
        keys = ("lifecycle",) if said.get("kind") == "call" else ("from", "to")
        names |= dict.fromkeys(line.take(key, str) for key in keys)
        for pair in line.take("exits", list, []):
            if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
                raise line.wrong("exits")
            names[pair[0]] = None
    made: Any = Enum("Lifecycle", list(_unnamed(names)))  # type: ignore[misc]  # its members are the log's
    return {name: _named(made(name)) for name in names}


def _unnamed(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for place, name in enumerate(names):
        yield f"state_{place}", name


def _named(state: Enum) -> Enum:
    """Return a state that is called what it stands for; names of a log need not be names that Python accepts."""
    state._name_ = state.value
    return state


def _header(line: _Line) -> Header:
    said = line.take("header", dict)
    inner = _Line(said, 0)
    stages = []
    for stage in inner.take("stages", list):
        match stage:
            case [str(name), str(enters), [*reads], [*writes], [*exits]]:
                stages.append(StageLine(name, enters, tuple(reads), tuple(writes), tuple(exits)))
            case _:
                raise line.wrong("header.stages")
    forked = inner.take("forked", list, None) if said.get("forked") else None
    machine, version, code, session, parent = (inner.take(key, str) for key in _TEXTS)
    came = (forked[0], forked[1]) if forked else None
    return Header(machine, version, code, tuple(stages), session, parent, came)


def _owned(line: _Line) -> Iterator[Record]:
    """Give the failure and the halt of an event, where it has them."""
    owned = line.take("owned", dict, {})
    for name, kind in (("last_error", LastError), ("halted", Halted)):
        if isinstance(said := owned.get(name), dict):
            given: dict[str, Any] = {
                key: tuple(value) if isinstance(value, list) else value for key, value in said.items()
            }
            if strange := given.keys() - kind.field_types.keys():
                raise line.wrong(f"owned.{name}.{min(strange)}")
            yield kind(**given)


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
