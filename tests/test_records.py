"""Records are frozen facts in a layer; a header's side is a set of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Never, NoReturn

import attrs
import pytest

from agentfsm.errors import AbsentRecordError, DefinitionError
from agentfsm.frozen import FrozenMap
from agentfsm.records import (
    LAYERS,
    Business,
    Lifecycle,
    Maybe,
    Metadata,
    ReadSet,
    Record,
    RecordSet,
    WriteSet,
    is_record,
    name_of,
    record,
    unalias,
)
from agentfsm.view import view_of


class Phase(Enum):
    FIX = 1
    DONE = 2


class Other(Enum):
    FIX = 1


class Domain(Business):
    """A layer of one's own."""


@record
class Bug(Business):
    report: str


@record(scope="iteration")
class Diff(Domain):
    text: str = ""


@record(scope=Phase.FIX)
class Draft(Business):
    text: str


@record(scope={Phase.FIX, Phase.DONE})
class Note(Metadata):
    text: str
    tags: Mapping[str, str] = FrozenMap()


def test_a_record_is_frozen_and_slotted() -> None:
    """Neither a field nor anything else can be set (R2, R7)."""
    bug: Any = Bug("x")
    for name in ("report", "other"):
        with pytest.raises(AttributeError):
            setattr(bug, name, "y")

    assert Bug("x") == bug
    assert not hasattr(bug, "__dict__")
    assert "Bug(report='x')" == repr(bug)


@pytest.mark.parametrize(
    ("kind", "scope"),
    [
        (Bug, "run"),
        (Diff, "iteration"),
        (Draft, frozenset({Phase.FIX})),
        (Note, frozenset({Phase.FIX, Phase.DONE})),
    ],
)
def test_scopes(kind: type[Record], scope: object) -> None:
    """A record lives for the run unless it says otherwise (R16)."""
    assert scope == kind.scope


@pytest.mark.parametrize(
    "scope",
    ["for ever", "", None, 1, set(), {Phase.FIX, "run"}, {Phase.FIX, Other.FIX}],
    ids=lambda scope: str(sorted(map(str, scope))) if isinstance(scope, set) else repr(scope),
)
def test_a_scope_that_is_none_is_refused(scope: Any) -> None:
    """A scope is one of three words or lifecycle states of one enum."""
    with pytest.raises(DefinitionError, match="scope is one of session, run, iteration"):

        @record(scope=scope)
        class Held(Business):
            text: str


def test_a_scope_without_its_name_is_refused() -> None:
    """The one positional argument is the class itself."""
    decorate: Any = record

    with pytest.raises(DefinitionError, match=r"record makes a record of a class, not of 'iteration': name scope="):
        decorate("iteration")


def test_what_is_in_no_layer_is_refused() -> None:
    """A record is somebody's: the orchestrator's, the stages' or the session's."""
    for base in (object, Record):
        with pytest.raises(DefinitionError, match="Held is in no layer"):
            record(type("Held", (base,), {}))


def test_a_record_is_not_subclassed() -> None:
    """The class is the key, so a subclass would be a second key for one fact."""
    with pytest.raises(DefinitionError, match="Worse subclasses a record"):

        class Worse(Bug):
            pass


def test_mapping_fields_are_frozen_and_types_known() -> None:
    """A record knows the types of its fields, also those of a class that a function defines."""

    class Local(Enum):
        A = 1

    @record
    class Held(Business):
        local: Local
        table: Mapping[str, object]

    held = Held(Local.A, {"a": [1]})

    assert FrozenMap({"a": (1,)}) == held.table
    assert {"local": Local, "table": Mapping[str, object]} == Held.field_types
    assert ("local", "table") == tuple(field.name for field in attrs.fields(Held))


@pytest.mark.parametrize(
    ("name", "text"),
    [("Thought", "thought"), ("ToolCalls", "tool_calls"), ("HTTPReply", "http_reply"), ("Step2Plan", "step2_plan")],
)
def test_the_name_in_logs(name: str, text: str) -> None:
    """Snake case, with a run of capitals as one word."""
    assert text == name_of(type(name, (), {}))


def test_records_and_layers_are_told_apart() -> None:
    """What is decorated is a record; what is not stands for everything below it."""
    assert [True, True, False, False] == [is_record(kind) for kind in (Bug, Diff, Domain, Business)]


@pytest.mark.parametrize(
    ("hint", "surely", "perhaps"),
    [
        (Bug, {Bug}, set()),
        (Bug | Maybe[Diff], {Bug}, {Diff}),
        (Maybe[Bug | Diff], set(), {Bug, Diff}),
        (Bug | Maybe[Bug], {Bug}, set()),
        (Maybe[Business] | Diff, {Diff}, {Business}),
        (Never, set(), set()),
        (NoReturn, set(), set()),
    ],
    ids=lambda value: str(sorted(map(str, value)) if isinstance(value, set) else value),
)
def test_a_side_of_a_header(hint: object, surely: set[object], perhaps: set[object]) -> None:
    """Unions and `Maybe` nest in any way; what is surely there anywhere is surely there."""
    found = ReadSet.parse(hint)

    assert (surely, perhaps) == (set(found.surely), set(found.perhaps))
    assert isinstance(found, ReadSet)


@pytest.mark.parametrize("hint", [int, Bug | None, "Bug", list[Bug], object, Phase.FIX], ids=str)
def test_a_header_names_records_only(hint: object) -> None:
    """Anything else is refused when the class statement runs."""
    with pytest.raises(DefinitionError, match="a header names records"):
        WriteSet.parse(hint)


def test_a_record_set_reads_as_a_set() -> None:
    """Names, order, membership, layers and union are what a person expects."""
    one = RecordSet.parse(Bug | Maybe[Domain])

    assert ({"Bug", "Domain"}, 2, True, False) == (set(one.names), len(one), Bug in one, Diff in one)
    assert [("bug", True, Business), ("domain", False, Business)] == [(f.name, f.surely, f.layer) for f in one]
    assert [True, True, False] == [one.admits(kind) for kind in (Bug, Diff, Note)]
    assert RecordSet.parse(Bug | Domain | Maybe[Note]) == one | RecordSet.parse(Domain | Maybe[Note])
    assert [Lifecycle, Business, Metadata] == list(LAYERS)


def test_a_record_reads_itself_out_of_a_view() -> None:
    """`of` insists, `maybe` does not."""
    view = view_of({Bug: Bug("x")}, RecordSet.parse(Bug | Maybe[Diff] | Note), set())

    assert (Bug("x"), Bug("x"), None) == (Bug.of(view), Bug.maybe(view), Diff.maybe(view))
    with pytest.raises(AbsentRecordError, match=r"Note is absent: give it to the run, .* declare Maybe\[Note\]"):
        Note.of(view)


def test_unalias_leaves_what_is_no_alias() -> None:
    """Only a ``type`` statement makes an alias that is there at run time."""
    assert [int, tuple[int, ...], "text"] == [unalias(hint) for hint in (int, tuple[int, ...], "text")]
