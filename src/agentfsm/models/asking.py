"""Asking a model from within a stage: recorded in the log, shown while it grows."""

from __future__ import annotations

from attrs import frozen

from agentfsm.models.digests import digest_of
from agentfsm.models.port import ChatModel, ChatRequest, Reply
from agentfsm.world import Context

__all__ = ("Asked", "answered")


@frozen
class Asked:
    """
    What the log has of a request: enough to tell it from any other, and no more.

    A request repeats all that was said before, so a log of whole requests would grow with the square of the turns. What
    it was made of is in the state before the stage. *digest* is that of a cassette.
    """

    digest: str
    messages: int
    tools: tuple[str, ...]
    last: str

    @classmethod
    def of(cls, request: ChatRequest) -> Asked:
        """Return what the log has of *request*; of its last message the first 200 characters."""
        last = request.messages[-1].text[:200] if request.messages else ""
        return cls(digest_of(request), len(request.messages), tuple(tool.name for tool in request.tools), last)


async def answered(ctx: Context, model: ChatModel, request: ChatRequest, *, shown: bool = True) -> Reply:
    """
    Return the reply of *model*, from the log where that has it.

    With *shown* the text is emitted as the model streams it, and the rest of it, or all of it where it came at once or
    from the log, afterwards: what was emitted is the reply's text. That is for a stage with `streams`.
    """
    said: list[str] = []

    async def emit(text: str) -> None:
        if shown and text:
            said.append(text)
            await ctx.emit(text)

    reply = await ctx.ask(f"chat {model.name}", Asked.of(request), Reply, lambda: model.reply(request, emit))
    already = "".join(said)
    if shown and reply.text.startswith(already) and len(reply.text) > len(already):
        await ctx.emit(reply.text[len(already) :])
    return reply
