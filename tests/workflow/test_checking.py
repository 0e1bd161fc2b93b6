"""A document against the real classes: every disagreement, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentfsm.errors import DefinitionError
from agentfsm.graph import can_reach, findings
from agentfsm.workflow import StageClass, check, graph_of, loads, outline, resolve
from tests.workflow.stages import Ask, Recover, Refuse, Step, Work
from tests.workflow.test_writing import KINDS, WRITTEN


def found(text: str, *kinds: StageClass) -> list[str]:
    """Every disagreement, as ``line: code: message``."""
    return [
        f"{f.place.removeprefix('g.yaml:')}: {f.code}: {f.message}"
        for f in check(loads(text, name="g.yaml"), kinds or KINDS)
    ]


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        ("name: Work", "name: Worker", ["13: other_name: Worker: the class is called Work"]),
        ("    enters: WORK", "    enters: ASK", ["14: other_enters: Work: it enters WORK, not ASK"]),
        ("[user_input]", "[]", ["8: other_reads: Ask: reads lacks user_input, which the class declares"]),
        (
            "[user_input]",
            "[user_inputs]",
            [
                "10: other_reads: Ask: reads says user_inputs, which the class does not declare: did you mean",
                "8: other_reads: Ask: reads lacks user_input, which the class declares",
            ],
        ),
        (
            '["diff?", user_input]',
            "[diff, user_input]",
            ["15: other_reads: Work: reads says diff, the class declares diff?"],
        ),
        ("writes: [diff]", 'writes: ["diff?"]', ["16: other_writes: Work: writes says diff?, the class declares diff"]),
        (
            "[WORK, DONE, FAILED]",
            "[WORK, DONE]",
            ["13: other_exits: Work: exits lacks FAILED, which the class declares"],
        ),
        (
            "start: ASK",
            "start: ASKING",
            ["3: unknown_state: there is no state ASKING: did you mean ASK?"],
        ),
        ("stages:Step", "stages:Steps", ["2: other_enum: the states are not of tests.workflow.stages:Steps, but of"]),
        (
            "stages:Work",
            "stages:Wirk",
            [
                "18: no_class: Work: tests.workflow.stages:Wirk is none of the stages",
                "1: not_listed: tests.workflow.stages:Work",
            ],
        ),
    ],
)
def test_disagreements(old: str, new: str, messages: list[str]) -> None:
    """Each names the line to change, what stands there and what the class says."""
    all_found = found(WRITTEN.replace(old, new, 1))

    assert len(messages) == len(all_found)
    assert [] == [pair for pair in zip(messages, all_found, strict=True) if not pair[1].startswith(pair[0])]


def test_all_disagreements_come_at_once() -> None:
    """One run of the check is enough to repair a whole file."""
    text = (
        WRITTEN.replace("[user_input]", "[]").replace("enters: WORK", "enters: ASK").replace("name: Recover", "name: R")
    )

    assert ["other_reads", "other_enters", "other_name"] == [f.code for f in check(loads(text), KINDS)]


def test_a_recovery_is_told_from_a_stage() -> None:
    """A class that enters nothing stands under recovery, and nowhere else."""
    text = WRITTEN.replace("stages:Recover", "stages:Refuse").replace("name: Recover", "name: Refuse")

    assert "25: other_enters: Refuse: it enters NO, not nothing" in found(text, Ask, Work, Refuse)


def test_resolving_imports_the_classes() -> None:
    """The classes come in the document's order, and the whole agrees with itself."""
    assert (Ask, Work, Refuse, Recover) == resolve(loads(WRITTEN))


def test_resolving_names_all_that_is_missing() -> None:
    """A module, a name in it, and a thing that is no stage are each found, with their lines."""
    text = WRITTEN.replace("stages:Ask", "stages:NOT_A_STAGE").replace("stages:Work", "stages:Wrok")
    text = text.replace("tests.workflow.stages:Refuse", "tests.nothing.here:Refuse")

    with pytest.raises(DefinitionError) as caught:
        resolve(loads(text, name="g.yaml"))

    assert [
        "g.yaml:12: tests.workflow.stages:NOT_A_STAGE is no stage class [no_class]",
        "g.yaml:18: tests.workflow.stages has no Wrok [no_class]",
        "g.yaml:23: there is no module tests.nothing [no_class]",
    ] == list(map(str, caught.value.findings))


def test_a_module_that_fails_is_not_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user's module lacks is the user's traceback, not a wrong path in the document."""
    (tmp_path / "lacking_something.py").write_text("import surely_not_installed\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ModuleNotFoundError, match="surely_not_installed"):
        resolve(loads(WRITTEN.replace("tests.workflow.stages:Ask", "lacking_something:Ask")))


def test_the_graph_of_a_document_is_proved() -> None:
    """With its classes a document becomes the graph that the proofs take."""
    graph = graph_of(loads(WRITTEN), KINDS)

    assert (Step.ASK, Step.FAILED, Step.WORK) == (graph.start, graph.failed, graph.iterates)
    assert () == findings(graph)
    with pytest.raises(DefinitionError, match="none of the stages"):
        graph_of(loads(WRITTEN), KINDS[1:])


def test_an_outline_needs_no_classes() -> None:
    """States and edges can be drawn and asked about without running anybody's module."""
    graph = outline(loads(WRITTEN.replace("tests.workflow.stages", "not.there")))
    states = type(graph.start).__members__

    assert ["ASK", "WORK", "NO", "DONE", "FAILED"] == list(states)
    assert (states["ASK"], states["NO"], states["DONE"]) == can_reach(graph, states["DONE"], without=[states["WORK"]])
