"""Receiving: the input is there, and nothing else yet."""

from __future__ import annotations

from typing import Literal, Never

from agentfsm import Context, Maybe, Stage, StatePatch, View
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Session, UserInput

__all__ = ("Receive",)


class Receive(Stage[Maybe[Session] | UserInput, Never, Literal[ReAct.THINKING]], enters=ReAct.INITIALIZED):
    """Hold the input to be there, before anything is thought."""

    async def run(self, view: View[UserInput], ctx: Context) -> StatePatch[Never]:
        view[UserInput]
        return StatePatch()
