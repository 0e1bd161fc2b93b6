"""The timeline: what happens in a run, a line each, as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.text import Text

from agentfsm.events import StateTransitionEvent
from agentfsm.streaming import Decided, Item, StageStarted, ToolFinished, ToolStarted, Transition

__all__ = ("told",)

_LONGEST = 100  # characters of arguments, answers and errors


def told(item: Item[Any]) -> Text | None:
    """Return the line for an item, or None for one that needs none: pieces of text, and what went as expected."""
    tell = _TELL.get(type(item))
    return tell(item) if tell is not None else None


def short(text: str) -> str:
    """Return *text* in one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _stage(item: StageStarted) -> Text:
    text = Text(f"● {item.lifecycle.name}", style="bold")
    attempt = f", attempt {item.attempt}" if item.attempt > 1 else ""
    iteration = f", iteration {item.iteration}" if item.iteration else ""
    return text.append(f"  {item.stage}{iteration}{attempt}", style="not bold dim")


def _decided(item: Decided) -> Text | None:
    said = item.decision
    if said.action == "allow":
        return None
    word = "refused" if said.action == "deny" else "needs approval"
    return Text(f"  ✗ {item.tool} {word} ({said.code}): {short(said.reason)}", style="yellow")


def _began(item: ToolStarted) -> Text:
    return Text(f"  → {item.tool} {short(item.arguments)}", style="cyan")


def _finished(item: ToolFinished) -> Text:
    style = "green" if item.ok else "red"
    return Text(f"  {'←' if item.ok else '✗'} {short(item.text)}", style=style)


def _transition(item: Transition) -> Text | None:
    event: StateTransitionEvent = item.event
    if (error := event.error) is not None:
        return Text(f"  ✗ {error.kind}: {short(error.message)}", style="red")
    if event.kind == "halted":
        return Text("  ‖ halted", style="yellow")
    return None


_TELL: Mapping[type, Callable[[Any], Text | None]] = {
    StageStarted: _stage,
    Decided: _decided,
    ToolStarted: _began,
    ToolFinished: _finished,
    Transition: _transition,
}
