"""The port to a chat model: messages and tools go in, one reply comes out, and its text may be shown as it grows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, cast

from attrs import field, frozen

from agentfsm.bounds import whole
from agentfsm.codec import loads
from agentfsm.errors import DecodeError, ToolError, UsageError
from agentfsm.frozen import FrozenMap, freeze
from agentfsm.schema import description_of, schema_of
from agentfsm.tools import Tool

__all__ = (
    "AskedCall",
    "ChatModel",
    "ChatRequest",
    "Emit",
    "Message",
    "Reply",
    "Role",
    "Stop",
    "ToolSpec",
    "Usage",
    "spec_of",
)

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Stop: TypeAlias = Literal["end", "calls", "length", "refused"]
Emit: TypeAlias = Callable[[str], Awaitable[None]]


@frozen
class AskedCall:
    """
    A call that a model asks for.

    *arguments* is the model's own text, which should be a JSON object and may be anything.
    """

    id: str
    name: str
    arguments: str = "{}"

    def parsed(self) -> Mapping[str, object]:
        """Return the arguments as JSON, none for an empty text; raises `ToolError` where they are no JSON object."""
        try:
            found = loads(self.arguments if self.arguments.strip() else "{}")
        except DecodeError as error:
            raise ToolError(
                f"{self.name}: the arguments are no JSON: {error}; send one object", path=self.name
            ) from error
        if not isinstance(found, Mapping):
            raise ToolError(f"{self.name}: the arguments are no JSON object but {found!r:.60}", path=self.name)
        return cast("Mapping[str, object]", found)


@frozen
class Message:
    """
    One message of a conversation.

    *calls* are those that an assistant asked for; a message of a tool answers the one with *call_id*.
    """

    role: Role
    text: str = ""
    calls: tuple[AskedCall, ...] = ()
    call_id: str = ""

    def __attrs_post_init__(self) -> None:
        if self.calls and self.role != "assistant":
            raise UsageError(f"a message of role {self.role} asks for no calls; only the assistant's does")
        if bool(self.call_id) != (self.role == "tool"):
            raise UsageError(f"call_id {self.call_id!r} on a message of role {self.role}: it says what a tool answers")


def _parameters(value: Mapping[str, object]) -> Mapping[str, object]:
    return cast("Mapping[str, object]", freeze(value))


def _perhaps(value: Mapping[str, object] | None) -> Mapping[str, object] | None:
    return None if value is None else _parameters(value)


@frozen
class ToolSpec:
    """A tool as a model sees it; *parameters* is a JSON Schema of the object of its arguments."""

    name: str
    description: str = ""
    parameters: Mapping[str, object] = field(factory=FrozenMap[str, object], converter=_parameters)


@frozen
class ChatRequest:
    """
    What a model is asked.

    With *answer_schema* the text of the reply has to be JSON of that schema. *most_tokens* bounds the reply; None in
    either leaves it to the model.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    answer_schema: Mapping[str, object] | None = field(default=None, converter=_perhaps)
    most_tokens: int | None = None
    temperature: float | None = None


@frozen
class Usage:
    """How many tokens a request and its reply were."""

    input: int = field(default=0, validator=whole(0))
    output: int = field(default=0, validator=whole(0))


@frozen
class Reply:
    """
    What a model answered: text, calls or both.

    *stop* says why it ends: it was said, tools are to be called, the room for it was used up, or the model refused.
    """

    text: str = ""
    calls: tuple[AskedCall, ...] = ()
    usage: Usage = Usage()
    stop: Stop = "end"

    @property
    def tokens(self) -> int:
        """What the orchestrator counts against ``Limits(tokens=)``: tokens in and out."""
        return self.usage.input + self.usage.output

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing and asks for nothing."""
        return not self.text.strip() and not self.calls


class ChatModel(Protocol):
    """
    A chat model.

    Stages do not call `reply` themselves: they ask through `answered`, so that the log has request and reply.
    """

    @property
    def name(self) -> str:
        """What the model is called in logs."""

    async def reply(self, request: ChatRequest, emit: Emit, /) -> Reply:
        """
        Return the whole reply; a model that can stream gives its text to *emit* piece by piece meanwhile.

        The pieces add up to the reply's text. Raises `ModelError` where there is no answer to be had.
        """


def spec_of(tool: type[Tool[Any]]) -> ToolSpec:
    """Return *tool* as a model sees it; raises `DefinitionError` for an argument that JSON Schema cannot say."""
    return ToolSpec(tool.__name__, description_of(tool), schema_of(tool))
