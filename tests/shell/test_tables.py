"""Every row of the program tables, as recorded; `bench/mutate_shell.py` holds that no row can go unnoticed."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path

import pytest

from agentfsm.shell import classify
from agentfsm.shell.programs import FAMILIES, index
from agentfsm.shell.programs import family as family_of

TABLES = sorted((Path(__file__).parent / "tables").glob("*.txt"))


def said(command: str) -> str:
    answer = classify(command)
    classes = ",".join(sorted(op.value for op in answer.classes))
    reasons = sorted({f"{reason.code}[{reason.detail}]" for reason in answer.reasons})
    return f"{classes} ({' '.join(reasons)})".encode("unicode_escape").decode()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_rows(table: Path) -> None:
    """Each program, subcommand and option with an effect keeps its classes and its reasons with their details."""
    rows = [line.rpartition(" | ") for line in table.read_text().splitlines()]

    changed = [command for verdict, _, command in rows if verdict != said(literal_eval(command))]

    assert [] == changed


def test_the_index_names_every_program() -> None:
    """A family is found by the index, so what its table and rules name stands there, rules before rows."""
    owners = {name: family for family in FAMILIES for name in family_of(family).rows}
    owners |= {name: family for family in FAMILIES for name in family_of(family).rules}

    assert owners == index()
