"""Tools: a frozen class is one call to make; its fields are the arguments, its parameter is the type of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    overload,
)

import attrs
from attrs import field, frozen

from agentfsm.errors import DefinitionError, ToolError
from agentfsm.frozen import FrozenMap, freeze, freezing, hints_of, refuse_mutable
from agentfsm.places import names_in_sight, place

__all__ = ("Effect", "Happened", "Site", "Tool", "ToolCall", "tool")

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

# What doing it twice means: nothing at all, the same as once, or a second effect.
Effect: TypeAlias = Literal["pure", "idempotent", "once"]


class Site(Protocol):
    """Where a tool works: what it may use besides its arguments."""

    @property
    def key(self) -> str:
        """The idempotency key of this call: equal whenever this call is made again after a crash."""

    @property
    def workspace(self) -> Path:
        """The folder that paths are relative to."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that a subprocess is given."""


@frozen
class Happened(Generic[T_co]):
    """A call was made before, and this was its answer."""

    answer: T_co


class Tool(Generic[T_co]):
    """
    Base of all tools: ``@tool class Bash(Tool[Output])``.

    *effect* says what doing it twice means, *timeout* is in seconds, None for no limit.
    """

    effect: ClassVar[Effect] = "once"
    timeout: ClassVar[float | None] = None
    answer: ClassVar[object] = object
    field_types: ClassVar[Mapping[str, object]] = FrozenMap()

    async def run(self, site: Site) -> T_co:
        """Do it and return the answer. Raises `ToolError` where it cannot be done."""
        raise ToolError(f"{type(self).__name__} says what to call, not how: define run()")

    async def probe(self, site: Site) -> Happened[T_co] | None:
        """
        Say what came of the call with ``site.key``, which began and of which no answer is known: None if nothing did.

        A tool of effect ``once`` is asked before a person is. Raises `ToolError` where it cannot tell, as it does here.
        """
        raise ToolError(f"{type(self).__name__} cannot tell whether it was done")

    def writes(self) -> tuple[str, ...]:
        """
        Name what this call changes, such as paths, ``.`` for everything.

        Two calls of one gather that name the same, or one a place within the other's, are refused.
        """
        return ()


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def tool(cls: type[T], /) -> type[T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def tool(*, effect: Effect = ..., timeout: float | None = ...) -> Callable[[type[T]], type[T]]: ...
def tool(cls: Any = None, /, *, effect: Effect = "once", timeout: float | None = None) -> Any:
    """
    Make a tool of a `Tool` subclass: frozen, deeply immutable arguments, an answer of the header's type.

    Raises `DefinitionError` for a class that is no `Tool` or that has an argument whose type can change, and for an
    effect or a timeout that is none.
    """
    names = names_in_sight()

    def build(cls: type[Any]) -> type[Any]:
        if not issubclass(cls, Tool):
            raise DefinitionError(f"{cls.__name__} is no tool: subclass Tool[Answer]").at(place())
        if effect not in get_args(Effect):
            text = f"{cls.__name__}: effect is one of {', '.join(get_args(Effect))}, not {effect!r:.40}"
            raise DefinitionError(text).at(place())
        if timeout is not None and not (type(timeout) in {int, float} and timeout > 0):
            text = f"{cls.__name__}: timeout is in seconds, above 0, or None, not {timeout!r:.40}"
            raise DefinitionError(text).at(place())
        hints = hints_of(cls, names)
        built: type[Any] = frozen(cls, field_transformer=freezing(names))
        built.effect, built.timeout = effect, timeout
        built.answer = _answer(cls)
        built.field_types = {f.name: hints[f.name] for f in attrs.fields(built)}
        try:
            refuse_mutable(built, names)
        except DefinitionError as error:
            raise error.at(place()) from None
        return built

    return build if cls is None else build(cls)


def _answer(cls: type) -> object:
    for base in getattr(cls, "__orig_bases__", ()):
        if get_origin(base) is Tool:
            return get_args(base)[0]
    return getattr(cls, "answer", object)


@frozen
class ToolCall:
    """
    One call as guards see it: the tool's name, its arguments as frozen JSON, and the tool itself, if any.

    *lifecycle* is the lifecycle state in which it is made, None outside a run.
    """

    name: str
    arguments: Mapping[str, object] = field(factory=FrozenMap[str, object], converter=freeze)
    tool: Tool[object] | None = field(default=None, eq=False)
    key: str = ""
    lifecycle: Enum | None = None
