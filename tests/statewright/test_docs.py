"""The page of fields holds every field. That the blocks of all pages run is shown for all pages at once."""

from __future__ import annotations

from pathlib import Path

from agentfsm.statewright.schema import SHAPES

DOCS = Path(__file__).parents[2] / "docs"


def test_every_field_is_told() -> None:
    """The table of fields names every key of every shape, aliases included."""
    page = (DOCS / "statewright-fields.md").read_text(encoding="utf-8")
    names = {name for shape in SHAPES for name in shape.fields} | {
        field.alias for shape in SHAPES for field in shape.fields.values() if field.alias
    }

    assert set() == {name for name in names if f"`{name}`" not in page}
