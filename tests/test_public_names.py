"""What a user needs is imported from `agentfsm`: the pages and the signatures of public classes name nothing else."""

from __future__ import annotations

from typing import get_args

import pytest

import agentfsm
from agentfsm import errors, streaming
from agentfsm.stage import Retry


def test_every_name_is_there() -> None:
    """What the package lists, it has; the list has no name twice."""
    assert [] == [name for name in agentfsm.__all__ if not hasattr(agentfsm, name)]
    assert len(set(agentfsm.__all__)) == len(agentfsm.__all__)


def test_every_item_of_a_stream_is_public() -> None:
    """Whoever watches a run matches on its items."""
    kinds = {getattr(kind, "__origin__", kind).__name__ for kind in get_args(streaming.Item)}

    assert kinds | {"Item"} <= set(agentfsm.__all__)


@pytest.mark.parametrize(
    "kind",
    [
        # the branches of the tree, and what reading and resuming raise
        errors.AgentFSMError,
        errors.DefinitionError,
        errors.Finding,
        errors.RunError,
        errors.LogError,
        errors.CorruptLogError,
        errors.CorruptSnapshotError,
        errors.IdentityError,
        errors.ReplayMismatchError,
        errors.ConflictError,
        errors.UsageError,
        errors.BusyError,
        # what a stage catches
        errors.ToolError,
        errors.ToolTimeoutError,
        errors.ToolRefusedError,
        # what a stage is retried on, unless it says otherwise
        *Retry().on,
    ],
)
def test_the_errors_that_callers_meet_are_public(kind: type) -> None:
    """They are caught by name; the others are told by `run.error.kind` and are in `agentfsm.errors`."""
    assert kind is getattr(agentfsm, kind.__name__)
    assert kind.__name__ in agentfsm.__all__
