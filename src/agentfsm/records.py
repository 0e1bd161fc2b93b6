"""
Records: small frozen facts in three layers, and the sets of them that a stage's header declares.

A record class is the key under which state holds it: at most one instance a class. Decorated with `record` it is a
record; undecorated it is a layer, a base class that stands for every record below it.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Literal,
    Never,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    overload,
)

from attrs import field, fields, frozen

from agentfsm.errors import AbsentRecordError, DefinitionError
from agentfsm.frozen import freezing, hints_of, refuse_mutable, unalias
from agentfsm.places import names_in_sight, place

if TYPE_CHECKING:
    from agentfsm.view import View

__all__ = (
    "Business",
    "Declared",
    "DeclaredMaybe",
    "Lifecycle",
    "Maybe",
    "Metadata",
    "ReadSet",
    "Record",
    "RecordSet",
    "Scope",
    "StateField",
    "WriteSet",
    "is_record",
    "name_of",
    "record",
    "unalias",
)

LASTING = ("session", "run", "iteration")
Scope: TypeAlias = Literal["session", "run", "iteration"] | frozenset[Enum]

T_co = TypeVar("T_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


class Maybe(Generic[T_co]):
    """In a header: may be absent (read side), may be left out (write side). Never instantiated."""


class Declared(Protocol[V_contra, T_co]):
    """What ``view[...]`` takes: a record class that reads itself out of this view."""

    def of(self, view: V_contra, /) -> T_co: ...


class DeclaredMaybe(Protocol[V_contra, T_co]):
    """What ``view.get(...)`` takes: a record class that may be absent from this view."""

    def maybe(self, view: V_contra, /) -> T_co: ...


def is_record(kind: type) -> bool:
    """Tell a record (decorated) from a layer (a bare base class)."""
    return "__attrs_attrs__" in kind.__dict__


def name_of(kind: type) -> str:
    """Return the name of a record in YAML, logs and traces: ``ToolCalls`` is ``tool_calls``."""
    return _snake(kind.__name__)


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


class Record:
    """Base of the three layers. Subclass a layer and decorate with `record`."""

    __slots__ = ()
    if TYPE_CHECKING:
        __attrs_attrs__: ClassVar[Any]  # so that attrs takes every record for one of its own
    scope: ClassVar[Scope]
    field_types: ClassVar[Mapping[str, object]]

    def __init_subclass__(cls) -> None:
        if any(is_record(base) for base in cls.__mro__[1:]):
            raise DefinitionError(f"{cls.__name__} subclasses a record; hold it in a field instead").at(place())

    # Here `Self` is bound before the view is seen. `View` must not ask for `(self: View[K], kind: type[K]) -> K`:
    # both checkers solve K from the view alone, and get the union.
    @classmethod
    def of(cls, view: View[Self], /) -> Self:
        """Return this record from a view that surely has it; raises `AbsentRecordError` where it does not."""
        if (found := view.find(cls)) is None:
            name = cls.__name__
            way = f"give it to the run, write it on every way here, or declare Maybe[{name}] and `get` it"
            raise AbsentRecordError(f"{name} is absent: {way}", path=name_of(cls))
        return found

    @classmethod
    def maybe(cls, view: View[Maybe[Self]], /) -> Self | None:
        """Return this record from a view that may have it, or None."""
        return view.find(cls)


class Lifecycle(Record):
    """Owned by the orchestrator: readable by every stage, written by none."""

    __slots__ = ()


class Business(Record):
    """What the user's stages write."""

    __slots__ = ()


class Metadata(Record):
    """About the session and the run: readable by every stage, written by none."""

    __slots__ = ()


