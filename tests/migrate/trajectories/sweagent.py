"""What recordings of SWE-agent are made of, for the tests that read them."""

from __future__ import annotations

import json
from typing import Any

from agentfsm.migrate.trajectories import Trajectory, read_text

SYSTEM = {"role": "system", "content": "You mend bells.", "agent": "main"}
ASKED = {"role": "user", "content": "The bell is silent.", "agent": "main"}
DIFF = "diff --git a/bell.py b/bell.py\n-ring\n+ring()\n"


def read(document: object) -> Trajectory:
    return read_text(json.dumps(document), "bell.traj")


def entry(action: str, observation: str = "ok", **more: object) -> dict[str, Any]:
    thought = f"I try {action.split(maxsplit=1)[0] if action.split() else 'nothing'}."
    return {"action": action, "observation": observation, "thought": thought, "response": thought, **more}


def reply(thought: str, action: str | None = None, **more: object) -> dict[str, Any]:
    spoken = {} if action is None else {"thought": thought, "action": action}
    return {"role": "assistant", "content": thought, "agent": "main", **spoken, **more}


def heard(content: object, **more: object) -> dict[str, Any]:
    return {"role": "user", "content": content, "agent": "main", **more}


def call(name: str, key: str = "", **arguments: object) -> dict[str, Any]:
    return {"id": key, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def named(found: Trajectory) -> list[list[str]]:
    return [[each.name for each in step.calls] for step in found.steps]
