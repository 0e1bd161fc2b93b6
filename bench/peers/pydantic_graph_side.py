"""pydantic-graph: three nodes over one state object. It keeps nothing, so there is nothing to load."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version as installed

from pydantic_graph import BaseNode, End, Graph, GraphBuilder, GraphRunContext

from peers.case import GROWTH_ITERATIONS, MESSAGE, TRANSITIONS, cpu_async

NAME = "pydantic-graph"
STARTUP = """
from dataclasses import dataclass
from pydantic_graph import BaseNode, End, GraphBuilder, GraphRunContext

@dataclass
class State:
    diff: str = ""
    passed: bool = False

@dataclass
class Fix(BaseNode[State]):
    async def run(self, ctx: GraphRunContext[State]) -> "Verify": return Verify()

@dataclass
class Verify(BaseNode[State, None, str]):
    async def run(self, ctx: GraphRunContext[State]) -> "Fix | End[str]": return End("x")

builder = GraphBuilder(state_type=State, input_type=Fix, output_type=str)
builder.add(builder.edge_from(builder.start_node).to(Fix), builder.node(Fix), builder.node(Verify))
builder.build()
"""


@dataclass
class State:
    """The state of the loop."""

    limit: int
    iteration: int = 0
    thought: str = ""
    action: str = ""
    observation: str = ""
    messages: list[str] = field(default_factory=list)


@dataclass
class Think(BaseNode[State, None, str]):
    async def run(self, ctx: GraphRunContext[State, None]) -> Act:
        ctx.state.thought = "look"
        ctx.state.iteration += 1
        return Act()


@dataclass
class Act(BaseNode[State, None, str]):
    async def run(self, ctx: GraphRunContext[State, None]) -> Observe:
        ctx.state.action = "read"
        return Observe()


@dataclass
class Observe(BaseNode[State, None, str]):
    async def run(self, ctx: GraphRunContext[State, None]) -> Think | End[str]:
        ctx.state.observation = "seen"
        if ctx.state.messages:
            ctx.state.messages.append(MESSAGE)
        return Think() if ctx.state.iteration < ctx.state.limit else End("done")


def version() -> str:
    return installed("pydantic-graph")


def bare(iterations: int) -> float | None:
    graph = _graph()
    state = State(iterations)
    return cpu_async(lambda: graph.run(state=state, inputs=Think())) / (iterations * TRANSITIONS)


def kept(iterations: int) -> float | None:
    return None


def growth(messages: int) -> float | None:
    graph = _graph()
    state = State(GROWTH_ITERATIONS, messages=[MESSAGE] * messages)
    return cpu_async(lambda: graph.run(state=state, inputs=Think())) / (GROWTH_ITERATIONS * TRANSITIONS)


def load(iterations: int) -> float | None:
    return None


def fold(iterations: int) -> float | None:
    return None


def _graph() -> Graph[State, None, Think, str]:  # type: ignore[type-arg]  # mypy misses inferred variance
    builder = GraphBuilder(state_type=State, input_type=Think, output_type=str)
    builder.add(
        builder.edge_from(builder.start_node).to(Think),
        builder.node(Think),
        builder.node(Act),
        builder.node(Observe),
    )
    return builder.build()
