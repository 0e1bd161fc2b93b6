"""Errors carry facts, and the module's docstring draws the tree that there is."""

from __future__ import annotations

import re

import pytest

from agentfsm import errors
from agentfsm.errors import (
    AgentFSMError,
    ConflictError,
    DefinitionError,
    Finding,
    LogError,
    ReplayMismatchError,
    RunError,
    StageError,
    ToolRefusedError,
    Where,
)

CLASSES = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, AgentFSMError)}


def drawn() -> dict[str, str]:
    """The tree of the docstring: each error's name, and by its mark the name of the error above it."""
    tree, above = dict[str, str](), {"*": "Exception"}
    for mark, name in re.findall(r"^ *([*+-]) (\w+)", errors.__doc__ or "", re.MULTILINE):
        tree[name] = above[mark]
        above |= {"*": {"+": name}, "+": {"-": name}, "-": {}}[mark]
    return tree


def test_the_docstring_draws_the_tree() -> None:
    """Every error is in the drawing, below an error that it derives from."""
    tree = drawn()

    assert {each.__name__ for each in CLASSES} == tree.keys()
    assert [] == [each for each in CLASSES if tree[each.__name__] not in {base.__name__ for base in each.__mro__[1:]}]


def test_every_error_is_public() -> None:
    """What can be raised can be imported by name."""
    assert {each.__name__ for each in CLASSES} <= {*errors.__all__}


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("trap", "FIX has no way out"), "FIX has no way out [trap]"),
        (Finding("trap", "no way out", place="graph.yaml:7"), "graph.yaml:7: no way out [trap]"),
        (Finding("trap", "no way out", path=("FIX", "VERIFY")), "no way out (FIX -> VERIFY) [trap]"),
    ],
)
def test_a_finding_reads_as_one_line(finding: Finding, text: str) -> None:
    """Place first, as editors like it; the witness path and the code last."""
    assert text == str(finding)


def test_a_definition_error_carries_every_finding() -> None:
    """All faults are found at once, a plain text being one of them."""
    trap = Finding("trap", "no way out")
    error = DefinitionError(trap, "two enums")

    assert (trap, Finding("definition", "two enums")) == error.findings
    assert "no way out [trap]\ntwo enums [definition]" == str(error)


def test_raise_any_is_silent_without_findings() -> None:
    """Checks hand over what they found, be it nothing."""
    DefinitionError.raise_any([])

    with pytest.raises(DefinitionError, match="no way out"):
        DefinitionError.raise_any([Finding("trap", "no way out")])


def test_a_run_error_says_where() -> None:
    """R5: stage, lifecycle state, iteration, event and path are attributes, and stand in the message."""
    where = Where(stage="Fix", lifecycle="fix", iteration=2, event=5, path="diff.text")
    error = StageError("it broke", where=where)

    assert (where, "diff.text", "it broke") == (error.where, error.path, error.reason)
    assert "Fix in fix, iteration 2, event 5, diff.text: it broke" == str(error)


def test_a_run_error_without_a_place_is_its_reason() -> None:
    """Before the orchestrator has filled in the place there is none to speak of."""
    assert "it broke" == str(RunError("it broke"))


def test_the_facts_of_the_others() -> None:
    """Code reads attributes, never message text."""
    refused = ToolRefusedError("Bash", "read_only", "it writes", way="PLAN_READY")

    assert ("Bash", "read_only", "PLAN_READY") == (refused.tool, refused.code, refused.way)
    assert "Bash refused (read_only): it writes; PLAN_READY" == str(refused)
    assert "$.events[3]: torn" == str(LogError("torn", path="$.events[3]"))
    assert "event 4, tests.passed: recorded True, now False" == str(ReplayMismatchError(4, "tests.passed", True, False))
    assert "run r1: expected its head at 3, found it at 4; read it again" == str(
        ConflictError("r1", expected=3, found=4)
    )
