"""
The programs that are known: one module a family, each with a table, rules, or both.

A name that no family knows is an unknown program, and unknown means unresolved.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module

from attrs import frozen

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.index import INDEX
from agentfsm.shell.programs.spec import compiled, rows
from agentfsm.shell.values import names

__all__ = ("FAMILIES", "Family", "family", "has_subcommands", "index", "rule_for")

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


@frozen
class Family:
    """What one module knows: a row of its table, or a rule, for each program."""

    rows: dict[str, str]
    rules: dict[str, Rule]


@cache
def family(name: str) -> Family:
    """Load a family when one of its programs is first asked about."""
    module = import_module(f"{__name__}.{name}")
    return Family(rows(getattr(module, "TABLE", "")), dict(getattr(module, "RULES", {})))


@cache
def index() -> dict[str, str]:
    """Return the family of every program."""
    return {name: family for family, listed in INDEX.items() for name in names(listed)}


def rule_for(name: str) -> Rule | None:
    """Return the rule of a program, or None when nothing is known about it."""
    owner = index().get(name)
    if owner is not None:
        known = family(owner)
        return known.rules.get(name) or (by_table if name in known.rows else None)
    match = _VERSIONED.fullmatch(name)
    return rule_for(match.group(1) or match.group(2)) if match is not None else None


def by_table(call: Call) -> None:
    """Judge a program by its row alone."""
    match = None if call.name in index() else _VERSIONED.fullmatch(call.name)
    name = (match.group(1) or match.group(2)) if match is not None else call.name
    spec = compiled(family(index()[name]).rows[name])
    apply(call, spec, read_arguments(call, spec, call.args))


_PLAIN_WORDS = frozenset(names("rm rmdir unlink shred truncate kill pkill killall chmod chown chgrp dd tee cp mv"))


def has_subcommands(name: str) -> bool:
    """Whether a program's first words say what it does, so that its name alone must not open what it can lose."""
    owner = index().get(name)
    rule = None if owner is None else family(owner).rules.get(name)
    return name not in _PLAIN_WORDS and (any(mark in name for mark in "*?[") or rule is not None)
