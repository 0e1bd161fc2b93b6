"""
Cassettes: replies of a model kept in a file, found again by request.

A cassette is JSON lines, one exchange a line: the digest of the request, the request and the reply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import cast

from attrs import frozen

from agentfsm.canonical import writer
from agentfsm.codec import Codec, loads
from agentfsm.errors import DecodeError, ModelError
from agentfsm.models.digests import digest_of, digest_of_told, text_of, told_of
from agentfsm.models.nearest import difference, nearest
from agentfsm.models.port import ChatModel, ChatRequest, Emit, Reply

__all__ = ("Exchange", "RecordedModel", "Recorder", "exchanges")


@frozen
class Exchange:
    """One line of a cassette. *request* is what was written of it, as JSON."""

    digest: str
    request: Mapping[str, object]
    reply: Reply


def exchanges(lines: Iterable[str]) -> tuple[Exchange, ...]:
    """Read the lines of a cassette; raises `DecodeError` naming the line for one that is none."""
    codec = Codec([Reply])
    return tuple(_exchange(codec, number, line) for number, line in enumerate(lines, start=1) if line.strip())


class RecordedModel:
    """
    Answers from a cassette: each request with the replies recorded for it, in the order in which they came.

    A request that was recorded once is answered once; asking it again is a miss, unless it was recorded again. Each run
    takes a `RecordedModel` of its own.
    """

    def __init__(self, lines: Iterable[str], *, name: str = "recorded") -> None:
        self.name = name
        self._left = list(exchanges(lines))
        self._known = tuple(self._left)

    @classmethod
    def from_file(cls, path: Path | str, *, name: str = "recorded") -> RecordedModel:
        """Read a cassette; raises `DecodeError` for a line that is none, and `OSError` for a file that is not there."""
        return cls(Path(path).read_text(encoding="utf-8").splitlines(), name=name)

    @property
    def unused(self) -> tuple[Exchange, ...]:
        """What was recorded and not asked for yet."""
        return tuple(self._left)

    async def reply(self, request: ChatRequest, emit: Emit, /) -> Reply:
        """Return what was recorded; raises `ModelError` with the nearest request and the differing path for a miss."""
        wanted = digest_of(request)
        for place, exchange in enumerate(self._left):
            if exchange.digest == wanted:
                del self._left[place]
                await emit(exchange.reply.text)
                return exchange.reply
        raise self._miss(wanted, told_of(request))

    def _miss(self, wanted: str, request: Mapping[str, object]) -> ModelError:
        where = f"chat {self.name}"
        if not self._known:
            return ModelError("the cassette is empty", path=where)
        line = nearest(request, [exchange.request for exchange in self._known])
        found = difference(self._known[line].request, request)
        if found is None:
            times = sum(exchange.digest == wanted for exchange in self._known)
            return ModelError(f"request {line + 1} was recorded {times} times and is asked once more", path=where)
        path, recorded, asked = found
        return ModelError(
            f"no recorded request matches; the nearest is number {line + 1} of {len(self._known)}, "
            f"which differs at {path}: recorded {recorded}, asked {asked}",
            path=path,
        )


class Recorder:
    """Asks another model and adds each exchange to a cassette."""

    def __init__(self, model: ChatModel, path: Path | str) -> None:
        self._model = model
        self._path = Path(path)

    @property
    def name(self) -> str:
        """The name of the model that is recorded."""
        return self._model.name

    async def reply(self, request: ChatRequest, emit: Emit, /) -> Reply:
        """Return the model's reply, once the cassette has it."""
        reply = await self._model.reply(request, emit)
        with self._path.open("a", encoding="utf-8") as cassette:
            cassette.write(_line(request, reply) + "\n")
        return reply


def _line(request: ChatRequest, reply: Reply) -> str:
    digest, told, answer = json.dumps(digest_of(request)), text_of(told_of(request)), writer(Reply)(reply)
    return f'{{"digest":{digest},"request":{told},"reply":{answer}}}'


def _exchange(codec: Codec, number: int, line: str) -> Exchange:
    place = ""
    try:
        raw = loads(line)
        if not isinstance(raw, Mapping) or not {"digest", "request", "reply"} == raw.keys():
            raise DecodeError("a line of a cassette is an object of digest, request and reply")
        told, place = raw["request"], ".request"
        if not isinstance(told, Mapping):
            raise DecodeError("a request is an object")
        if raw["digest"] != (digest := digest_of_told(cast("Mapping[str, object]", told))):
            raise DecodeError(f"the request was changed: its digest is {digest}")
        place = ".reply"
        return Exchange(digest, cast("Mapping[str, object]", told), cast("Reply", codec.decode(Reply, raw["reply"])))
    except DecodeError as error:
        path = f"$[{number - 1}]{place}{error.path[1:]}"
        raise DecodeError(f"line {number}: {error.reason}", path=path) from error
