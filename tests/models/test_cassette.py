"""Cassettes: written by a recorder, answered from, and loud where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from agentfsm import ModelError
from agentfsm.canonical import writer
from agentfsm.errors import DecodeError
from agentfsm.models import AskedCall, ChatRequest, Message, RecordedModel, Recorder, Reply, ScriptedModel, ToolSpec
from agentfsm.models.digests import digest_of, text_of, told_of

LOOK = ToolSpec("Look", "Look at a file.", {"type": "object"})
REPLIES = (Reply("one", (AskedCall("1", "Look", "{"),), stop="calls"), Reply("two"), Reply("three"))


def asking(text: str) -> ChatRequest:
    return ChatRequest((Message("system", "be brief"), Message("user", text)), (LOOK,))


async def ignore(text: str) -> None:
    """Nobody watches."""


async def recorded(path: Path, *texts: str) -> RecordedModel:
    recorder = Recorder(ScriptedModel(*REPLIES, name="big"), path)
    for text in texts:
        await recorder.reply(asking(text), ignore)
    return RecordedModel.from_file(path)


async def test_what_was_recorded_is_answered(tmp_path: Path) -> None:
    """Requests find their replies in whatever order they come; the same request finds its replies in order."""
    model = await recorded(tmp_path / "c.jsonl", "a", "b", "a")

    assert list(REPLIES) == [await model.reply(asking(text), ignore) for text in ("a", "b", "a")]
    assert () == model.unused


async def test_a_recorded_reply_is_shown_too() -> None:
    """Who watches a run from a cassette sees its text."""
    said: list[str] = []

    async def emit(text: str) -> None:
        said.append(text)

    lines = [line_of(asking("a"), Reply("one"))]
    await RecordedModel(lines).reply(asking("a"), emit)

    assert ["one"] == said


@pytest.mark.parametrize(
    ("request_", "message", "path"),
    [
        (
            asking("go right"),
            'the nearest is number 1 of 2, which differs at $.messages[1].text[3:]: recorded "left", asked "right"',
            "$.messages[1].text[3:]",
        ),
        (
            evolve(asking("go left"), tools=()),
            "the nearest is number 1 of 2, which differs at $.tools: recorded ",
            "$.tools",
        ),
        (
            evolve(asking("stop"), temperature=0.5),
            "the nearest is number 2 of 2, which differs at $.temperature: recorded nothing, asked 0.5",
            "$.temperature",
        ),
    ],
)
async def test_a_miss_is_loud(request_: ChatRequest, message: str, path: str, tmp_path: Path) -> None:
    """R33: a request that was not recorded shows the nearest one that was, and where the two differ."""
    model = await recorded(tmp_path / "c.jsonl", "go left", "stop")

    with pytest.raises(ModelError) as caught:
        await model.reply(request_, ignore)

    assert message in str(caught.value)
    assert path == caught.value.path
    assert 2 == len(model.unused)


async def test_asking_more_often_than_recorded(tmp_path: Path) -> None:
    """R33: a request that was recorded once is no answer to a loop."""
    model = await recorded(tmp_path / "c.jsonl", "a")
    await model.reply(asking("a"), ignore)

    with pytest.raises(ModelError, match="request 1 was recorded 1 times and is asked once more"):
        await model.reply(asking("a"), ignore)


async def test_an_empty_cassette() -> None:
    """There is nothing that could be nearest."""
    with pytest.raises(ModelError, match="the cassette is empty"):
        await RecordedModel([]).reply(asking("a"), ignore)


async def test_a_default_is_not_written(tmp_path: Path) -> None:
    """A cassette outlives fields that requests gain: what is left at its default is not part of the digest."""
    await recorded(tmp_path / "c.jsonl", "a")

    assert ["messages", "tools"] == list(json.loads((tmp_path / "c.jsonl").read_text())["request"])


def line_of(request: ChatRequest, reply: Reply) -> str:
    return f'{{"digest":"{digest_of(request)}","request":{text_of(told_of(request))},"reply":{writer(Reply)(reply)}}}'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"be brief"', '"be long"', "line 2: the request was changed"),
        ('"text":"one"', '"text":1', "$[1].reply.text: line 2: found a JSON integer"),
        ('"reply"', '"answer"', "line 2: a line of a cassette is an object of digest, request and reply"),
        ("{", "[", "line 2: no JSON"),
    ],
)
def test_a_damaged_cassette(old: str, new: str, said: str) -> None:
    """A line that was changed or cut is refused by its number before any run."""
    good = line_of(asking("a"), Reply("one"))

    with pytest.raises(DecodeError) as caught:
        RecordedModel([good, good.replace(old, new, 1)])

    assert said in str(caught.value)
    assert caught.value.path.startswith("$[1]")


async def test_nothing_is_recorded_of_a_failure(tmp_path: Path) -> None:
    """R37: an error that may pass is no answer to keep."""
    recorder = Recorder(ScriptedModel(ModelError("down")), tmp_path / "c.jsonl")

    with pytest.raises(ModelError):
        await recorder.reply(asking("a"), ignore)

    assert not (tmp_path / "c.jsonl").exists()
