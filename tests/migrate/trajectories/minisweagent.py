"""What recordings of mini-swe-agent are made of, for the tests that read them."""

from __future__ import annotations

import json
from typing import Any

from agentfsm.migrate.trajectories import Trajectory, read_text

SYSTEM = {"role": "system", "content": "You mend bells.\n```bash\nan example\n```"}
ASKED = {"role": "user", "content": "The bell is silent. Answer with\n```bash\ncommand\n```"}
DONE = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch"


def read(document: object) -> Trajectory:
    return read_text(json.dumps(document), "bell.traj.json")


def says(thought: str, command: str, block: str = "mswea_bash_command", **more: object) -> dict[str, Any]:
    return {"role": "assistant", "content": f"{thought}\n\n```{block}\n{command}\n```", **more}


def hears(output: str, **more: object) -> dict[str, Any]:
    content = f"<returncode>0</returncode>\n<output>\n{output}\n</output>"
    return {"role": "user", "content": content, **more}


def calls(thought: str | None, *commands: str, **more: object) -> dict[str, Any]:
    listed = [
        {
            "id": f"c{place}",
            "type": "function",
            "function": {"name": "bash", "arguments": json.dumps({"command": command})},
        }
        for place, command in enumerate(commands)
    ]
    return {"role": "assistant", "content": thought, "tool_calls": listed, **more}


def answers(key: str, output: str, **more: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": key, "content": output, **more}


def leaves(status: str, submission: str = "", content: str = "", **more: object) -> dict[str, Any]:
    return {"role": "exit", "content": content, "extra": {"exit_status": status, "submission": submission, **more}}


def ran(found: Trajectory) -> list[list[str]]:
    return [[str(call.arguments["command"]) for call in step.calls] for step in found.steps]
