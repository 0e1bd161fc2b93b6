"""What is wrong with one class is said when the class statement runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, Literal

import pytest
from attrs import define

from agentfsm import (
    Business,
    Context,
    DefinitionError,
    FSMOrchestrator,
    Iteration,
    Maybe,
    Outcome,
    Record,
    Stage,
    StatePatch,
    Tool,
    View,
    record,
    tool,
)
from tests.sample import Bug, Diff, Fix, Phase, Verify

Wrong = Callable[[], object]


class Colour(Enum):
    RED, GREEN = 1, 2


def exits_are_the_whole_enum() -> object:
    class Loose(Stage[Bug, Diff, Phase], enters=Phase.FIX): ...

    return Loose


def exits_of_one_enum_enters_of_another() -> object:
    class Mixed(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Colour.RED): ...

    return Mixed


def exits_of_two_enums() -> object:
    class Mixed(Stage[Bug, Diff, Literal[Phase.DONE, Colour.RED]], enters=Phase.FIX): ...

    return Mixed


def enters_nowhere() -> object:
    class Lost(Stage[Bug, Diff, Literal[Phase.DONE]]): ...

    return Lost


def two_exits_and_no_next() -> object:
    class Unsure(Stage[Bug, Diff, Literal[Phase.DONE, Phase.FIX]], enters=Phase.FIX): ...

    return Unsure


def no_header() -> object:
    class Bare(Stage, enters=Phase.FIX): ...  # type: ignore[type-arg]  # what is tried here

    return Bare


def a_header_of_text() -> object:
    class Quoted(Stage["Bug", Diff, Literal[Phase.DONE]], enters=Phase.FIX): ...

    return Quoted


def reads_no_record() -> object:
    class Foreign(Stage[int, Diff, Literal[Phase.DONE]], enters=Phase.FIX): ...  # type: ignore[type-var]  # as above

    return Foreign


def writes_the_orchestrators() -> object:
    class Greedy(Stage[Bug, Iteration, Literal[Phase.DONE]], enters=Phase.FIX): ...  # type: ignore[type-var]  # as above

    return Greedy


def writes_anything() -> object:
    class Greedy(Stage[Bug, Maybe[Record], Literal[Phase.DONE]], enters=None): ...  # type: ignore[type-var]  # as above

    return Greedy


def streams_what_it_does_not_write() -> object:
    class Streaming(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
        streams: ClassVar[tuple[type[Record], str] | None] = (Bug, "report")

    return Streaming


def streams_no_text() -> object:
    class Streaming(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
        streams: ClassVar[tuple[type[Record], str] | None] = (Diff, "files")

    return Streaming


def a_mutable_field() -> object:
    @record
    class Rows(Business):
        rows: list[int]

    return Rows


def a_mutable_field_deep_inside() -> object:
    @record
    class Rows(Business):
        rows: tuple[tuple[str, dict[str, int]], ...]

    return Rows


def a_mutable_class_in_a_field() -> object:
    @define
    class Cell:
        value: int

    @record
    class Rows(Business):
        cells: tuple[Cell, ...]

    return Rows


def a_record_in_no_layer() -> object:
    @record
    class Alone:  # type: ignore[type-var]  # pyright lets it through
        text: str

    return Alone


def a_subclass_of_a_record() -> object:
    class More(Bug): ...

    return More


def a_scope_that_is_none() -> object:
    @record(scope="itration")  # type: ignore[call-overload]  # what is tried here
    class Misspelt(Business): ...

    return Misspelt


def a_scope_of_two_enums() -> object:
    @record(scope={Phase.FIX, Colour.RED})
    class Torn(Business): ...

    return Torn


def a_scope_of_no_state() -> object:
    @record(scope=set[Enum]())
    class Nowhere(Business): ...

    return Nowhere


def a_tool_that_is_none() -> object:
    @tool
    class Alone:
        text: str

    return Alone


def a_tool_with_a_mutable_argument() -> object:
    @tool
    class Sort(Tool[int]):
        rows: list[int]

    return Sort


def a_tool_of_an_effect_that_is_none() -> object:
    @tool(effect="puer")  # type: ignore[call-overload]  # as above
    class Sum(Tool[int]):
        rows: tuple[int, ...]

    return Sum


def a_tool_without_time() -> object:
    @tool(timeout=0)
    class Sum(Tool[int]):
        rows: tuple[int, ...]

    return Sum


CLASSES: list[tuple[Wrong, str]] = [
    (exits_are_the_whole_enum, "name each exit"),
    (exits_of_one_enum_enters_of_another, "Mixed mixes two enums"),
    (exits_of_two_enums, "Mixed mixes two enums"),
    (enters_nowhere, "Lost does not say where it enters: enters="),
    (two_exits_and_no_next, "Unsure has 2 exits and no `next` to choose"),
    (no_header, "Bare needs a header"),
    (a_header_of_text, "a header names records, not ForwardRef"),
    (reads_no_record, "a header names records, not <class 'int'>"),
    (writes_the_orchestrators, "Greedy writes Iteration; stages write Business records alone"),
    (writes_anything, "Greedy writes Record; stages write Business records alone"),
    (streams_what_it_does_not_write, "Streaming streams Bug.report, which is no text that it writes"),
    (streams_no_text, "Streaming streams Diff.files, which is no text that it writes"),
    (a_mutable_field, "Rows.rows is a mutable list"),
    (a_mutable_field_deep_inside, "Rows.rows is a mutable dict"),
    (a_mutable_class_in_a_field, "Rows.cells is a mutable class Cell"),
    (a_record_in_no_layer, "Alone is in no layer: subclass Business"),
    (a_subclass_of_a_record, "More subclasses a record"),
    (a_scope_that_is_none, "scope is one of session, run, iteration, a lifecycle state or a set of them"),
    (a_scope_of_two_enums, "scope is one of"),
    (a_scope_of_no_state, "scope is one of"),
    (a_tool_that_is_none, "Alone is no tool: subclass Tool[Answer]"),
    (a_tool_with_a_mutable_argument, "Sort.rows is a mutable list"),
    (a_tool_of_an_effect_that_is_none, "Sum: effect is one of pure, idempotent, once, not 'puer'"),
    (a_tool_without_time, "Sum: timeout is in seconds, above 0, or None, not 0"),
]


def lines_of(function: Wrong) -> range:
    source, first = inspect.getsourcelines(function)
    return range(first, first + len(source))


@pytest.mark.parametrize(("wrong", "says"), CLASSES, ids=[wrong.__name__ for wrong, _ in CLASSES])
def test_refused_when_the_class_statement_runs(wrong: Wrong, says: str) -> None:
    """Each fault of one class is refused at its file and line."""
    with pytest.raises(DefinitionError) as caught:
        wrong()

    (finding,) = caught.value.findings
    file, _, line = finding.place.rpartition(":")
    assert says in finding.message
    assert __file__ == file
    assert int(line) in lines_of(wrong)
    assert 1 == str(caught.value).count(finding.place)


def test_a_stage_says_what_its_header_says() -> None:
    """R6: what is read, written and led to are objects made of the header, also in a subclass."""

    class Careful(Verify):
        def check(self, view: View[Any]) -> str | None:
            return None

    assert {"Bug", "Result", "Talk", "Iteration", "Owner"} == Fix.reads.names
    assert {"Diff", "Note", "Talk"} == Fix.writes.names
    assert (Phase.VERIFY, Phase.DONE) == Fix.exits
    assert Verify.reads == Careful.reads
    assert (Phase.VERIFY, Verify.exits) == (Careful.enters, Careful.exits)
    assert [("diff", True), ("note", False), ("talk", False)] == [(f.name, f.surely) for f in Fix.writes]
    assert Business is next(iter(Fix.writes)).layer


def test_an_alias_of_a_state_is_that_state() -> None:
    """An enum may give one state two names."""

    class Named(Enum):
        BEGIN, START, DONE, FAILED = 1, 1, 2, 3

    class Beginning(Stage[Bug, Diff, Literal[Named.DONE]], enters=Named.BEGIN):
        async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
            return StatePatch(Diff())

    orchestrator = FSMOrchestrator[Business](
        [Beginning()], start=Named.START, final={Named.DONE}, failed=Named.FAILED, records=[]
    )

    assert Outcome.FINISHED is orchestrator.run_sync(Bug("b")).outcome
