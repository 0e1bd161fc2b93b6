"""Exit codes: what a command says to the shell."""

from __future__ import annotations

from collections.abc import Mapping

from agentfsm.errors import AgentFSMError, ConflictError, IdentityError, LimitError, UsageError
from agentfsm.run import Outcome

__all__ = ("CONFLICT", "DONE", "FAILED", "INTERRUPTED", "LIMIT", "USAGE", "WAITING", "code_of", "code_of_outcome")

DONE = 0
FAILED = 1  # or not verified
USAGE = 2
WAITING = 3  # for a person's approval
LIMIT = 4
CONFLICT = 5  # or another version
INTERRUPTED = 130

_OUTCOMES: Mapping[Outcome, int] = {
    Outcome.FINISHED: DONE,
    Outcome.FAILED: FAILED,
    Outcome.CANCELLED: FAILED,
    Outcome.SUSPENDED: WAITING,
    Outcome.EXHAUSTED: LIMIT,
}
_ERRORS: tuple[tuple[type[AgentFSMError], int], ...] = (
    (UsageError, USAGE),
    (ConflictError, CONFLICT),
    (IdentityError, CONFLICT),
    (LimitError, LIMIT),
)


def code_of_outcome(outcome: Outcome | None) -> int:
    """Return the exit code of a run; one that has work to do is neither done nor failed, and waits."""
    return WAITING if outcome is None else _OUTCOMES[outcome]


def code_of(error: AgentFSMError) -> int:
    """Return the exit code of an error."""
    return next((code for kind, code in _ERRORS if isinstance(error, kind)), FAILED)
