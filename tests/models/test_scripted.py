"""A model that answers by a script."""

from __future__ import annotations

import pytest

from agentfsm import ModelError
from agentfsm.models import ChatRequest, Message, Reply, ScriptedModel


def asking(text: str) -> ChatRequest:
    return ChatRequest((Message("system", "be brief"), Message("user", text)))


async def ignore(text: str) -> None:
    """Nobody watches."""


async def test_replies_come_in_order() -> None:
    """A text stands for a reply; what was asked can be looked at."""
    model = ScriptedModel("one", Reply("two"))

    assert ["one", "two"] == [(await model.reply(asking(text), ignore)).text for text in "ab"]
    assert ["a", "b"] == [request.messages[-1].text for request in model.requests]
    assert () == model.unused


async def test_a_dry_script_names_the_request() -> None:
    """R33: a miss is loud and says which request was one too many."""
    model = ScriptedModel("one")
    await model.reply(asking("a"), ignore)

    with pytest.raises(ModelError) as caught:
        await model.reply(asking("what now?"), ignore)

    assert "has 1 replies and was asked for one more; the request ends with the user's 'what now?'" in str(caught.value)
    assert 1 == len(model.requests)


async def test_what_nobody_asked_for() -> None:
    """A script that is longer than the run can be noticed."""
    model = ScriptedModel("one", "two")
    await model.reply(asking("a"), ignore)

    assert (Reply("two"),) == model.unused


async def test_an_error_in_a_script_is_raised() -> None:
    """A script can say that the model is not there, once."""
    model = ScriptedModel(ModelError("refused connection"), "there again")

    with pytest.raises(ModelError, match="refused connection"):
        await model.reply(asking("a"), ignore)

    assert "there again" == (await model.reply(asking("a"), ignore)).text


@pytest.mark.parametrize(("size", "pieces"), [(0, []), (3, ["abc", "de"]), (9, ["abcde"])])
async def test_pieces(size: int, pieces: list[str]) -> None:
    """The text of a reply can come piece by piece; the pieces add up to it."""
    said: list[str] = []

    async def emit(text: str) -> None:
        said.append(text)

    await ScriptedModel("abcde", pieces=size).reply(asking("x"), emit)

    assert pieces == said
