"""Patterns over tool names and paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.statewright.pattern import Names, glob_matches, pattern_matches


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("**/x", "x", True),
        ("**/x", "a/b/x", True),
        ("**/x", "/x", True),
        # left open by the standard: folders swallow whole parts only
        ("**/x", "yx", False),
        ("src/**", "src/a/b", True),
        ("src/**", "src", False),
        ("src/**/t.py", "src/t.py", True),
        ("src/**/", "src/a", True),
        ("src/**/", "srcs/a", False),
        ("a**b", "a/x/b", True),
        ("?", "é", True),
        ("?", "/", False),
        ("[ab]{c}!", "[ab]{c}!", True),
        ("[ab]", "a", False),
        ("", "", True),
        ("*", "", True),
        ("a\nb", "a\nb", True),
        ("*", "a\nb", True),
        ("a", "A", False),
    ],
)
def test_globs(pattern: str, path: str, fits: bool) -> None:
    """`*` and `?` stop at a slash, `**` does not, nothing else is special, and the pattern fits the whole path."""
    assert fits == glob_matches(pattern, path)


@given(st.text("ab*?", max_size=8), st.text("abAB", max_size=8))
def test_names_agree_with_a_regular_expression(pattern: str, name: str) -> None:
    """The matcher says what the obvious regular expression says."""
    spelt = "".join({"*": ".*", "?": "."}.get(c, re.escape(c)) for c in pattern)

    assert (re.fullmatch(spelt, name, re.IGNORECASE) is not None) == pattern_matches(pattern, name)


def test_many_stars_cost_no_backtracking() -> None:
    """Time is the product of the lengths; a backtracking matcher would never come back."""
    assert not glob_matches("**/*a" * 60 + "b", "a" * 400)


def test_a_list_of_names() -> None:
    """Names and patterns fit whole names in any ASCII case."""
    names = Names.of(["Read", "mcp__git__*", "é"])

    assert all(map(names.match, ["read", "READ", "mcp__GIT__push", "é"]))
    assert not any(map(names.match, ["Read ", "Reading", "mcp__gitx__push", "É", ""]))
