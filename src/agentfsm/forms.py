"""The JSON form of each shape: generated code that writes a value as its annotation says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from json.encoder import encode_basestring_ascii
from math import isfinite
from types import NoneType
from typing import Any, Literal, NoReturn, TypeAlias

from agentfsm.annotations import said, see_through
from agentfsm.errors import EncodeError
from agentfsm.frozen import FrozenMap
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
    inner,
    shape_of,
)
from agentfsm.source import Source, at
from agentfsm.texts import TEXTS
from agentfsm.trail import Trail
from agentfsm.unions import clashes, is_text, tagged
from agentfsm.values import ALSO, DEPTH, TOO_DEEP, kinds_of

__all__ = (
    "TYPE",
    "Writer",
    "as_object",
    "expression",
    "literal_text",
    "mark_of_item",
    "quoted",
    "text_of",
    "trail_text",
)

TYPE = "$type"
"""The key that tells the classes of one union apart; no field can be called so."""

Writer: TypeAlias = Callable[[Any], str]
Arm: TypeAlias = tuple[str, str]  # a condition on ``@``, and the expression that writes it then


@cache
def text_of(hint: object, tag: bool = False) -> Writer:
    """
    Return what writes a value of *hint*, with its class's name where that *tag* is wanted.

    It raises `EncodeError` without knowing where in the whole value it is.
    """
    source = Source()
    shape = shape_of(hint)
    if not isinstance(shape, Fields):
        return source.function("text", "v", f"return {expression(see_through(hint), source, 'v')}")
    fields = {name: partial(expression, field, source) for name, field in shape.hints.items()}
    *lines, last = as_object(shape, source, fields, f'"{TYPE}":{quoted(shape.kind.__name__)}' if tag else "")
    return source.function("text", "v", *lines, f"return {last}")


@cache
def mark_of_item(hint: object) -> Callable[[object], bytes]:
    """Return what gives the canonical bytes of an item of a trail of *hint*; one function for each *hint*."""
    write = text_of(hint)
    return lambda item: write(item).encode("ascii")


def as_object(shape: Fields, source: Source, fields: Mapping[str, Callable[[str], str]], tag: str = "") -> list[str]:
    """Return statements that read the fields of ``v``, and last the expression that is its text."""
    _refuse_unbuildable(shape.kind)
    refuse = source.bind(partial(_refuse, shape.kind))
    lines = [f"if type(v) is not {source.bind(shape.kind)}: {refuse}(v)"]
    pieces = [_braced(tag)] if tag else []
    for name, write in fields.items():
        variable = source.variable()
        lines += [f"{variable} = v.{name}", f"{variable} = {write(variable)}"]
        pieces.append(f"{_braced(quoted(name))}:{{{variable}}}")
    return [*lines, "f" + repr("{{" + ",".join(pieces) + "}}")]


def expression(hint: object, source: Source, variable: str) -> str:
    """Return an expression that writes the value of *variable*."""
    arms = [f"{at(write, variable)} if {at(test, variable)} else " for test, write in _arms(hint, source)]
    return f"({''.join(arms)}{source.bind(partial(_refuse, hint))}({variable}))"


def literal_text(value: object) -> str:
    """Return the text of one value of a `Literal`."""
    kind: type = type(value)
    return text_of(kind)(value)


def quoted(text: str) -> str:
    """Return *text* as a JSON string; raises `EncodeError` where reading it would join two of its characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        # A high surrogate before a low one reads back as the one character that the pair stands for.
        if text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") != text:
            raise EncodeError("two surrogates in a row would read back as one character") from None
    return encode_basestring_ascii(text)


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _refuse(hint: object, value: object) -> NoReturn:
    if isinstance(value, float | Enum) and type(value) in kinds_of(hint):
        raise EncodeError(f"{value!r:.60} has no text that reads back equal: a number that is none, or unnamed flags")
    raise EncodeError(f"found {'None' if value is None else type(value).__qualname__}, expected {said(hint)}")


def _refuse_unbuildable(kind: Any) -> None:
    if kind.__eq__ is object.__eq__:
        raise EncodeError(f"{kind.__name__} compares by identity: nothing that is read back is equal to it")
    if kind.__new__ is not object.__new__ or issubclass(kind, BaseException):
        raise EncodeError(f"{kind.__name__} is more than its fields and cannot be rebuilt from them")


def _arms(hint: object, source: Source) -> list[Arm]:
    seen, shape = see_through(hint), shape_of(hint)
    if isinstance(shape, Fields):
        return [_class_arm(seen, shape, source, False)]
    if seen is not hint and inner(shape):  # an alias may name itself
        return [(f"type(@) in {source.bind(frozenset(kinds_of(seen)))}", f"{source.later(lambda: text_of(seen))}(@)")]
    return ARMS[type(shape)](shape, source)


def _class_arm(hint: object, shape: Fields, source: Source, tag: bool) -> Arm:
    return f"type(@) is {source.bind(shape.kind)}", f"{source.later(lambda: text_of(hint, tag))}(@)"


def _plain_arms(shape: Plain, source: Source) -> list[Arm]:
    return [arm for kind in (shape.kind, *ALSO.get(shape.kind, ())) for arm in _plain_arm(kind, source)]


def _plain_arm(kind: type, source: Source) -> list[Arm]:
    if kind is NoneType:
        return [("@ is None", "'null'")]
    if kind is bool:
        return [("@ is True", "'true'"), ("@ is False", "'false'")]
    if kind is int:
        return [("type(@) is int", "repr(@)")]
    if kind is float:
        return [(f"type(@) is float and {source.bind(isfinite)}(@)", "repr(@)")]
    plain, careful = source.bind(encode_basestring_ascii), source.bind(quoted)
    return [("type(@) is str", f"({plain}(@) if @.isascii() else {careful}(@))")]


