"""Entries as lines of JSON: what a journal keeps, each line chained to all before it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, cast

from agentfsm.canonical import delta_text
from agentfsm.events import CallEvent, Entry, Header, StateTransitionEvent
from agentfsm.guard import Decision
from agentfsm.records import Record, name_of
from agentfsm.values import trail_items

__all__ = ("chained", "entry_text", "log_lines", "patch_text")


def entry_text(entry: Entry) -> str:
    """
    Return an entry as one JSON object, without its chain.

    Raises `EncodeError` when a value in it would not read back equal.
    """
    return _call_text(entry) if isinstance(entry, CallEvent) else _event_text(entry)


def chained(chain: bytes, text: str) -> tuple[str, bytes]:
    """Return *text* as a line that carries the digest of all lines up to it, and that digest."""
    after = blake2b(chain + text.encode(), digest_size=16).digest()
    return f'{text[:-1]},"chain":"{after.hex()}"}}', after


def log_lines(entries: Iterable[Entry], chain: bytes = b"") -> Iterator[str]:
    """Give the lines of a log, each chained to the one before."""
    for entry in entries:
        line, chain = chained(chain, entry_text(entry))
        yield line


def patch_text(patch: Mapping[type[Record], Record], earlier: Mapping[type[Record], Record]) -> str:
    """Return records by their names; of a trail only what it gained over *earlier*."""
    texts = [
        f'"{name_of(kind)}":{delta_text(record, earlier[kind]) if kind in earlier else delta_text(record, None)}'
        for kind, record in patch.items()
    ]
    return f"{{{','.join(texts)}}}"


def _event_text(event: StateTransitionEvent) -> str:
    digest = event.digest.hex()  # first, for it works out texts that the patch has too
    more = (
        "" if event.reads is None else f',"reads":{json.dumps(sorted(event.reads))}' if event.reads else ',"reads":[]'
    )
    if event.learned or event.owned or event.header is not None or event.signals or event.trace:
        more += _more_text(event)
    return (
        f'{{"seq":{event.seq},{event.edge.text},"iteration":{event.iteration},"attempt":{event.attempt},'
        f'"patch":{_patch_text(event)},"started":{event.started},"ended":{event.ended}{more},"digest":"{digest}"}}'
    )


def _patch_text(event: StateTransitionEvent) -> str:
    after, earlier = event.after, event.earlier
    if after is None or earlier:
        return patch_text(event.written, earlier)
    texts = []
    for kind, record in event.written.items():
        # A record with trails is written otherwise in a log than in a digest: there, only what was added.
        known = after.records.get(kind) is record and not trail_items(cast("type", kind))
        texts.append(f'"{name_of(kind)}":{after.text_of(kind) if known else delta_text(record, None)}')
    return f"{{{','.join(texts)}}}"


def _more_text(event: StateTransitionEvent) -> str:
    parts = [""]
    if event.learned:
        parts.append(f'"learned":{patch_text({type(r): r for r in event.learned}, {})}')
    if event.owned:
        parts.append(f'"owned":{patch_text({type(r): r for r in event.owned}, {})}')
    if event.header is not None:
        parts.append(f'"run":{json.dumps(event.run)},"header":{_header_text(event.header)}')
    if event.signals:
        parts.append(f'"signals":{json.dumps([[s.action, s.key, s.reason, s.by] for s in event.signals])}')
    if event.trace:
        parts.append(f'"trace":{json.dumps(event.trace)}')
    return ",".join(parts)


def _header_text(header: Header) -> str:
    stages = [[s.name, s.enters, s.reads, s.writes, s.exits] for s in header.stages]
    told: dict[str, Any] = {
        "format": header.format,
        "machine": header.machine,
        "version": header.version,
        "hash": header.hash,
        "stages": stages,
        "session": header.session,
        "parent": header.parent,
        "forked": header.forked,
    }
    return json.dumps(told, separators=(",", ":"))


def _call_text(call: CallEvent) -> str:
    told: dict[str, Any] = {
        "seq": call.seq,
        "kind": "call",
        "phase": call.phase,
        "stage": call.stage,
        "lifecycle": call.lifecycle.name,
        "iteration": call.iteration,
        "attempt": call.attempt,
        "index": call.index,
        "key": call.key,
        "tool": call.tool,
        "arguments": call.arguments,
        "effect": call.effect,
        "started": call.started,
        "ended": call.ended,
    }
    if call.decision is not None:
        told["decision"] = _decision(call.decision)
    if call.result:
        told["result"] = call.result
    if call.error is not None:
        told["error"] = call.error
    if call.tokens:
        told["tokens"] = call.tokens
    return json.dumps(told, separators=(",", ":"))


def _decision(decision: Decision) -> list[object]:
    way = [[move.event, move.target, move.needs_approval] for move in decision.way]
    return [decision.action, decision.code, decision.reason, way, decision.guard]
