"""Arguments of git's subcommands, as the rules of the verbs ask about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from agentfsm.shell.call import Call
from agentfsm.shell.values import Arg

__all__ = (
    "Verb",
    "has_letter",
    "is_dry",
    "operands_of",
    "words_of",
)


Verb: TypeAlias = Callable[[Call, Sequence[Arg]], None]


def words_of(args: Sequence[Arg]) -> list[str]:
    """Return the texts of the arguments."""
    return [arg.text for arg in args]


def operands_of(args: Sequence[Arg], with_value: frozenset[str] = frozenset()) -> list[Arg]:
    """Return the operands; the options *with_value* take the word behind them."""
    found: list[Arg] = []
    skip = ended = False
    for arg in args:
        if skip:
            skip = False
        elif ended or not arg.starts("-") or arg.text == "-":
            found.append(arg)
        elif arg.text == "--":
            ended = True
        else:
            skip = arg.text in with_value
    return found


def has_letter(args: Sequence[Arg], letters: str) -> bool:
    """Whether a cluster of short options holds one of *letters*."""
    return any(arg.starts("-") and not arg.starts("--") and set(arg.text[1:]) & set(letters) for arg in args)


def is_dry(args: Sequence[Arg]) -> bool:
    """Whether the verb is only to say what it would do."""
    return any(arg.text == "--dry-run" for arg in args) or has_letter(args, "n")
