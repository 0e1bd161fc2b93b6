"""Ways through a graph: a shortest one is the witness, none is the proof."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

import pytest

from agentfsm.errors import UsageError
from agentfsm.graph import Graph, can_reach, must_pass
from agentfsm.state import LastError
from tests.machines import ACT, DONE, FAILED, INIT, OBSERVE, THINK, Other, node, react

REACH: list[tuple[Enum, tuple[Enum, ...], tuple[Enum, ...] | None]] = [
    (INIT, (), (INIT,)),
    (ACT, (), (INIT, THINK, ACT)),
    (DONE, (), (INIT, THINK, OBSERVE, DONE)),
    (DONE, (OBSERVE,), None),
    (OBSERVE, (ACT,), (INIT, THINK, OBSERVE)),
    # any stage may fail
    (FAILED, (), (INIT, FAILED)),
    (INIT, (INIT,), None),
    (ACT, (ACT,), None),
]


@pytest.mark.parametrize(("state", "without", "way"), REACH)
def test_can_reach(state: Enum, without: tuple[Enum, ...], way: tuple[Enum, ...] | None) -> None:
    """A shortest way is the witness; without the states it needs there is none."""
    assert way == can_reach(react(), state, without=without)


PASSES: list[tuple[Enum, Enum, Enum, tuple[Enum, ...] | None]] = [
    (INIT, DONE, OBSERVE, None),
    (INIT, DONE, ACT, (INIT, THINK, OBSERVE, DONE)),
    (ACT, ACT, OBSERVE, (ACT,)),
    (DONE, INIT, ACT, None),
    (INIT, ACT, INIT, None),
]


@pytest.mark.parametrize(("a", "b", "through", "way"), PASSES)
def test_must_pass(a: Enum, b: Enum, through: Enum, way: tuple[Enum, ...] | None) -> None:
    """None is the proof; a way around is the counterexample."""
    assert way == must_pass(react(), a, b, through=through)


def test_a_recovery_opens_ways() -> None:
    """What only holds while nothing fails is not proved."""
    around = react(recovery=node(None, DONE, reads=LastError))

    assert (INIT, DONE) == must_pass(around, INIT, DONE, through=OBSERVE)
    assert (INIT, DONE) == can_reach(around, DONE, without=(OBSERVE,))


@pytest.mark.parametrize(
    "ask", [lambda g: can_reach(g, Other.DONE), lambda g: must_pass(g, INIT, DONE, through=Other.DONE)]
)
def test_a_state_of_another_enum_is_refused(ask: Callable[[Graph], object]) -> None:
    """A question about a foreign state has no answer; an answer of "no way" would be taken for a proof."""
    with pytest.raises(UsageError, match="Phase"):
        ask(react())
