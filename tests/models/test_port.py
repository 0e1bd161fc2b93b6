"""The values that go to and come from a model."""

from __future__ import annotations

import pytest
from attrs.exceptions import FrozenInstanceError

from agentfsm import Tool, ToolError, UsageError, tool
from agentfsm.canonical import writer
from agentfsm.codec import Codec, loads
from agentfsm.models import AskedCall, ChatRequest, Message, Reply, ToolSpec, Usage, spec_of


@tool
class Look(Tool[str]):
    """Look at a file."""

    path: str
    lines: tuple[int, int] | None = None


def test_what_limits_count_is_in_and_out() -> None:
    """The tokens of a reply are those of the request and of the answer."""
    assert 12 == Reply(usage=Usage(input=10, output=2)).tokens
    assert 0 == Reply("text").tokens


@pytest.mark.parametrize(
    ("reply", "empty"),
    [
        (Reply(), True),
        (Reply(" \n"), True),
        (Reply("yes"), False),
        (Reply("", (AskedCall("1", "Look"),)), False),
    ],
)
def test_an_empty_reply(reply: Reply, *, empty: bool) -> None:
    """Blanks say nothing; a call without a word says enough."""
    assert empty == reply.is_empty


@pytest.mark.parametrize(
    ("text", "arguments"),
    [("{}", {}), ("", {}), ("  ", {}), ('{"a": [1, {"b": null}]}', {"a": [1, {"b": None}]})],
)
def test_arguments_that_are_an_object(text: str, arguments: dict[str, object]) -> None:
    """A model's text is read as JSON; some models write nothing where they mean no argument."""
    assert arguments == AskedCall("1", "Look", text).parsed()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nope", "no JSON"),
        ("[1]", "no JSON object but"),
        ('"x"', "no JSON object but 'x'"),
        ("null", "no JSON object but None"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": ' + "[" * 100_000, "nested deeper"),
        ('{"path": "a.py"', "no JSON"),
    ],
)
def test_arguments_that_are_none(text: str, said: str) -> None:
    """What could be read two ways, or not at all, is an error that says what to send."""
    with pytest.raises(ToolError) as caught:
        AskedCall("1", "Look", text).parsed()

    assert said in caught.value.reason
    assert "Look" == caught.value.path


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Message("user", "x", (AskedCall("1", "Look"),)), "asks for no calls"),
        (lambda: Message("tool", "x"), "call_id ''"),
        (lambda: Message("user", "x", call_id="1"), "call_id '1'"),
    ],
)
def test_messages_that_no_model_takes(make: object, said: str) -> None:
    """Only the assistant asks for calls, and only a tool's message answers one."""
    assert callable(make)
    with pytest.raises(UsageError) as caught:
        make()

    assert said in str(caught.value)


def test_a_tool_as_a_model_sees_it() -> None:
    """Name, docstring and arguments come from the class; nothing is said twice."""
    spec = spec_of(Look)

    assert ("Look", "Look at a file.") == (spec.name, spec.description)
    assert ("path",) == spec.parameters["required"]


def test_values_do_not_change() -> None:
    """A request can be kept, compared and hashed: nothing in it changes, however it was given."""
    given: dict[str, object] = {"type": "object", "required": ["a"]}
    request = ChatRequest((Message("user", "x"),), (ToolSpec("Look", "", given),), given)
    given["type"] = "array"

    assert "object" == request.tools[0].parameters["type"]
    assert hash(request) == hash(ChatRequest(request.messages, request.tools, request.answer_schema))
    with pytest.raises(FrozenInstanceError):
        request.messages = ()  # type: ignore[misc]  # that is the point


def test_replies_read_back() -> None:
    """The log keeps replies: each reads back equal."""
    reply = Reply("text", (AskedCall("1", "Look", '{"a'),), Usage(1, 2), "calls")

    assert reply == Codec([Reply]).decode(Reply, loads(writer(Reply)(reply)))
