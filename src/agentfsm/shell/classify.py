"""`classify`: what a command could do."""

from __future__ import annotations

from threading import Thread

from attrs import evolve

from agentfsm.shell.classes import Classification, Effect, OpClass, Reason, Span
from agentfsm.shell.cursor import MAX_BYTES, MAX_NODES, Budget, ParseError
from agentfsm.shell.evaluator import Evaluator
from agentfsm.shell.parser import parse
from agentfsm.shell.record import Exhausted, Record
from agentfsm.shell.state import State

__all__ = ("classify",)


def classify(command: str) -> Classification:
    """
    Return everything that *command* could do when bash runs it.

    Never raises for any text: what cannot be understood is unresolved, and Destructive is then among the classes.
    """
    if len(command) > MAX_BYTES or len(command.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return refused("too_long", 0, len(command), f"more than {MAX_BYTES} bytes")
    try:
        return judged(command)
    except RecursionError:
        return beside(command)


def judged(command: str) -> Classification:
    """Parse and follow *command*."""
    budget = Budget()
    try:
        tree = parse(command, budget)
    except ParseError as error:
        return in_bytes(command, refused(error.code, error.at, error.at + 1, error.detail))
    evaluator = Evaluator(Record(work=MAX_NODES - budget.nodes), State(), budget)
    try:
        evaluator.block(tree)
        evaluator.leftovers()
    except Exhausted:
        evaluator.record.work = 0
        evaluator.unresolved("too_many_steps", "more work than one text may take")
    return in_bytes(command, evaluator.record.classification())


def beside(command: str) -> Classification:
    """
    Judge *command* on a fresh stack.

    Its own depth is bounded, but the caller's is not: a caller deep in its own calls may leave too little room.
    """
    found: list[Classification] = []

    def work() -> None:
        try:
            found.append(judged(command))
        except RecursionError:
            found.append(refused("too_deep", 0, len(command), "nested too deep to follow"))

    thread = Thread(target=work, name="agentfsm-shell")
    thread.start()
    thread.join()
    return found[0]


def refused(code: str, start: int, end: int, detail: str) -> Classification:
    """Return the answer for text that is not understood."""
    reason = Reason(OpClass.DESTRUCTIVE, code, Span(start, end), "parser", detail, resolved=False)
    return Classification(frozenset({OpClass.DESTRUCTIVE}), False, (reason,), effects=(Effect(reason),))


def in_bytes(command: str, answer: Classification) -> Classification:
    """Turn the character offsets of *answer* into byte offsets."""
    if command.isascii():
        return answer
    offsets = [0]
    for char in command:
        offsets.append(offsets[-1] + len(char.encode("utf-8", "surrogatepass")))
    last = len(offsets) - 1

    def moved(span: Span) -> Span:
        return Span(offsets[min(span.start, last)], offsets[min(span.end, last)])

    return evolve(
        answer,
        reasons=tuple(evolve(reason, span=moved(reason.span)) for reason in answer.reasons),
        commands=tuple(evolve(each, span=moved(each.span)) for each in answer.commands),
        effects=tuple(
            evolve(each, reason=evolve(each.reason, span=moved(each.reason.span))) for each in answer.effects
        ),
    )
