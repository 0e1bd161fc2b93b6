"""Immutability all the way down: a mapping that cannot change, and the refusal of types that can."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NewType, NoReturn, TypeVar, get_args, get_origin, is_typeddict

import attrs

from agentfsm.errors import DefinitionError, MutatedError

__all__ = ("FrozenMap", "freeze", "freezing", "hints_of", "is_frozen_class", "refuse_mutable", "unalias")

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)

_CONTAINERS = (list, dict, set, bytearray, deque, defaultdict, Counter, OrderedDict)
MUTABLE: frozenset[object] = frozenset({*_CONTAINERS, MutableMapping, MutableSequence, MutableSet})
MUTABLE_NAMES = frozenset({kind.__name__ for kind in _CONTAINERS} | {"List", "Dict", "Set", "DefaultDict", "Deque"})


class FrozenMap(Mapping[K, V_co]):
    """A mapping that never changes: what a record's `Mapping` field is turned into."""

    __slots__ = ("_items",)
    _items: dict[K, V_co]

    def __init__(self, items: Mapping[K, V_co] | Iterable[tuple[K, V_co]] = ()) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __getitem__(self, key: K) -> V_co:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._items == other._items
        return self._items == other if isinstance(other, Mapping) else NotImplemented

    def __repr__(self) -> str:
        return f"FrozenMap({self._items!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return FrozenMap, (dict(self._items),)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise MutatedError("a record's mapping does not change; build a new record")

    __setitem__ = __delitem__ = _refuse
    update = clear = pop = popitem = setdefault = _refuse

    def __setattr__(self, name: str, value: object) -> NoReturn:
        if name == "__orig_class__":  # ``FrozenMap[str, int](...)`` tries, and expects this answer
            raise AttributeError(name)
        self._refuse()

    def __delattr__(self, name: str) -> NoReturn:
        self._refuse()


def freeze(value: object) -> object:
    """Return *value* with every list, dict and set in it made immutable: JSON as read, ready for a record."""
    if isinstance(value, FrozenMap):
        return value
    if isinstance(value, Mapping):
        return FrozenMap({key: freeze(item) for key, item in value.items()})
    if type(value) in (list, tuple):
        return tuple(freeze(item) for item in typing.cast("tuple[object, ...]", value))
    if type(value) in (set, frozenset):
        return frozenset(freeze(item) for item in typing.cast("set[object]", value))
    return value


def freezing(scope: Mapping[str, object]) -> Any:
    """Return an attrs field transformer that gives each `Mapping` field without a converter one that freezes."""

    def transform(cls: type, fields: list[attrs.Attribute[Any]]) -> list[attrs.Attribute[Any]]:
        hints = hints_of(cls, scope)
        return [
            f.evolve(converter=freeze) if f.converter is None and _names_mapping(hints.get(f.name, f.type)) else f
            for f in fields
        ]

    return transform


def refuse_mutable(cls: type, scope: Mapping[str, object]) -> None:
    """Raise `DefinitionError` when a field's type, however deep, is a container or class that can change."""
    hints = hints_of(cls, scope)
    for field in attrs.fields(cls):
        for part in _mutable_parts(hints.get(field.name, field.type)):
            raise DefinitionError(
                f"{cls.__name__}.{field.name} is a mutable {part}; "
                "use tuple, frozenset, Mapping, Trail or a frozen class"
            )


def hints_of(cls: type, scope: Mapping[str, object]) -> Mapping[str, object]:
    """Return the annotations of *cls* as types, names looked up in its module and *scope*; the rest stay text."""
    found: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        module = sys.modules.get(base.__module__)
        names = {**(vars(module) if module else {}), **scope}
        for name, hint in inspect.get_annotations(base).items():
            found[name] = _resolved(name, hint, names)
    return found


def _resolved(name: str, hint: object, names: dict[str, object]) -> object:
    holder: Any = SimpleNamespace(__annotations__={name: hint})
    try:
        return typing.get_type_hints(holder, globalns=names, localns=names, include_extras=True)[name]
    except (NameError, TypeError, AttributeError):
        return hint


def is_frozen_class(kind: type) -> bool:
    """Tell whether an attrs class or dataclass refuses assignment; other classes are taken at their word."""
    if attrs.has(kind):
        return attrs.inspect(kind).is_frozen
    return not dataclasses.is_dataclass(kind) or bool(getattr(kind, "__dataclass_params__").frozen)  # noqa: B009  # a class has it once it is a dataclass; no stub says so


def unalias(hint: object) -> object:
    """
    See through ``type X = ...`` (3.12), with or without parameters.

    Raises `DefinitionError` for one that names what is not defined yet.
    """
    try:
        while (value := getattr(get_origin(hint) or hint, "__value__", None)) is not None:
            hint = value[get_args(hint)] if get_args(hint) else value
    except NameError as error:
        raise DefinitionError(f"type {hint}: {error}; define it before the class that uses the alias") from error
    return hint


def _names_mapping(hint: object, seen: frozenset[object] = frozenset()) -> bool:
    if isinstance(hint, str):
        return any(isinstance(n, ast.Name) and n.id == "Mapping" for n in ast.walk(ast.parse(hint)))
    if (meant := _meant(hint)) is not hint:
        return hint not in seen and _names_mapping(meant, seen | {hint})
    return (get_origin(hint) or hint) is Mapping or any(_names_mapping(arg, seen) for arg in _inner(hint))


def _mutable_parts(hint: object, seen: frozenset[object] = frozenset()) -> Iterator[str]:
    if (meant := _meant(hint)) is not hint:
        if hint not in seen:  # an alias may name itself
            yield from _mutable_parts(meant, seen | {hint})
        return
    kind = get_origin(hint) or hint
    if isinstance(hint, str):  # it names something that cannot be found yet
        yield from (n.id for n in ast.walk(ast.parse(hint)) if isinstance(n, ast.Name) and n.id in MUTABLE_NAMES)
    elif kind in MUTABLE or is_typeddict(kind):
        yield str(hint)
    elif isinstance(kind, type) and not is_frozen_class(kind):
        yield f"class {kind.__name__}"
    elif isinstance(kind, type) and kind not in seen:
        for name, field in _field_hints(kind):
            yield from (f"{part} (in {kind.__name__}.{name})" for part in _mutable_parts(field, seen | {kind}))
    for arg in _inner(hint):
        yield from _mutable_parts(arg, seen)


def _meant(hint: object) -> object:
    return hint.__supertype__ if isinstance(hint, NewType) else unalias(hint)


def _field_hints(kind: type) -> Iterator[tuple[str, object]]:
    if not attrs.has(kind) and not dataclasses.is_dataclass(kind):
        return
    hints = hints_of(kind, {})
    made: Any = kind
    fields: Iterable[Any] = attrs.fields(made) if attrs.has(kind) else dataclasses.fields(made)
    yield from ((field.name, hints.get(field.name, field.type)) for field in fields)


def _inner(hint: object) -> tuple[object, ...]:
    if get_origin(hint) in (Literal, Callable):
        return ()
    args = get_args(hint)[:1] if get_origin(hint) is Annotated else get_args(hint)
    return tuple(arg for arg in args if arg is not ...)
