"""The operators of parameter expansion that cut and replace, on constant values."""

from __future__ import annotations

import re

from agentfsm.shell.values import TAME, UNKNOWN, is_constant, number

__all__ = ("sliced", "trimmed")


def sliced(value: str, arg: str) -> str:
    """Return ``${value:offset:length}``."""
    match = re.fullmatch(r"[ \t\n]*([0-9]+)(?::([0-9]+))?[ \t\n]*", arg)
    if not is_constant(value) or match is None:
        return TAME if UNKNOWN not in value and not is_constant(value) else UNKNOWN
    start, length = number(match.group(1)), number(match.group(2) or "0")
    if start is None or length is None:
        return UNKNOWN
    return value[start : start + length] if match.group(2) else value[start:]


def trimmed(operator: str, value: str, arg: str) -> str:
    """Return a constant value without a constant prefix or suffix, or with text replaced."""
    if not is_constant(arg) or re.search(r"[*?\[\\(&]", arg):
        return UNKNOWN
    if operator in ("#", "##"):
        return value.removeprefix(arg)
    if operator in ("%", "%%"):
        return value.removesuffix(arg)
    if operator in ("/", "//"):
        old, _, new = arg.partition("/")
        return value.replace(old, new, -1 if operator == "//" else 1) if old else value
    return UNKNOWN
