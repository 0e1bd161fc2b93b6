"""Calls: what is asked of a tool, and what its arguments say about commands and files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Protocol

from attrs import field, frozen

from agentfsm.statewright.plain import digest
from agentfsm.statewright.tools import canonical_name

__all__ = ("Call", "ToolCall", "call_digest", "command_of", "named_files", "text_of")


class Call(Protocol):
    """A tool call: any object with a name and arguments."""

    @property
    def name(self) -> str: ...

    @property
    def arguments(self) -> Mapping[str, object]: ...


@frozen
class ToolCall:
    """The plainest call."""

    name: str
    arguments: Mapping[str, object] = field(factory=dict)


# What the harnesses call the same thing: Claude Code and Gemini, opencode, Pi and Codex, Cursor.
_FILES = ("file_path", "filePath", "path", "notebook_path", "target_file", "target_notebook", "filename", "file")
_KEPT, _DEEPEST = 16, 50
_COMMANDS = ("command", "cmd", "script")


def text_of(arguments: Mapping[str, object], *names: str) -> str | None:
    """Return the one text that stands under any of *names*; None when there is none, or two that differ."""
    found = {value for name in names if isinstance(value := arguments.get(name), str)}
    return found.pop() if len(found) == 1 else None


def named_files(arguments: Mapping[str, object]) -> tuple[str, ...]:
    """Return every file that the arguments name; a call that names two is held to both."""
    return tuple(dict.fromkeys(v for name in _FILES if isinstance(v := arguments.get(name), str)))


def command_of(arguments: Mapping[str, object]) -> str | None:
    """Return the command line of a call; None when it holds none, or two that differ."""
    given = [arguments[name] for name in _COMMANDS if name in arguments]
    found = {command for each in given if (command := _line(each)) is not None}
    return found.pop() if len(found) == 1 and all(_line(each) is not None for each in given) else None


def _line(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return shlex.join(str(word) for word in value)
    return None


def call_digest(call: Call) -> str:
    """Return 16 digits of the SHA-256 of the tool and its arguments; the same for names that fold together."""
    return digest(canonical_name(call.name), list(_flat(call.arguments)))[:_KEPT]


def _flat(value: object, path: str = "", depth: int = 0) -> Iterator[str]:
    """Every leaf with its path, so that what is no JSON has a digest too; past 50 levels all is one."""
    if depth > _DEEPEST:
        yield f"{path}=deeper"
    elif isinstance(value, Mapping):
        for key in sorted(value, key=str):
            yield from _flat(value[key], f"{path}.{key!r}", depth + 1)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _flat(item, f"{path}[{index}]", depth + 1)
    else:
        yield f"{path}={value!r}"
