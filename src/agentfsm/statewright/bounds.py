"""Bounds: how much of anything a session may use."""

from __future__ import annotations

from attrs import field, frozen

from agentfsm.bounds import whole

__all__ = ("Bounds",)


@frozen(kw_only=True)
class Bounds:
    """
    Limits of a session; each is exact.

    *max_depth* machines may be nested below the outermost, *max_child_steps* moves may happen in one invoked machine,
    *queue* events may wait. The call that repeats another for the *warn_at*-th time is allowed with a warning, the one
    for the *refuse_at*-th time is refused. An approval request lives for *approval_seconds*. So
    that a session stays small, the last *remembered* calls are looked at for repeats.
    """

    max_depth: int = field(default=8, validator=whole(0))
    max_child_steps: int = field(default=100, validator=whole(1))
    queue: int = field(default=64, validator=whole(1))
    warn_at: int = field(default=3, validator=whole(2))
    refuse_at: int = field(default=5, validator=whole(2))
    remembered: int = field(default=32, validator=whole(8))
    approval_seconds: int = field(default=3600, validator=whole(1))
