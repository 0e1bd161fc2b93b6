"""The JSON Schema that ships."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import cast

import jsonschema
import pytest
from hypothesis import given

from agentfsm.statewright.json_schema import json_schema, schema_text
from agentfsm.statewright.parsing import parse
from agentfsm.statewright.plain import Json
from tests.statewright.law_strategies import machines

VECTORS = Path(__file__).parents[3] / "shared" / "fixtures" / "statewright" / "engine_vectors.jsonl"


def accepts(value: Json) -> bool:
    return bool(jsonschema.Draft202012Validator(json_schema()).is_valid(value))


def test_the_file_in_the_package_is_the_generated_one() -> None:
    """It is written from the table of shapes (`schema_text`); nobody edits it."""
    assert schema_text() == resources.files("agentfsm.statewright").joinpath("machine.schema.json").read_text()


@given(machines())
def test_it_accepts_machines(value: dict[str, Json]) -> None:
    """What the parser takes, the schema takes."""
    assert accepts(value)


@pytest.mark.skipif(not VECTORS.exists(), reason="the engine vectors are not beside this checkout")
def test_it_agrees_with_the_parser() -> None:
    """On every definition of the vectors the two say the same, but where 5.0 is an integer to JSON Schema."""
    different = []
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        value = cast(Json, row["request"].get("machine"))
        if "machine" in row["request"] and accepts(value) != (not parse(value)[1]):
            different.append(row["id"])

    assert [] == different
