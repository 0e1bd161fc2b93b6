"""The graphs that are written down are those of the classes."""

from __future__ import annotations

from pathlib import Path

import pytest

import agentfsm_stages.react as pack
from agentfsm.workflow import Outline, check, load, resolve, to_yaml
from agentfsm_stages.react import Act, Converse, Hear, Observe, Perform, ReAct, Receive, Recover, Think

FOLDER = Path(pack.__file__).parent


@pytest.mark.parametrize(
    ("name", "machine", "stages"),
    [
        ("graph.yaml", "react", (Receive, Think, Act, Observe, Recover)),
        ("tool_loop.yaml", "tool_loop", (Hear, Converse, Perform, Recover)),
    ],
)
def test_graph(name: str, machine: str, stages: tuple[type, ...]) -> None:
    """R65: the document names the classes with their reads, writes and exits, and is what they would write."""
    document = load(FOLDER / name)
    outline = Outline(machine, ReAct.INITIALIZED, frozenset({ReAct.FINISHED}), ReAct.FAILED, ReAct.THINKING)

    assert stages == resolve(document)
    assert () == check(document, resolve(document))
    assert (FOLDER / name).read_text() == to_yaml(stages, outline)
