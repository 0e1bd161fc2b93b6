"""What is known about the shell itself while its text is followed: variables, functions, parameters."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define, evolve, field, frozen

from agentfsm.shell.syntax import Func
from agentfsm.shell.values import UNKNOWN, Arg, is_constant, names

__all__ = ("NUMERIC_VARIABLES", "TAME_VARIABLES", "Choice", "Plain", "State", "Value", "joined")

_MOST_CHOICES = 8

Plain: TypeAlias = str | tuple[str, ...] | None
"""A scalar, an indexed array, or None for a variable that is known to be unset."""


@frozen
class Choice:
    """One of a few constants, each given by a branch."""

    values: frozenset[Plain]


Value: TypeAlias = Plain | Choice
"""What a variable holds, as far as it is known."""


NUMERIC_VARIABLES = frozenset("#?$!") | {
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "BASHPID",
    "SHLVL",
}
TAME_VARIABLES = frozenset(
    names("""
    HOME PWD OLDPWD USER LOGNAME HOSTNAME TMPDIR COLUMNS LINES TERM LANG OSTYPE HOSTTYPE MACHTYPE BASH_VERSION
    OPTIND
    EPOCHSECONDS EPOCHREALTIME BASH_SUBSHELL XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME
    GITHUB_SHA GITHUB_WORKSPACE RUNNER_TEMP CI VIRTUAL_ENV GOPATH GOROOT JAVA_HOME CARGO_HOME
""")
)
"""Variables of the environment whose values are paths, names or words: no option, no white space."""


@define
class State:
    """
    The variables of a shell, as far as they are known. A name that is missing here is the environment's: unknown.

    *saved* holds what `local` has hidden (the value, and whether it was set); *flags* are shell options that matter
    and, as ``export:NAME``, the functions that child shells get. *functions* maps a name to every body it
    could have; None among them stands for "not defined".
    """

    variables: dict[str, Value] = field(factory=dict)
    references: dict[str, str] = field(factory=dict)
    functions: dict[str, tuple[Func | None, ...]] = field(factory=dict)
    aliases: dict[str, str] = field(factory=dict)
    parameters: tuple[Arg, ...] | None = None
    folder: str | None = ""
    saved: dict[str, tuple[Value, bool]] | None = None
    flags: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many names there are."""
        return len(self.variables) + len(self.functions) + len(self.references) + len(self.aliases)

    def copy(self) -> State:
        """Return an independent state, as a subshell gets it."""
        return evolve(
            self,
            variables=dict(self.variables),
            references=dict(self.references),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            saved=None if self.saved is None else dict(self.saved),
        )

    def value(self, name: str) -> Plain:
        """Return what a variable holds; one of several constants is unknown here."""
        value = self.variables.get(self.target(name), UNKNOWN)
        return UNKNOWN if isinstance(value, Choice) else value

    def target(self, name: str) -> str:
        """Follow name references to the variable that *name* stands for."""
        for _ in range(8):
            if name not in self.references:
                break
            name = self.references[name]
        return name

    def take(self, other: State) -> None:
        """Become *other*."""
        self.variables, self.references = other.variables, other.references
        self.functions, self.aliases = other.functions, other.aliases
        self.parameters, self.folder, self.saved = other.parameters, other.folder, other.saved
        self.flags = other.flags


def either(one: Value, two: Value) -> Value:
    """Return what is known of a variable that has one value or the other: both, if they are constants."""
    values = frozenset(
        plain for value in (one, two) for plain in (value.values if isinstance(value, Choice) else (value,))
    )
    known = all(is_constant("".join(plain or ())) for plain in values)
    return Choice(values) if known and len(values) <= _MOST_CHOICES else UNKNOWN


def joined(one: State, two: State) -> State:
    """Return what is known when either state could be the case."""
    if one.variables == two.variables:
        variables = dict(one.variables)
    else:
        variables = {}
        for name in one.variables.keys() | two.variables.keys():
            left, right = one.variables.get(name, UNKNOWN), two.variables.get(name, UNKNOWN)
            variables[name] = left if left == right else either(left, right)
    functions = dict(one.functions)
    for name, bodies in two.functions.items():
        here = functions.get(name, (None,))
        functions[name] = (*here, *(body for body in bodies if all(body is not each for each in here)))
    for name, bodies in one.functions.items():
        if name not in two.functions and None not in bodies:
            functions[name] = (*bodies, None)
    return State(
        variables,
        one.references | two.references,
        functions,
        one.aliases | two.aliases,
        one.parameters if one.parameters == two.parameters else None,
        one.folder if one.folder == two.folder else None,
        two.saved,
        one.flags | two.flags,
    )
