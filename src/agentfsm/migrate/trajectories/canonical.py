"""
Which canonical tool a recorded tool folds into, and under what names its arguments go on.

The recorded tools are those of SWE-agent's bundles (its `tools/*/config.yaml`, and `config/commands` before 1.0). A
fold never widens: the canonical tool can do no more than the recorded one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

__all__ = ("MARKS", "OWN", "SHELL", "Own", "from_members", "from_words")

Folded: TypeAlias = tuple[str, Mapping[str, object]]


@frozen
class Own:
    """
    One of the harness's own commands.

    *positional* and *named* are its parameters: the canonical name first, then the names the command itself uses.
    """

    tool: str
    positional: tuple[tuple[str, ...], ...] = ()
    named: tuple[tuple[str, ...], ...] = ()
    fixed: tuple[tuple[str, object], ...] = ()
    on_open_file: bool = False

    def name_of(self, parameter: str) -> str | None:
        """Return the canonical name of a parameter, None for one that the command does not have."""
        return next((names[0] for names in (*self.positional, *self.named) if parameter in names), None)


_SEARCH = ("pattern", "search_term")
_LINE = ("line", "line_number")
# `submit` and the harness's exit marks make it take the diff of the repository; what they hand in is an argument.
_HAND_IN = Own("GitDiff", (("submission", "message", "answer", "flag"),))
_EDITOR = Own(
    "Edit",
    (("command",), ("path",)),
    (
        ("text", "file_text"),
        ("old", "old_str"),
        ("new", "new_str"),
        ("line", "insert_line"),
        ("range", "view_range"),
    ),
)

#: The marks that stand where an action would when the harness, not the model, ends the run.
MARKS = frozenset(
    {
        "early_exit",
        "exit_api",
        "exit_command_timeout",
        "exit_context",
        "exit_cost",
        "exit_environment_error",
        "exit_error",
        "exit_forfeit",
        "exit_format",
        "exit_total_execution_time",
    }
)

#: The shell itself, under the names harnesses give it.
SHELL = frozenset({"bash", "execute_bash", "shell", "run_shell_command", "terminal"})

OWN: Mapping[str, Own] = {
    # windowed viewing
    "open": Own("Read", (("path", "file_path"), _LINE)),
    "goto": Own("Read", (_LINE,), on_open_file=True),
    "scroll_up": Own("Read", fixed=(("scroll", "up"),), on_open_file=True),
    "scroll_down": Own("Read", fixed=(("scroll", "down"),), on_open_file=True),
    "set_cursors": Own("Read", (("start", "start_line"), ("end", "end_line")), on_open_file=True),
    "filemap": Own("Read", (("path", "file_path"),)),
    "view_image": Own("Read", (("path", "image_file"),)),
    # searching
    "find_file": Own("Glob", (("pattern", "file_name"), ("path", "dir"))),
    "search_dir": Own("Grep", (_SEARCH, ("path", "dir"))),
    "search_file": Own("Grep", (_SEARCH, ("path", "file")), on_open_file=True),
    # writing
    "create": Own("Write", (("path", "filename"),), fixed=(("text", ""),)),
    "edit": Own(
        "Edit",
        (("old", "search"), ("new", "replace"), ("all", "replace-all", "replace_all")),
        (("start", "start_line"), ("end", "end_line"), ("text", "replacement_text")),
        on_open_file=True,
    ),
    "insert": Own("Edit", (("text",), ("line", "insert_line", "line_number")), on_open_file=True),
    "append": Own("Edit", (("text",),), on_open_file=True),
    "undo_edit": Own("Edit", (("path",),), fixed=(("undo", True),), on_open_file=True),
    "str_replace_editor": _EDITOR,
    "str_replace_based_edit_tool": _EDITOR,
    # handing in
    "submit": _HAND_IN,
    "finish": _HAND_IN,
    **dict.fromkeys(MARKS, _HAND_IN),
}

_EDITOR_TOOLS: Mapping[str, str] = {"view": "Read", "create": "Write"}
_NUMBERS = frozenset({"line", "start", "end"})
_FLAGS = frozenset({"all"})


def from_words(name: str, arguments: Sequence[str]) -> Folded:
    """Fold an own command that was typed: positional words and ``--name value`` options."""
    row = OWN[name]
    if row is _HAND_IN:
        return row.tool, {"submission": " ".join(arguments)} if arguments else {}
    given: dict[str, object] = {}
    rest: list[str] = []
    names = iter(parameter[0] for parameter in row.positional)
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        option, has_value, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and (known := row.name_of(option)) is not None:
            given[known] = value if has_value else _option_value(known, waiting)
        elif (parameter := next((each for each in names if each not in given), None)) is not None:
            given[parameter] = word
        else:
            rest.append(word)
    if rest:
        given["rest"] = tuple(rest)
    return _folded(row, {key: _typed(key, value) for key, value in given.items()})


def from_members(name: str, members: Mapping[str, object]) -> Folded:
    """Fold an own command that was called with named arguments; members nobody knows keep their names."""
    row = OWN[name]
    renamed = {row.name_of(key) or key: value for key, value in members.items()}
    return _folded(row, {key: _typed(key, value) for key, value in renamed.items()})


def _folded(row: Own, given: Mapping[str, object]) -> Folded:
    if row is _EDITOR:
        return _edited(given)
    return row.tool, {**dict(row.fixed), **given}


def _edited(given: Mapping[str, object]) -> Folded:
    """The editor tool is several tools under one name: its `command` says which."""
    members = {key: value for key, value in given.items() if key != "command"}
    command = str(given.get("command", ""))
    if command == "insert" and "new" in members:
        members["text"] = members.pop("new")
    elif command == "undo_edit":
        members["undo"] = True
    span = members.get("range")
    if isinstance(span, list | tuple) and len(span) == 2:
        del members["range"]
        members["start"], members["end"] = span
    return _EDITOR_TOOLS.get(command, "Edit"), members


def _option_value(parameter: str, waiting: list[str]) -> object:
    if parameter in _FLAGS and not (waiting and waiting[-1].lower() in ("true", "false")):
        return True
    if parameter == "range":
        return tuple(_typed("line", waiting.pop()) for _ in range(min(2, len(waiting))))
    return waiting.pop() if waiting else ""


def _typed(parameter: str, value: object) -> object:
    """Give a typed word the type that the parameter has: a line is a number, a flag a truth value."""
    if isinstance(value, str):
        if parameter in _NUMBERS and value.removeprefix("-").isdecimal() and len(value) < 10:
            return int(value)
        if parameter in _FLAGS and value.lower() in ("true", "false"):
            return value.lower() == "true"
    return value
