"""JSON that two readers could understand differently is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.errors import DecodeError
from agentfsm.jsontext import DEEPEST, loads, step


@pytest.mark.parametrize(
    ("key", "text"), [("a_1", ".a_1"), ("a b", "['a b']"), ("", "['']"), ("é", "['é']"), ("1", "['1']")]
)
def test_the_step_to_a_key(key: str, text: str) -> None:
    """A name is written as one, anything else is quoted."""
    assert text == step(key)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "$: no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("{", "$: no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("1 2", "$: no JSON: Extra data: line 1 column 3 (char 2)"),
        ('{"a":1,"a":1}', "$.a: this key stands twice in its object"),
        ('[{"a":{"b c":1,"b c":2}}]', "$[0].a['b c']: this key stands twice in its object"),
        ('{"a":1,"a":1', "$: no JSON: Expecting ',' delimiter: line 1 column 13 (char 12)"),
        ('[{"a":1,"a":1}}', "$: no JSON: Expecting ',' delimiter: line 1 column 15 (char 14)"),
        ('{"a":[NaN]}', "$.a[0]: NaN is no JSON"),
        ("-Infinity", "$: -Infinity is no JSON"),
        ("[1e999]", "$[0]: 1e999 is larger than any float"),
        (b'"\xff"', "$: no UTF-8: invalid start byte"),
        ('"\ud800"', "$: no UTF-8: a bare surrogate"),
        ("\ufeff1", "$: no JSON: Expecting value: line 1 column 1 (char 0)"),
        ('"\n"', "$: no JSON: Invalid control character at: line 1 column 2 (char 1)"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), f"$: nested deeper than {DEEPEST} levels"),
        ("[" * 1_000_000, f"$: nested deeper than {DEEPEST} levels"),
        ('{"a":' * 1_000_000, f"$: nested deeper than {DEEPEST} levels"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_json_is_read_strictly(text: str | bytes, message: str) -> None:
    """What two readers could understand differently is refused with its path (R18)."""
    with pytest.raises(DecodeError) as caught:
        loads(text)
    assert message == str(caught.value)


def test_json_that_is_sound_is_read() -> None:
    """Escaped surrogates are characters like any other; text and bytes read alike; depth up to the limit is fine."""
    assert ["\ud800", "😀", {"a": [1.5, None, -0.0]}] == loads('["\\ud800","\\ud83d\\ude00",{"a":[1.5,null,-0.0]}]')
    assert {"é": 1} == loads('{"é":1}'.encode()) == loads('{"é":1}')
    assert loads("[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(DecodeError, match="6 characters are more than the 5"):
        loads("[1, 2]", longest=5)
    with pytest.raises(DecodeError, match="4300 digits"):
        loads("1" * 5000)


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    """No other error comes out of the parser (R18)."""
    with contextlib.suppress(DecodeError):
        loads(text)
