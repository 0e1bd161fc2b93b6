"""Calls: prepared and named by an idempotency key, answered from the log, or made and recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping
from hashlib import blake2b
from typing import Any, cast

import attrs
from attrs import frozen

from agentfsm.boundary import Raised, awaited
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
from agentfsm.events import CallEvent, Entry, Phase
from agentfsm.frozen import FrozenMap, freeze
from agentfsm.live import Live, Machine, Place
from agentfsm.state import Halted
from agentfsm.tools import Happened, Tool, ToolCall
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
    "probed",
    "question",
    "recorded_answer",
    "refuse_conflicts",
    "same_call",
    "unsettled",
)

# What a recorded error becomes again when a stage is entered once more.
_ERRORS: Mapping[str, type[RunError]] = {
    "ModelError": ModelError,
    "ToolError": ToolError,
    "ToolTimeoutError": ToolTimeoutError,
    "UnknownOutcomeError": UnknownOutcomeError,
}
_SAYS_NOTHING = ("ToolTimeoutError", "UnknownOutcomeError")


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
    if not issubclass(kind, Tool):
        raise ToolError(f"{kind.__name__} is no tool: decorate a Tool subclass with @tool", path=kind.__name__)
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
    try:
        given = {key: machine.codec.decode(kind.field_types[key], value) for key, value in arguments.items()}
    except DecodeError as error:
        raise ToolError(f"{name}: {error}", path=name) from error
    return kind(**given)


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
            return True, codec.decode(prepared.answer, loads(last.result))
        case "intent":
            return False, None


def unsettled(entries: Iterable[Entry]) -> set[Place]:
    """Return the calls in *entries* that are to be made once, began, and of which no outcome is known."""
    found = set[Place]()
    for entry in entries:
        if isinstance(entry, CallEvent) and entry.effect == "once":
            if entry.phase == "intent" or (entry.phase == "error" and entry.error and entry.error[0] in _SAYS_NOTHING):
                found.add((entry.index, entry.tool, entry.arguments))
            else:
                found.discard((entry.index, entry.tool, entry.arguments))
    return found


def same_call(prepared: Prepared, recorded: CallEvent) -> bool:
    """Tell whether the log has this very call."""
    return (recorded.tool, recorded.arguments) == (prepared.name, prepared.arguments)


def refuse_conflicts(prepared: list[Prepared]) -> None:
    """Refuse a gather in which two calls write the same thing (R47)."""
    if len(prepared) < 2:
        return
    owners: dict[str, Prepared] = {}
    for one in prepared:
        names = one.call.tool.writes() if one.call is not None and one.call.tool is not None else ()
        for name in Counter(names):
            if name in owners:
                other = owners[name]
                raise ConflictingCallsError(
                    f"{other.name} (call {other.index}) and {one.name} (call {one.index}) both write {name}; "
                    "make them one after the other",
                    path=name,
                )
            owners[name] = one


async def performed(live: Live, one: Prepared) -> Made:
    """Run a tool and return how that ended."""
    call = one.call
    if call is None or call.tool is None:
        raise ToolError(f"{one.name} is no tool", path=one.name)
    site = CallSite.of(one.key, live.state.records.get(Workspace))
    import asyncio  # on first use, here and elsewhere: it takes a fifth of the time to start

    limit = call.tool.timeout
    try:
        async with asyncio.timeout(limit):
            return await made_by(live, one, call.tool.run(site))
    except TimeoutError:
        now = live.machine.world.clock.now()
        error = ToolTimeoutError(f"{one.name} took longer than {limit} s", path=one.name)
        return Made(None, error.reason, error, now, now)


async def probed(live: Live, one: Prepared) -> Made | None:
    """
    Ask a tool what came of a call that began and return that: None where it surely did not happen.

    The error is `UnknownOutcomeError` where the tool cannot tell.
    """
    call, clock = one.call, live.machine.world.clock
    if call is None or call.tool is None:
        raise ToolError(f"{one.name} is no tool", path=one.name)
    began = clock.now()
    told = await awaited(call.tool.probe(CallSite.of(one.key, live.state.records.get(Workspace))))
    said: object = told.value if not isinstance(told, Raised) else None  # whatever its type says
    if isinstance(told, Raised):
        why = told.error.reason if isinstance(told.error, RunError) else f"{type(told.error).__name__}: {told.error}"
    elif said is None:
        return None
    elif isinstance(said, Happened) and passes(one.answer)(said.answer):
        return Made(said.answer, writer(one.answer)(said.answer), None, began, clock.now())
    else:
        why = f"{one.name}.probe answered {said!r:.80}"
    return Made(None, why, UnknownOutcomeError(why, path=one.name), began, clock.now())


async def made_by(live: Live, one: Prepared, work: Awaitable[object]) -> Made:
    """Await the answer to a question and hold it to its type."""
    clock = live.machine.world.clock
    began = clock.now()
    ended = await awaited(work)
    if isinstance(ended, Raised):
        error = _run_error(one, ended.error)
        return Made(None, error.reason, error, began, clock.now())
    if not passes(one.answer)(ended.value):
        kind = UnknownOutcomeError if one.effect == "once" else _kind(one)
        error = kind(f"{one.name} answered {fault(one.answer, ended.value)}", path=one.name)
        return Made(None, error.reason, error, began, clock.now())
    return Made(ended.value, writer(one.answer)(ended.value), None, began, clock.now())


def _kind(one: Prepared) -> type[RunError]:
    return ToolError if one.call is not None else ModelError


def _run_error(one: Prepared, error: Exception) -> RunError:
    if isinstance(error, RunError):
        return error
    kind = UnknownOutcomeError if one.effect == "once" else _kind(one)
    found = kind(f"{one.name}: {type(error).__name__}: {error}", path=one.name)
    found.__cause__ = error
    return found
