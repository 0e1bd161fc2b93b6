"""What the tests of the ReAct stages share: two tools, and calls of them."""

from __future__ import annotations

from agentfsm import Tool, ToolError, tool
from agentfsm.models import AskedCall, Reply

__all__ = ("Add", "Break", "Shout", "asking")


@tool(effect="pure")
class Add(Tool[int]):
    """Add two numbers."""

    a: int
    b: int

    async def run(self, site: object) -> int:
        return self.a + self.b


@tool(effect="pure")
class Shout(Tool[str]):
    """Say it loudly."""

    text: str

    async def run(self, site: object) -> str:
        return self.text.upper()


@tool(effect="pure")
class Break(Tool[str]):
    """Cannot be done."""

    async def run(self, site: object) -> str:
        raise ToolError("it broke")


def asking(text: str, *calls: tuple[str, str]) -> Reply:
    """A reply that asks for calls, each a name and its arguments as text; the ids are "1", "2" and so on."""
    asked = (AskedCall(str(number), *call) for number, call in enumerate(calls, start=1))
    return Reply(text, tuple(asked), stop="calls")