def _text_arms(shape: Text, source: Source) -> list[Arm]:
    write = f"{source.bind(TEXTS[shape.kind].write)}(@)"
    return [(f"type(@) is {source.bind(shape.kind)}", f"{source.bind(encode_basestring_ascii)}({write})")]


def _member_arms(shape: Member, source: Source) -> list[Arm]:
    # By name, an alias by the name of its member; a combination of flags has none.
    names = source.bind({member.name: quoted(member.name) for member in shape.kind.__members__.values()})
    return [(f"type(@) is {source.bind(shape.kind)} and @._name_ in {names}", f"{names}[@._name_]")]


def _one_of_arms(shape: OneOf, source: Source) -> list[Arm]:
    _refuse_clashes(Literal[shape.values])
    texts = {(type(value), value): literal_text(value) for value in shape.values}
    kinds, known = source.bind(frozenset(kind for kind, _ in texts)), source.bind(texts)
    return [(f"type(@) in {kinds} and (type(@), @) in {known}", f"{known}[type(@), @]")]


def _either_arms(shape: Either, source: Source) -> list[Arm]:
    _refuse_clashes(*shape.options)
    tag = tagged(shape.options)
    arms: list[Arm] = []
    for option in sorted(shape.options, key=lambda option: isinstance(shape_of(option), Json)):
        member = shape_of(option)
        arms += [_class_arm(option, member, source, tag)] if isinstance(member, Fields) else _arms(option, source)
    return list(dict.fromkeys(arms))


def _items(hint: object, source: Source) -> str:
    variable = source.variable()
    return f"[{expression(hint, source, variable)} for {variable} in @]"


def _many_arms(shape: Many, source: Source) -> list[Arm]:
    return [("type(@) is tuple", f"'[' + ','.join({_items(shape.item, source)}) + ']'")]


def _bag_arms(shape: Bag, source: Source) -> list[Arm]:
    return [("type(@) is frozenset", f"'[' + ','.join(sorted({_items(shape.item, source)})) + ']'")]


def _fixed_arms(shape: Fixed, source: Source) -> list[Arm]:
    items = ", ".join([expression(hint, source, f"@[{place}]") for place, hint in enumerate(shape.items)])
    return [(f"type(@) is tuple and len(@) == {len(shape.items)}", f"'[' + ','.join([{items}]) + ']'")]


def _table_arms(shape: Table, source: Source) -> list[Arm]:
    names = source.variable(), source.variable()
    key, value = expression(shape.key, source, names[0]), expression(shape.value, source, names[1])
    entry, first, last = f"'[' + {key} + ',' + {value} + ']'", "[", "]"
    if is_text(shape.key):
        entry, first, last = f"{key} + ':' + {value}", "{", "}"
    entries = f"[{entry} for {', '.join(names)} in @._items.items()]"
    return [(f"type(@) is {source.bind(FrozenMap)}", f"'{first}' + ','.join(sorted({entries})) + '{last}'")]


def _trail_arms(shape: Growing, source: Source) -> list[Arm]:
    write = partial(whole_trail, text_of(shape.item))
    return [(f"type(@) is {source.bind(Trail)}", f"{source.bind(write)}(@)")]


def whole_trail(write: Writer, trail: Trail[object]) -> str:
    """Return the text of all items of *trail*, and of what came before them where it is a tail."""
    return trail_text(trail.start, trail.before, [write(item) for item in trail.since(trail.start)])


def trail_text(start: int, before: bytes, items: Sequence[str]) -> str:
    """Return the text of what was added to a trail after *start* items with the digest *before*."""
    return f'{{"start":{start},"before":"{before.hex()}","items":[{",".join(items)}]}}'


def _json_arms(shape: Json, source: Source) -> list[Arm]:
    kinds = source.bind(frozenset(kinds_of(object)))
    return [(f"type(@) in {kinds}", f"{source.bind(_json_text)}(@)")]


def _json_text(value: Any, depth: int = DEPTH) -> str:
    kind = type(value)
    if kind is str:
        return quoted(value)
    if not depth and (kind is tuple or kind is FrozenMap):
        raise EncodeError(TOO_DEEP)
    if kind is tuple:
        return "[" + ",".join([_json_text(item, depth - 1) for item in value]) + "]"
    if kind is FrozenMap:
        items = value._items.items()
        return "{" + ",".join(sorted([f"{_json_key(key)}:{_json_text(item, depth - 1)}" for key, item in items])) + "}"
    return _scalar_text(value)


def _json_key(key: object) -> str:
    return quoted(key) if type(key) is str else _refuse(str, key)


def _foreign_arms(shape: Foreign, source: Source) -> list[Arm]:
    raise EncodeError(f"{shape.kind.__name__} has no exact text; use a frozen attrs class")


def _refuse_clashes(*options: object) -> None:
    if found := "; ".join(clashes(*options)):
        raise EncodeError(f"{found}, so one cannot be told from the other; put one into a frozen class")


ARMS: Mapping[type[Shape], Callable[[Any, Source], list[Arm]]] = {
    Plain: _plain_arms,
    Text: _text_arms,
    Member: _member_arms,
    OneOf: _one_of_arms,
    Either: _either_arms,
    Many: _many_arms,
    Bag: _bag_arms,
    Fixed: _fixed_arms,
    Table: _table_arms,
    Growing: _trail_arms,
    Json: _json_arms,
    Foreign: _foreign_arms,
}
_scalar_text = text_of(float | None)
