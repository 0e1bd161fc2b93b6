"""Sessions: where a machine stands, as one frozen value of plain parts that any codec can write."""

from __future__ import annotations

from attrs import asdict, frozen

from agentfsm.statewright.plain import Json, digest, plain

__all__ = ("Answer", "ApprovalRequest", "Child", "ForkRun", "Frame", "Posted", "Session", "state_digest")


@frozen
class ApprovalRequest:
    """
    A move that waits for a person.

    *id* is a digest of all the rest, so it fits no other move. *data* and *reviewer* are JSON text; *state_digest* is
    that of the session which asked. Times are seconds of the caller's clock.
    """

    id: str
    run: str
    machine: str
    source: str
    target: str
    event: str
    data: str
    state_digest: str
    message: str | None
    reviewer: str | None
    asked_at: int
    expires_at: int


@frozen
class Answer:
    """What became of an approval request: approved, rejected, expired or stale; by whom, when and why."""

    request: str
    verdict: str
    by: str
    at: int
    reason: str = ""


@frozen
class Frame:
    """An interrupt at work: its name and the file that set it off."""

    interrupt: str
    file: str


@frozen
class Posted:
    """An event that waits in the queue; *at* is the number of moves it was posted for, or None for any."""

    id: int
    event: str
    data: str
    at: int | None = None
    branch: tuple[str, ...] = ()


@frozen
class Child:
    """An invoked machine at work; *moves* counts what it and those below it have done."""

    machine: str
    session: Session
    on_complete: str
    on_fail: str | None
    moves: int = 0


@frozen
class BranchRun:
    """One branch of a fork: its session, and whether it is running, done or failed."""

    name: str
    terminal: str
    session: Session
    outcome: str = "running"


@frozen
class ForkRun:
    """A fork at work."""

    join: str
    on_complete: str
    on_fail: str | None
    branches: tuple[BranchRun, ...]


@frozen
class Session:
    """
    Where a machine stands.

    *machine* is the digest of its definition, *context* JSON text, *moves* the number of moves so far. *calls*, *files*
    and *read* count since the state was entered from another one: tool calls, different files edited, bytes read.
    *recent* holds digests of the calls since the last new call with an effect. *watch* says that something beyond the
    tables has to be looked at before a call; only the functions of this package set it.
    """

    run: str
    machine: str
    state: str
    context: str
    moves: int = 0
    calls: int = 0
    files: tuple[str, ...] = ()
    read: int = 0
    recent: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    pending: ApprovalRequest | None = None
    answers: tuple[Answer, ...] = ()
    asked: int = 0
    child: Child | None = None
    fork: ForkRun | None = None
    depth: int = 0
    sealed: tuple[str, ...] = ()
    queue: tuple[Posted, ...] = ()
    posted: int = 0
    cancelled: bool = False
    watch: bool = False

    @property
    def data(self) -> Json:
        """The context as fresh plain JSON."""
        return plain(self.context)


_UNBOUND = frozenset({"pending", "answers", "queue", "posted", "watch"})


def state_digest(session: Session) -> str:
    """Return the SHA-256 of all that an approval is bound to: the session without its requests and its queue."""
    held: dict[str, Json] = asdict(session, filter=lambda attribute, _: attribute.name not in _UNBOUND)
    return digest(held)
