"""What holds in every run of a ReAct agent, whatever its stages do."""

from __future__ import annotations

from typing import TypeAlias

from agentfsm import Invariant, Iteration, Maybe, View
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.records import Action, Observation, Thought, UserInput

__all__ = (
    "ACTING_HAS_AN_INTENT",
    "BEGINS_ANEW",
    "BEGINS_WITH_INPUT_ALONE",
    "FINISHED_HAS_AN_ANSWER",
    "ITERATION_RISES",
    "ITERATION_STAYS",
    "OBSERVING_HAS_ITS_ACTION",
)


Begun: TypeAlias = Maybe[UserInput | Thought | Observation]
BegunToAct: TypeAlias = Maybe[UserInput | Thought | Action | Observation]


def _anew(old: View[Begun], new: View[Begun]) -> bool:
    return old.get(UserInput) is not None and old.get(Thought) is None and old.get(Observation) is None


def _input_alone(old: View[BegunToAct], new: View[BegunToAct]) -> bool:
    return _anew(old, new) and old.get(Action) is None


def _has_intent(old: View[Maybe[Thought]], new: View[Maybe[Thought]]) -> bool:
    thought = new.get(Thought)
    return thought is not None and bool(thought.intent.strip())


def _has_action(old: View[Maybe[Action]], new: View[Maybe[Action]]) -> bool:
    return new.get(Action) is not None


def _has_answer(old: View[Maybe[Observation]], new: View[Maybe[Observation]]) -> bool:
    seen = new.get(Observation)
    return seen is not None and bool(seen.final_answer.strip())


def _rises(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number == old[Iteration].number + 1


def _stays(old: View[Iteration], new: View[Iteration]) -> bool:
    return new[Iteration].number == old[Iteration].number


# A run begins in INITIALIZED and never comes back, so what holds there is asked for when it leaves.
BEGINS_WITH_INPUT_ALONE = Invariant(
    "initialized: the input is there, and no thought, action or observation",
    _input_alone,
    edges=((ReAct.INITIALIZED, ReAct.THINKING),),
)
BEGINS_ANEW = Invariant(
    "initialized: the input is there, and no thought or observation",
    _anew,
    edges=((ReAct.INITIALIZED, ReAct.THINKING),),
)
ACTING_HAS_AN_INTENT = Invariant("acting: there is a thought with an intent", _has_intent, states=(ReAct.ACTING,))
# Action lives as long as its iteration: one that is there is of this iteration.
OBSERVING_HAS_ITS_ACTION = Invariant(
    "observing after acting: there is an action of this iteration",
    _has_action,
    edges=((ReAct.ACTING, ReAct.OBSERVING),),
)
FINISHED_HAS_AN_ANSWER = Invariant("finished: the final answer is not empty", _has_answer, states=(ReAct.FINISHED,))
ITERATION_RISES = Invariant("thinking: the iteration rises by one", _rises, states=(ReAct.THINKING,))
ITERATION_STAYS = Invariant(
    "elsewhere: the iteration stays",
    _stays,
    states=(ReAct.INITIALIZED, ReAct.ACTING, ReAct.OBSERVING, ReAct.FINISHED, ReAct.FAILED),
)
