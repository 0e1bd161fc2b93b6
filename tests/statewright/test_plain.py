"""Plain JSON."""

from __future__ import annotations

import pytest
from hypothesis import given

from agentfsm.statewright.plain import Json, Part, canonical, digest, equal, path_to, plain, same_key
from tests.statewright.law_strategies import JSON


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ((), "$"),
        (("states", "a", "on", "GO"), "$.states.a.on.GO"),
        (("a-b", 0, "_x1"), '$["a-b"][0]._x1'),
        (("é t",), '$["é t"]'),
        (('q"\n',), '$["q\\"\\n"]'),
        (("",), '$[""]'),
        (("a\n",), '$["a\\n"]'),
    ],
)
def test_paths(parts: tuple[Part, ...], path: str) -> None:
    """Identifiers stand bare, any other name is quoted as JSON with non-ASCII as it is."""
    assert path == path_to(*parts)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0, False),
        ([1, {"a": 2.0}], [1.0, {"a": 2}], True),
        ([True], [1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
        (None, False, False),
        ({}, [], False),
        ("", [], False),
    ],
)
def test_equality(a: Json, b: Json, same: bool) -> None:
    """Numbers are equal by value at any depth, and true is never 1."""
    assert same == equal(a, b) == equal(b, a)


@given(JSON)
def test_the_one_spelling_reads_back_equal(value: Json) -> None:
    """What is spelt canonically reads back equal, is spelt the same again, and is ASCII."""
    text = canonical(value)

    assert equal(value, plain(text))
    assert text == canonical(plain(text))
    assert text.isascii()


def test_what_is_no_json_is_refused() -> None:
    """NaN and objects have no spelling, so nothing can be bound to them."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))
    with pytest.raises(TypeError, match="is no JSON"):
        digest(object())  # type: ignore[arg-type]  # that is the point


def test_only_ascii_letters_fold() -> None:
    """The Kelvin sign and the long s are no k and no s."""
    assert "k" == same_key("K")
    assert "\u212a" == same_key("\u212a")
    assert "É" == same_key("É")
