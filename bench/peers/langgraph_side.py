"""langgraph: a StateGraph of three async nodes, bare, with its in-memory saver, and with its SQLite saver."""

from __future__ import annotations

import asyncio
import operator
import sqlite3
from importlib.metadata import version as installed
from typing import Annotated, Any, Literal, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from peers.case import GROWTH_ITERATIONS, MESSAGE, TRANSITIONS, cpu, cpu_async

NAME = "langgraph"
STARTUP = """
from typing import TypedDict
from langgraph.graph import END, START, StateGraph

class State(TypedDict):
    diff: str
    passed: bool

async def fix(state: State) -> dict: return {"diff": "x"}
async def verify(state: State) -> dict: return {"passed": True}

graph = StateGraph(State)
graph.add_node("fix", fix)
graph.add_node("verify", verify)
graph.add_edge(START, "fix")
graph.add_edge("fix", "verify")
graph.add_conditional_edges("verify", lambda state: END if state["passed"] else "fix", ["fix", END])
graph.compile()
"""


class State(TypedDict, total=False):
    """The state of the loop."""

    limit: int
    iteration: int
    thought: str
    action: str
    observation: str
    messages: Annotated[list[str], operator.add]


Graph = CompiledStateGraph[State, Any, State, State]


async def think(state: State) -> State:
    return {"thought": "look", "iteration": state["iteration"] + 1}


async def act(state: State) -> State:
    return {"action": "read"}


async def observe(state: State) -> State:
    return {"observation": "seen"}


async def observe_and_add(state: State) -> State:
    return {"observation": "seen", "messages": [MESSAGE]}


def think_now(state: State) -> State:
    return {"thought": "look", "iteration": state["iteration"] + 1}


def act_now(state: State) -> State:
    return {"action": "read"}


def observe_now(state: State) -> State:
    return {"observation": "seen", "messages": [MESSAGE]}


def after(state: State) -> Literal["think", "__end__"]:
    return "think" if state["iteration"] < state["limit"] else "__end__"


def version() -> str:
    return installed("langgraph")


def bare(iterations: int) -> float | None:
    graph = _graph(None)
    config: RunnableConfig = {"recursion_limit": iterations * TRANSITIONS + 1}
    given: State = {"limit": iterations, "iteration": 0}
    return cpu_async(lambda: graph.ainvoke(given, config)) / (iterations * TRANSITIONS)


def kept(iterations: int) -> float | None:
    graph = _graph(InMemorySaver())
    given: State = {"limit": iterations, "iteration": 0}
    return cpu_async(lambda: graph.ainvoke(given, _thread(iterations))) / (iterations * TRANSITIONS)


def growth(messages: int) -> float | None:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        graph = _graph_now(SqliteSaver(connection))
        given: State = {"limit": GROWTH_ITERATIONS, "iteration": 0, "messages": [MESSAGE] * messages}
        seconds = cpu(lambda: graph.invoke(given, _thread(GROWTH_ITERATIONS)))
    finally:
        connection.close()
    return seconds / (GROWTH_ITERATIONS * TRANSITIONS)


def load(iterations: int) -> float | None:
    graph = _graph(InMemorySaver())
    given: State = {"limit": iterations, "iteration": 0}
    asyncio.run(graph.ainvoke(given, _thread(iterations)))
    return cpu(lambda: graph.get_state(_thread(iterations)))


def fold(iterations: int) -> float | None:
    return None


def _thread(iterations: int) -> RunnableConfig:
    return {"recursion_limit": iterations * TRANSITIONS + 1, "configurable": {"thread_id": "1"}}


def _graph(saver: BaseCheckpointSaver[Any] | None) -> Graph:
    graph = StateGraph[State, Any, State, State](State)
    graph.add_node("think", think)
    graph.add_node("act", act)
    graph.add_node("observe", observe)
    return _wired(graph, saver)


def _graph_now(saver: BaseCheckpointSaver[Any]) -> Graph:
    """The same in plain functions, for a saver that blocks."""
    graph = StateGraph[State, Any, State, State](State)
    graph.add_node("think", think_now)
    graph.add_node("act", act_now)
    graph.add_node("observe", observe_now)
    return _wired(graph, saver)


def _wired(graph: StateGraph[State, Any, State, State], saver: BaseCheckpointSaver[Any] | None) -> Graph:
    graph.add_edge(START, "think")
    graph.add_edge("think", "act")
    graph.add_edge("act", "observe")
    graph.add_conditional_edges("observe", after, ["think", END])
    return graph.compile(checkpointer=saver)
