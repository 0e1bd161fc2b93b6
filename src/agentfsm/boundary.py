"""The one place where any exception is caught: it becomes a value, which somebody then has to deal with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from attrs import frozen

__all__ = ("Raised", "Returned", "attempted", "awaited", "brief", "causes_of", "text_of")

T = TypeVar("T")
LONGEST = 50_000  # characters of an error's text that are kept


@frozen(eq=False)
class Raised:
    """What an attempt raised."""

    error: Exception


@frozen(eq=False)
class Returned(Generic[T]):
    """What an attempt returned."""

    value: T


def attempted(do: Callable[[], T]) -> Returned[T] | Raised:
    """Return what *do* returns or raises. Cancellation and interrupts pass."""
    try:
        return Returned(do())
    except Exception as error:  # noqa: BLE001  # this is the boundary
        return Raised(error)


async def awaited(work: Awaitable[T]) -> Returned[T] | Raised:
    """Return what awaiting *work* returns or raises. Cancellation and interrupts pass."""
    try:
        return Returned(await work)
    except Exception as error:  # noqa: BLE001  # this is the boundary
        return Raised(error)


def causes_of(error: BaseException) -> tuple[str, ...]:
    """Return the chain of causes of *error* as text, nearest first, ten at most."""
    found: list[str] = []
    seen = {id(error)}
    cause = error.__cause__ or error.__context__
    while cause is not None and id(cause) not in seen and len(found) < 10:
        seen.add(id(cause))
        found.append(f"{type(cause).__name__}: {brief(cause)}"[:2000])
        cause = cause.__cause__ or cause.__context__
    return tuple(found)


def text_of(error: object) -> str:
    """Return an error's text, whatever its class makes of that."""
    said = attempted(lambda: str(error))
    if isinstance(said, Raised):
        return f"(its text cannot be told: {type(said.error).__name__})"
    return str.__str__(said.value)


def brief(error: object) -> str:
    """Return an error's text, cut where it is long, with its length."""
    text = text_of(error)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"
