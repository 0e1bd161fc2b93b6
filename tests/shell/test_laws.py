"""Laws of the classifier: it never raises, danger shows wherever it hides, and meaning decides, not spelling (R58)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentfsm.shell import OpClass, classify

CASES = Path(__file__).parent / "cases"
HARMLESS = [json.loads(line) for line in (CASES / "none.jsonl").read_text().splitlines()]
HARMLESS = [command for command in HARMLESS if not command.endswith("\\")]
BOUNDED = settings(max_examples=150, deadline=None)
DANGER = "rm -rf victim"
PLACES = [
    "{0}\n{1}",
    "{1}; {0}",
    "{1} && {0}",
    "{1} || {0}",
    "{1} | {0}",
    "{1} & {0}",
    "echo $({1})\n{0}",
    "echo `{1}`\n{0}",
    "cat <<A\n$({1})\nA\n{0}",
    "echo ${{x:-$({1})}}\n{0}",
    "case x in y) {1};; esac\n{0}",
    "f() {{ {1}; }}\n{0}",
    "trap '{1}' EXIT\n{0}",
    "[[ -n $({1}) ]]\n{0}",
    "(( $({1}) ))\n{0}",
    "echo > $({1})\n{0}",
    "if false; then {1}; fi\n{0}",
    "while false; do {1}; done\n{0}",
    "coproc {{ {1}; }}\n{0}",
    "eval '{1}'\n{0}",
    "bash -c '{1}'\n{0}",
    "env A=1 {1}\n{0}",
    "xargs {1} < l\n{0}",
    "find . -exec {1} \\;\n{0}",
    "echo <({1})\n{0}",
    "a[$({1})]=1\n{0}",
    "x='{1}'; $x\n{0}",
    "alias y='{1}'\n{0}",
]
REWRITES = [
    "{{ {0}\n}}",
    "( {0}\n)",
    "if true; then {0}\nfi",
    "true\n{0}",
    "# words\n{0}",
    "true && {{ {0}\n}}",
    "f_() {{ {0}\n}}; f_",
]


@given(st.text(alphabet=st.characters(codec=None), max_size=80))
@BOUNDED
def test_any_text_has_an_answer(text: str) -> None:
    """Lone surrogates, controls and all: there is always an answer."""
    assert classify(text).classes


@given(st.text(alphabet="$(){}[]<>|&;'\"`\\ \n#!*?~=abrmE0\r\u200b", max_size=60))
@BOUNDED
def test_any_punctuation_has_an_answer(text: str) -> None:
    """Text of shell punctuation is never too odd for an answer."""
    assert classify(text).classes


@given(st.sampled_from(HARMLESS), st.sampled_from(PLACES))
@BOUNDED
def test_a_blocked_command_shows_wherever_it_is(command: str, place: str) -> None:
    """A blocked command added anywhere is blocked."""
    assert OpClass.DESTRUCTIVE in classify(place.format(command, DANGER)).classes


@given(st.sampled_from(HARMLESS), st.sampled_from(REWRITES))
@BOUNDED
def test_a_harmless_frame_changes_nothing(command: str, frame: str) -> None:
    """Putting a harmless command into a harmless frame keeps it harmless."""
    grown = classify(frame.format(command)).classes

    assert OpClass.DESTRUCTIVE not in grown


@pytest.mark.parametrize(
    "spelling",
    [
        "rm x",
        "'rm' x",
        '"rm" x',
        "r\\m x",
        "r''m x",
        "$'rm' x",
        "$'\\x72m' x",
        "{rm,x}",
        "a=rm; $a x",
        "a=r b=m; $a$b x",
        "/bin/rm x",
        "command rm x",
        "eval rm x",
        "rm\\\n x",
    ],
)
def test_spelling_does_not_matter(spelling: str) -> None:
    """However a command is written, what it is decides."""
    assert {reason.code for reason in classify(spelling).reasons} >= {"deletes"}


@given(st.sampled_from(["\0", "\r", "\u200b", "\u202e", "\ufeff", "\xa0", "\ud800"]))
@BOUNDED
def test_odd_characters_in_a_command_word_are_unresolved(char: str) -> None:
    """Only space, tab and line end are white space: anything else in a command word makes an unknown name."""
    assert not classify(f"l{char}s").resolved
