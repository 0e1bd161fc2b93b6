"""Retrying: whether and when a stage is attempted again, by tenacity's rules for stopping and waiting."""

from __future__ import annotations

from typing import Any

from agentfsm.errors import (
    CheckError,
    InvariantError,
    RunError,
    ScopeError,
    UndeclaredExitError,
    UndeclaredReadError,
    UndeclaredWriteError,
)
from agentfsm.stage import Retry

__all__ = ("pause_before",)

NEVER = (CheckError, InvariantError, ScopeError, UndeclaredExitError, UndeclaredReadError, UndeclaredWriteError)


def pause_before(policy: Retry, attempt: int, error: RunError) -> float | None:
    """Return how many seconds to wait before another attempt after number *attempt*, or None for no other."""
    if policy.attempts <= 1 or isinstance(error, NEVER) or not isinstance(error, policy.on):
        return None
    import tenacity  # only where something failed that may be tried again

    stop = tenacity.stop_after_attempt(policy.attempts)
    wait = tenacity.wait_exponential(multiplier=policy.wait, max=policy.longest)
    state: Any = tenacity.RetryCallState(tenacity.Retrying(stop=stop, wait=wait), None, (), {})
    state.attempt_number = attempt
    return None if stop(state) else float(wait(state))
