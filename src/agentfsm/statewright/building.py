"""Building: from a parsed definition to its frozen form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar, cast

from attrs import fields

from agentfsm.statewright.definition import (
    Branch,
    Choice,
    Definition,
    Edge,
    Fork,
    ForkBranch,
    Guard,
    Interrupt,
    Invoke,
    State,
    Transition,
)
from agentfsm.statewright.plain import Json, Part, canonical, digest

__all__ = ("build",)

_T = TypeVar("_T")


def build(normal: Mapping[str, Json]) -> Definition:
    """Make the frozen form of what `parse` found without a fault."""
    return Definition(
        id=cast(str, normal["id"]),
        initial=cast(str, normal["initial"]),
        context=canonical(normal.get("context")),
        states=_each(normal["states"], _state),
        guards=_each(normal.get("guards"), lambda _, g: Guard(_text(g["field"]), _text(g["op"]), g.get("value"))),
        interrupts=_each(normal.get("interrupts"), _interrupt),
        meta=_frozen(normal.get("meta")),
        agent_context=frozenset(_texts(normal.get("agent_context")) or ()),
        text=canonical(normal),
        digest=digest(normal),
    )


def _text(value: Json) -> str:
    return cast(str, value)


def _texts(value: Json) -> tuple[str, ...] | None:
    return None if value is None else tuple(cast("list[str]", value))


def _frozen(value: Json) -> Mapping[str, Json]:
    return MappingProxyType(dict(cast("Mapping[str, Json]", value or {})))


def _each(value: Json, make: Callable[[str, Mapping[str, Json]], _T]) -> Mapping[str, _T]:
    items = cast("Mapping[str, Mapping[str, Json]]", value or {})
    return MappingProxyType({name: make(name, inner) for name, inner in items.items()})


def _interrupt(_: str, value: Mapping[str, Json]) -> Interrupt:
    trigger = cast("Mapping[str, Json]", value["trigger"])
    return Interrupt(_text(trigger["file_pattern"]), _text(value["target"]))


_READ = frozenset(field.name for field in fields(State)) - {"name", "carried"}


def _state(name: str, value: Mapping[str, Json]) -> State:
    on = cast("Mapping[str, Json]", value.get("on") or {})
    return State(
        name=name,
        on=MappingProxyType({event: _transition(transition) for event, transition in on.items()}),
        type=cast("str | None", value.get("type")),
        allowed_tools=_texts(value.get("allowed_tools")),
        disallowed_tools=_texts(value.get("disallowed_tools")) or (),
        allowed_commands=_texts(value.get("allowed_commands")),
        allowed_commands_tool=cast("str | None", value.get("allowed_commands_tool")),
        blocked_env=_texts(value.get("blocked_env")) or (),
        env_overrides=cast("Mapping[str, str]", _frozen(value.get("env_overrides"))),
        instructions=cast("str | None", value.get("instructions")),
        safe_next=cast("str | None", value.get("safe_next")),
        max_iterations=cast("int | None", value.get("max_iterations")),
        max_edit_lines=cast("int | None", value.get("max_edit_lines")),
        max_files_per_state=cast("int | None", value.get("max_files_per_state")),
        context_budget_bytes=cast("int | None", value.get("context_budget_bytes")),
        carried=MappingProxyType({key: inner for key, inner in value.items() if key not in _READ}),
    )


def _guards(value: Mapping[str, Json]) -> tuple[tuple[str, ...], tuple[tuple[Part, ...], ...]]:
    """The guards to test, in order, and where each is named."""
    single = value.get("guard")
    several = _texts(value.get("guards")) or ()
    first = () if single is None else (_text(single),)
    places: tuple[tuple[Part, ...], ...] = (("guard",),) * len(first)
    return (*first, *several), (*places, *(("guards", index) for index in range(len(several))))


def _transition(value: Json) -> Transition:
    if isinstance(value, str):
        return Edge(value, bare=True)
    if isinstance(value, list):
        return Choice(tuple(_branch(cast("Mapping[str, Json]", each)) for each in value))
    held = cast("Mapping[str, Json]", value)
    if "fork" in held:
        return _fork(cast("Mapping[str, Json]", held["fork"]))
    if "invoke" in held:
        given = held.get("input")
        text = None if given is None else canonical(given)
        on_fail = cast("str | None", held.get("on_fail"))
        return Invoke(_text(held["invoke"]), _text(held["on_complete"]), on_fail, text)
    guards, places = _guards(held)
    reviewer = held.get("approval_reviewer")
    return Edge(
        _text(held["target"]),
        guards,
        places,
        bool(held.get("requires_approval")),
        cast("str | None", held.get("approval_message")),
        None if reviewer is None else canonical(reviewer),
    )


def _branch(value: Mapping[str, Json]) -> Branch:
    guards, places = _guards(value)
    return Branch(_text(value["target"]), guards, places)


def _fork(value: Mapping[str, Json]) -> Fork:
    branches = _each(value["branches"], lambda _, b: ForkBranch(_text(b["initial"]), _text(b["terminal"])))
    on_fail = cast("str | None", value.get("on_fail"))
    return Fork(branches, _text(value["join"]), _text(value["on_complete"]), on_fail)
