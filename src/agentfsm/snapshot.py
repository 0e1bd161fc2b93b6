"""Snapshots: the state at one point of a log, with what identifies the machine, as strict JSON."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from attrs import frozen

from agentfsm.canonical import delta_text
from agentfsm.codec import Codec, loads
from agentfsm.entries import entry_text
from agentfsm.errors import CorruptSnapshotError, DecodeError, IdentityError
from agentfsm.events import Entry
from agentfsm.logs import entries_of
from agentfsm.records import name_of
from agentfsm.state import AgentState, state_of
from agentfsm.table import Table

__all__ = ("Snapshot", "restored")

T_co = TypeVar("T_co", covariant=True)
FORMAT = 1


@frozen(eq=False)
class Snapshot(Generic[T_co]):
    """
    A verified cache of a log's first *entries* entries: the state there, and which machine and run it is of.

    *chain* is the log's chain there, empty for a run that is not kept; *attempt* and *rescue* say what is due. *since*
    is what the log has since the last step: the calls that were answered, why attempts failed, what a person said.
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
    since: tuple[Entry, ...] = ()

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
            "lifecycle": self.state.lifecycle.name,
            "digest": self.state.digest.hex(),
        }
        since = ",".join(map(entry_text, self.since))
        text = f'{json.dumps(told, separators=(",", ":"))[:-1]},"since":[{since}],"records":{{{records}}}}}'
        return f'{text[:-1]},"check":"{_check(text)}"}}'


def _check(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def restored(table: Table, codec: Codec, text: str) -> Snapshot[Any]:
    """
    Return the snapshot that *text* says.

    Raises `CorruptSnapshotError` for damaged text and `IdentityError` for another machine's; a state or a record that
    this machine lacks is named.
    """
    body, mark, check = text.rstrip("\n").rpartition(',"check":"')
    if not mark or check != f'{_check(body + "}")}"}}':
        raise CorruptSnapshotError("the checksum does not fit; the snapshot is cut or changed")
    try:
        raw = loads(body + "}")
        return _snapshot(table, codec, raw)
    except DecodeError as error:
        raise CorruptSnapshotError(error.reason, path=error.path) from error


def _snapshot(table: Table, codec: Codec, raw: Any) -> Snapshot[Any]:
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise IdentityError("this is no snapshot of a format that can be read", path="$.format")
    texts = {key: str(codec.decode(str, raw.get(key))) for key in ("machine", "version", "hash", "run", "session")}
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
    records = [codec.decode_record(record, value, None) for record, value in stored.items()]
    state: AgentState[Any] = state_of(lifecycle, {type(r): r for r in records}, {})
    if state.digest.hex() != raw.get("digest"):
        raise CorruptSnapshotError("the records do not have the digest that is written down", path="$.digest")
    rescue = codec.decode(bool, raw.get("rescue"))
    entries, attempt = (_number(codec, raw, key) for key in ("entries", "attempt"))
    since = entries_of(table, codec, texts["run"], raw.get("since"))
    if [entry.seq for entry in since] != list(range(entries - len(since), entries)):
        raise CorruptSnapshotError("the entries since the last step are not the last ones", path="$.since")
    return Snapshot(
        **texts,
        entries=entries,
        chain=_hex(str(codec.decode(str, raw.get("chain")))),
        state=state,
        rescue=rescue is True,
        attempt=attempt,
        since=since,
    )


def _number(codec: Codec, raw: dict[str, Any], key: str) -> int:
    value = codec.decode(int, raw.get(key))
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DecodeError(f"{value!r:.40} is no count", path=f"$.{key}")
    return value


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise DecodeError(f"{text!r:.40} is no chain", path="$.chain") from None
