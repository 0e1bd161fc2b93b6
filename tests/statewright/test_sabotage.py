"""The table of sabotages does not rot."""

from __future__ import annotations

import pytest

from tests.statewright.sabotage import PACKAGE, SABOTAGES, Sabotage


@pytest.mark.parametrize("each", SABOTAGES, ids=lambda each: str(each.shows))
def test_each_sabotage_still_fits(each: Sabotage) -> None:
    """The line to be broken is there; `python tests/statewright/sabotage.py` breaks them all in turn."""
    assert 1 == (PACKAGE / each.file).read_text(encoding="utf-8").count(each.old)
    assert each.old != each.new
