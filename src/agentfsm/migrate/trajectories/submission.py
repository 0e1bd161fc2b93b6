"""How a recording of SWE-agent ended: the status, or what the last step did."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.migrate.trajectories.canonical import MARKS
from agentfsm.migrate.trajectories.document import Node
from agentfsm.migrate.trajectories.ending import cut_off, handed_in, is_submission, stopped, unanswered
from agentfsm.migrate.trajectories.recording import Ending, RecordedCall, RecordedStep
from agentfsm.migrate.trajectories.statements import first_word

__all__ = ("ending",)

_SUBMIT = frozenset({"submit", "finish"})
_PROMPT = re.compile(r"\n\(Open file: ")


def ending(run: Node, steps: tuple[RecordedStep, ...]) -> Ending:
    """
    Return how the run ended.

    `submitted` finishes it with the submission, and so does a last `submit` where the file has no status; every other
    status is a budget reached or a failure, even where the harness handed in on the model's behalf.
    """
    info = run.member("info")
    status = "" if info.is_absent else info.member("exit_status").text().strip()
    submission = "" if info.is_absent else info.member("submission").text()
    last = steps[-1:]
    mark = next((first_word(call.raw) for step in last for call in step.calls if _is(call, MARKS)), "")
    if is_submission(status):
        return handed_in(status, submission if submission.strip() else _handed_over(steps))
    if status or mark:
        said = "".join(step.thought for step in last if mark or not step.calls)
        return stopped(status or mark, said, submission)
    if any(_is(call, _SUBMIT) for step in last for call in step.calls) or submission.strip():
        return handed_in("", submission if submission.strip() else _handed_over(steps))
    return unanswered(steps) or cut_off(steps)


def _is(call: RecordedCall, names: frozenset[str]) -> bool:
    return call.name == "GitDiff" and first_word(call.raw) in names


def _handed_over(steps: Sequence[RecordedStep]) -> str:
    """Return what the last `submit` handed in: its argument, or the diff that came back."""
    for step in reversed(steps):
        for call in reversed(step.calls):
            if _is(call, _SUBMIT):
                given = call.arguments.get("submission")
                answer = step.observation if call.output is None else call.output
                return given if isinstance(given, str) and given.strip() else _diff(answer)
    return ""


def _diff(answer: str) -> str:
    """Return the diff in an answer, without the prompt that the harness puts below it."""
    start = max(answer.find("diff --git "), 0)
    return _PROMPT.split(answer[start:])[0]
