"""Events as a tool: how an agent moves a machine that leads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from attrs import field

from agentfsm.frozen import FrozenMap
from agentfsm.statewright.call import Call
from agentfsm.statewright.plain import Json
from agentfsm.tools import Site, Tool, ToolCall, tool

__all__ = ("EVENT_TOOLS", "Transition", "event_of")


@tool(effect="pure")
class Transition(Tool[str]):
    """
    Send an event to the machine, with data for its context.

    The tool itself does nothing: the guard decides on the event before it is made, and takes the edge after it.
    """

    event: str
    data: Mapping[str, object] = field(factory=FrozenMap[str, object])

    async def run(self, site: Site) -> str:
        """Say that the event was taken: it would have been refused otherwise."""
        return f"{self.event} taken"


# The class's own name, and the one that harnesses have for it.
EVENT_TOOLS = (Transition.__name__, "fsm_transition")


def event_of(call: Call) -> tuple[str, Json] | None:
    """Return the event and data of a call that sends one, None for any other call; a tool of ours by that name only."""
    made = call.tool if isinstance(call, ToolCall) else None
    if made is not None and not isinstance(made, Transition):
        return None
    if call.name not in EVENT_TOOLS:
        return None
    event, data = call.arguments.get("event"), call.arguments.get("data")
    return event if isinstance(event, str) else "", cast("Json", data)
