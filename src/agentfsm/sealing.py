"""Sealing: what a stage emitted is held to what it committed, or declared void."""

from __future__ import annotations

from typing import Any

from agentfsm.errors import EnsureError
from agentfsm.live import Attempt, Live
from agentfsm.records import Record, name_of
from agentfsm.rows import Row
from agentfsm.state import Partial, StatePatch
from agentfsm.streaming import Sealed, Voided

__all__ = ("hold_to_emitted", "partial_of", "show_sealed", "show_voided")


def hold_to_emitted(row: Row, context: Attempt, patch: StatePatch[Any]) -> None:
    """Raise `EnsureError` when the chunks of an attempt do not add up to the field that is committed."""
    if row.stage.streams is None:
        return
    kind, name = row.stage.streams
    emitted = "".join(chunk.text for chunk in context.chunks)
    written: Record | None = patch.records.get(kind)
    committed = None if written is None else getattr(written, name)
    if committed != emitted:
        path = f"{name_of(kind)}.{name}"
        raise EnsureError(f"{path} is not what was emitted: {committed!r:.80} against {emitted!r:.80}", path=path)


async def show_sealed(live: Live) -> None:
    """Tell whoever watches that the chunks are committed."""
    context = live.context
    if context is not None and context.chunks:
        ids, text = tuple(c.id for c in context.chunks), "".join(c.text for c in context.chunks)
        await live.show(Sealed(live.stage, ids, text))


async def show_voided(live: Live, reason: str, *, kept: bool = False) -> None:
    """Tell whoever watches that the chunks never were."""
    context = live.context
    if context is not None and context.chunks:
        await live.show(Voided(live.stage, tuple(c.id for c in context.chunks), reason, kept))


def partial_of(row: Row, context: Attempt | None) -> tuple[Record, ...]:
    """Return what is kept of an attempt that was cut off: its text, where the stage wants that."""
    if context is None or not row.stage.keeps_partial or not context.chunks:
        return ()
    return (Partial(row.name, "".join(chunk.text for chunk in context.chunks)),)
