"""
What can go wrong:

* AgentFSMError
  + DefinitionError            your machine is wrong, found before any run; carries every finding
  + RunError                   this run went wrong; knows where
    - UndeclaredReadError      a record outside the ReadSet was read
    - AbsentRecordError        a record declared as surely there is not there
    - FrozenViewError          a view was assigned to
    - UndeclaredWriteError     a record outside the WriteSet is in the patch
    - MissingWriteError        a record the WriteSet promises is not in the patch
    - PatchError               what a stage handed back is no patch, or names one record twice
    - ValueTypeError           a field holds a value that its annotation does not admit
    - MutatedError             something reached through the view was changed in place
    - TrailError               a trail does not extend the committed one
    - CheckError               a precondition refused, before the stage ran
    - EnsureError              a postcondition refused, after the merge
    - UndeclaredExitError      `next` named an exit that the header does not
    - ScopeError               a record was written that does not live in the target
    - InvariantError           an invariant of the machine does not hold
    - StageError               a stage raised
    - StageTimeoutError        a stage took longer than it may
    - ToolError                a tool raised, or was called wrongly
    - ToolTimeoutError         a tool took longer than it may
    - UnknownOutcomeError      a tool for once ended without saying whether it was done
    - ToolRefusedError         a guard denied a call
    - ConflictingCallsError    two calls of one gather write the same thing
    - ModelError               a model could not answer
    - LimitError               a limit was reached in the middle of a stage
    - DepthError               sub-machines nest deeper than allowed
    - BusyError                an operation is not possible while a step is under way
  + LogError                   stored text cannot be used
    - EncodeError              a value cannot be written so that it reads back equal
    - DecodeError              stored text is no value of the expected type
    - CorruptLogError          a log is damaged
    - CorruptSnapshotError     a snapshot is damaged
    - IdentityError            stored text belongs to another machine or version
  + ReplayMismatchError        the record and the code disagree
  + ConflictError              somebody else wrote first
    - LeaseError               somebody else holds the run
  + JournalError               the place where logs are kept cannot be used
  + UsageError                 a call's arguments cannot be used
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

__all__ = (
    "AbsentRecordError",
    "AgentFSMError",
    "BusyError",
    "CheckError",
    "ConflictError",
    "ConflictingCallsError",
    "CorruptLogError",
    "CorruptSnapshotError",
    "DecodeError",
    "DefinitionError",
    "DepthError",
    "EncodeError",
    "EnsureError",
    "Finding",
    "FrozenViewError",
    "IdentityError",
    "InvariantError",
    "JournalError",
    "LeaseError",
    "LimitError",
    "LogError",
    "MissingWriteError",
    "ModelError",
    "MutatedError",
    "PatchError",
    "ReplayMismatchError",
    "RunError",
    "ScopeError",
    "StageError",
    "StageTimeoutError",
    "ToolError",
    "ToolRefusedError",
    "ToolTimeoutError",
    "TrailError",
    "UndeclaredExitError",
    "UndeclaredReadError",
    "UndeclaredWriteError",
    "UnknownOutcomeError",
    "UsageError",
    "ValueTypeError",
    "Where",
)


class AgentFSMError(Exception):
    """Base of all errors raised by agentfsm."""


@frozen
class Finding:
    """
    One fault of a definition: a stable code, what is wrong and the way out, and where.

    *place* is a file and line, a JSON path, or a stage; *path* is a witness through the graph, by state name.
    """

    code: str
    message: str
    place: str = ""
    stage: str = ""
    record: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f"{self.place}: " if self.place else ""
        path = f" ({' -> '.join(self.path)})" if self.path else ""
        return f"{place}{self.message}{path} [{self.code}]"


class DefinitionError(AgentFSMError):
    """
    Your machine is wrong, found before any run.

    *findings* holds every fault that was found, never only the first.
    """

    def __init__(self, *findings: Finding | str) -> None:
        self.findings = tuple(Finding("definition", f) if isinstance(f, str) else f for f in findings)
        super().__init__("\n".join(map(str, self.findings)))

    @classmethod
    def raise_any(cls, findings: Iterable[Finding]) -> None:
        """Raise when there is at least one finding."""
        if found := tuple(findings):
            raise cls(*found)

    def at(self, place: str) -> DefinitionError:
        """Return this error with *place* in each finding that names none."""
        return DefinitionError(
            *(finding if finding.place else evolve(finding, place=place) for finding in self.findings)
        )


@frozen
class Where:
    """Where in a run something happened; *path* goes from a record's name down to the value at fault."""

    stage: str = ""
    lifecycle: str = ""
    iteration: int = 0
    event: int = 0
    attempt: int = 1
    path: str = ""

    def __str__(self) -> str:
        path = f", {self.path}" if self.path else ""
        return f"{self.stage or 'run'} in {self.lifecycle}, iteration {self.iteration}, event {self.event}{path}"


NOWHERE = Where()


