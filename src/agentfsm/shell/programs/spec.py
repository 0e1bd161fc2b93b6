"""
Option grammars: the small language that program tables are written in, and the reader of arguments by it.

A row is ``names | flags | operands | options``:

* flags: ``strict`` (an option that the row does not name is unresolved), ``words`` (it is judged by the words in
its
  name), ``pure`` (no option of the program writes or runs anything, so unknown ones are harmless), ``stop``
  (options
  end at the first operand), ``dash`` (long options have one dash), ``+X`` (the program always has class X);
* operands: roles in order; ``r*`` gives a role to all the rest, ``w$`` to the last;
* options: ``-abc`` (letters without a value), ``-o,--output=:w`` (a value and its role), ``--color=?`` (a value
only
  behind an equals sign), ``-i=?!M`` (a class that the option adds).

Roles: ``o`` is a config (unresolved outside the project), ``r`` reads, ``w`` writes, ``m`` changes, ``d``
deletes, ``s`` lists, ``c`` searches, ``n`` a host, ``x`` shell
code, ``X`` code of another language, ``.`` nothing. Classes: R, C, S, W, M, D, N, G, g and U for unresolved.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from attrs import define, field, frozen

from agentfsm.errors import DefinitionError
from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.lexicon import judged_by_name
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg

__all__ = ("CLASSES", "Option", "Parsed", "Spec", "add", "apply", "compiled", "logical_lines", "read_arguments", "rows")

CLASSES = {
    "R": OpClass.FILE_READ,
    "C": OpClass.CONTENT_SEARCH,
    "S": OpClass.FILE_SEARCH,
    "W": OpClass.FILE_WRITE,
    "M": OpClass.FILE_MODIFY,
    "D": OpClass.DESTRUCTIVE,
    "N": OpClass.NETWORK,
    "G": OpClass.GIT_WRITE,
    "g": OpClass.GIT_READ,
}
_CODES = {
    "R": "reads_file",
    "C": "searches_content",
    "S": "lists_files",
    "W": "writes_file",
    "M": "changes_file",
    "D": "destroys",
    "N": "talks_to_network",
    "G": "changes_repository",
    "g": "reads_repository",
}
_RISKY = frozenset("wmdnxXoWMDNGU")
_CLUSTER = re.compile(r"-[^-,]{2,}")
_UNKNOWNS = (UNKNOWN, TAME, NUMBER)


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


@define
class Parsed:
    """Arguments by an option grammar: options in order, and operands."""

    options: list[tuple[Option, Arg | None]] = field(factory=list)
    operands: list[Arg] = field(factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of the options was given."""
        return any(option.name in names for option, _ in self.options)

    def values(self, *names: str) -> list[Arg]:
        """Return the values given to the options."""
        return [value for option, value in self.options if option.name in names and value is not None]


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
    token, _, adds = token.partition("!")
    names, _, role = token.partition(":")
    value = "=?" if names.endswith("=?") else "=" if names.endswith("=") else ""
    names = names.removesuffix("=?").removesuffix("=")
    if _CLUSTER.fullmatch(names) and not (value or role or adds):
        return [Option(names), *(Option("-" + letter) for letter in names[1:])]
    listed = names.split(",")
    return [Option(name, value, role or ".", adds) for name in listed]


def read_arguments(call: Call, spec: Spec, args: Sequence[Arg]) -> Parsed:
    """Sort *args* into options and operands; what cannot be sorted is noted as unresolved."""
    found = Parsed()
    queue = list(args)
    position = 0
    ended = False
    while position < len(queue):
        arg = queue[position]
        position += 1
        text = arg.text
        if ended or (text[:1] != "-" and not arg.loose) or text == "-":
            found.operands.append(arg)
            ended = ended or ("stop" in spec.flags and bool(text) and text[0] != "+")
        elif arg.loose or text[1:2] in _UNKNOWNS:
            if spec.risky:
                call.unresolved("loose_argument")
            found.operands.append(arg)
        elif text == "--":
            ended = True
        elif text.startswith("--") or "dash" in spec.flags:
            position += _long(call, spec, found, arg, queue[position : position + 1])
        else:
            position += _short(call, spec, found, arg, queue[position : position + 1])
    return found


