"""
How many actions a file records, counted without building steps.

This is the other side of the books: what it counts and what the steps hold must be one number.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentfsm.migrate.trajectories.blocks import last_action
from agentfsm.migrate.trajectories.document import Node
from agentfsm.migrate.trajectories.minisweagent import blocks, is_refusal, role, text_of

__all__ = ("count_mini", "count_swe")


def count_swe(run: Node) -> int:
    """Count the actions of a run of SWE-agent: its entries with an action, or else its replies with one."""
    entries = list(run.member("trajectory").items())
    if entries:
        return sum(max(1, _size(entry, "tool_calls")) for entry in entries if entry.member("action").text().strip())
    total = 0
    for message in run.member("history").items():
        is_demo = message.member("is_demo").value is True or message.member("message_type").value == "demonstration"
        if message.member("role").value != "assistant" or is_demo:
            continue
        calls, action = _size(message, "tool_calls"), message.member("action")
        if not action.is_absent:
            total += max(1, calls) if action.text().strip() else 0
        else:
            total += calls or (last_action(message.member("content").text()).action is not None)
    return total


def count_mini(listed: Iterable[Node]) -> int:
    """
    Count the actions of a run of mini-swe-agent.

    Goes backwards, so that a reply meets the message that refuses it before it is counted.
    """
    total = 0
    refused = False
    for message in reversed(tuple(listed)):
        if message.member("role").value in ("system", "developer"):  # what a run was told, never what it did
            continue
        extra = message.member("extra")
        # An agent acts, or a person in its place; a list of actions with anybody else is no list of what ran.
        ran = 0 if extra.is_absent or role(message) not in ("assistant", "user") else _size(extra, "actions")
        is_reply = message.member("role").value == "assistant" or message.member("object").value == "response"
        if ran:
            total += ran
        elif is_reply or message.member("type").value == "function_call":
            total += _called(message) or _fenced(message, refused)
        refused = not is_reply and is_refusal(message)
    return total


def _called(message: Node) -> int:
    if message.member("type").value == "function_call":
        return 1
    items = message.member("output").items() if message.member("object").value == "response" else ()
    return _size(message, "tool_calls") or sum(item.member("type").value == "function_call" for item in items)


def _fenced(message: Node, refused: bool) -> int:
    found = blocks(text_of(message))
    return 0 if refused and len(found) != 1 else sum(bool(block.action) for block in found)


def _size(node: Node, key: str) -> int:
    value = node.member(key).value
    return len(value) if isinstance(value, list) else 0
