"""The ready machines."""

from __future__ import annotations

import pytest

from agentfsm.statewright import ToolCall, prove, read_claim
from agentfsm_stages.coding.machines import NAMES, MachineName, load_machine
from tests.statewright.law_sample import sent


@pytest.mark.parametrize("name", NAMES)
def test_each_passes_as_dangerous(name: MachineName) -> None:
    """No fault and no warning at the highest danger level."""
    of = load_machine(name)

    assert "dangerous" == of.definition.danger_level
    assert () == of.verdicts()


@pytest.mark.parametrize("name", NAMES)
def test_each_ends_behind_an_approval(name: MachineName) -> None:
    """No way leads to the good end that no person has agreed to."""
    of = load_machine(name)

    assert prove(of, read_claim("approved", f"{of.definition.initial}..completed")).holds


@pytest.mark.parametrize("name", NAMES)
def test_none_runs_a_shell(name: MachineName) -> None:
    """They work without a shell classifier, because no state opens Bash."""
    of = load_machine(name)

    assert all(of.law.lists[state].objection("Bash") is not None for state in of.definition.states)


def test_research_is_read_only() -> None:
    """In no state can anything but reading happen."""
    of = load_machine("research")
    tools = "Read,Grep,Glob,LS,GitStatus,GitDiff,GitLog"

    assert all(prove(of, read_claim("only", f"{state}:{tools}")).holds for state in of.definition.states)


def test_a_bug_is_fixed_by_the_book() -> None:
    """From planning to the commit, with one person's word in between."""
    of = load_machine("bugfix")
    session = sent(of, of.start("r"), "PLAN_READY")
    decision, step = of.admit(
        session, ToolCall("Edit", {"file_path": "a.py", "old_string": "a - b", "new_string": "a + b"})
    )
    parked = of.send(sent(of, step.session, "DONE", "TESTS_PASS"), "APPROVED", now=1)

    assert "allowed" == decision.code
    assert parked.pending is not None
    after = of.approve(parked.session, parked.pending.id, by="ada", now=2).session
    assert ["allow", "deny"] == [of.decide(after, ToolCall(n)).action for n in ("git_commit", "git_push")]
    assert "completed" == sent(of, after, "COMMITTED").state
