"""Commands whose output is one plain word, whatever the value: no option, no white space."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.values import NUMBER, TAME, Arg, names

__all__ = ("tame_output",)

_WORDS = frozenset(names("whoami hostname uname arch tty mktemp logname"))
_NUMBERS = frozenset(names("nproc seq pgrep pidof getconf"))
_GIT = frozenset(names("rev-parse merge-base rev-list describe symbolic-ref hash-object write-tree commit-tree"))
_COMMIT = ("--format=%H", "--format=%h", "--pretty=%H", "--pretty=%h", "--pretty=format:%H", "--pretty=format:%h")


def tame_output(name: str, args: Sequence[Arg]) -> str | None:
    """Return a text that stands for what a command prints, or None when it could be anything."""
    texts = [arg.text for arg in args[1:]]
    if name in _NUMBERS or (name == "id" and texts[:1] in (["-u"], ["-g"])):
        return NUMBER
    if name in _WORDS:
        return TAME
    if name == "pwd":
        return "/" + TAME
    if name == "date":
        return (
            TAME if len(texts) == 1 and texts[0][:1] == "+" and texts[0][1:2] != "-" and " " not in texts[0] else None
        )
    if name == "git":
        return git_output(texts)
    return None


def git_output(texts: Sequence[str]) -> str | None:
    """Return what a git command that names commits or branches prints."""
    verb = texts[0] if texts else ""
    if verb in _GIT or list(texts) == ["branch", "--show-current"]:
        return TAME
    if verb in ("log", "show") and any(text in _COMMIT for text in texts):
        return TAME
    return None
