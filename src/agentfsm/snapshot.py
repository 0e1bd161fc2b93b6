"""Snapshots: the state at one point of a log, with what identifies the machine, as strict JSON."""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from attrs import frozen

from agentfsm.canonical import delta_text
from agentfsm.codec import Codec, loads
from agentfsm.entries import log_lines
from agentfsm.errors import CorruptLogError, CorruptSnapshotError, DecodeError, IdentityError
from agentfsm.events import Entry
from agentfsm.logs import LogReader
from agentfsm.records import Record, name_of
from agentfsm.state import AgentState, Iteration, state_of
from agentfsm.table import Table
from agentfsm.trail import Trail
from agentfsm.values import trail_items

__all__ = ("Snapshot", "restored")

T_co = TypeVar("T_co", covariant=True)
FORMAT = 1
TEXTS = ("machine", "version", "hash", "run", "session", "trace")
_CHAIN = re.compile(r"(?:[0-9a-f]{32})?")


@frozen(eq=False)
class Snapshot(Generic[T_co]):
    """
    A verified cache of a log's first *entries* entries: the state there, and which machine and run it is of.

    *chain* is the log's chain there, empty for a run that is not kept; *attempt* and *rescue* say what is due, *trace*
    which trace the run was in. *tail* is what the log has since the run last moved: the calls that were answered,
    failed attempts, and why it waits.
    """

    machine: str
    version: str
    hash: str
    run: str
    session: str
    entries: int
    chain: bytes
    state: AgentState[T_co]
    rescue: bool = False
    attempt: int = 1
    trace: str = ""
    tail: tuple[Entry, ...] = ()

    def to_json(self) -> str:
        """
        Return it as one line of JSON that ends with a checksum.

        Raises `EncodeError` for a value that would not read back equal.
        """
        records = ",".join(f'"{name_of(type(r))}":{delta_text(r, None)}' for r in self.state)
        told = {
            "format": FORMAT,
            "machine": self.machine,
            "version": self.version,
            "hash": self.hash,
            "run": self.run,
            "session": self.session,
            "entries": self.entries,
            "chain": self.chain.hex(),
            "rescue": self.rescue,
            "attempt": self.attempt,
            "trace": self.trace,
            "lifecycle": self.state.lifecycle.name,
            "digest": self.state.digest.hex(),
            "tail": list(log_lines(self.tail)),
        }
        text = f'{json.dumps(told, separators=(",", ":"))[:-1]},"records":{{{records}}}}}'
        return f'{text[:-1]},"check":"{_check(text)}"}}'


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def restored(table: Table, codec: Codec, text: str) -> Snapshot[Any]:
    """
    Return the snapshot that *text* says.

    Raises `CorruptSnapshotError` for damaged text and `IdentityError` for another machine's; a state or a record that
    this machine lacks is named.
    """
    given: object = text
    if not isinstance(given, str):
        raise CorruptSnapshotError(f"a snapshot is text, not {given!r:.60}")
    body, mark, check = text.rstrip("\n").rpartition(',"check":"')
    if not mark or check != f'{_check(body + "}")}"}}':
        raise CorruptSnapshotError("the checksum does not fit; the snapshot is cut or changed")
    try:
        raw = loads(body + "}")
        return _snapshot(table, codec, raw)
    except (DecodeError, CorruptLogError) as error:
        raise CorruptSnapshotError(error.reason, path=error.path) from error


def _snapshot(table: Table, codec: Codec, raw: Any) -> Snapshot[Any]:
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise IdentityError("this is no snapshot of a format that can be read", path="$.format")
    texts = {key: str(codec.decode(str, raw.get(key))) for key in TEXTS}
    name = str(codec.decode(str, raw.get("lifecycle")))
    lifecycle = {state.name: state for state in type(table.start)}.get(name)
    if lifecycle is None:
        raise IdentityError(f"machine {table.machine} has no state {name}", path="$.lifecycle")
    stored = raw.get("records")
    if not isinstance(stored, dict):
        raise DecodeError("records are an object by name", path="$.records")
    if lacking := sorted(set(stored) - set(table.kinds)):
        raise IdentityError(f"machine {table.machine} has no record {lacking[0]}", path=f"$.records.{lacking[0]}")
    if texts["hash"] != table.hash:
        raise IdentityError(
            f"the snapshot is of {texts['machine']} {texts['version']} ({texts['hash']}), "
            f"not of {table.machine} {table.version} ({table.hash})",
            path="$.hash",
        )
    records = [_whole(codec.decode_record(record, value, None)) for record, value in stored.items()]
    if Iteration not in map(type, records):
        raise DecodeError("a state has its iteration", path="$.records.iteration")
    state: AgentState[Any] = state_of(lifecycle, {type(r): r for r in records}, {})
    if state.digest.hex() != raw.get("digest"):
        raise CorruptSnapshotError("the records do not have the digest that is written down", path="$.digest")
    attempt, entries = _count(codec, raw, "attempt"), _count(codec, raw, "entries")
    tail = codec.decode(tuple[str, ...], raw.get("tail"))
    assert isinstance(tail, tuple)  # decoded as one
    if len(tail) >= entries:
        raise DecodeError(f"a tail of {len(tail)} is no part of {entries} entries", path="$.tail")
    reader = LogReader(table, codec, run=texts["run"], seq=entries - len(tail))
    return Snapshot(
        **texts,
        entries=entries,
        chain=_chain(str(codec.decode(str, raw.get("chain")))),
        state=state,
        rescue=codec.decode(bool, raw.get("rescue")) is True,
        attempt=attempt,
        tail=reader.read(tail),
    )


def _whole(record: Record) -> Record:
    """Return a record whose trails begin where they began; raises `DecodeError` for one that is cut."""
    kind: type = type(record)
    for name in trail_items(kind):
        trail: Trail[object] = getattr(record, name)
        if trail.start:
            raise DecodeError(
                f"the first {trail.start} items are missing", path=f"$.records.{name_of(type(record))}.{name}"
            )
    return record


def _count(codec: Codec, raw: dict[str, object], key: str) -> int:
    found = codec.decode(int, raw.get(key))
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise DecodeError(f"{found!r:.40} is no number of {key}, which begins at 1", path=f"$.{key}")
    return found


def _chain(text: str) -> bytes:
    if not _CHAIN.fullmatch(text):
        raise DecodeError(f"{text!r:.40} is no chain", path="$.chain")
    return bytes.fromhex(text)
