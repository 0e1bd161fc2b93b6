"""A process that dies at any moment loses nothing, repeats nothing, and asks nobody twice."""

from __future__ import annotations

from typing import Any

from agentfsm import Business, MemoryJournal, Outcome, Run
from agentfsm.testing import crash_everywhere
from tests.mailing import Mail, Mailing, TracedMail


def tried(scenarios: list[Mailing], mail: type[Mail]) -> Mailing:
    scenarios.append(Mailing(MemoryJournal(), mail))
    return scenarios[-1]


async def test_a_crash_at_any_moment_changes_nothing() -> None:
    """R34, R35: whenever the process dies, the end is that of a run that was not cut off; each effect is done once."""
    tries: list[Mailing] = []
    whole, crashes = await crash_everywhere(lambda: tried(tries, TracedMail))

    assert Outcome.FINISHED is whole.outcome
    assert len(crashes) > 40
    for crash, done in zip(crashes, tries[1:], strict=True):
        where = f"{crash.when} batch {crash.batch}"
        assert whole.outcome is crash.run.outcome, where
        assert texts(whole, tries[0]) == texts(crash.run, done), where
        assert {1} == done.outside.times("Mail") == done.outside.times("Put"), where
        assert 2 == len(set(done.answered)), where
        assert {"approval"} == {reason for reason, _ in done.answered}, where


async def test_what_may_have_happened_is_reported() -> None:
    """R34: a tool that cannot tell whether it was done is not called again before a person said so."""
    tries: list[Mailing] = []
    _, crashes = await crash_everywhere(lambda: tried(tries, Mail))
    reported = [
        crash
        for crash, done in zip(crashes, tries[1:], strict=True)
        if "unknown_outcome" in {reason for reason, _ in done.answered}
    ]

    assert all(done.outside.times("Mail") <= {1} for done in tries)
    assert all(Outcome.FINISHED is crash.run.outcome for crash in crashes)
    # for each of two mails: after the intent was kept, and before the result was
    assert 4 == len(reported)


def texts(run: Run[Any], scenario: Mailing) -> str:
    """What the stages wrote, whatever the world outside is called."""
    return str(sorted(map(repr, (r for r in run.state if isinstance(r, Business))))).replace(scenario.name, "here")
