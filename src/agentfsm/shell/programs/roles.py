"""What a table's letters come to: a class that an option adds, the role that an argument plays."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg

__all__ = ("CLASSES", "add", "is_outside", "play")

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
_UNKNOWNS = (UNKNOWN, TAME, NUMBER)


def add(call: Call, classes: str, detail: str = "") -> None:
    """Note every class that a string of letters stands for."""
    for letter in classes:
        if letter == "U":
            call.unresolved("opaque", detail)
        elif letter in CLASSES:
            call.note(CLASSES[letter], _CODES[letter], detail)


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
