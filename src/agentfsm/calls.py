"""Calls: prepared and named by an idempotency key, answered from the log, or made and recorded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import product
from typing import Any, cast

import attrs
from attrs import frozen

from agentfsm.boundary import Raised, Returned, attempted, awaited, brief
from agentfsm.canonical import writer
from agentfsm.codec import Codec, loads
from agentfsm.deciding import NO_GUARD, way_of
from agentfsm.errors import (
    ConflictingCallsError,
    DecodeError,
    ModelError,
    ReplayMismatchError,
    RunError,
    ToolError,
    ToolRefusedError,
    ToolTimeoutError,
    UnknownOutcomeError,
)
from agentfsm.events import CallEvent, Phase
from agentfsm.frozen import FrozenMap, freeze
from agentfsm.live import Live, Machine, Place
from agentfsm.state import Halted
from agentfsm.tools import Tool, ToolCall
from agentfsm.values import checker, fault, passes
from agentfsm.workspace import CallSite, Workspace

__all__ = (
    "Made",
    "Prepared",
    "asking",
    "made_by",
    "named_tool",
    "performed",
    "prepare",
    "question",
    "recorded_answer",
    "refuse_conflicts",
    "same_call",
    "tokens_of",
)

# What a recorded error becomes again when a stage is entered once more.
_ERRORS: Mapping[str, type[RunError]] = {
    "ModelError": ModelError,
    "ToolError": ToolError,
    "ToolTimeoutError": ToolTimeoutError,
    "UnknownOutcomeError": UnknownOutcomeError,
}


@frozen
class Prepared:
    """A question to the world, ready to be asked: its place in the stage, its name, and its canonical arguments."""

    index: int
    key: str
    name: str
    arguments: str
    effect: str
    answer: object
    call: ToolCall | None = None

    @property
    def place(self) -> Place:
        """What it is within its stage: the same in a fork, whose keys are others."""
        return self.index, self.name, self.arguments

    def event(self, live: Live, phase: Phase, **facts: Any) -> CallEvent:
        """Return what the log says about it."""
        at = (live.id, -1, phase, live.stage, live.state.lifecycle, live.iteration, live.attempt)
        what = (self.index, self.key, self.name, self.arguments, self.effect)
        return CallEvent(*at, *what, **facts)


@frozen(eq=False)
class Made:
    """How a call ended: its value and that as JSON, or the error; and when it began and ended."""

    value: object
    text: str
    error: RunError | None
    began: int
    ended: int


def prepare(live: Live, index: int, tool: Tool[Any]) -> Prepared:
    """Return a tool's call; raises `ToolError` when it is no tool or an argument is not what it is declared to be."""
    kind: type[Tool[Any]] = type(tool)
    if isinstance(tool, type):
        text = f"{tool.__name__} is a class: call it with its arguments, {tool.__name__}(...)"
        raise ToolError(text, path=tool.__name__)
    if not issubclass(kind, Tool):
        raise ToolError(f"{tool!r:.80} is no tool: decorate a Tool subclass with @tool", path=kind.__name__)
    if (wrong := checker(cast("type", kind))(tool)) is not None:
        raise ToolError(f"{kind.__name__}: {wrong}", path=f"{kind.__name__}.{wrong.partition(':')[0]}")
    arguments = writer(kind)(tool)
    key = _key(live, index, kind.__name__, arguments)
    given = {name: freeze(getattr(tool, name)) for name in kind.field_types}
    call = ToolCall(kind.__name__, FrozenMap(given), tool, key, live.state.lifecycle)
    return Prepared(index, key, kind.__name__, arguments, kind.effect, kind.answer, call)


def question(live: Live, index: int, what: str, request: object, answer: object) -> Prepared:
    """Return a question to something that is no tool."""
    known = attrs.has(type(request))
    arguments = writer(type(request))(request) if known else writer(object)(freeze(request))
    return Prepared(index, _key(live, index, what, arguments), what, arguments, "", answer)


