"""Answers in the form of the engine vectors: one function an operation, plain JSON in and out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import cast

from agentfsm.statewright.building import build
from agentfsm.statewright.definition import Definition, Fork, Guard, Invoke
from agentfsm.statewright.enforcement import enforce
from agentfsm.statewright.fault import Fault
from agentfsm.statewright.guard_check import holds
from agentfsm.statewright.interrupt import fire, matching
from agentfsm.statewright.parsing import parse, parse_guard
from agentfsm.statewright.pattern import glob_matches
from agentfsm.statewright.plain import Json, plain
from agentfsm.statewright.transition import Refused, resolve
from agentfsm.statewright.validator import faults_of

__all__ = ("OPERATIONS", "answer")

_Request = Mapping[str, Json]


def answer(operation: str, request: _Request) -> dict[str, Json]:
    """
    Return the answer to one request, in the form that the vectors' README gives.

    Raises `KeyError` for an operation that is none of `OPERATIONS`.
    """
    return OPERATIONS[operation](request)


def _faulty(faults: Iterable[Fault]) -> dict[str, Json]:
    return {"ok": False, "faults": [{"code": each.code, "path": each.path} for each in faults]}


def _with_definition(act: Callable[[Definition, _Request], dict[str, Json]]) -> Callable[[_Request], dict[str, Json]]:
    def answering(request: _Request) -> dict[str, Json]:
        normal, faults = parse(request["machine"])
        return _faulty(faults) if faults else act(build(normal), request)

    return answering


def _parse(definition: Definition, _: _Request) -> dict[str, Json]:
    return {"ok": True, "normalised": definition.normalised}


def _known(request: _Request) -> Collection[str] | None:
    return cast("Collection[str] | None", request.get("known_machines"))


def _validate(definition: Definition, request: _Request) -> dict[str, Json]:
    found = faults_of(definition, _known(request), for_agents=False)
    return _faulty(found) if found else {"ok": True}


def _validate_agent(definition: Definition, request: _Request) -> dict[str, Json]:
    found = faults_of(definition, _known(request), for_agents=True)
    return _faulty(found) if found else {"ok": True}


_ABOUT = {"unknown_state": "state", "no_transition": "event", "unknown_guard": "guard", "guard_failed": "guard"}
_ABOUT_SEVERAL = {"ambiguous_event": "events", "protected_context": "keys"}


def _error(refused: Refused) -> dict[str, Json]:
    said: dict[str, Json] = {"error": refused.code}
    if key := _ABOUT.get(refused.code):
        said[key] = refused.about[0] if refused.about else None
    if key := _ABOUT_SEVERAL.get(refused.code):
        said[key] = list(refused.about)
    return said


def _enforce(definition: Definition, request: _Request) -> dict[str, Json]:
    found = enforce(definition, cast(str, request["state"]), cast("list[str]", request["tools"]))
    if isinstance(found, Refused):
        return _error(found)
    return {
        "allowed": list(found.allowed),
        "blocked": list(found.blocked),
        "implicit_transition": found.implicit_transition,
        "requires_approval": found.requires_approval,
        "reasons": dict(found.reasons),
    }


def _invoke(invoke: Invoke | None) -> Json:
    if invoke is None:
        return None
    given = None if invoke.input is None else plain(invoke.input)
    return {"machine": invoke.machine, "on_complete": invoke.on_complete, "on_fail": invoke.on_fail, "input": given}


def _fork(fork: Fork | None) -> Json:
    if fork is None:
        return None
    branches = {name: {"initial": b.initial, "terminal": b.terminal} for name, b in fork.branches.items()}
    return {"branches": branches, "join": fork.join, "on_complete": fork.on_complete, "on_fail": fork.on_fail}


def _context(definition: Definition, request: _Request) -> Json:
    """The context given, null included; without one the machine's own."""
    return request["context"] if "context" in request else plain(definition.context)


def _transition(definition: Definition, request: _Request) -> dict[str, Json]:
    context = _context(definition, request)
    state, event = cast(str, request["state"]), cast(str, request["event"])
    found = resolve(definition, state, event, request.get("data"), context)
    if isinstance(found, Refused):
        return _error(found)
    return {
        "state": found.state,
        "context": found.context,
        "requires_approval": found.requires_approval,
        "approval_message": found.approval_message,
        "invoke": _invoke(found.invoke),
        "fork": _fork(found.fork),
    }


def _interrupts(definition: Definition, request: _Request) -> dict[str, Json]:
    names = matching(definition, cast(str, request["path"]))
    said: dict[str, Json] = {"matches": [[name, definition.interrupts[name].target] for name in names]}
    if "state" not in request:
        return said
    fired = fire(definition, cast(str, request["state"]), _context(definition, request), names)
    if isinstance(fired, Refused):
        return {**said, **_error(fired)}
    return {**said, "fires": fired.interrupt, "state": fired.state, "context": fired.context}


def _guard(request: _Request) -> dict[str, Json]:
    normal, faults = parse_guard(request["guard"])
    if faults:
        return _faulty(faults)
    guard = Guard(cast(str, normal["field"]), cast(str, normal["op"]), normal.get("value"))
    return {"pass": holds(guard, request["context"])}


def _glob(request: _Request) -> dict[str, Json]:
    return {"match": glob_matches(cast(str, request["pattern"]), cast(str, request["path"]))}


OPERATIONS: Mapping[str, Callable[[_Request], dict[str, Json]]] = {
    "parse": _with_definition(_parse),
    "validate": _with_definition(_validate),
    "validate_agent": _with_definition(_validate_agent),
    "enforce": _with_definition(_enforce),
    "transition": _with_definition(_transition),
    "interrupts": _with_definition(_interrupts),
    "guard": _guard,
    "glob": _glob,
}
