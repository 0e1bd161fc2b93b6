"""Edits: which files a call changes, with which tools' effects, and how many lines."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

from attrs import frozen

from agentfsm.statewright.call import Call, named_files, text_of
from agentfsm.statewright.patch import PatchPart, read_patch
from agentfsm.statewright.plain import same_key
from agentfsm.statewright.tools import canonical_name

__all__ = ("EDITING", "PATCHING", "Change", "changed_lines", "changes", "is_patch", "needed_tools", "patch_parts")

EDITING = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "Delete"})
PATCHING = frozenset({"apply_patch", "patch"})

_OLD = ("old_string", "oldString", "oldText", "old_str", "old")
_NEW = ("new_string", "newString", "newText", "new_str", "new")
_CONTENT = ("content", "contents", "file_text", "new_source", "text")
_ALL = ("replace_all", "replaceAll", "everywhere")
_PATCH = ("command", "input", "patch", "patchText", "diff")
_NEEDS = {"add": ("Write",), "update": ("Edit",), "delete": ("Delete",), "move": ("Write", "Delete")}
_FINEST = 400


@frozen
class Change:
    """What an edit call does: the files, and the lines it changes; None when its arguments do not tell."""

    files: tuple[str, ...]
    lines: int | None


def is_patch(name: str) -> bool:
    """Whether *name* is a tool that takes a patch."""
    return same_key(name) in PATCHING


def patch_parts(call: Call) -> tuple[PatchPart, ...] | None:
    """Return the parts of a patch call, None when it cannot be read."""
    text = text_of(call.arguments, *_PATCH)
    return None if text is None else read_patch(text)


def needed_tools(call: Call) -> tuple[str, ...] | None:
    """Return the tools whose effects a patch call has, None when it cannot be read."""
    parts = patch_parts(call)
    if parts is None:
        return None
    return tuple(dict.fromkeys(tool for part in parts for kind in part.kinds for tool in _NEEDS[kind]))


def changes(call: Call, text: Callable[[str], str | None]) -> Change | None:
    """Return what *call* changes, None when its arguments name no file. *text* gives a file's present text."""
    if is_patch(call.name):
        parts = patch_parts(call)
        if parts is None:
            return None
        return Change(tuple(file for part in parts for file in part.files), sum(part.lines for part in parts))
    files = named_files(call.arguments)
    if not files:
        return None
    counts = [_LINES[canonical_name(call.name)](call.arguments, text, file) for file in files]
    known = [count for count in counts if count is not None]
    return Change(files, max(known) if len(known) == len(counts) else None)


def changed_lines(old: str, new: str) -> int:
    """
    Count the lines of a diff: for each stretch that differs, the greater of the lines it takes out and puts in.

    Where both sides are long the count is an upper bound, never less than the truth.
    """
    before, after = old.splitlines(), new.splitlines()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    before, after = before[start:], after[start:]
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    if max(len(before), len(after)) > _FINEST:
        return max(len(before), len(after))
    steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in steps if tag != "equal")


_Text = Callable[[str], str | None]


def _write(arguments: Mapping[str, object], text: _Text, file: str) -> int | None:
    content = text_of(arguments, *_CONTENT)
    if content is None:
        return None
    present = text(file)
    return None if present is None else changed_lines(present, content)


def _replace(arguments: Mapping[str, object], text: _Text, file: str) -> int | None:
    old, new = text_of(arguments, *_OLD), text_of(arguments, *_NEW)
    if old is None or new is None:
        return None
    once = changed_lines(old, new)
    if not any(arguments.get(name) for name in _ALL):
        return once
    present = text(file)
    return None if present is None or not old else once * max(1, present.count(old))


def _edit(arguments: Mapping[str, object], text: _Text, file: str) -> int | None:
    several = arguments.get("edits")
    if several is None:
        return _replace(arguments, text, file)
    if not isinstance(several, list | tuple) or not all(isinstance(each, Mapping) for each in several):
        return None
    counts = [_replace(each, text, file) for each in several]
    if any(name in arguments for name in (*_OLD, *_NEW)):
        counts.append(_replace(arguments, text, file))
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _notebook(arguments: Mapping[str, object], text: _Text, file: str) -> int | None:
    source = text_of(arguments, "new_source")
    return None if source is None else len(source.splitlines())


def _delete(arguments: Mapping[str, object], text: _Text, file: str) -> int | None:
    present = text(file)
    return None if present is None else len(present.splitlines())


_LINES: Mapping[str, Callable[[Mapping[str, object], _Text, str], int | None]] = {
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _edit,
    "NotebookEdit": _notebook,
    "Delete": _delete,
}
