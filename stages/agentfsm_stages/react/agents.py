"""Ready agents: the stages of this pack, wired."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from attrs import frozen

from agentfsm import FSMOrchestrator, Guard, Journal, Limits, Tool, World
from agentfsm.models import ChatModel
from agentfsm_stages.react import invariants as law
from agentfsm_stages.react.act import Act
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.observe import Observe
from agentfsm_stages.react.receive import Receive
from agentfsm_stages.react.records import Action, Conversation, Imported, Observation, Session, Thought, UserInput
from agentfsm_stages.react.recover import Recover
from agentfsm_stages.react.think import Think
from agentfsm_stages.react.tool_loop import Converse, Hear, Perform

__all__ = ("INVARIANTS", "NO_LIMITS", "Classic", "Loop", "Settings", "classic", "looped", "react", "tool_loop")

Classic: TypeAlias = UserInput | Thought | Action | Observation
Loop: TypeAlias = UserInput | Thought | Observation | Conversation

NO_LIMITS = Limits()
INVARIANTS = (
    law.BEGINS_WITH_INPUT_ALONE,
    law.ACTING_HAS_AN_INTENT,
    law.OBSERVING_HAS_ITS_ACTION,
    law.FINISHED_HAS_AN_ANSWER,
    law.ITERATION_RISES,
    law.ITERATION_STAYS,
)
LOOP_INVARIANTS = (
    law.BEGINS_ANEW,
    law.ACTING_HAS_AN_INTENT,
    law.FINISHED_HAS_AN_ANSWER,
    law.ITERATION_RISES,
    law.ITERATION_STAYS,
)


@frozen
class Settings:
    """What an agent is given besides its stages; see `FSMOrchestrator`."""

    tools: Iterable[type[Tool[Any]]] = ()
    guards: Iterable[Guard[Any]] = ()
    limits: Limits = NO_LIMITS
    journal: Journal | None = None
    world: World | None = None


PLAIN = Settings()


def react(
    model: ChatModel,
    *,
    tools: Iterable[type[Tool[Any]]] = (),
    guards: Iterable[Guard[Any]] = (),
    limits: Limits = NO_LIMITS,
    journal: Journal | None = None,
    world: World | None = None,
) -> FSMOrchestrator[Classic]:
    """Return an agent that thinks, acts and observes, until a thought calls no tool."""
    settings = Settings(tools, guards, limits, journal, world)
    return classic(Think(model), Act(), Observe(), settings)


def tool_loop(
    model: ChatModel,
    *,
    tools: Iterable[type[Tool[Any]]] = (),
    guards: Iterable[Guard[Any]] = (),
    limits: Limits = NO_LIMITS,
    journal: Journal | None = None,
    world: World | None = None,
) -> FSMOrchestrator[Loop]:
    """Return an agent whose model and tools take turns in one conversation, until the model calls none."""
    return looped(Converse(model), Perform(), Settings(tools, guards, limits, journal, world))


def classic(think: Think, act: Act, observe: Observe, settings: Settings = PLAIN) -> FSMOrchestrator[Classic]:
    """Return the agent of `react` with these stages, which may be subclasses of the ones it has."""
    return FSMOrchestrator[Classic](
        [Receive(), think, act, observe],
        start=ReAct.INITIALIZED,
        iterates=ReAct.THINKING,
        final={ReAct.FINISHED},
        failed=ReAct.FAILED,
        recovery=Recover(),
        invariants=INVARIANTS,
        tools=settings.tools,
        guards=settings.guards,
        limits=settings.limits,
        journal=settings.journal,
        world=settings.world,
        records=(Session, Imported),
        name="react",
    )


def looped(converse: Converse, perform: Perform, settings: Settings = PLAIN) -> FSMOrchestrator[Loop]:
    """Return the agent of `tool_loop` with these stages, which may be subclasses of the ones it has."""
    return FSMOrchestrator[Loop](
        [Hear(), converse, perform],
        start=ReAct.INITIALIZED,
        iterates=ReAct.THINKING,
        final={ReAct.FINISHED},
        failed=ReAct.FAILED,
        recovery=Recover(),
        invariants=LOOP_INVARIANTS,
        tools=settings.tools,
        guards=settings.guards,
        limits=settings.limits,
        journal=settings.journal,
        world=settings.world,
        records=(Session, Imported),
        name="tool_loop",
    )