class RunError(AgentFSMError):
    """
    This run went wrong.

    *where* is filled in by the orchestrator, which alone knows stage, lifecycle state, iteration and event.
    """

    def __init__(self, reason: str, *, path: str = "", where: Where = NOWHERE) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path or where.path
        self.where = where

    def __str__(self) -> str:
        return self.reason if self.where is NOWHERE else f"{self.where}: {self.reason}"


class UndeclaredReadError(RunError):
    """Raised when a record outside the header is read: only where types were silenced."""


class AbsentRecordError(RunError):
    """Raised when a record that a header declares as surely there is not there."""


class FrozenViewError(RunError):
    """Raised when something is assigned to a view or deleted from it."""


class UndeclaredWriteError(RunError):
    """Raised when a patch holds a record outside the WriteSet."""


class MissingWriteError(RunError):
    """Raised when a patch lacks a record that the WriteSet promises."""


class PatchError(RunError):
    """Raised when what a stage handed back is no patch, or one record is in it twice."""


class ValueTypeError(RunError):
    """Raised when a field holds a value that its annotation does not admit."""


class MutatedError(RunError):
    """Raised when something reached through a view was changed in place."""


class TrailError(RunError):
    """Raised when a trail does not extend the committed one."""


class CheckError(RunError):
    """Raised when a stage's own check refuses the state it was given."""


class EnsureError(RunError):
    """Raised when a stage's own `ensure` refuses the merged state."""


class UndeclaredExitError(RunError):
    """Raised when `next` names an exit that the header does not."""


class ScopeError(RunError):
    """Raised when a patch holds a record that does not live in the target state."""


class InvariantError(RunError):
    """Raised when an invariant of the machine does not hold."""


class StageError(RunError):
    """Raised when a stage raised; the cause is chained."""


class StageTimeoutError(RunError):
    """Raised when a stage took longer than its `timeout`."""


class ToolError(RunError):
    """Raised when a tool raised or was called wrongly; the cause is chained."""


class ToolTimeoutError(ToolError):
    """Raised when a tool took longer than its `timeout`."""


class UnknownOutcomeError(ToolError):
    """Raised when a tool of effect ``once`` ended without saying whether it was done; the cause is chained."""


class ToolRefusedError(RunError):
    """Raised inside a stage when a guard denied a call; the stage may tell the model and go on."""

    def __init__(self, tool: str, code: str, reason: str, *, way: str = "") -> None:
        super().__init__(f"{tool} refused ({code}): {reason}" + (f"; {way}" if way else ""), path=tool)
        self.tool = tool
        self.code = code
        self.way = way


class ConflictingCallsError(RunError):
    """Raised before either call runs when two calls of one gather write the same thing."""


class ModelError(RunError):
    """Raised when a model could not answer."""


class LimitError(RunError):
    """Raised when a limit is reached in the middle of a stage."""


class DepthError(RunError):
    """Raised when sub-machines nest deeper than allowed."""


class BusyError(RunError):
    """Raised when something is asked of a run whose step is still under way."""


class LogError(AgentFSMError):
    """
    Stored text, or a value to be stored, cannot be used.

    *path* is a JSON path from the entry's root.
    """

    def __init__(self, reason: str, *, path: str = "$") -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason
        self.path = path


class EncodeError(LogError):
    """Raised when a value cannot be written so that it reads back equal."""


class DecodeError(LogError):
    """Raised when stored text is no value of the expected type."""


class CorruptLogError(LogError):
    """Raised when a log is damaged: torn, reordered, cut or changed."""


class CorruptSnapshotError(LogError):
    """Raised when a snapshot is damaged."""


class IdentityError(LogError):
    """Raised when stored text belongs to another machine, or to a version that cannot be read."""


class ReplayMismatchError(AgentFSMError):
    """
    The record and the code disagree: the first event at which they do, where in it, and both values.
    """

    def __init__(self, seq: int, path: str, expected: object, found: object) -> None:
        super().__init__(f"event {seq}, {path}: recorded {expected!r}, now {found!r}")
        self.seq = seq
        self.path = path
        self.expected = expected
        self.found = found


class ConflictError(AgentFSMError):
    """Raised when a journal's head is not where the writer thinks it is."""

    def __init__(self, run: str, *, expected: int, found: int) -> None:
        super().__init__(f"run {run}: expected its head at {expected}, found it at {found}; read it again")
        self.run = run
        self.expected = expected
        self.found = found


class LeaseError(ConflictError):
    """Raised when another owner holds a run, or took it over from a writer that stalled."""

    def __init__(self, run: str, *, owner: str, fence: int = 0) -> None:
        AgentFSMError.__init__(
            self, f"run {run}: {owner or 'nobody'} holds it" + (f", not the writer with fence {fence}" if fence else "")
        )
        self.run = run
        self.owner = owner
        self.fence = fence


class JournalError(AgentFSMError):
    """Raised when the place where logs are kept cannot be used: not there, full, locked, of another schema."""


class UsageError(AgentFSMError):
    """Raised when a call's arguments cannot be used; nothing was changed."""