def _key(live: Live, index: int, name: str, arguments: str) -> str:
    """f(run, stage, iteration and visit, index, name, arguments): the same for the same call after any crash."""
    told = "\0".join((live.id, live.stage, f"{live.iteration}.{live.visit}", str(index), name, arguments))
    return blake2b(told.encode(), digest_size=16).hexdigest()


def asking(live: Live, one: Prepared, reason: str, why: str, seconds: int | None) -> Halted:
    """
    Return why a run waits for an answer about a call.

    Its key is bound to the call, and so to run, stage, iteration and arguments, to the state, and to this very asking.
    """
    told = "\0".join((one.key, str(live.seq), live.settled.digest.hex()))
    key = blake2b(told.encode(), digest_size=16).hexdigest()
    expires = None if seconds is None else live.machine.world.clock.now() + seconds * 1_000_000_000
    return Halted(reason, key=key, tool=one.name, arguments=one.arguments, why=why, call=one.key, expires=expires)


def named_tool(machine: Machine, name: str, arguments: object) -> Tool[object]:
    """
    Return the tool that a model names, with the arguments it gives.

    Raises `ToolRefusedError` for a name that this machine does not have and `ToolError` for arguments that do not fit.
    """
    kind = machine.tools.get(name)
    if kind is None:
        known = ", ".join(machine.tools) or "none"
        raise ToolRefusedError(name, "unknown_tool", f"there is no tool {name}; there are: {known}")
    if not isinstance(arguments, Mapping):
        raise ToolError(f"{name}: the arguments are an object, not {arguments!r:.80}", path=name)
    if unknown := [key for key in arguments if key not in kind.field_types]:
        raise ToolError(f"{name} has no argument {unknown[0]!r}; it has: {', '.join(kind.field_types)}", path=name)
    wanted = {f.name for f in attrs.fields(cast("Any", kind)) if f.default is attrs.NOTHING}
    if missing := sorted(wanted - arguments.keys()):
        raise ToolError(f"{name} lacks the argument {missing[0]!r}", path=f"{name}.{missing[0]}")
    given = {}
    for key, value in arguments.items():
        try:
            given[key] = machine.codec.decode(kind.field_types[key], value)
        except DecodeError as error:
            inside = f"{key}{error.path.removeprefix('$')}"
            raise ToolError(f"{name}: {inside}: {error.reason}", path=f"{name}.{inside}") from error
    made = attempted(lambda: kind(**given))  # its own validators may refuse
    if isinstance(made, Raised):
        raise ToolError(f"{name}: {brief(made.error)}", path=name) from made.error
    return made.value


def recorded_answer(codec: Codec, prepared: Prepared, recorded: tuple[CallEvent, ...]) -> tuple[bool, object]:
    """
    Return whether the log has an answer, and the answer. What it answered with an error is raised again.

    Raises `ReplayMismatchError` when the log has another call here.
    """
    first, last = recorded[0], recorded[-1]
    if not same_call(prepared, first):
        was, now = f"{first.tool}({first.arguments})", f"{prepared.name}({prepared.arguments})"
        raise ReplayMismatchError(first.seq, f"calls[{first.index}]", was, now)
    match last.phase:
        case "refused":
            decision = last.decision or NO_GUARD
            raise ToolRefusedError(prepared.name, decision.code, decision.reason, way=way_of(decision))
        case "error":
            kind, text = last.error or ("ToolError", "")
            raise _ERRORS.get(kind, ToolError)(text, path=prepared.name)
        case "result" | "asked":
            try:
                return True, codec.decode(prepared.answer, loads(last.result))
            except DecodeError as error:
                place = f"calls[{first.index}].result"
                raise ReplayMismatchError(
                    last.seq, place, last.result, f"an answer of another type: {error}"
                ) from error
        case "intent":
            return False, None


