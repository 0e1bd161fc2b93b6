"""Values held to their annotations: is a field's value what its class declares, however deep?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType, NoneType
from typing import Any, TypeVar, cast

from agentfsm.annotations import fields_of, said, see_through
from agentfsm.frozen import FrozenMap
from agentfsm.records import Record
from agentfsm.shapes import (
    Bag,
    Either,
    Fields,
    Fixed,
    Foreign,
    Growing,
    Json,
    Many,
    Member,
    OneOf,
    Plain,
    Shape,
    Table,
    Text,
    shape_of,
)
from agentfsm.source import Source, at
from agentfsm.trail import Trail

__all__ = ("DEPTH", "checker", "fault", "kinds_of", "parts", "passes", "trail_items")

DEPTH = 100
"""How many levels of tuples, mappings and classes a value may have inside it."""

TOO_DEEP = f"nested deeper than {DEPTH} levels"
# As for mypy, an int is a float too and a bool an int; nothing else is taken for what it is not.
ALSO: Mapping[type, tuple[type, ...]] = {int: (bool,), float: (int, bool)}

S = TypeVar("S")
Check = Callable[[object], str | None]


@cache
def checker(kind: type) -> Check:
    """
    Return what tells whether an instance of *kind* is what its annotations admit.

    It returns None, or the path of the first fault, what was found there and what is expected. A `Trail` that is a
    record's own field is not walked: its items are checked when they are added, by `trail_items`. Raises
    `DefinitionError` where an annotation cannot be resolved.
    """
    return _checker(kind)


@cache
def trail_items(kind: type) -> Mapping[str, Check]:
    """Return for each field of *kind* that is a `Trail` what checks one of its items."""
    shapes = {name: shape_of(hint) for name, hint in fields_of(kind).items()}
    found = {name: _checker(shape.item) for name, shape in shapes.items() if isinstance(shape, Growing)}
    return MappingProxyType(found)


@cache
def passes(hint: object) -> Callable[[object], bool]:
    """Return what tells whether a value is what *hint* admits, however deep."""
    source = Source()
    return source.function("passes", "v", f"return {_whole_test(hint, source)}")


def fault(hint: object, value: object, path: str = "") -> str:
    """Return the path of the first fault of a *value* that *hint* does not admit, what is there and what should be."""
    for step, part_hint, part in parts(hint, value):
        if not passes(part_hint)(part):
            return fault(part_hint, part, path + step)
    where = path.removeprefix(".") or "value"
    if isinstance(shape_of(hint), Json) and type(value) in (tuple, FrozenMap):
        return f"{where}: {TOO_DEEP}"
    return f"{where}: found {_found(value)}, expected {said(hint)}"


def parts(hint: object, value: object) -> Iterator[tuple[str, object, object]]:
    """Give for each part of *value* that *hint* speaks of the step that leads to it, its annotation and itself."""
    shape = shape_of(hint)
    match shape:
        case Either(options=options):
            likely = [option for option in options if type(value) in kinds_of(option)]
            if len(likely) == 1:  # with more, none of them is the one to blame
                yield "", likely[0], value
        case Json() if type(value) in (tuple, FrozenMap):
            yield "", tuple[object, ...] if type(value) is tuple else FrozenMap[str, object], value
        case _ if type(value) in kinds_of(hint):
            yield from PARTS.get(type(shape), _no_parts)(shape, value)


def _tuple_parts(shape: Any, value: Any) -> Iterator[tuple[str, object, object]]:
    hints = shape.items if isinstance(shape, Fixed) else (shape.item,) * len(value)
    items = value.since(value.start) if isinstance(value, Trail) else value
    for place, (hint, item) in enumerate(zip(hints, items, strict=False)):
        yield f"[{place}]", hint, item


def _bag_parts(shape: Bag, value: frozenset[object]) -> Iterator[tuple[str, object, object]]:
    for item in value:
        yield "{}", shape.item, item


def _table_parts(shape: Table, value: FrozenMap[object, object]) -> Iterator[tuple[str, object, object]]:
    for key, item in value.items():
        yield f".key({key!r:.40})", shape.key, key
        yield f"[{key!r:.40}]", shape.value, item


def _field_parts(shape: Fields, value: object) -> Iterator[tuple[str, object, object]]:
    for name, hint in shape.hints.items():
        yield f".{name}", hint, getattr(value, name)


def _no_parts(shape: object, value: object) -> Iterator[tuple[str, object, object]]:
    return iter(())


PARTS: Mapping[type, Callable[[Any, Any], Iterator[tuple[str, object, object]]]] = {
    Many: _tuple_parts,
    Fixed: _tuple_parts,
    Growing: _tuple_parts,
    Bag: _bag_parts,
    Table: _table_parts,
    Fields: _field_parts,
}


def kinds_of(hint: object) -> tuple[type, ...]:
    """Return the classes of which a value of *hint* is one; none for a class of which nothing is known."""
    match shape_of(hint):
        case Plain(kind=kind):
            return kind, *ALSO.get(kind, ())
        case Text(kind=kind) | Member(kind=kind) | Fields(kind=kind):
            return (kind,)
        case OneOf(values=values):
            return tuple(dict.fromkeys(map(type, values)))
        case Either(options=options):
            return tuple(kind for option in options for kind in kinds_of(option))
        case Json():
            return NoneType, bool, int, float, str, tuple, FrozenMap
        case Foreign():
            return ()
        case shape:
            return (CONTAINERS[type(shape)],)


CONTAINERS: Mapping[type, type] = {Many: tuple, Fixed: tuple, Bag: frozenset, Table: FrozenMap, Growing: Trail}


def _checker(hint: object) -> Check:
    source = Source()
    return source.function(
        "check",
        "v",
        "try:",
        f"    if {_whole_test(hint, source)}:",
        "        return None",
        f"    return {source.bind(fault)}({source.bind(hint)}, v)",
        "except RecursionError:",
        f"    return {TOO_DEEP!r}",
    )


def _whole_test(hint: object, source: Source) -> str:
    """Return an expression that is true of a ``v`` that *hint* admits; a class is looked into."""
    shape = shape_of(hint)
    if not isinstance(shape, Fields):
        return at(_test(hint, source), "v")
    tests = [f"type(v) is {source.bind(shape.kind)}"]
    for name, field in shape.hints.items():
        walked = not (isinstance(shape_of(field), Growing) and issubclass(shape.kind, Record))
        test = _test(field, source) if walked else f"type(@) is {source.bind(Trail)}"
        if test.count("@") > 1:
            variable = source.variable()
            # The first place in the text of a test is the first one evaluated.
            test = at(test.replace("@", f"({variable} := v.{name})", 1), variable)
        tests.append(f"({at(test, f'v.{name}')})")
    return " and ".join(tests)


def _test(hint: object, source: Source) -> str:
    """Return an expression that is true of a value ``@`` that *hint* admits."""
    seen, shape = see_through(hint), shape_of(hint)
    if seen is not hint or isinstance(shape, Fields):  # either may lead to itself
        return f"{source.later(lambda: passes(seen))}(@)"
    return TESTS[type(shape)](shape, source)


def _kind_test(shape: Plain | Text | Member, source: Source) -> str:
    if shape.kind is NoneType:
        return "@ is None"
    return " or ".join(f"type(@) is {source.bind(kind)}" for kind in (shape.kind, *ALSO.get(shape.kind, ())))


def _one_of_test(shape: OneOf, source: Source) -> str:
    kinds = frozenset(map(type, shape.values))
    if kinds == {str}:
        return f"type(@) is str and @ in {source.bind(frozenset(shape.values))}"
    pairs = frozenset((type(value), value) for value in shape.values)
    return f"type(@) in {source.bind(kinds)} and (type(@), @) in {source.bind(pairs)}"


def _either_test(shape: Either, source: Source) -> str:
    return " or ".join(f"({_test(option, source)})" for option in shape.options)


def _items_test(shape: Many | Bag, source: Source) -> str:
    variable = source.variable()
    loop = source.loop(f"not ({at(_test(shape.item, source), variable)})", variable)
    return f"type(@) is {CONTAINERS[type(shape)].__name__} and {loop}(@)"


def _trail_test(shape: Growing, source: Source) -> str:
    variable = source.variable()
    loop = source.loop(f"not ({at(_test(shape.item, source), variable)})", variable)
    return f"type(@) is {source.bind(Trail)} and {loop}(@.since(@.start))"


def _fixed_test(shape: Fixed, source: Source) -> str:
    tests = [f"({at(_test(hint, source), f'@[{place}]')})" for place, hint in enumerate(shape.items)]
    return " and ".join(["type(@) is tuple", f"len(@) == {len(shape.items)}", *tests])


def _table_test(shape: Table, source: Source) -> str:
    key, value = source.variable(), source.variable()
    tests = f"({at(_test(shape.key, source), key)}) and ({at(_test(shape.value, source), value)})"
    return (
        f"type(@) is {source.bind(FrozenMap)} and {source.loop(f'not ({tests})', f'{key}, {value}')}(@._items.items())"
    )


def _json_test(shape: Json, source: Source) -> str:
    return f"{source.bind(_is_json)}(@)"


def _foreign_test(shape: Foreign, source: Source) -> str:
    return f"isinstance(@, {source.bind(shape.kind)})"


TESTS: Mapping[type[Shape], Callable[[Any, Source], str]] = {
    Plain: _kind_test,
    Text: _kind_test,
    Member: _kind_test,
    OneOf: _one_of_test,
    Either: _either_test,
    Many: _items_test,
    Bag: _items_test,
    Growing: _trail_test,
    Fixed: _fixed_test,
    Table: _table_test,
    Json: _json_test,
    Foreign: _foreign_test,
}


def _is_json(value: object, depth: int = DEPTH) -> bool:
    kind = type(value)
    if kind is str or value is None or kind is bool or kind is int or kind is float:
        return True
    if depth and kind is tuple:
        return all(_is_json(item, depth - 1) for item in cast("tuple[object, ...]", value))
    if depth and kind is FrozenMap:
        items = cast("FrozenMap[object, object]", value).items()
        return all(type(key) is str and _is_json(item, depth - 1) for key, item in items)
    return False


def _found(value: object) -> str:
    return "None" if value is None else type(value).__qualname__
