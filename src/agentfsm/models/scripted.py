"""A model that answers by a script: for tests, and for showing a machine at work without a model."""

from __future__ import annotations

from collections.abc import Iterable

from agentfsm.errors import ModelError
from agentfsm.models.port import ChatRequest, Emit, Reply

__all__ = ("ScriptedModel",)


class ScriptedModel:
    """
    Gives its replies one after the other, each as a stream of *pieces* characters at a time where that is not 0.

    An exception in the script is raised instead. `requests` are those it was asked; `unused` says which replies nobody
    asked for.
    """

    def __init__(self, *replies: Reply | str | Exception, name: str = "scripted", pieces: int = 0) -> None:
        self.name = name
        self.requests: tuple[ChatRequest, ...] = ()
        self._replies = tuple(Reply(each) if isinstance(each, str) else each for each in replies)
        self._pieces = pieces

    @property
    def unused(self) -> tuple[Reply | Exception, ...]:
        """The replies that were not asked for yet; a test ends with ``assert () == model.unused``."""
        return self._replies[len(self.requests) :]

    async def reply(self, request: ChatRequest, emit: Emit, /) -> Reply:
        """Return the next reply; raises `ModelError` that names the request when there is none left."""
        if not self.unused:
            raise ModelError(
                f"the script of {self.name} has {len(self._replies)} replies and was asked for one more; "
                f"the request ends with {_last(request)}",
                path=f"chat {self.name}",
            )
        reply = self.unused[0]
        self.requests = (*self.requests, request)
        if isinstance(reply, Exception):
            raise reply
        for piece in _pieces(reply.text, self._pieces):
            await emit(piece)
        return reply


def _pieces(text: str, size: int) -> Iterable[str]:
    return (text[start : start + size] for start in range(0, len(text), size)) if size else ()


def _last(request: ChatRequest) -> str:
    if not request.messages:
        return "no message"
    message = request.messages[-1]
    return f"the {message.role}'s {message.text[-200:]!r}"
