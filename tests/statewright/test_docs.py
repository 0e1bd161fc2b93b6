"""The pages about machines: every block runs, every field is there."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from agentfsm.statewright.schema import SHAPES

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = [
    (page.name, number, block)
    for page in sorted(DOCS.glob("statewright*.md"))
    for number, block in enumerate(
        re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    )
]


@pytest.mark.parametrize(("page", "number", "block"), BLOCKS, ids=[f"{page}-{number}" for page, number, _ in BLOCKS])
def test_blocks_run(page: str, number: int, block: str, tmp_path: Path) -> None:
    """Each block stands alone and its assertions hold (R67)."""
    file = tmp_path / f"{page}_{number}.py"
    file.write_text(block, encoding="utf-8")

    assert "__name__" in runpy.run_path(str(file))


def test_every_field_is_told() -> None:
    """The table of fields names every key of every shape, aliases included."""
    page = (DOCS / "statewright-fields.md").read_text(encoding="utf-8")
    names = {name for shape in SHAPES for name in shape.fields} | {
        field.alias for shape in SHAPES for field in shape.fields.values() if field.alias
    }

    assert set() == {name for name in names if f"`{name}`" not in page}


def test_there_are_blocks() -> None:
    """The pages do have examples."""
    assert len(BLOCKS) >= 8
