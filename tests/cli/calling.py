"""Calling the command line in this process: exit code, standard output and standard error."""

from __future__ import annotations

import pytest
from attrs import frozen

from agentfsm.cli import main

__all__ = ("Called", "call")


@frozen
class Called:
    """How a command ended."""

    code: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Called:
    """Return how the command with these arguments ends."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    code = ended.value.code
    assert isinstance(code, int)
    return Called(code, said.out, said.err)
