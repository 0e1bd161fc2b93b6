"""Loading: every fault of a document's shape is found with its line, and nothing is imported or built."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agentfsm.errors import DefinitionError, UsageError
from agentfsm.workflow import load, loads

GOOD = """\
machine: small
enum: somewhere.else:Step
start: ASK
final: [DONE]
failed: FAILED
stages:
  - name: Ask
    enters: ASK
    reads: [question, "answer?"]
    exits: [DONE]
    class: somewhere.else:Ask
"""


def wrong(text: str) -> list[str]:
    """Every finding of *text*, as ``line: code: first words``."""
    with pytest.raises(DefinitionError) as caught:
        loads(text, name="g.yaml")
    return [f"{f.place.removeprefix('g.yaml:')}: {f.code}: {f.message}" for f in caught.value.findings]


def test_a_document_is_values_with_lines(tmp_path: Path) -> None:
    """Each text knows its line, for every later message."""
    path = tmp_path / "g.yaml"
    path.write_text(GOOD)
    document = load(path)
    (ask,) = document.stages

    assert ("small", 1) == (document.machine.text, document.machine.line)
    assert [("question", 9), ("answer?", 9)] == [(said.text, said.line) for said in ask.reads]
    assert f"{path}:8" == document.place(ask.enters.line if ask.enters else 0)
    assert hash(document)


def test_loading_imports_nothing() -> None:
    """The modules that a document names may do anything; only `resolve` runs them."""
    before = set(sys.modules)
    loads(GOOD.replace("somewhere.else", "antigravity"))

    assert "antigravity" not in set(sys.modules) - before


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("start: ASK", "strat: ASK", ["3: unknown_key: no key strat: did you mean start?", "1: missing_key: start"]),
        ("start: ASK", "start: [ASK]", ["3: bad_value: start is a list, not text"]),
        ("start: ASK", "start:", ["3: bad_value: start cannot be ''"]),
        ("start: ASK", "start: A B", ["3: bad_value: start cannot be 'A B'"]),
        ("final: [DONE]", "final: DONE", ["4: bad_value: final is text, not a list"]),
        ("final: [DONE]", "final: []", ["4: bad_value: final is empty"]),
        ("final: [DONE]", "final: [DONE, DONE]", ["4: twice: final has DONE twice"]),
        ("final: [DONE]", "final: [[DONE]]", ["4: bad_value: final is a list, not text"]),
        ("failed: FAILED", "start: FAILED", ["5: twice: start is said twice, first in line 3"]),
        ('"answer?"', '"question?"', ["9: twice: reads has question twice"]),
        ('"answer?"', "Answer", ["9: bad_value: reads cannot be 'Answer'"]),
        ('"answer?"', "answer?", ["9: bad_yaml: expected ',' or ']', but got '?'; inside [ ] quote a name that"]),
        ("somewhere.else:Ask", "somewhere.else.Ask", ["11: bad_value: class cannot be 'somewhere.else.Ask'"]),
        ("    enters: ASK\n", "", ["7: missing_key: enters is missing"]),
        ("    enters: ASK\n", "    enter: ASK\n", ["8: unknown_key: no key enter: did", "7: missing_key"]),
        ("[DONE]\n    class", "[]\n    class", ["10: bad_value: exits is empty"]),
        ("stages:\n", "recovery: [Ask]\nstages:\n", ["6: bad_value: this is a list, not a mapping"]),
        ("stages:\n", "recovery: {writes: [a]}\nstages:\n", ["6: unknown_key: no key writes", *["6: missing_key"] * 3]),
        # what YAML can do beyond that
        ("start: ASK", "start: &a ASK", ["3: bad_yaml: anchors and aliases are not used here"]),
        ("start: ASK", "start: *a", ["3: bad_yaml: *a stands before the end of what it names"]),
        ("start: ASK", "start: !!python/name:os.system ''", ["3: bad_yaml: tags are not used here"]),
        ("start: ASK", "? [start]\n: ASK", ["3: bad_yaml: a key is text"]),
        ("start: ASK", "---\nstart: ASK", ["3: bad_yaml: a second document begins here"]),
        ("start: ASK", "\tstart: ASK", ["3: bad_yaml: found character"]),
        ("start: ASK", "start: \x00", ["3: bad_yaml: special characters are not allowed"]),
        ("start: ASK", f"start: {'[' * 30}{']' * 30}", ["3: bad_yaml: nested deeper than 16"]),
    ],
)  # fmt: skip
def test_faults_of_shape(old: str, new: str, found: list[str]) -> None:
    """Each fault names its line and what to do."""
    messages = wrong(GOOD.replace(old, new, 1))

    assert len(found) == len(messages)
    assert [] == [pair for pair in zip(found, messages, strict=True) if not pair[1].startswith(pair[0])]


@pytest.mark.parametrize("text", ["", "# nothing\n", "[1, 2]", "just text", "x" * 500_001])
def test_what_is_no_table_is_refused(text: str) -> None:
    """Nothing, a list, a text, and something far too long are each refused once, in the first line."""
    (message,) = [text for text in wrong(text) if not text.startswith("1: missing")]

    assert message.startswith(("1: bad_", "2: bad_", "1: too_long"))


def test_all_faults_come_at_once() -> None:
    """Faults of several stages stand in one error, in the order of the file."""
    text = GOOD.replace("exits: [DONE]", "exits: DONE").replace("failed: FAILED", "failed: ''")

    assert ["5", "10"] == [message.partition(":")[0] for message in wrong(text)]


def test_no_stays_a_name() -> None:
    """YAML 1.1 takes NO for false; here a text is the text that stands there."""
    assert "NO" == loads(GOOD.replace("start: ASK", "start: NO")).start.text


def test_a_file_that_cannot_be_read_is_a_usage_error(tmp_path: Path) -> None:
    """The file is named; a file in another encoding is a faulty document."""
    with pytest.raises(UsageError, match="nowhere"):
        load(tmp_path / "nowhere.yaml")
    path = tmp_path / "latin.yaml"
    path.write_bytes("machine: \u00fc".encode("latin-1"))
    with pytest.raises(DefinitionError, match="UTF-8 at byte 9"):
        load(path)
