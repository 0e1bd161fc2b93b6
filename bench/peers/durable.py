"""Other frameworks' SQLite stores on a file, with the pragmas that ours has: seconds a transition."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from peers.case import MESSAGE, TRANSITIONS, cpu


def langgraph(folder: Path, iterations: int) -> float:
    from langgraph.checkpoint.sqlite import SqliteSaver

    from peers import langgraph_side as side

    file = sqlite3.connect(folder / "langgraph.db", check_same_thread=False)
    saver = SqliteSaver(file)
    saver.setup()
    _pragmas(file)
    graph = side._graph_now(saver)
    given: side.State = {"limit": iterations, "iteration": 0, "messages": [MESSAGE]}
    seconds = cpu(lambda: graph.invoke(given, side._thread(iterations)))
    file.close()
    return seconds / (iterations * TRANSITIONS)


def burr(folder: Path, iterations: int) -> float:
    from burr.core import ApplicationBuilder
    from burr.core.persistence import SQLitePersister

    from peers import burr_side as side

    persister = SQLitePersister(db_path=str(folder / "burr.db"))
    persister.initialize()
    _pragmas(persister.connection)
    app: Any = (
        ApplicationBuilder()
        .with_actions(think=side.think_now, act=side.act_now, observe=side.observe_now, done=side.done_now)
        .with_transitions(*side._edges(iterations))
        .with_state(iteration=0, messages=[MESSAGE])
        .with_entrypoint("think")
        .with_identifiers(app_id="1", partition_key="")
        .with_state_persister(persister)
        .build()
    )
    seconds = cpu(lambda: app.run(halt_before=["done"]))
    persister.cleanup()
    return seconds / (iterations * TRANSITIONS)


def _pragmas(file: sqlite3.Connection) -> None:
    file.execute("PRAGMA journal_mode=WAL")
    file.execute("PRAGMA synchronous=NORMAL")
