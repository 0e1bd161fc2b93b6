"""The timeline: what happens in a run, a line or two each, as it happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.text import Text

from agentfsm.codec import loads
from agentfsm.errors import DecodeError
from agentfsm.events import StateTransitionEvent
from agentfsm.streaming import Decided, Item, Sealed, StageStarted, ToolFinished, ToolStarted, Transition

__all__ = ("told",)

_LONGEST = 120  # characters of arguments, answers and errors
_MOST_CHANGED = 6  # lines of a diff


def told(item: Item[Any]) -> Text | None:
    """Return what to show for an item, or None where there is nothing to say: pieces of text, calls that go ahead."""
    tell = _TELL.get(type(item))
    return tell(item) if tell is not None else None


def _short(text: str, longest: int = _LONGEST) -> str:
    """Return *text* in one line of bounded length, with nothing in it that a terminal would obey."""
    line = "".join(c if c.isprintable() else "�" for c in " ".join(text.split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _stage(item: StageStarted) -> Text:
    attempt = f", attempt {item.attempt}" if item.attempt > 1 else ""
    iteration = f", iteration {item.iteration}" if item.iteration else ""
    return Text(f"● {item.lifecycle.name}", style="bold").append(
        f"  {item.stage}{iteration}{attempt}", style="not bold dim"
    )


def _sealed(item: Sealed) -> Text | None:
    return Text(f"  “{_short(item.text, 4 * _LONGEST)}”", style="italic") if item.text.strip() else None


def _decided(item: Decided) -> Text | None:
    said = item.decision
    if said.action == "allow":
        return None
    word = "refused" if said.action == "deny" else "needs approval"
    return Text(f"  ✗ {item.tool} {word} ({said.code}): {_short(said.reason)}", style="yellow")


def _began(item: ToolStarted) -> Text:
    said = _object(item.arguments)
    given = ", ".join(f"{name}={_short(repr(value), 60)}" for name, value in said.items() if _says(value))
    return Text(f"  → {item.tool}({given})", style="cyan")


def _finished(item: ToolFinished) -> Text:
    if not item.ok:
        return Text(f"  ✗ {_short(item.text)}", style="red")
    said = _object(item.text)
    if isinstance(diff := said.get("diff"), str):
        return Text("\n").join(_changed(diff))
    return Text(f"  ← {_short(' · '.join(_gist(said)) if said else item.text)}", style="green")


def _changed(diff: str) -> Iterator[Text]:
    lines = [line for line in diff.splitlines() if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}]
    for line in lines[:_MOST_CHANGED]:
        yield Text(f"    {_short(line)}", style="green" if line[0] == "+" else "red")
    if len(lines) > _MOST_CHANGED or not lines:
        yield Text(f"    {len(lines)} lines changed", style="dim")


def _gist(said: Mapping[str, object]) -> Iterator[str]:
    """Give what is short of an answer's fields, how many items the lists have, and the last line of each long text."""
    for name, value in said.items():
        if isinstance(value, list):
            yield f"{len(value)} {name}"
        elif isinstance(value, str) and len(lines := value.strip().split("\n")) > 1:
            yield f"{len(lines)} lines, ending with {lines[-1].strip()!r}"
        elif _says(value):
            yield value if isinstance(value, str) else f"{name} {value}"


def _says(value: object) -> bool:
    return bool(value) or (isinstance(value, int | float) and not isinstance(value, bool))


def _object(text: str) -> Mapping[str, object]:
    try:
        said = loads(text)
    except DecodeError:
        return {}
    return said if isinstance(said, dict) else {}


def _transition(item: Transition) -> Text | None:
    event: StateTransitionEvent = item.event
    if (error := event.error) is not None:
        return Text(f"  ✗ {error.kind}: {_short(error.message)}", style="red")
    return None


_TELL: Mapping[type, Callable[[Any], Text | None]] = {
    StageStarted: _stage,
    Sealed: _sealed,
    Decided: _decided,
    ToolStarted: _began,
    ToolFinished: _finished,
    Transition: _transition,
}
