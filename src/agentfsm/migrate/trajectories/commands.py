"""From the text of a recorded action to calls of canonical tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from agentfsm.migrate.trajectories.canonical import OWN, SHELL, from_members, from_words
from agentfsm.migrate.trajectories.statements import Script, first_word, has_compound, words

__all__ = ("Command", "command_of", "commands")

# ``edit 3:5``, ``edit``, ``insert``, ``append`` with the text on the lines below, up to ``end_of_edit`` and the like.
_BLOCK = re.compile(
    r"(?P<name>\w+)"
    r"(?:[ \t]+(?P<start>\d{1,9})[ \t]*:[ \t]*(?P<end>-?\d{1,9}))?"
    r"[ \t]*(?:<<-?[ \t]*['\"]?(?P<marker>\w+)['\"]?)?(?P<inline>[^\n]*)\Z"
)


@frozen
class Command:
    """One command of an action: the canonical tool it is a call of, and the text it was."""

    name: str
    arguments: Mapping[str, object]
    raw: str
    on_open_file: bool = False

    def within(self, opened: str) -> Command:
        """Return this command with the file it means where it means the open one."""
        if not self.on_open_file or not opened or "path" in self.arguments:
            return self
        return evolve(self, arguments={"path": opened, **self.arguments})


def commands(action: str) -> tuple[Command, ...]:
    """
    Return the commands of an action, in order; none for a blank one.

    The harness's own commands are calls of canonical tools, and what stands between them is the shell's. An own command
    inside a pipeline, a list, a substitution or a compound command is the shell's too: there the line does more.
    """
    segments = tuple(_segments(Script.of(action)))
    if any(map(has_compound, segments)):
        segments = (action,)
    found: list[Command] = []
    script = ""  # neighbouring statements of the shell ran as one script
    for segment in segments:
        if (command := _own(segment)) is None:
            script += segment
            continue
        found += (*_shell(script), command)
        script = ""
    return (*found, *_shell(script))


def command_of(name: str, members: Mapping[str, object], raw: str) -> Command:
    """Return the command of a call by name; a tool that is neither the shell nor an own one runs in the shell."""
    if name in OWN:
        tool, arguments = from_members(name, members)
        return Command(tool, arguments, raw, OWN[name].on_open_file)
    if name in SHELL and isinstance(members.get("command"), str):
        others = {key: value for key, value in members.items() if key != "command"}
        return Command("Bash", {"command": members["command"], **others}, raw)
    return Command("Bash", {"command": raw}, raw)


def _segments(script: Script) -> Iterator[str]:
    """Yield each own command and each statement of the shell."""
    at = 0
    while at < len(script.lines):
        end = _block_end(script, at) or script.statement_end(at)
        yield "".join(script.lines[at:end])
        at = end


def _block_end(script: Script, at: int) -> int:
    """Return the number of the line after the block that begins at line *at*, 0 where none does."""
    block = _opener(script.lines[at])
    if block is None:
        return 0
    if (end := script.find(_marker(block), at + 1)) is not None:
        return end + 1
    # Nothing ends it: the text runs to the end of the action, as it would in a here-document.
    return len(script.lines) if block["start"] is not None else 0


def _opener(line: str) -> re.Match[str] | None:
    """Return the parts of a line that may begin a block; words after a bare ``edit`` are its arguments instead."""
    block = _BLOCK.match(line.strip())
    if block is None or block["name"] not in OWN or (block["start"] is None and block["inline"]):
        return None
    return block


def _marker(block: re.Match[str]) -> str:
    return block["marker"] or f"end_of_{block['name']}"


def _own(segment: str) -> Command | None:
    name = first_word(segment)
    if name not in OWN:
        return None
    row = OWN[name]
    if (block := _block(segment)) is not None:
        return Command(row.tool, block, segment.strip("\n"), row.on_open_file)
    if (split := words(segment.strip())) is None:
        return None
    tool, arguments = from_words(name, split[1:])
    return Command(tool, arguments, segment.strip(), row.on_open_file)


def _block(segment: str) -> Mapping[str, object] | None:
    """Return the arguments of a command whose text stands on the lines below it."""
    script = Script.of(segment)
    block = _opener(script.lines[0])
    if block is None:
        return None
    end = script.find(_marker(block), 1)
    if end is None and block["start"] is None:
        return None
    text = "".join(script.lines[1:end]).removesuffix("\n").removesuffix("\r")
    inline = block["inline"].strip()
    span = {} if block["start"] is None else _span(block)
    return {**span, "text": f"{inline}\n{text}" if inline and text else inline or text}


def _span(block: re.Match[str]) -> Mapping[str, object]:
    return {"start": int(block["start"]), "end": int(block["end"])}


def _shell(script: str) -> tuple[Command, ...]:
    command = script.strip()
    return (Command("Bash", {"command": command}, command),) if command else ()
