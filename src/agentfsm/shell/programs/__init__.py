"""
The programs that are known: one module a family, each with a table, rules, or both.

A name that no family knows is an unknown program, and unknown means unresolved.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.spec import apply, compiled, read_arguments, rows

__all__ = ("FAMILIES", "has_subcommands", "rule_for")

FAMILIES = (
    "archives", "awk", "builtins", "cloud", "compilers", "containers", "databases", "declarations", "editors", "files", "finding",
    "gittool", "interpreters", "javascript", "jvm", "linters", "listing", "make", "modern", "network", "packages",
    "python", "searching", "sed", "services", "shells", "system", "text", "wrappers",
)  # fmt: skip
"""The modules of this package that know programs."""

_FAMILIES: tuple[ModuleType, ...] = tuple(import_module(f"{__name__}.{family}") for family in FAMILIES)
_ROWS: dict[str, str] = {}
_RULES: dict[str, Rule] = {}
for _family in _FAMILIES:
    for _name, _row in rows(getattr(_family, "TABLE", "")).items():
        _ROWS[_name] = _row
    _RULES.update(getattr(_family, "RULES", {}))


def rule_for(name: str) -> Rule | None:
    """Return the rule of a program, or None when nothing is known about it."""
    rule = _RULES.get(name)
    if rule is not None:
        return rule
    return by_table if name in _ROWS else None


def by_table(call: Call) -> None:
    """Judge a program by its row alone."""
    spec = compiled(_ROWS[call.name])
    apply(call, spec, read_arguments(call, spec, call.args))


_PLAIN_WORDS = frozenset("rm rmdir unlink shred truncate kill pkill killall chmod chown chgrp dd tee cp mv".split())


def has_subcommands(name: str) -> bool:
    """Whether a program's first words say what it does, so that its name alone must not open what it can lose."""
    rule = _RULES.get(name)
    return name not in _PLAIN_WORDS and (any(mark in name for mark in "*?[") or rule is not None)
