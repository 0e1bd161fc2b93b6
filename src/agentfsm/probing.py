"""Probing: a tool is asked what came of a call that began, is to be made once, and of which no outcome is known."""

from __future__ import annotations

from typing import cast

from agentfsm.boundary import Returned, awaited, brief
from agentfsm.calls import Made, Prepared
from agentfsm.canonical import writer
from agentfsm.errors import RunError, ToolError, UnknownOutcomeError
from agentfsm.live import Live
from agentfsm.tools import Happened
from agentfsm.values import passes
from agentfsm.workspace import CallSite, Workspace

__all__ = ("probed",)


async def probed(live: Live, one: Prepared) -> Made | None:
    """
    Ask a tool what came of a call that began and return that: None where it surely did not happen.

    The error is `UnknownOutcomeError` where the tool cannot tell.
    """
    call, clock = one.call, live.machine.world.clock
    if call is None or call.tool is None:
        raise ToolError(f"{one.name} is no tool", path=one.name)
    tool, site, began = call.tool, CallSite.of(one.key, live.state.records.get(Workspace)), clock.now()

    async def look() -> object:
        import asyncio

        async with asyncio.timeout(tool.timeout):
            said: object = await tool.probe(site)  # whatever its type says
        if said is None:
            return None
        if isinstance(said, Happened) and passes(one.answer)(said.answer):
            return said.answer, writer(one.answer)(said.answer)
        raise ToolError(f"{one.name}.probe answered {said!r:.80}")

    told = await awaited(look())
    if isinstance(told, Returned):
        if told.value is None:
            return None
        value, text = cast("tuple[object, str]", told.value)
        return Made(value, text, None, began, clock.now())
    why = brief(told.error.reason) if isinstance(told.error, RunError) else f"{one.name}.probe: {brief(told.error)}"
    return Made(None, why, UnknownOutcomeError(why, path=one.name), began, clock.now())
