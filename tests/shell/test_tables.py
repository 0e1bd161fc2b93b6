"""Every row of the program tables, as recorded; `bench/mutate_shell.py` holds that no row can go unnoticed."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest

from agentfsm.shell import classify

TABLES = sorted((Path(__file__).parent / "tables").glob("*.txt"))


def said(command: str) -> str:
    answer = classify(command)
    classes = ",".join(sorted(op.value for op in answer.classes))
    return f"{classes} ({' '.join(sorted({reason.code for reason in answer.reasons}))})"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_rows(table: Path) -> None:
    """Each program, subcommand and option with an effect keeps its classes and reasons."""
    rows = [line.partition(" | ") for line in table.read_text().splitlines()]

    changed = [command for verdict, _, command in rows if verdict != said(literal_eval(command))]

    assert [] == changed
