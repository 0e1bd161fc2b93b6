"""Which of several JSON values is nearest to one, and where the two first differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

__all__ = ("difference", "nearest")

SHOWN = 60  # characters of a value, from where it differs


def nearest(value: object, known: Sequence[object]) -> int:
    """Return the place in *known* of the value that shares most of its leaves with *value*; the first of equals."""
    mine = set(_leaves(value, "$"))
    scores = [len(mine & theirs) - len(mine ^ theirs) for theirs in (set(_leaves(other, "$")) for other in known)]
    return scores.index(max(scores))


def difference(recorded: object, asked: object, path: str = "$") -> tuple[str, str, str] | None:
    """Return the path at which two JSON values first differ and what is there in each, or None where they are equal."""
    if isinstance(recorded, Mapping) and isinstance(asked, Mapping):
        for key in dict.fromkeys((*recorded, *asked)):
            if key not in recorded or key not in asked:
                return f"{path}.{key}", _shown(recorded.get(key), key in recorded), _shown(asked.get(key), key in asked)
            if (found := difference(recorded[key], asked[key], f"{path}.{key}")) is not None:
                return found
        return None
    if _is_array(recorded) and _is_array(asked):
        return _first_item(recorded, asked, path)  # type: ignore[arg-type]  # both are arrays
    if type(recorded) is type(asked) and recorded == asked:
        return None
    if isinstance(recorded, str) and isinstance(asked, str):
        start = next((n for n, (a, b) in enumerate(zip(recorded, asked, strict=False)) if a != b), None)
        at = min(len(recorded), len(asked)) if start is None else start
        return f"{path}[{at}:]", _shown(recorded[at:], True), _shown(asked[at:], True)
    return path, _shown(recorded, True), _shown(asked, True)


def _first_item(recorded: Sequence[object], asked: Sequence[object], path: str) -> tuple[str, str, str] | None:
    for place, (one, other) in enumerate(zip(recorded, asked, strict=False)):
        if (found := difference(one, other, f"{path}[{place}]")) is not None:
            return found
    if len(recorded) == len(asked):
        return None
    return f"{path}.length", str(len(recorded)), str(len(asked))


def _is_array(value: object) -> bool:
    return isinstance(value, list | tuple)


def _shown(value: object, there: bool) -> str:
    if not there:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _leaves(item, f"{path}[{place}]")
    else:
        yield path, json.dumps(value)
