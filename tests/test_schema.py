"""JSON Schema of tools: it admits what the codec reads, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from attrs import Factory, field, frozen

from agentfsm import DefinitionError, Tool, Trail, tool
from agentfsm.models import answer_text
from agentfsm.schema import description_of, schema_of


class Mode(Enum):
    FAST, SLOW = "f", "s"


@frozen
class Span:
    """Some lines. start: the first"""

    start: int
    end: int | None = None


@frozen
class Tree:
    name: str
    children: tuple[Tree, ...] = ()


@frozen
class Left:
    x: int


@frozen
class Right:
    x: int


@tool
class Search(Tool[str]):
    """
    Search for a text.

    Blank lines stay.

    text: what to look for
    *where*: the folder
    """

    text: str
    where: Annotated[str, "the folder to look in"] = "."
    mode: Mode = Mode.FAST
    depth: Literal[1, 2, "all"] = "all"


def plain(kind: type[Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer_text(schema_of(kind)))
    return found


def test_a_tool() -> None:
    """Required, defaults, enums by name and what the docstring says of each argument."""
    assert {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "what to look for"},
            "where": {"type": "string", "description": "the folder to look in", "default": "."},
            "mode": {"enum": ["FAST", "SLOW"], "default": "FAST"},
            "depth": {"enum": [1, 2, "all"], "default": "all"},
        },
        "required": ["text"],
        "additionalProperties": False,
    } == plain(Search)


def test_description() -> None:
    """What the docstring says of arguments is not said twice."""
    assert "Search for a text.\n\nBlank lines stay." == description_of(Search)
    assert "" == description_of(Left)


def one(hint: object) -> dict[str, Any]:
    """The schema of a tool's one argument."""
    kind: type[Tool[str]] = tool(type("Made", (Tool,), {"__annotations__": {"v": hint}}))
    return plain(kind)


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (bool, {"type": "boolean"}),
        (float, {"type": "number"}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (date, {"type": "string", "format": "date"}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (frozenset[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (object, {}),
        (Span, {"$ref": "#/$defs/Span"}),
        (
            tuple[str, int],
            {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
            },
        ),
    ],
)
def test_arguments(hint: object, schema: dict[str, object]) -> None:
    """Each kind of annotation says what its values look like in JSON."""
    assert schema == one(hint)["properties"]["v"]


def test_classes_are_written_once() -> None:
    """A class that leads to itself ends, and stands where references find it."""
    found = one(Tree)

    assert {"type": "array", "items": {"$ref": "#/$defs/Tree"}, "default": []} == (
        found["$defs"]["Tree"]["properties"]["children"]
    )
    assert ["Tree"] == list(found["$defs"])


def test_classes_of_a_union_are_told_apart() -> None:
    """As the codec reads them: by the name of the class."""
    found = one(Left | Right)

    assert [{"$ref": "#/$defs/Left:tagged"}, {"$ref": "#/$defs/Right:tagged"}] == found["properties"]["v"]["anyOf"]
    assert {"const": "Left"} == found["$defs"]["Left:tagged"]["properties"]["$type"]
    assert ["$type", "x"] == found["$defs"]["Left:tagged"]["required"]


@tool
class Later(Tool[str]):
    many: tuple[int, ...] = field(factory=tuple)
    both: str = field(default=Factory(lambda self: "x" * len(self.many), takes_self=True))


def test_defaults_that_are_made() -> None:
    """A default that depends on other arguments is none that could be told, and yet need not be given."""
    found = plain(Later)

    assert [] == found["required"]
    assert [] == found["properties"]["many"]["default"]
    assert "default" not in found["properties"]["both"]


@tool
class Growing(Tool[str]):
    said: Trail[str]


def test_what_json_schema_cannot_say() -> None:
    """A trail is written by what was added to it, which is no argument."""
    with pytest.raises(DefinitionError, match=r"Growing\.said: JSON Schema cannot say Trail\[str\]"):
        schema_of(Growing)
