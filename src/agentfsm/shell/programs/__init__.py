"""
The programs that are known: one module a family, each with a table, rules, or both.

A name that no family knows is an unknown program, and unknown means unresolved.
"""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.spec import apply, compiled, read_arguments, rows
from agentfsm.shell.values import names

__all__ = ("FAMILIES", "has_subcommands", "rule_for")

FAMILIES = (
    "archives",
    "awk",
    "builtins",
    "cloud",
    "compilers",
    "containers",
    "databases",
    "declarations",
    "editors",
    "files",
    "finding",
    "gittool",
    "interpreters",
    "javascript",
    "jvm",
    "linters",
    "listing",
    "make",
    "modern",
    "network",
    "packages",
    "python",
    "searching",
    "sed",
    "services",
    "shells",
    "system",
    "text",
    "wrappers",
)
"""The modules of this package that know programs."""

_VERSIONED = re.compile(
    r"(?:[a-z0-9_]+-linux-gnu(?:eabi(?:hf)?)?-)?((?:gcc|g\+\+|cpp|clang|clang\+\+|"
    r"clang-(?:format|tidy|check)|llvm-[a-z]+|gcov|nm|ar|ld|ranlib|objdump|readelf|strip|"
    r"objcopy|size|strings|addr2line|as)(?!-\d))(?:-\d+(?:\.\d+)*)?"
    r"|(perl|ruby|php|lua|luac|tclsh|wish|pydoc3?|pip3?|python3?|node|ghc|erl)(?:-?\d+(?:\.\d+)*)"
)
"""Names that carry a target or a version: the program's own name in one of the groups."""

_FAMILIES: tuple[ModuleType, ...] = tuple(import_module(f"{__name__}.{family}") for family in FAMILIES)
_ROWS: dict[str, str] = {}
_RULES: dict[str, Rule] = {}
for _family in _FAMILIES:
    _ROWS |= rows(getattr(_family, "TABLE", ""))
    _RULES.update(getattr(_family, "RULES", {}))


def rule_for(name: str) -> Rule | None:
    """Return the rule of a program, or None when nothing is known about it."""
    rule = _RULES.get(name)
    if rule is not None:
        return rule
    if name in _ROWS:
        return by_table
    match = _VERSIONED.fullmatch(name)
    return rule_for(match.group(1) or match.group(2)) if match is not None else None


def by_table(call: Call) -> None:
    """Judge a program by its row alone."""
    match = None if call.name in _ROWS else _VERSIONED.fullmatch(call.name)
    spec = compiled(_ROWS[(match.group(1) or match.group(2)) if match is not None else call.name])
    apply(call, spec, read_arguments(call, spec, call.args))


_PLAIN_WORDS = frozenset(names("rm rmdir unlink shred truncate kill pkill killall chmod chown chgrp dd tee cp mv"))


def has_subcommands(name: str) -> bool:
    """Whether a program's first words say what it does, so that its name alone must not open what it can lose."""
    rule = _RULES.get(name)
    return name not in _PLAIN_WORDS and (any(mark in name for mark in "*?[") or rule is not None)