LAYERS: tuple[type[Record], ...] = (Lifecycle, Business, Metadata)
Rec = TypeVar("Rec", bound=Record)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[Rec], /) -> type[Rec]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    *, scope: Literal["session", "run", "iteration"] | Enum | AbstractSet[Enum]
) -> Callable[[type[Rec]], type[Rec]]: ...
def record(cls: Any = None, /, *, scope: Any = "run") -> Any:
    """
    Make a record of a layer's subclass: frozen, slotted, deeply immutable, living as long as *scope* says.

    `Mapping` fields are frozen on the way in. Raises `DefinitionError` for a class in no layer, a scope that is none,
    and a field whose type can change.
    """
    names = names_in_sight()

    def build(cls: type[Any]) -> type[Record]:
        if not isinstance(cls, type):
            raise DefinitionError(f"record makes a record of a class, not of {cls!r:.40}: name scope=").at(place())
        if not issubclass(cls, LAYERS):  # pyright does not hold a class decorator to its bound
            raise DefinitionError(f"{cls.__name__} is in no layer: subclass Business").at(place())
        try:
            lasting = _scope(cls, scope)
            built: type[Record] = frozen(cls, field_transformer=freezing(names))
            refuse_mutable(built, names)
        except DefinitionError as error:
            raise error.at(place()) from None
        hints = hints_of(cls, names)
        built.scope, built.field_types = lasting, {f.name: hints[f.name] for f in fields(built)}
        return built

    return build if cls is None else build(cls)


def _scope(cls: type, scope: object) -> Scope:
    if scope == "session" or scope == "run" or scope == "iteration":  # noqa: PLR1714  # a type checker narrows this
        return scope
    states = [scope] if isinstance(scope, Enum) else list(scope) if isinstance(scope, AbstractSet) else []
    if not states or not all(isinstance(state, Enum) for state in states) or len({type(s) for s in states}) > 1:
        raise DefinitionError(
            f"{cls.__name__}: scope is one of {', '.join(LASTING)}, a lifecycle state or a set of them, not {scope!r}"
        )
    return frozenset(states)


@frozen
class StateField:
    """One entry of a header: a record or layer, under which name, and whether it is surely there."""

    kind: type[Record]
    surely: bool

    @property
    def name(self) -> str:
        """The snake_case name used in YAML, logs and traces."""
        return name_of(self.kind)

    @property
    def layer(self) -> type[Record]:
        """`Lifecycle`, `Business` or `Metadata`."""
        return next((layer for layer in LAYERS if issubclass(self.kind, layer)), Record)


@frozen
class RecordSet:
    """The records one side of a header declares."""

    surely: frozenset[type[Record]]
    perhaps: frozenset[type[Record]]
    all: frozenset[type[Record]] = field(init=False)
    layers: tuple[type[Record], ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "all", self.surely | self.perhaps)
        object.__setattr__(self, "layers", tuple(kind for kind in self.all if not is_record(kind)))

    def covers(self, kind: type[Record]) -> bool:
        """Tell whether *kind* belongs to a declared layer."""
        return issubclass(kind, self.layers)

    def admits(self, kind: type[Record]) -> bool:
        """Tell whether *kind* is declared, itself or through its layer."""
        return kind in self.all or self.covers(kind)

    def __or__(self, other: RecordSet) -> RecordSet:
        surely = self.surely | other.surely
        return RecordSet(surely, (self.perhaps | other.perhaps) - surely)

    def __iter__(self) -> Iterator[StateField]:
        return iter(sorted((StateField(kind, kind in self.surely) for kind in self.all), key=lambda f: f.name))

    def __len__(self) -> int:
        return len(self.all)

    def __contains__(self, kind: object) -> bool:
        return kind in self.all

    @property
    def names(self) -> frozenset[str]:
        """The class names, as the header spells them."""
        return frozenset(kind.__name__ for kind in self.all)

    @classmethod
    def parse(cls, hint: object) -> Self:
        """
        Read one side of a header: a union of records, layers and `Maybe`, or ``Never``.

        Raises `DefinitionError` for anything else.
        """
        found = tuple(_declared(hint, False))
        surely = frozenset(kind for kind, maybe in found if not maybe)
        return cls(surely, frozenset(kind for kind, _ in found) - surely)


class ReadSet(RecordSet):
    """What a stage reads."""


class WriteSet(RecordSet):
    """What a stage writes."""


def _declared(hint: object, maybe: bool) -> Iterator[tuple[type[Record], bool]]:
    hint = unalias(hint)
    origin = get_origin(hint)
    if hint is Never or hint is typing.NoReturn:
        return
    if origin is typing.Union or isinstance(hint, UnionType) or origin is Maybe:
        for arg in get_args(hint):
            yield from _declared(arg, maybe or origin is Maybe)
    elif isinstance(hint, type) and issubclass(hint, Record):
        yield hint, maybe
    else:
        raise DefinitionError(f"a header names records, not {hint!r}")
