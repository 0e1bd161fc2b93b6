"""Reading YAML as JSON, with the line of every value. The only module that imports yaml."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import yaml

from agentfsm.statewright.json_places import Places
from agentfsm.statewright.plain import Json, Part, path_to

__all__ = ("YamlRefusedError", "read_yaml")

_MOST_NODES = 100_000
_DEEPEST = 100


class YamlRefusedError(ValueError):
    """Raised when a YAML text is no JSON: what is wrong, and in which line (from 1)."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


class _CoreLoader(yaml.SafeLoader):
    """YAML 1.2's core schema: `on` and `no` are text, dates too."""


_CoreLoader.yaml_implicit_resolvers = {}


_PREFIX = "tag:yaml.org,2002:"
_CORE: tuple[tuple[str, str, str], ...] = (
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
)
for _name, _pattern, _first in _CORE:
    _CoreLoader.add_implicit_resolver(
        _PREFIX + _name, re.compile(rf"(?:{_pattern})\Z"), ["" if c == "\0" else c for c in _first]
    )

_SCALARS: Mapping[str, Callable[[str], Json]] = {
    "null": lambda _: None,
    "bool": lambda text: text.lower() == "true",
    "int": int,
    "float": float,
    "str": str,
}


def read_yaml(text: str) -> tuple[Json, Places]:
    """
    Return the JSON that a YAML text spells, and where each value stands.

    Raises `YamlRefusedError` for broken text, foreign tags, and aliases that unfold to more than 100,000 values.
    """
    try:
        node = yaml.compose(text, Loader=_CoreLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlRefusedError(error.problem or str(error), mark.line + 1 if mark else 1) from error
    except yaml.YAMLError as error:
        raise YamlRefusedError(str(error), 1) from error
    except RecursionError as error:
        raise YamlRefusedError(f"nested deeper than {_DEEPEST} levels", 1) from error
    reading = _Reading()
    value = None if node is None else reading.value(node, ())
    return value, Places(reading.lines, tuple(reading.repeated))


class _Reading:
    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.repeated: list[tuple[str, int]] = []
        self._read = 0

    def value(self, node: yaml.Node, at: tuple[Part, ...]) -> Json:
        line = node.start_mark.line + 1
        self._read += 1
        if self._read > _MOST_NODES or len(at) > _DEEPEST:
            raise YamlRefusedError(f"more than {_MOST_NODES} values or {_DEEPEST} levels", line)
        self.lines.setdefault(path_to(*at), line)
        tag = node.tag.removeprefix(_PREFIX)
        if isinstance(node, yaml.MappingNode) and tag == "map":
            return self._object(node, at)
        if isinstance(node, yaml.SequenceNode) and tag == "seq":
            return [self.value(item, (*at, index)) for index, item in enumerate(node.value)]
        read = _SCALARS.get(tag)
        if read is None or not isinstance(node.value, str):
            raise YamlRefusedError(f"tag {node.tag!r} has no meaning here", line)
        try:
            return read(node.value)
        except ValueError as error:
            raise YamlRefusedError(str(error), line) from error

    def _object(self, node: yaml.MappingNode, at: tuple[Part, ...]) -> Json:
        held: dict[str, Json] = {}
        for key, inner in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise YamlRefusedError("a key must be text", line)
            name = str(key.value)
            if name in held:
                self.repeated.append((path_to(*at, name), line))
            held[name] = self.value(inner, (*at, name))
        return held
