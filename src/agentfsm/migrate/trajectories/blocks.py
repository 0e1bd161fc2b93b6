"""Actions that stand inside the text of a reply: in a fenced block, in a tag, as a function written in XML."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

__all__ = ("Found", "Written", "fenced", "last_action", "tagged", "without")


@frozen
class Found:
    """A stretch of a text: the action in it, and where the block around it begins and ends."""

    action: str
    start: int
    end: int


@frozen
class Written:
    """What a reply says besides its action, and the action; None where it has none."""

    thought: str
    action: str | None


def fenced(text: str, language: str) -> tuple[Found, ...]:
    """Return every block fenced as *language*: three backticks and its name, down to a line of three backticks."""
    opening = f"```{language}"
    found: list[Found] = []
    at = text.find(opening)
    while at != -1:
        head = at + len(opening)
        body = text.find("\n", head) + 1
        if body == 0 or text[head:body].strip():  # another language, of which this name is the beginning
            at = text.find(opening, head)
            continue
        if (end := text.find("\n```", body)) == -1:
            break
        found.append(Found(text[body:end].strip(), at, end + 4))
        at = text.find(opening, end + 4)
    return tuple(found)


def tagged(text: str, tag: str) -> tuple[Found, ...]:
    """Return what stands in every ``<tag>...</tag>``."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    found: list[Found] = []
    at = text.find(opening)
    while at != -1 and (end := text.find(closing, at)) != -1:
        found.append(Found(text[at + len(opening) : end].strip(), at, end + len(closing)))
        at = text.find(opening, end)
    return tuple(found)


def without(text: str, found: tuple[Found, ...]) -> str:
    """Return the text around the blocks."""
    parts: list[str] = []
    at = 0
    for block in found:
        parts.append(text[at : block.start])
        at = block.end
    return "".join((*parts, text[at:])).strip()


def last_action(text: str) -> Written:
    """
    Split a reply the way SWE-agent's `thought_action` and `xml_thought_action` parsers do: the last block that is not
    inside another is the action, and what is around it the thought.
    """
    blocks = tuple(_outer_blocks(text)) or tagged(text, "command")
    if not blocks:
        return Written(text.strip(), None)
    last = blocks[-1:]
    return Written(without(text, last), last[0].action or None)


def _outer_blocks(text: str) -> Iterator[Found]:
    """Yield fenced blocks that are inside no other; a fence with a language opens one, a bare one closes if it can."""
    opened: list[tuple[int, int]] = []  # where each open block starts, and where its text does
    at = 0
    for line in text.split("\n"):
        after = at + len(line) + 1
        if line.startswith("```"):
            if opened and not line[3:].strip():
                start, body = opened.pop()
                if not opened:
                    yield Found(text[body:at].strip("\n"), start, min(after, len(text)))
            else:
                opened.append((at, after))
        at = after
