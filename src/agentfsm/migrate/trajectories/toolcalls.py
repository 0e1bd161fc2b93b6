"""Calls that a model made by name, in the shapes that chat completions and responses give them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from attrs import frozen

from agentfsm.migrate.trajectories.canonical import SHELL
from agentfsm.migrate.trajectories.document import Node, decode
from agentfsm.migrate.trajectories.fault import TrajectoryError

__all__ = ("Called", "called", "calls_of", "loose")


@frozen
class Called:
    """
    One call by name.

    *members* are its arguments; a model that wrote no JSON object there left *text*, under the name ``arguments``.
    """

    name: str
    members: Mapping[str, object]
    text: str
    key: str = ""

    @property
    def raw(self) -> str:
        """The call as a line of the shell, for a recording that holds no such line."""
        command = self.members.get("command")
        if self.name in SHELL and isinstance(command, str):
            return command
        words = [value if isinstance(value, str) else json.dumps(value) for value in self.members.values()]
        return shlex.join([self.name, *words])


def calls_of(message: Node) -> tuple[Called, ...]:
    """
    Return the calls in a message.

    They stand in `tool_calls`, or, in an answer of the responses interface, among the items of `output`.
    """
    if not (given := message.member("tool_calls")).is_absent:
        return tuple(map(called, given.items()))
    if message.member("object").value == "response":
        items = message.member("output").items()
        return tuple(called(item) for item in items if item.member("type").value == "function_call")
    if message.member("type").value == "function_call":
        return (called(message),)
    return ()


def called(node: Node) -> Called:
    """Read one call: ``{"function": {"name", "arguments"}, "id"}``, or the same without the inner object."""
    function = node if node.member("function").is_absent else node.member("function")
    name = function.member("name")
    if not isinstance(name.value, str):
        raise name.fault("the name of a tool")
    key = node.member("id" if node.member("call_id").is_absent else "call_id")
    arguments = function.member("arguments")
    if isinstance(arguments.value, dict):
        return Called(name.value, arguments.value, "", key.text())
    text = arguments.text()
    members = loose(text) if text.strip() else {}
    return Called(name.value, {"arguments": text} if members is None else members, text, key.text())


def loose(text: str) -> Mapping[str, object] | None:
    """Return the JSON object that somebody wrote into a text; None where it is none."""
    try:
        value = decode(text, "").value
    except TrajectoryError:
        return None
    return value if isinstance(value, dict) else None
