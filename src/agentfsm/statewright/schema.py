"""What a definition may hold: one table of shapes, read by the parser, the JSON Schema and the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from attrs import frozen

__all__ = (
    "BRANCH",
    "EDGE",
    "FORK",
    "FORKING",
    "FORK_BRANCH",
    "GUARD",
    "INTERRUPT",
    "INVOKE",
    "MACHINE",
    "META",
    "OPERATORS",
    "SHAPES",
    "STATE",
    "Field",
    "Kind",
    "Shape",
)

OPERATORS = ("eq", "neq", "gt", "gte", "lt", "lte", "exists", "not_exists", "in", "contains")


class Kind(Enum):
    """What JSON a field holds."""

    TEXT = "text"
    TEXTS = "list of text"
    CHOICE = "one of a few words"
    BOOLEAN = "boolean"
    UINT32 = "unsigned integer of 32 bits"
    UINT64 = "unsigned integer of 64 bits"
    ANY = "any JSON"
    LIST = "list of any JSON"
    TEXT_MAP = "map of text"
    OBJECT = "object"
    MAP = "map of objects"
    TRANSITIONS = "map of transitions"


@frozen
class Shape:
    """One kind of object in a definition; an *open* one keeps keys of its own."""

    name: str
    fields: Mapping[str, Field]
    open: bool = False


@frozen
class Field:
    """One key: what it holds, and who acts on it. Where *nullable*, null counts as absent."""

    kind: Kind
    acts: str
    required: bool = False
    nullable: bool = True
    alias: str = ""
    words: tuple[str, ...] = ()
    of: Shape | None = None
    default: str | bool | None = None


def _must(kind: Kind, acts: str, *, words: tuple[str, ...] = (), of: Shape | None = None) -> Field:
    return Field(kind, acts, required=True, nullable=False, words=words, of=of)


_GUARDS = {
    "guard": Field(Kind.TEXT, "transition: must hold, tested first"),
    "guards": Field(Kind.TEXTS, "transition: must all hold, tested in order"),
}

BRANCH = Shape("branch", {"target": _must(Kind.TEXT, "transition: the state to enter, or $return"), **_GUARDS})

EDGE = Shape(
    "edge",
    {
        "target": _must(Kind.TEXT, "transition: the state to enter, or $return"),
        **_GUARDS,
        "requires_approval": Field(Kind.BOOLEAN, "approvals: parks the move until a person answers"),
        "approval_message": Field(Kind.TEXT, "approvals: shown to the person"),
        "approval_reviewer": Field(Kind.ANY, "approvals: carried in the request, not acted on"),
    },
)

FORK_BRANCH = Shape(
    "fork branch",
    {
        "initial": _must(Kind.TEXT, "forks: where the branch starts"),
        "terminal": _must(Kind.TEXT, "forks: where the branch has done its work"),
    },
)

FORK = Shape(
    "fork",
    {
        "branches": _must(Kind.MAP, "forks: each runs with a session of its own", of=FORK_BRANCH),
        "join": Field(
            Kind.CHOICE,
            "forks: whether all branches or any one must reach its terminal",
            nullable=False,
            words=("all", "any"),
            default="all",
        ),
        "on_complete": _must(Kind.TEXT, "forks: the state to enter after the join"),
        "on_fail": Field(Kind.TEXT, "forks: the state to enter when the join cannot happen any more"),
    },
)

FORKING = Shape("fork transition", {"fork": _must(Kind.OBJECT, "forks: runs branches", of=FORK)})

INVOKE = Shape(
    "invoke",
    {
        "invoke": _must(Kind.TEXT, "sub-machines: the machine to run"),
        "on_complete": _must(Kind.TEXT, "sub-machines: the state to enter when it ended well"),
        "on_fail": Field(Kind.TEXT, "sub-machines: the state to enter when it failed"),
        "input": Field(Kind.ANY, "sub-machines: laid over the child's own context"),
    },
)

GUARD = Shape(
    "guard",
    {
        "field": _must(Kind.TEXT, "guards: the key of the context, or a dotted path through objects"),
        "op": _must(Kind.CHOICE, "guards: the comparison", words=OPERATORS),
        "value": Field(Kind.ANY, "guards: what is compared with; null when absent"),
    },
)

TRIGGER = Shape("trigger", {"file_pattern": _must(Kind.TEXT, "interrupts: a glob over the edited file's path")})

INTERRUPT = Shape(
    "interrupt",
    {
        "trigger": _must(Kind.OBJECT, "interrupts: when it fires", of=TRIGGER),
        "target": _must(Kind.TEXT, "interrupts: the handler's first state"),
    },
)

_VERSION = _must(Kind.UINT32, "carried; the validator takes 1 only")
_FLAG = Field(Kind.BOOLEAN, "validator: a required policy needs the one before it", nullable=False, default=False)

WORKSPACE = Shape(
    "workspace policy",
    {
        "version": _VERSION,
        "mode": _must(Kind.CHOICE, "carried and shown", words=("git_worktree",)),
        "required": _FLAG,
        "cleanup": _must(Kind.CHOICE, "carried and shown", words=("never", "after_promoted")),
    },
)

PREVIEW = Shape(
    "preview policy",
    {
        "version": _VERSION,
        "mode": _must(Kind.CHOICE, "carried and shown", words=("taskfile",)),
        "required": _FLAG,
        "prepare_state": _must(Kind.TEXT, "carried and shown; must exist"),
        "deploy_state": _must(Kind.TEXT, "carried and shown; must exist"),
        "validate_state": _must(Kind.TEXT, "carried and shown; must exist"),
    },
)

PROMOTION = Shape(
    "promotion policy",
    {
        "version": _VERSION,
        "mode": _must(Kind.CHOICE, "carried and shown", words=("manual", "squash")),
        "required": _FLAG,
        "promote_state": _must(Kind.TEXT, "carried and shown; must exist"),
        "teardown_on_final": Field(Kind.BOOLEAN, "carried and shown", nullable=False, default=False),
    },
)

META = Shape(
    "meta",
    {
        "task_type": Field(Kind.TEXT, "carried and shown"),
        "estimated_steps": Field(Kind.UINT32, "carried and shown"),
        "danger_level": Field(
            Kind.CHOICE,
            "validator: moderate and dangerous switch the privilege rules on",
            words=("safe", "moderate", "dangerous"),
        ),
        "requires_human_approval": Field(Kind.BOOLEAN, "carried and shown"),
        "capture_output": Field(Kind.BOOLEAN, "carried and shown"),
        "default_model": Field(Kind.TEXT, "carried and shown"),
        "workspace": Field(Kind.OBJECT, "validator: checked, then carried and shown", of=WORKSPACE),
        "preview": Field(Kind.OBJECT, "validator: checked, then carried and shown", of=PREVIEW),
        "promotion": Field(Kind.OBJECT, "validator: checked, then carried and shown", of=PROMOTION),
    },
    open=True,
)

STATE = Shape(
    "state",
    {
        "on": Field(Kind.TRANSITIONS, "transition: the moves out of this state by event", nullable=False),
        "type": Field(
            Kind.CHOICE,
            "guard: final allows no tool and ends the run; parallel is carried and does nothing",
            words=("final", "parallel"),
        ),
        "allowed_tools": Field(Kind.TEXTS, "guard: nothing else passes; absent, all but the banned pass"),
        "disallowed_tools": Field(Kind.TEXTS, "guard: never passes, listed or not"),
        "instructions": Field(Kind.TEXT, "carried and shown to the agent"),
        "max_iterations": Field(Kind.UINT32, "guard: tool calls allowed since the state was entered from another"),
        "safe_next": Field(Kind.TEXT, "transition: for an event that matches nothing, and for exhausted iterations"),
        "max_edit_lines": Field(Kind.UINT32, "guard: lines that one edit may change"),
        "max_files_per_state": Field(Kind.UINT32, "guard: different files edited since the state was entered"),
        "context_budget_bytes": Field(Kind.UINT64, "guard: bytes read; warns at 90 %, refuses reads at 100 %"),
        "allowed_commands": Field(Kind.TEXTS, "guard, through the shell classifier: a limit and a key"),
        "allowed_commands_tool": Field(Kind.TEXT, "guard: a further tool whose `command` is held to allowed_commands"),
        "blocked_env": Field(
            Kind.TEXTS, "guard: variables a command may not name; taken out of its environment", alias="deny_env"
        ),
        "env_overrides": Field(Kind.TEXT_MAP, "the shell tool's environment", alias="env"),
        "model": Field(Kind.TEXT, "carried and shown"),
        "thinking_level": Field(Kind.TEXT, "carried and shown"),
        "direct_execution": Field(Kind.BOOLEAN, "carried and shown"),
        "model_ladder": Field(Kind.LIST, "carried and shown"),
    },
)

MACHINE = Shape(
    "machine",
    {
        "id": _must(Kind.TEXT, "names the machine"),
        "initial": _must(Kind.TEXT, "the state a session starts in"),
        "context": Field(Kind.ANY, "guards: what they read at the start"),
        "states": _must(Kind.MAP, "the states by name", of=STATE),
        "guards": Field(Kind.MAP, "guards: predicates by name", nullable=False, of=GUARD),
        "meta": Field(Kind.OBJECT, "validator; its own keys beside the typed ones are kept", of=META),
        "interrupts": Field(Kind.MAP, "interrupts: detours by name", nullable=False, of=INTERRUPT),
        "agent_context": Field(Kind.TEXTS, "transition: guarded keys that the agent may write all the same"),
    },
)

SHAPES = (
    MACHINE,
    STATE,
    EDGE,
    BRANCH,
    FORKING,
    FORK,
    FORK_BRANCH,
    INVOKE,
    GUARD,
    INTERRUPT,
    TRIGGER,
    META,
    WORKSPACE,
    PREVIEW,
    PROMOTION,
)
