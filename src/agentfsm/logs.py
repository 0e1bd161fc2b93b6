"""Logs read back: lines of JSON into entries, each held to the chain; nothing in them is imported or called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Literal, TypeVar, cast

from agentfsm.codec import Codec, loads
from agentfsm.entries import chained
from agentfsm.errors import CorruptLogError, DecodeError, IdentityError
from agentfsm.events import (
    FORMAT,
    CallEvent,
    Candidate,
    Edge,
    Entry,
    EventKind,
    Header,
    Phase,
    Signal,
    StageLine,
    StateTransitionEvent,
    event,
)
from agentfsm.guard import Action, Decision, Move
from agentfsm.records import Record
from agentfsm.table import Table

__all__ = ("LogReader", "entries_of")

T = TypeVar("T")
Names = tuple[str, ...]
_CHAIN = re.compile(r',"chain":"([0-9a-f]{32})"\}\Z')
_REQUIRED: Any = object()


class LogReader:
    """
    Reads the lines of one log in order, for one machine: its states, its records, and nothing else.

    Raises `CorruptLogError` naming the entry where a line is torn, changed, missing or out of place, and
    `IdentityError` where the log is of a format that cannot be read.
    """

    def __init__(self, table: Table, codec: Codec, *, run: str = "", seq: int = 0, chain: bytes = b"") -> None:
        self._codec = codec
        self._states: Mapping[str, Enum] = {state.name: state for state in type(table.start)}
        self._run = run
        self._seq = seq
        self.chain = chain

    def read(self, lines: Iterable[str]) -> tuple[Entry, ...]:
        """Return the entries that *lines* say."""
        return tuple(self._line(line) for line in lines)

    def _line(self, line: str) -> Entry:
        at = f"$[{self._seq}]"
        text = line.rstrip("\n")
        found = _CHAIN.search(text)
        if found is None:
            raise CorruptLogError(f"entry {self._seq} is torn: it has no chain at its end", path=at)
        whole, chain = chained(self.chain, f"{text[: found.start()]}}}")
        if whole != text:
            raise CorruptLogError(f"entry {self._seq} or one before it was changed, dropped or moved", path=at)
        try:
            entry = self._entry(_Line(loads(whole), self._codec, self._states))
        except DecodeError as error:
            raise CorruptLogError(error.reason, path=f"{at}{error.path.removeprefix('$')}") from error
        if entry.seq != self._seq:
            raise CorruptLogError(f"entry {self._seq} says it is number {entry.seq}", path=f"{at}.seq")
        self.chain = chain
        self._seq += 1
        return entry

    def _entry(self, line: _Line) -> Entry:
        if self._seq == 0:
            self._run = line.take("run", str)
        kind = _kind(line)
        return _call(line, self._run) if kind == "call" else _event(line, self._run, kind)


def entries_of(table: Table, codec: Codec, run: str, raw: object) -> tuple[Entry, ...]:
    """Return the entries of *run* that parsed JSON says, but for the first; raises `DecodeError`."""
    if not isinstance(raw, list):
        raise DecodeError("entries are an array", path="$.since")
    states: Mapping[str, Enum] = {state.name: state for state in type(table.start)}
    lines = [_Line(each, codec, states) for each in raw]
    return tuple(_call(line, run) if (kind := _kind(line)) == "call" else _event(line, run, kind) for line in lines)


def _kind(line: _Line) -> Literal["call"] | EventKind:
    found = line.take("kind", Literal["began", "step", "failed", "halted", "resumed", "call"])
    return cast("Literal['call'] | EventKind", found)


class _Line:
    """One parsed line, its values taken by key and type."""

    def __init__(self, raw: object, codec: Codec, states: Mapping[str, Enum]) -> None:
        if not isinstance(raw, dict):
            raise DecodeError(f"an entry is an object, not {raw!r:.60}")
        self._raw: dict[str, object] = raw
        self._codec = codec
        self._states = states

    def take(self, key: str, hint: type[T] | object, default: Any = _REQUIRED) -> Any:
        """Return a value; raises `DecodeError` where it is missing or of another type."""
        if key not in self._raw:
            if default is _REQUIRED:
                raise DecodeError(f"the key {key!r} is missing", path=f"$.{key}")
            return default
        try:
            return self._codec.decode(hint, self._raw[key])
        except DecodeError as error:
            raise DecodeError(error.reason, path=f"$.{key}{error.path.removeprefix('$')}") from error

    def state(self, name: str, key: str) -> Enum:
        """Return a lifecycle state by its name; raises `DecodeError` for one that this machine lacks."""
        if name not in self._states:
            raise DecodeError(f"this machine has no state {name}; it has {', '.join(self._states)}", path=f"$.{key}")
        return self._states[name]

    def at(self, key: str) -> Enum:
        """Return the lifecycle state under a key."""
        return self.state(self.take(key, str), key)

    def records(self, key: str) -> dict[type[Record], Record]:
        """Return the records under a key; trails as tails of what came before."""
        raw = self._raw.get(key, {})
        if not isinstance(raw, dict):
            raise DecodeError("records are an object by name", path=f"$.{key}")
        found = {}
        for name, value in raw.items():
            try:
                record = self._codec.decode_record(name, value, None)
            except DecodeError as error:
                raise DecodeError(error.reason, path=f"$.{key}.{name}{error.path.removeprefix('$')}") from error
            found[type(record)] = record
        return found


def _event(line: _Line, run: str, kind: EventKind) -> StateTransitionEvent:
    exits = line.take("exits", tuple[tuple[str, str], ...])
    candidates = tuple(Candidate(line.state(name, "exits"), code) for name, code in exits)
    reads = line.take("reads", tuple[str, ...], None)
    signals = line.take("signals", tuple[tuple[Literal["approve", "reject"], str, str, str], ...], ())
    return event(
        run=run,
        seq=line.take("seq", int),
        edge=Edge(kind, line.take("stage", str), line.at("from"), line.at("to"), candidates),
        iteration=line.take("iteration", int),
        attempt=line.take("attempt", int),
        written=line.records("patch"),
        owned=tuple(line.records("owned").values()),
        reads=None if reads is None else frozenset(reads),
        started=line.take("started", int),
        ended=line.take("ended", int),
        learned=tuple(line.records("learned").values()),
        header=_header(line) if kind == "began" else None,
        signals=tuple(Signal(*signal) for signal in signals),
        recorded=_hex(line.take("digest", str)),
    )


def _header(line: _Line) -> Header:
    raw = line.take("header", Mapping[str, object])
    if raw.get("format") != FORMAT:
        raise IdentityError(f"format {raw.get('format')!r} cannot be read; this version reads {FORMAT}")
    codec = Codec(())
    stages = codec.decode(tuple[tuple[str, str, Names, Names, Names], ...], _thawed(raw.get("stages")))
    forked = codec.decode(tuple[str, int] | None, _thawed(raw.get("forked")))
    texts = {key: codec.decode(str, raw.get(key)) for key in ("machine", "version", "hash", "session", "parent")}
    lines = tuple(StageLine(*stage) for stage in cast("tuple[tuple[str, str, Names, Names, Names], ...]", stages))
    return Header(stages=lines, forked=cast("tuple[str, int] | None", forked), **cast("Any", texts))


def _thawed(value: object) -> object:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _call(line: _Line, run: str) -> CallEvent:
    phases = Literal["intent", "result", "error", "refused", "asked"]
    ways = tuple[tuple[str, str, bool], ...]
    said = line.take("decision", tuple[Literal["allow", "ask", "deny"], str, str, ways, str], None)
    decision = None
    if said is not None:
        decision = Decision(cast("Action", said[0]), said[1], said[2], tuple(Move(*move) for move in said[3]), said[4])
    return CallEvent(
        run=run,
        seq=line.take("seq", int),
        phase=cast("Phase", line.take("phase", phases)),
        stage=line.take("stage", str),
        lifecycle=line.at("lifecycle"),
        iteration=line.take("iteration", int),
        attempt=line.take("attempt", int),
        index=line.take("index", int),
        key=line.take("key", str),
        tool=line.take("tool", str),
        arguments=line.take("arguments", str),
        effect=line.take("effect", str),
        decision=decision,
        result=line.take("result", str, ""),
        error=line.take("error", tuple[str, str], None),
        tokens=line.take("tokens", int, 0),
        started=line.take("started", int),
        ended=line.take("ended", int),
    )


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise DecodeError(f"{text!r:.40} is no digest", path="$.digest") from None
