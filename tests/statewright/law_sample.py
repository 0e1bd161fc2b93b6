"""Machines that several tests use, and short ways to make and ask them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from agentfsm.guard import Decision
from agentfsm.statewright import Bounds, Machine, NamedFiles, Session, Shell, ToolCall, load_text
from agentfsm.statewright.plain import Json
from agentfsm.statewright.shell_port import UNCLASSIFIED

__all__ = ("DEMO", "FINALS", "call", "decide", "machine", "parsed", "sent")

FINALS: dict[str, Json] = {"completed": {"type": "final"}, "failed": {"type": "final"}}

# The well-known small demo.
DEMO: dict[str, Json] = {
    "id": "demo",
    "initial": "planning",
    "states": {
        "planning": {
            "allowed_tools": ["read_file", "grep", "git_log"],
            "on": {"PLAN_READY": "implementing", "FAIL": "failed"},
        },
        "implementing": {
            "allowed_tools": ["read_file", "write_file", "edit_file", "run_test"],
            "on": {"DONE": "review"},
        },
        "review": {
            "allowed_tools": ["read_file", "git_diff"],
            "on": {"APPROVED": "completed", "REJECTED": "implementing"},
        },
        **FINALS,
    },
}


def machine(
    states: Mapping[str, Json],
    *,
    shell: Shell = UNCLASSIFIED,
    bounds: Bounds | None = None,
    machines: Mapping[str, Machine] | None = None,
    **rest: Json,
) -> Machine:
    """A machine of *states* that starts in the first of them."""
    definition = {"id": "m", "initial": next(iter(states)), "states": {**FINALS, **states}, **rest}
    return parsed(definition, shell=shell, bounds=bounds, machines=machines)


def parsed(
    definition: Mapping[str, Json],
    *,
    shell: Shell = UNCLASSIFIED,
    bounds: Bounds | None = None,
    machines: Mapping[str, Machine] | None = None,
) -> Machine:
    """A machine whose shape is sound; its structure may be anything, since the law holds there too."""
    loaded = load_text(json.dumps(definition))
    assert loaded.definition is not None, loaded.faults
    files = NamedFiles("/srv/demo")
    return Machine.of(loaded.definition, shell=shell, bounds=bounds, machines=machines, files=files)


def call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(name, arguments)


def decide(of: Machine, session: Session, name: str, **arguments: object) -> Decision:
    return of.decide(session, ToolCall(name, arguments))


def sent(of: Machine, session: Session, *events: str) -> Session:
    """The session after *events*, each of which has to move it."""
    for event in events:
        step = of.send(session, event)
        assert step.moved is not None, step.refused
        session = step.session
    return session
