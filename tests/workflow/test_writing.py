"""Documents written from classes, and the schema of documents."""

from __future__ import annotations

from enum import Enum
from importlib.resources import files

import pytest

from agentfsm.errors import DefinitionError
from agentfsm.workflow import Outline, check, loads, schema_text, to_yaml
from tests.workflow.stages import Ask, Recover, Refuse, Step, Work

KINDS = (Ask, Work, Refuse, Recover)
OUTLINE = Outline("asking", Step.ASK, frozenset({Step.DONE}), Step.FAILED, Step.WORK)

WRITTEN = """\
machine: asking
enum: tests.workflow.stages:Step
start: ASK
final: [DONE]
failed: FAILED
iterates: WORK
stages:
  - name: Ask
    enters: ASK
    reads: [user_input]
    exits: [WORK, "NO"]
    class: tests.workflow.stages:Ask
  - name: Work
    enters: WORK
    reads: ["diff?", user_input]
    writes: [diff]
    exits: [WORK, DONE, FAILED]
    class: tests.workflow.stages:Work
  - name: Refuse
    enters: "NO"
    writes: ["diff?"]
    exits: [DONE]
    class: tests.workflow.stages:Refuse
recovery:
  name: Recover
  reads: ["record?"]
  exits: [WORK, FAILED]
  class: tests.workflow.stages:Recover
"""


def test_a_document_is_written_from_classes() -> None:
    """Everything that a header says stands in it, and words that some reader takes for no text are quoted."""
    assert WRITTEN == to_yaml(KINDS, OUTLINE)


def test_what_is_written_agrees_with_the_classes() -> None:
    """Written and loaded again, there is no disagreement."""
    assert () == check(loads(to_yaml(KINDS, OUTLINE)), KINDS)


def test_writing_again_changes_nothing() -> None:
    """What was loaded says the same once more."""
    once = loads(WRITTEN)

    assert once == loads(to_yaml(KINDS, OUTLINE))
    assert ["Ask", "Work", "Refuse", "Recover"] == [entry.name.text for entry in once.entries]


def test_a_class_in_a_function_has_no_path() -> None:
    """No path names it, so it is refused now and not when the document is resolved."""

    class Local(Enum):
        A = 1

    class Inner(Ask):
        pass

    with pytest.raises(DefinitionError) as caught:
        to_yaml([Inner, Recover, Recover], Outline("m", Local.A, frozenset(), Local.A))

    assert ["no_path", "no_path", "bad_recovery"] == [f.code for f in caught.value.findings]


def test_the_schema_is_shipped_and_up_to_date() -> None:
    """The file in the package is what the keys of the loader make; write it with `schema_text` after a change."""
    assert schema_text() == (files("agentfsm.workflow") / "graph.schema.json").read_text(encoding="utf-8")
