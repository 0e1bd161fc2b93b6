"""How a recorded run ended, in the words of a lifecycle."""

from __future__ import annotations

import re

from agentfsm.migrate.trajectories.recording import Ending, RecordedStep

__all__ = ("cut_off", "handed_in", "is_submission", "stopped", "unanswered")

# Reached a budget, not an error: money, context, calls, time.
_EXHAUSTED = re.compile(r"cost|context|limit|token|budget|timeout|time_?exceeded|execution_time", re.IGNORECASE)
_SUBMITTED = "submitted"


def is_submission(status: str) -> bool:
    """Tell whether a status says that the model handed in; ``submitted (exit_cost)`` says that the harness did."""
    return status.strip().lower() == _SUBMITTED


def handed_in(status: str, submission: str) -> Ending:
    """The model submitted. An empty submission is no final answer."""
    if submission.strip():
        return Ending("finished", submission, status, submission)
    return Ending("failed", f"{status or _SUBMITTED}: the submission is empty", status)


def stopped(status: str, detail: str, submission: str) -> Ending:
    """Something other than the model ended the run: a budget, or a failure."""
    text = status if not detail.strip() or detail.strip() == status else f"{status}: {detail.strip()}"
    return Ending("exhausted" if _EXHAUSTED.search(status) else "failed", text, status, submission)


def unanswered(steps: tuple[RecordedStep, ...]) -> Ending | None:
    """A last reply that calls nothing and that nothing answers is the final answer."""
    if steps and not steps[-1].calls and not steps[-1].observation.strip() and steps[-1].thought.strip():
        return Ending("finished", steps[-1].thought)
    return None


def cut_off(steps: tuple[RecordedStep, ...]) -> Ending:
    """The recording stops without saying why."""
    if not steps:
        return Ending("failed", "the recording holds no step")
    last = steps[-1]
    if not last.calls and last.observation.strip():
        return Ending("failed", last.observation.strip())  # the refusal of a reply without a usable action
    return Ending(
        "failed", "the recording is cut off after its last action" if last.calls else "the last reply is empty"
    )