def _long(call: Call, spec: Spec, found: Parsed, arg: Arg, following: list[Arg]) -> int:
    """Read a long option; return how many further arguments it took."""
    name, has_value, value = arg.text.partition("=")
    candidates = spec.long(name)
    if not candidates and "dash" in spec.flags and name.startswith("--"):
        candidates = spec.long(name[1:])
    if not candidates:
        _unknown(call, spec, name)
        return 0
    option = candidates[0]
    if len(candidates) > 1 and any(other.risky for other in candidates):
        call.unresolved("ambiguous_option", name)
    if has_value:
        found.options.append((option, Arg(value, glob=arg.glob)))
        return 0
    if option.value == "=":
        found.options.append((option, taken(call, spec, following)))
        return 1
    found.options.append((option, None))
    return 0


def _short(call: Call, spec: Spec, found: Parsed, arg: Arg, following: list[Arg]) -> int:
    """Read a cluster of short options; return how many further arguments it took."""
    text = arg.text
    if len(text) > 2 and text.partition("=")[0] in spec.options:
        return _long(call, spec, found, arg, following)
    for position in range(1, len(text)):
        letter = text[position]
        option = spec.options.get("-" + letter)
        if option is None:
            if letter.isdigit() or letter in _UNKNOWNS:
                if letter in _UNKNOWNS and spec.risky:
                    call.unresolved("loose_argument")
                continue
            _unknown(call, spec, "-" + letter)
            if "pure" not in spec.flags:
                return 0
            continue
        rest = text[position + 1 :]
        if option.value == "":
            found.options.append((option, None))
            continue
        if rest or option.value == "=?":
            found.options.append((option, Arg(rest, glob=arg.glob) if rest else None))
            return 0
        found.options.append((option, taken(call, spec, following)))
        return 1
    return 0


def taken(call: Call, spec: Spec, following: list[Arg]) -> Arg:
    """Return the argument that an option takes as its value; one that may become several words is unresolved."""
    if not following:
        return Arg("")
    if following[0].loose and spec.risky:
        call.unresolved("loose_argument")
    return following[0]


def _unknown(call: Call, spec: Spec, name: str) -> None:
    """Judge an option that the row does not name."""
    if "strict" in spec.flags:
        call.unresolved("unknown_option", name)
    elif "words" in spec.flags:
        add(call, judged_by_name(name), name)


def add(call: Call, classes: str, detail: str = "") -> None:
    """Note every class that a string of letters stands for."""
    for letter in classes:
        if letter == "U":
            call.unresolved("opaque", detail)
        elif letter in CLASSES:
            call.note(CLASSES[letter], _CODES[letter], detail)


def apply(call: Call, spec: Spec, found: Parsed) -> None:
    """Note what the row says about the options and operands that were found."""
    add(call, spec.adds)
    for option, value in found.options:
        add(call, option.adds, option.name)
        if value is not None:
            play(call, option.role, value)
    operands = found.operands
    roles = spec.operands
    if not roles:
        return
    last = roles[-1] if roles[-1].endswith("$") else ""
    if last and operands:
        play(call, last[0], operands[-1])
        operands, roles = operands[:-1], roles[:-1]
    for position, operand in enumerate(operands):
        if not roles:
            break
        role = roles[min(position, len(roles) - 1)]
        if position >= len(roles) and not role.endswith("*"):
            break
        play(call, role[0], operand)


def play(call: Call, role: str, arg: Arg) -> None:
    """Note what becomes of an argument with *role*."""
    if role == "r":
        call.reads(arg)
    elif role == "w":
        if arg.text != "-":
            call.writes(arg)
    elif role == "m":
        call.modifies(arg)
    elif role == "d":
        call.deletes(arg)
    elif role == "s":
        call.note(OpClass.FILE_SEARCH, "lists_files", arg.text)
    elif role == "c":
        call.reads(arg, "searches_content", OpClass.CONTENT_SEARCH)
    elif role == "n":
        call.network(detail=arg.text)
    elif role == "x":
        call.shell(arg)
    elif role == "o":
        if is_outside(arg.text):
            call.unresolved("config_outside_project", arg.text)
    elif role == "X":
        call.unresolved("opaque_code", arg.text[:80])


def is_outside(path: str) -> bool:
    """Whether a path leaves the project's folder."""
    return (path.startswith(("/", "~", "http:", "https:", *_UNKNOWNS)) and path != "/dev/null") or ".." in path.split(
        "/"
    )
