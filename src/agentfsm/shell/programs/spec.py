"""
Option grammars: the small language that program tables are written in.

A row is ``names | flags | operands | options``:

* flags: ``strict`` (an option that the row does not name is unresolved), ``words`` (it is judged by the words in
  its name), ``pure`` (no option of the program writes or runs anything, so unknown ones are harmless), ``stop``
  (options end at the first operand), ``dash`` (long options have one dash), ``+X`` (the program always has class X);
* operands: roles in order; ``r*`` gives a role to all the rest, ``w$`` to the last;
* options: ``-abc`` (letters without a value), ``-o,--output=:w`` (a value and its role), ``--color=?`` (a value
  only behind an equals sign), ``-i=?!M`` (a class that the option adds).

Roles: ``o`` is a config (unresolved outside the project), ``r`` reads, ``w`` writes, ``m`` changes, ``d`` deletes,
``s`` lists, ``c`` searches, ``n`` a host, ``x`` shell code, ``X`` code of
another language, ``.`` nothing. Classes: R, C, S, W, M, D, N, G, g and U for unresolved.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import field, frozen

from agentfsm.errors import DefinitionError

__all__ = ("Option", "Spec", "compiled", "logical_lines", "rows")

_RISKY = frozenset("wmdnxXoWMDNGU")
_ROLES = frozenset({"", *"rwmdscnxXo."})
_CLASSES = frozenset("RCSWMDNGgU")
_CLUSTER = re.compile(r"-[^-,]{2,}")


@frozen
class Option:
    """One option: whether it takes a value (``=``, ``=?`` or nothing), the value's role, the classes it adds."""

    name: str
    value: str = ""
    role: str = "."
    adds: str = ""

    @property
    def risky(self) -> bool:
        """Whether the option writes, runs, deletes or talks to anything."""
        return self.role in _RISKY or bool(set(self.adds) & _RISKY)


@frozen
class Spec:
    """A compiled row."""

    options: dict[str, Option] = field(factory=dict)
    operands: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    adds: str = ""
    risky: bool = False

    def long(self, name: str) -> tuple[Option, ...]:
        """Return the options that *name* could mean, abbreviations included."""
        exact = self.options.get(name)
        if exact is not None:
            return (exact,)
        return tuple(option for key, option in self.options.items() if key.startswith(name) and name.startswith("--"))


def rows(table: str) -> dict[str, str]:
    """Split a table into its rows, by program name."""
    found: dict[str, str] = {}
    for line in logical_lines(table):
        programs, _, rest = line.partition("|")
        for name in programs.split():
            found[name] = rest
    return found


def logical_lines(table: str) -> list[str]:
    """Return the lines of a table; one that begins with a space continues the one before."""
    return re.sub(r"\n[ \t]+", " ", table.strip()).splitlines()


@lru_cache(maxsize=2048)
def compiled(row: str) -> Spec:
    """Compile ``flags | operands | options``."""
    flags, operands, options = ([*(cell.split() for cell in row.split("|")), [], [], []])[:3]
    if bad := [role for role in operands if role[0] not in "rwmdscnxXo." or role[1:] not in ("", "*", "$")]:
        raise DefinitionError(f"not a role of an operand: {bad} in {row[:80]}")
    table: dict[str, Option] = {}
    for token in options:
        for option in _option(token):
            if option.name in token.partition("=")[0].partition("!")[0].split(","):
                table[option.name] = option
            else:  # one letter of a cluster: an option of its own says more
                table.setdefault(option.name, option)
    adds = "".join(flag[1:] for flag in flags if flag[0] == "+")
    modes = frozenset(flag for flag in flags if flag[0] != "+")
    roles = "".join(operands)
    risky = "pure" not in modes and (
        bool(modes) or any(option.risky for option in table.values()) or bool(set(roles) & _RISKY)
    )
    return Spec(table, tuple(operands), modes, adds, risky)


def _option(token: str) -> list[Option]:
    whole = token
    token, _, adds = token.partition("!")
    names, _, role = token.partition(":")
    value = "=?" if names.endswith("=?") else "=" if names.endswith("=") else ""
    names = names.removesuffix("=?").removesuffix("=")
    if _CLUSTER.fullmatch(names) and not (value or role or adds):
        return [Option(names), *(Option("-" + letter) for letter in names[1:])]
    if role not in _ROLES or set(adds) - _CLASSES:
        raise DefinitionError(f"not an option with a role and classes: {whole}")
    listed = names.split(",")
    return [Option(name, value, role or ".", adds) for name in listed]
