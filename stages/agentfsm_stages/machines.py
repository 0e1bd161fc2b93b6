"""
The machines of this package by name, for folding logs: entry points of the group ``agentfsm.machines``.

A log is folded without asking a model or calling a tool, so these have a model that answers nothing and allow no call.
"""

from __future__ import annotations

from agentfsm import FSMOrchestrator
from agentfsm.models import ScriptedModel
from agentfsm_stages.react import Classic, Loop
from agentfsm_stages.react import react as react_with
from agentfsm_stages.react import tool_loop as tool_loop_with

__all__ = ("react", "tool_loop")


def react() -> FSMOrchestrator[Classic]:
    """Return the agent that thinks, acts and observes."""
    return react_with(ScriptedModel(name="none"))


def tool_loop() -> FSMOrchestrator[Loop]:
    """Return the agent whose model and tools take turns."""
    return tool_loop_with(ScriptedModel(name="none"))
