"""Reading YAML as JSON, by the core schema of YAML 1.2, with the line of every value."""

from __future__ import annotations

import re
from collections.abc import Callable

from agentfsm.statewright.json_places import Places
from agentfsm.statewright.plain import Json, Part, path_to
from agentfsm.yamltext import Leaf, List, Pairs, Tree, YamlError, tree_of

__all__ = ("read_yaml",)

_MOST_NODES = 100_000
_DEEPEST = 100
_PREFIX = "tag:yaml.org,2002:"

# `on` and `no` are text, and so are dates.
_CORE: tuple[tuple[str, re.Pattern[str], Callable[[str], Json]], ...] = (
    ("null", re.compile(r"~|null|Null|NULL|"), lambda _: None),
    ("bool", re.compile(r"true|True|TRUE|false|False|FALSE"), lambda text: text.lower() == "true"),
    ("int", re.compile(r"[-+]?[0-9]+"), int),
    ("float", re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"), float),
    ("str", re.compile(r"(?s:.*)"), str),
)
_TAGGED = {name: read for name, _, read in _CORE}


def read_yaml(text: str) -> tuple[Json, Places]:
    """
    Return the JSON that a YAML text spells, and where each value stands.

    Raises `YamlError` for broken text, foreign tags, and aliases that unfold to more than 100,000 values.
    """
    tree = tree_of(text)
    reading = _Reading()
    value = None if tree is None else reading.value(tree, ())
    return value, Places(reading.lines, tuple(reading.repeated))


class _Reading:
    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.repeated: list[tuple[str, int]] = []
        self._read = 0

    def value(self, tree: Tree, at: tuple[Part, ...]) -> Json:
        self._read += 1
        if self._read > _MOST_NODES or len(at) > _DEEPEST:
            raise YamlError(f"more than {_MOST_NODES} values or {_DEEPEST} levels", tree.line)
        self.lines.setdefault(path_to(*at), tree.line)
        tag = "" if tree.tag == "!" else tree.tag.removeprefix(_PREFIX)
        if isinstance(tree, Pairs) and tag in ("", "map"):
            return self._object(tree, at)
        if isinstance(tree, List) and tag in ("", "seq"):
            return [self.value(item, (*at, index)) for index, item in enumerate(tree.items)]
        if not isinstance(tree, Leaf) or (tag and tag not in _TAGGED):
            raise YamlError(f"tag {tree.tag!r} has no meaning here", tree.line)
        try:
            return _TAGGED[tag or _meant(tree)](tree.text)
        except ValueError as error:
            raise YamlError(str(error), tree.line) from error

    def _object(self, tree: Pairs, at: tuple[Part, ...]) -> Json:
        held: dict[str, Json] = {}
        for key, inner in tree.pairs:
            if not isinstance(key, Leaf):
                raise YamlError("a key must be text", key.line)
            if key.text in held:
                self.repeated.append((path_to(*at, key.text), key.line))
            held[key.text] = self.value(inner, (*at, key.text))
        return held


def _meant(leaf: Leaf) -> str:
    """Return what a scalar without a tag is: text where it is quoted, else the first of the core schema that fits."""
    if not leaf.plain or leaf.tag:
        return "str"
    return next(name for name, pattern, _ in _CORE if pattern.fullmatch(leaf.text))