def same_call(prepared: Prepared, recorded: CallEvent) -> bool:
    """Tell whether the log has this very call."""
    return (recorded.tool, recorded.arguments) == (prepared.name, prepared.arguments)


async def performed(live: Live, one: Prepared) -> Made:
    """Run a tool and return how that ended."""
    call, clock = one.call, live.machine.world.clock
    if call is None or call.tool is None:
        raise ToolError(f"{one.name} is no tool", path=one.name)
    tool, site = call.tool, CallSite.of(one.key, live.state.records.get(Workspace))
    import asyncio  # on first use, here and elsewhere: it takes a fifth of the time to start

    began = clock.now()
    try:
        async with asyncio.timeout(tool.timeout):
            return await made_by(live, one, lambda: tool.run(site))
    except TimeoutError:
        error = ToolTimeoutError(f"{one.name} took longer than {tool.timeout} s", path=one.name)
        return Made(None, error.reason, error, began, clock.now())


async def made_by(live: Live, one: Prepared, work: Callable[[], Awaitable[object]]) -> Made:
    """Await the answer to a question and hold it to its type, and to being readable when the log is read."""
    clock = live.machine.world.clock
    began = clock.now()
    ended = await awaited(_written(live, one, began, work))
    if isinstance(ended, Returned):
        value, text = ended.value
        return Made(value, text, None, began, clock.now())
    error = _run_error(one, ended.error)
    return Made(None, error.reason, error, began, clock.now())


async def _written(live: Live, one: Prepared, began: int, work: Callable[[], Awaitable[object]]) -> tuple[object, str]:
    made = work()
    value = await (made if live.trace is None else live.trace.inside(one.index, one.name, began, made))
    if not passes(one.answer)(value):
        raise _unsaid(one)(f"{one.name} answered {fault(one.answer, value)}", path=one.name)
    return value, writer(one.answer)(value)


def tokens_of(answer: object) -> int:
    """Return what an answer says that it cost: its `tokens`, where that is a count."""
    said = getattr(answer, "tokens", 0)
    return said if type(said) is int and said > 0 else 0


def _unsaid(one: Prepared) -> type[RunError]:
    """Return what an error becomes that says nothing about whether a call was done."""
    if one.effect == "once":
        return UnknownOutcomeError
    return ToolError if one.call is not None else ModelError


def _run_error(one: Prepared, error: Exception) -> RunError:
    """Return an error as the log can say it, so that a stage that is entered again meets the same one."""
    said = next((kind for kind in type(error).__mro__ if kind in _ERRORS.values()), None)
    kind = _unsaid(one) if said is None or (one.effect == "once" and not issubclass(said, ToolError)) else said
    told = brief(error.reason if isinstance(error, RunError) else error)
    if type(error) is kind and isinstance(error, RunError) and told == error.reason:
        return error
    known = isinstance(error, kind)
    found: RunError = kind(told if known else f"{one.name}: {type(error).__name__}: {told}", path=one.name)
    found.__cause__ = error
    return found


def refuse_conflicts(prepared: Sequence[Prepared]) -> None:
    """Refuse a gather in which two calls write the same thing, or one a place within the other's (R47)."""
    claims: list[tuple[str, Prepared]] = []
    for one in prepared:
        names = one.call.tool.writes() if one.call is not None and one.call.tool is not None else ()
        mine = tuple(dict.fromkeys(names))
        for name, (taken, other) in product(mine, claims):
            if _meet(name, taken):
                what = name if name == taken else f"{taken} and {name}, one within the other"
                raise ConflictingCallsError(
                    f"{other.name} (call {other.index}) and {one.name} (call {one.index}) both write {what}; "
                    "make them one after the other",
                    path=name,
                )
        claims += [(name, one) for name in mine]


def _meet(left: str, right: str) -> bool:
    """Tell whether two places are the same or one is within the other; ``.`` holds everything."""
    return "." in (left, right) or left == right or f"{left}/".startswith(f"{right}/") or right.startswith(f"{left}/")
