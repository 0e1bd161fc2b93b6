"""The project's papers keep their order: decisions have numbers of their own, pages can be found from the README."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DECISIONS = sorted(path for path in (ROOT / "docs" / "adr").glob("*.md") if path.name != "README.md")


def test_each_decision_has_a_number_of_its_own() -> None:
    """The number in its name is the one in its title, and no other decision has it."""
    numbers = [int(path.name[:4]) for path in DECISIONS]
    titled = [re.match(r"# (\d+)\. ", path.read_text()) for path in DECISIONS]

    assert sorted(set(numbers)) == numbers
    assert numbers == [int(found[1]) if found else 0 for found in titled]


def test_the_index_names_every_decision() -> None:
    """In order, each once."""
    index = (ROOT / "docs" / "adr" / "README.md").read_text()

    assert [path.name for path in DECISIONS] == re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index)


def test_every_page_can_be_found_from_the_readme() -> None:
    """A page that nothing leads to is not read."""
    readme = (ROOT / "README.md").read_text()

    assert [] == [path.name for path in (ROOT / "docs").glob("*.md") if f"docs/{path.name}" not in readme]
