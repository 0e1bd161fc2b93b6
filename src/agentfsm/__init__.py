"""agentfsm: a typed finite-state orchestrator for ReAct agents. Agents are suggestions, states are laws."""

from typing import TYPE_CHECKING

from agentfsm.budget import Budget, BudgetGuard, BudgetSpent
from agentfsm.errors import (
    AgentFSMError,
    BusyError,
    ConflictError,
    CorruptLogError,
    CorruptSnapshotError,
    DefinitionError,
    EnsureError,
    Finding,
    IdentityError,
    LogError,
    ModelError,
    ReplayMismatchError,
    RunError,
    StageTimeoutError,
    ToolError,
    ToolRefusedError,
    ToolTimeoutError,
    UsageError,
)
from agentfsm.events import CallEvent, Signal, StateTransitionEvent
from agentfsm.frozen import FrozenMap
from agentfsm.functions import stage
from agentfsm.guard import AllowList, Answer, Decision, Guard, Move, combine
from agentfsm.invariants import Invariant, monotonic, write_once
from agentfsm.journal.jsonl import JsonlJournal
from agentfsm.journal.memory import MemoryJournal
from agentfsm.journal.postgres import PostgresJournal
from agentfsm.journal.sqlite import SqliteJournal
from agentfsm.limits import Limits, Spent
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.records import Business, Lifecycle, Maybe, Metadata, ReadSet, Record, StateField, WriteSet, record
from agentfsm.repeats import LoopGuard, Repeats
from agentfsm.run import Outcome, Run
from agentfsm.snapshot import Snapshot
from agentfsm.stage import Retry, Stage
from agentfsm.state import AgentState, Halted, Iteration, LastError, Partial, StatePatch
from agentfsm.store import Lease, Store, claim
from agentfsm.streaming import (
    Chunk,
    Decided,
    Ended,
    Item,
    Sealed,
    StageStarted,
    ToolFinished,
    ToolStarted,
    Transition,
    Voided,
)
from agentfsm.submachine import SubMachine
from agentfsm.tools import Effect, Happened, Site, Tool, ToolCall, tool
from agentfsm.trail import Trail
from agentfsm.view import View
from agentfsm.workspace import Workspace
from agentfsm.world import Clock, Context, Journal, World

if TYPE_CHECKING:
    from agentfsm.statewright.guarding import StatewrightGuard

__version__ = "0.1.0"

__all__ = (
    "AgentFSMError",
    "AgentState",
    "AllowList",
    "Answer",
    "Budget",
    "BudgetGuard",
    "BudgetSpent",
    "Business",
    "BusyError",
    "CallEvent",
    "Chunk",
    "Clock",
    "ConflictError",
    "Context",
    "CorruptLogError",
    "CorruptSnapshotError",
    "Decided",
    "Decision",
    "DefinitionError",
    "Effect",
    "Ended",
    "EnsureError",
    "FSMOrchestrator",
    "Finding",
    "FrozenMap",
    "Guard",
    "Halted",
    "Happened",
    "IdentityError",
    "Invariant",
    "Item",
    "Iteration",
    "Journal",
    "JsonlJournal",
    "LastError",
    "Lease",
    "Lifecycle",
    "Limits",
    "LogError",
    "LoopGuard",
    "Maybe",
    "MemoryJournal",
    "Metadata",
    "ModelError",
    "Move",
    "Outcome",
    "Partial",
    "PostgresJournal",
    "ReadSet",
    "Record",
    "Repeats",
    "ReplayMismatchError",
    "Retry",
    "Run",
    "RunError",
    "Sealed",
    "Signal",
    "Site",
    "Snapshot",
    "Spent",
    "SqliteJournal",
    "Stage",
    "StageStarted",
    "StageTimeoutError",
    "StateField",
    "StatePatch",
    "StateTransitionEvent",
    "StatewrightGuard",
    "Store",
    "SubMachine",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolFinished",
    "ToolRefusedError",
    "ToolStarted",
    "ToolTimeoutError",
    "Trail",
    "Transition",
    "UsageError",
    "View",
    "Voided",
    "Workspace",
    "World",
    "WriteSet",
    "claim",
    "combine",
    "monotonic",
    "record",
    "stage",
    "tool",
    "write_once",
)


def __getattr__(name: str) -> object:
    """Import the law when it is first asked for: it is a fifth of what importing the package would take."""
    if name != "StatewrightGuard":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from agentfsm.statewright.guarding import StatewrightGuard

    globals()[name] = StatewrightGuard
    return StatewrightGuard
