"""apache-burr: three async actions, bare, with its in-memory persister, and with its SQLite persister."""

from __future__ import annotations

import asyncio
import tempfile
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from burr.core import ApplicationBuilder, State, action, default, expr
from burr.core.application import Application
from burr.core.persistence import AsyncInMemoryPersister, SQLitePersister

from peers.case import GROWTH_ITERATIONS, MESSAGE, TRANSITIONS, cpu, cpu_async

NAME = "apache-burr"
STARTUP = """
from burr.core import ApplicationBuilder, State, action, default, expr

@action(reads=[], writes=["diff"])
async def fix(state: State) -> State: return state.update(diff="x")

@action(reads=["diff"], writes=["passed"])
async def verify(state: State) -> State: return state.update(passed=True)

@action(reads=[], writes=[])
async def done(state: State) -> State: return state

import asyncio
asyncio.run(
    ApplicationBuilder().with_actions(fix, verify, done)
    .with_transitions(("fix", "verify"), ("verify", "fix", expr("not passed")), ("verify", "done", default))
    .with_state(passed=False).with_entrypoint("fix").abuild()
)
"""


@action(reads=["iteration"], writes=["thought", "iteration"])
async def think(state: State[Any]) -> State[Any]:
    return state.update(thought="look", iteration=state["iteration"] + 1)


@action(reads=["thought"], writes=["action"])
async def act(state: State[Any]) -> State[Any]:
    return state.update(action="read")


@action(reads=["action"], writes=["observation"])
async def observe(state: State[Any]) -> State[Any]:
    return state.update(observation="seen")


@action(reads=[], writes=[])
async def done(state: State[Any]) -> State[Any]:
    return state


@action(reads=["iteration"], writes=["thought", "iteration"])
def think_now(state: State[Any]) -> State[Any]:
    return state.update(thought="look", iteration=state["iteration"] + 1)


@action(reads=["thought"], writes=["action"])
def act_now(state: State[Any]) -> State[Any]:
    return state.update(action="read")


@action(reads=["action", "messages"], writes=["observation", "messages"])
def observe_now(state: State[Any]) -> State[Any]:
    return state.update(observation="seen").append(messages=MESSAGE)


@action(reads=[], writes=[])
def done_now(state: State[Any]) -> State[Any]:
    return state


def version() -> str:
    return installed("apache-burr")


def bare(iterations: int) -> float | None:
    return _seconds(_builder(iterations)) / (iterations * TRANSITIONS)


def kept(iterations: int) -> float | None:
    return _seconds(_kept(iterations, AsyncInMemoryPersister())) / (iterations * TRANSITIONS)


def growth(messages: int) -> float | None:
    with tempfile.TemporaryDirectory() as folder:
        persister = SQLitePersister(db_path=str(Path(folder) / "burr.db"))
        persister.initialize()
        app: Application[Any] = (
            ApplicationBuilder()
            .with_actions(think=think_now, act=act_now, observe=observe_now, done=done_now)
            .with_transitions(*_edges(GROWTH_ITERATIONS))
            .with_state(iteration=0, messages=[MESSAGE] * messages)
            .with_entrypoint("think")
            .with_identifiers(app_id="1", partition_key="")
            .with_state_persister(persister)
            .build()
        )
        seconds = cpu(lambda: app.run(halt_before=["done"]))
        persister.cleanup()
    return seconds / (GROWTH_ITERATIONS * TRANSITIONS)


def load(iterations: int) -> float | None:
    persister = AsyncInMemoryPersister()
    _seconds(_kept(iterations, persister))
    return cpu_async(lambda: persister.load("", "1"))


def fold(iterations: int) -> float | None:
    return None


def _seconds(builder: ApplicationBuilder[Any]) -> float:
    app = asyncio.run(builder.abuild())
    return cpu_async(lambda: app.arun(halt_before=["done"]))


def _kept(iterations: int, persister: AsyncInMemoryPersister) -> ApplicationBuilder[Any]:
    return _builder(iterations).with_identifiers(app_id="1", partition_key="").with_state_persister(persister)


def _builder(iterations: int) -> ApplicationBuilder[Any]:
    return (
        ApplicationBuilder()
        .with_actions(think, act, observe, done)
        .with_transitions(*_edges(iterations))
        .with_state(iteration=0)
        .with_entrypoint("think")
    )


def _edges(iterations: int) -> list[Any]:
    return [
        ("think", "act"),
        ("act", "observe"),
        ("observe", "think", expr(f"iteration < {iterations}")),
        ("observe", "done", default),
    ]
