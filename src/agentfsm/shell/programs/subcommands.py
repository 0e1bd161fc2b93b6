"""Tools with subcommands: one table a tool, from the words of a subcommand to its classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from attrs import frozen

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.spec import Parsed, add, apply, compiled, logical_lines, read_arguments

__all__ = ("Special", "Subcommands", "by_subcommand", "verbs")

Special: TypeAlias = Callable[[Call, Parsed], None]
"""The rule of one subcommand; the operands begin with its own words."""

_HELP = frozenset({"--help", "-h", "help", "--version", "-help"})


@frozen
class _Verbs:
    """A compiled table: exact words, and the groups that words may begin."""

    exact: Mapping[str, str]
    groups: frozenset[str]


@lru_cache(maxsize=256)
def verbs(table: str) -> _Verbs:
    """Compile lines of ``words, slashes between their parts | classes``."""
    exact: dict[str, str] = {}
    for line in logical_lines(table):
        words, _, classes = line.partition("|")
        for word in words.split():
            exact[word] = classes.strip()
    groups = {key.rsplit("/", depth)[0] for key in exact for depth in range(1, key.count("/") + 1)}
    return _Verbs(exact, frozenset(groups))


@frozen(eq=False)
class Subcommands:
    """The rule of a tool with subcommands; made by `by_subcommand`."""

    table: str
    row: str
    special: Mapping[str, Special]
    bare: str

    def __call__(self, call: Call) -> None:
        known = verbs(self.table)
        spec = compiled(self.row)
        if asks_for_help(call, known):
            return
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        words = found.operands
        if not words:
            add(call, self.bare, call.name)
            return
        for length in range(min(3, len(words)), 0, -1):
            key = "/".join(word.text for word in words[:length])
            if (key in known.exact or key in self.special) and all(word.known for word in words[:length]):
                add(call, known.exact.get(key, ""), key)
                if key in self.special:
                    self.special[key](call, found)
                return
        if len(words) > 1 or words[0].text not in known.groups:
            call.unresolved("unknown_subcommand", words[0].text)


def by_subcommand(
    table: str, row: str = "words | |", special: Mapping[str, Special] | None = None, bare: str = ""
) -> Rule:
    """
    Return the rule of a tool.

    *row* names options that take values or have effects, *special* holds rules of single subcommands, *bare* the
    classes of the tool without any subcommand. A subcommand that the table does not name is unresolved.
    """
    return Subcommands(table, row, special or {}, bare)


def asks_for_help(call: Call, known: _Verbs) -> bool:
    """Whether the arguments are the words of a subcommand and a request for its help, or only that."""
    texts = [arg.text for arg in call.args]
    if not texts or texts[-1] not in _HELP:
        return bool(texts) and texts[0] == "help"
    if texts[-1] == "--help" and len(texts) > 1 and not {"--", "run", "exec", "x", "dlx", "r"} & set(texts):
        return all(arg.known for arg in call.args) and texts[0] in known.exact
    key = "/".join(texts[:-1])
    return not key or key in known.exact or key in known.groups
