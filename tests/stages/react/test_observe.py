"""Observing: the notes of a step."""

from __future__ import annotations

import pytest

from agentfsm import AllowList
from agentfsm.models import AskedCall, ScriptedModel
from agentfsm_stages.react import (
    Act,
    Action,
    Observation,
    Observe,
    Output,
    Settings,
    Think,
    Thought,
    UserInput,
    classic,
)
from agentfsm_stages.react.observe import newest, step_text
from tests.stages.react.agents import Shout, asking


@pytest.mark.parametrize(
    ("room", "text"),
    [(5, "abcde"), (3, "[2 characters left out]\ncde"), (1, "[4 characters left out]\ne")],
)
def test_newest(room: int, text: str) -> None:
    """What is left out is said."""
    assert text == newest("abcde", room)


def test_step_text() -> None:
    """A step is told with every call and what came of it, in order."""
    calls = (AskedCall("1", "Read", '{"path": "a"}'), AskedCall("2", "Edit", "{}"))
    outputs = (Output("1", "Read", "ok", "text"), Output("2", "Edit", "refused", "not now"))

    told = step_text(3, Thought("look", "Look at it."), Action(calls, outputs))

    assert 'Step 3: Look at it.\nRead({"path": "a"})\ntext\nEdit({})\n[refused] not now' == told
    assert "Step 1: look" == step_text(1, Thought("look"), None)


async def test_notes_are_bounded() -> None:
    """R19: the notes keep the newest of what was observed, however long the run gets."""
    call = ("Shout", '{"text": "' + "a" * 80 + '"}')
    model = ScriptedModel(*[asking("go", call)] * 6, "done")
    agent = classic(Think(model), Act(), Observe(room=200), Settings((Shout,), (AllowList("*"),)))

    run = await agent.run(UserInput("x"))

    notes = [r.summary for event in run.events for r in event.patch.values() if isinstance(r, Observation)]
    assert max(map(len, notes)) < 240
    assert notes[5].startswith("[")
    assert notes[5].endswith("A" * 80)
