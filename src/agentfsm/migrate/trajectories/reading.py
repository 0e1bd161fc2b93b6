"""Reading a recorded run: from the bytes or the text of a file to a `Trajectory`."""

from __future__ import annotations

import re

from agentfsm.migrate.trajectories import minisweagent, sweagent
from agentfsm.migrate.trajectories.census import count_mini, count_swe
from agentfsm.migrate.trajectories.document import Node, decode
from agentfsm.migrate.trajectories.fault import TrajectoryError
from agentfsm.migrate.trajectories.recording import Trajectory
from agentfsm.migrate.trajectories.submission import ending

__all__ = ("complete", "read_bytes", "read_text")

_MINI = re.compile(r"mini-swe-agent-1(\.\d+)*\Z")
_KNOWN = "`trajectory`, `history` or `attempts` (SWE-agent), or `messages` (mini-swe-agent)"


def read_bytes(content: bytes, file: str) -> Trajectory:
    """
    Return the run that the bytes of a file record; *file* names it in errors.

    Raises `TrajectoryError` and nothing else, whatever the bytes are.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TrajectoryError(file, "$", "UTF-8 text", f"{error.reason} at byte {error.start}") from error
    return read_text(text, file)


def read_text(text: str, file: str) -> Trajectory:
    """
    Return the run that the text of a file records: SWE-agent's or mini-swe-agent's, told by its shape.

    Raises `TrajectoryError` for a document of another shape, for a value of a wrong type, and where not every recorded
    action came through.
    """
    root = decode(text, file)
    return complete(_mini(root) if _is_mini(root) else _swe(root))


def complete(trajectory: Trajectory) -> Trajectory:
    """Return a trajectory whose steps hold every recorded action; raises `TrajectoryError` for another."""
    imported, recorded = trajectory.imported_actions, trajectory.recorded_actions
    if imported != recorded:
        raise TrajectoryError(trajectory.file, "$", "every recorded action", f"{imported} of {recorded}")
    return trajectory


def _is_mini(root: Node) -> bool:
    if isinstance(root.value, list):
        return not any(_is_swe_message(message) for message in root.items())
    if not isinstance(root.value, dict):
        raise root.fault(f"a list of messages, or an object with {_KNOWN}")
    named = root.member("trajectory_format")
    if not named.is_absent:
        if not (isinstance(named.value, str) and _MINI.match(named.value)):
            raise named.fault("mini-swe-agent-1 or mini-swe-agent-1.1", repr(named.value)[:80])
        return True
    shapes = [key for key in ("trajectory", "history", "attempts", "messages") if not root.member(key).is_absent]
    if not shapes:
        raise root.fault(f"an object with {_KNOWN}", "none of them")
    return shapes == ["messages"]


def _is_swe_message(message: Node) -> bool:
    keys = message.object().keys()
    return not keys.isdisjoint(("agent", "action", "thought", "message_type", "is_demo"))


def _mini(root: Node) -> Trajectory:
    listed = minisweagent.messages(root)
    steps = minisweagent.steps(listed)
    return Trajectory(
        file=root.file,
        source_format="mini-swe-agent",
        task=minisweagent.task(listed),
        steps=steps,
        ending=minisweagent.ending(root, listed, steps),
        recorded_actions=count_mini(listed),
    )


def _swe(root: Node) -> Trajectory:
    run = sweagent.attempt(root)
    history = sweagent.messages(run)
    steps = sweagent.steps(run, history)
    return Trajectory(
        file=root.file,
        source_format="swe-agent",
        task=sweagent.task(run, history),
        steps=steps,
        ending=ending(run, steps),
        recorded_actions=count_swe(run),
    )
