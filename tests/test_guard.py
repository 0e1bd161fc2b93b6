"""Decisions combine to the strictest."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentfsm.guard import Action, Decision, combine

DECISIONS = st.builds(Decision, st.sampled_from(["allow", "ask", "deny"]), st.text(max_size=3))


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ((), "ask"),
        (("allow",), "allow"),
        (("allow", "ask"), "ask"),
        (("allow", "deny"), "deny"),
        (("ask", "deny"), "deny"),
        (("allow", "ask", "deny"), "deny"),
    ],
)
def test_the_strictest_wins(actions: tuple[Action, ...], expected: Action) -> None:
    """R60: in whatever order guards are asked, one that denies is enough, and none at all is no permission."""
    orders = permutations(actions)

    assert {expected} == {combine(map(Decision, order)).action for order in orders}


def test_nobody_spoke() -> None:
    """With no opinion the answer says so by its code."""
    assert "no_opinion" == combine(()).code


def test_the_first_of_the_equally_strict_is_shown() -> None:
    """The reason that a person sees is the first guard's that was as strict as any."""
    first, second = Decision("deny", "read_only", guard="law"), Decision("deny", "unknown", guard="shell")

    assert first == combine([Decision("allow"), first, second])


@given(st.lists(DECISIONS, min_size=1), st.lists(DECISIONS, min_size=1))
def test_combining_is_associative(some: list[Decision], others: list[Decision]) -> None:
    """Groups of guards may be combined first, and the groups after that."""
    assert combine([*some, *others]) == combine([combine(some), combine(others)])
