"""``sed``: an analyser of its scripts (GNU sed manual)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.arguments import Parsed, apply, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE", "SedError", "sed_effects")

TABLE = ""

_ROW = (
    "strict | | -nEruszb --quiet --silent --regexp-extended --separate --null-data "
    "--unbuffered --posix --debug --sandbox "
    "--follow-symlinks --binary -e,--expression= -f,--file=:X -i,--in-place=? "
    "-l,--line-length= --help --version -a -I"
)
_SIMPLE = frozenset("=dDgGhHnNpPxz")
_ADDRESS = re.compile(r"\s*(?:\d+(?:~\d+)?|\$|[+~]\d+)")
_BRACKET = re.compile(r"\[\^?+\]?+(?>[^\]\[\n]|\[:\w*+:\]|\[\.[^\]\n]{1,32}?\.\]|\[=[^\]\n]{1,32}?=\]|\[)*+\]")
_FLAGS = re.compile(r"[gpiImM0-9]*")


class SedError(Exception):
    """Raised inside the analyser when a script is not understood."""


def sed(call: Call) -> None:
    """``sed`` prints, unless it edits in place or its script writes, reads or runs something."""
    spec = compiled(_ROW)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--version", "--help"):
        return
    scripts, files = script_and_files(found)
    in_place = found.has("-i", "--in-place", "-I")
    for file in files:
        call.modifies(file) if in_place else call.reads(file)
    if in_place:
        call.note(OpClass.FILE_MODIFY, "changes_file")
    for script in scripts:
        judge(call, script, sandboxed=found.has("--sandbox"))


def script_and_files(found: Parsed) -> tuple[list[Arg], list[Arg]]:
    """Return the scripts and the files among the arguments."""
    if found.has("-e", "--expression", "-f", "--file"):
        pieces = found.values("-e", "--expression")
        if pieces and all(piece.known for piece in pieces):
            return [Arg("\n".join(piece.text for piece in pieces))], found.operands
        return pieces, found.operands
    return found.operands[:1], found.operands[1:]


def judge(call: Call, script: Arg, *, sandboxed: bool) -> None:
    """Note what a script does."""
    if script.loose or script.many:
        call.unresolved("unknown_code", script.text)
        return
    try:
        call.spend(len(script.text))
        effects = sed_effects(script.text)
    except SedError as error:
        call.unresolved("unknown_code", str(error))
        return
    for kind, value in effects:
        if kind == "w":
            call.writes(Arg(value))
        elif kind == "r":
            call.reads(Arg(value))
        elif sandboxed:
            continue
        elif kind == "e" and value:
            call.shell(Arg(value))
        else:
            call.unresolved("runs_input", "e")


class _Script:
    """A cursor over one script."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.effects: list[tuple[str, str]] = []
        self.depth = 0
        self.unclosed = 0

    def run(self) -> list[tuple[str, str]]:
        """Read every command."""
        while True:
            self.skip(" \t\n;")
            if self.pos >= len(self.text):
                if self.depth:
                    raise SedError("unmatched {")
                return self.effects
            self.addresses()
            self.command()

    def skip(self, chars: str) -> None:
        """Skip any of *chars*."""
        while self.pos < len(self.text) and self.text[self.pos] in chars:
            self.pos += 1

    def addresses(self) -> None:
        """Read the addresses of a command."""
        while self.address():
            self.skip(" \t")
            if self.text[self.pos : self.pos + 1] != ",":
                break
            self.pos += 1
            self.skip(" \t")
        self.skip(" \t")
        while self.text[self.pos : self.pos + 1] == "!":
            self.pos += 1
            self.skip(" \t")

    def address(self) -> bool:
        """Read one address, if there is one."""
        char = self.text[self.pos : self.pos + 1]
        if char in {"/", "\\"}:
            if char == "\\":
                self.pos += 1
            self.delimited(1)
            while self.text[self.pos : self.pos + 1] in ("I", "M") and self.text[self.pos : self.pos + 1]:
                self.pos += 1
            return True
        match = _ADDRESS.match(self.text, self.pos)
        if match is None:
            if char in ("\x01", "\x02"):
                self.pos += 1
                return self.address() or True
            return False
        self.pos = match.end()
        while self.text[self.pos : self.pos + 1] in ("\x01", "\x02"):
            self.pos += 1
        return True

    def delimited(self, count: int, *, plain: bool = False) -> None:
        """Read *count* stretches that end in the delimiter at the cursor."""
        mark = self.text[self.pos : self.pos + 1]
        if not mark or mark in "\n\\\0":
            raise SedError("bad delimiter")
        self.pos += 1
        for number in range(count):
            self.stretch(mark, brackets=number == 0 and not plain)

    def stretch(self, mark: str, *, brackets: bool) -> None:
        """Read up to and past *mark*; it is no end inside brackets nor behind a backslash."""
        text = self.text
        while self.pos < len(text):
            char = text[self.pos]
            if brackets and char == "[" and mark != "[" and self.pos >= self.unclosed:
                match = _BRACKET.match(text, self.pos)
                if match is not None and "\0" not in match.group():
                    self.pos = match.end()
                    continue
                if match is None:  # nothing closes a bracket before the line's end
                    stop = text.find("\n", self.pos)
                    self.unclosed = stop if stop >= 0 else len(text)
            if char == "\\":
                self.pos += 2
                continue
            if char == "\0":
                raise SedError("unknown text")
            self.pos += 1
            if char == mark:
                return
        raise SedError("unterminated")

    def command(self) -> None:
        """Read one command."""
        char = self.text[self.pos : self.pos + 1]
        self.pos += 1
        if char in _SIMPLE and char:
            self.end()
        elif char == "{":
            self.depth += 1
        elif char == "}":
            self.depth -= 1
            if self.depth < 0:
                raise SedError("unmatched }")
            self.end()
        elif char == "#":
            self.line()
        elif char in ("a", "i", "c"):
            self.appended()
        elif char in (":", "b", "t", "T"):
            self.label()
        elif char in ("r", "R", "w", "W"):
            self.skip(" \t")
            self.effects.append((char.lower(), self.line()))
        elif char == "e":
            self.skip(" \t")
            self.effects.append(("e", self.line()))
        elif char == "s":
            self.delimited(2)
            self.flags()
        elif char == "y":
            self.delimited(2, plain=True)
            self.end()
        elif char in ("q", "Q", "l", "L"):
            self.skip(" \t0123456789")
            self.end()
        elif char == "F":
            self.end()
        elif char == "v":
            self.line()
        else:
            raise SedError(f"unknown command {char!r}")

    def flags(self) -> None:
        """Read the flags of a substitution; w and e have effects."""
        while True:
            match = _FLAGS.match(self.text, self.pos)
            self.pos = match.end() if match else self.pos
            char = self.text[self.pos : self.pos + 1]
            if char == "e":
                self.pos += 1
                self.effects.append(("e", ""))
            elif char == "w":
                self.pos += 1
                self.skip(" \t")
                self.effects.append(("w", self.line()))
                return
            else:
                self.end()
                return

    def end(self) -> None:
        """Read the end of a command."""
        self.skip(" \t")
        char = self.text[self.pos : self.pos + 1]
        if char and char not in "\n;}#":
            raise SedError(f"extra characters {char!r}")

    def label(self) -> None:
        """Read a label: up to a line end or, as GNU sed has it, a semicolon."""
        match = re.compile(r"[^\n;}]*").match(self.text, self.pos)
        self.pos = match.end() if match else self.pos

    def line(self) -> str:
        """Read the rest of the line."""
        stop = self.text.find("\n", self.pos)
        stop = len(self.text) if stop < 0 else stop
        found = self.text[self.pos : stop]
        self.pos = stop
        return found

    def appended(self) -> None:
        """Read text to append, insert or put in place; a backslash at a line's end goes on."""
        while True:
            line = self.line()
            if "\0" in line:
                raise SedError("unknown text")
            trailing = len(line) - len(line.rstrip("\\"))
            if trailing % 2 == 0 or self.pos >= len(self.text):
                return
            self.pos += 1


def sed_effects(text: str) -> list[tuple[str, str]]:
    """Return what a script does beyond printing: (w, path), (r, path) and (e, command); raises `SedError`."""
    return _Script(text).run()


RULES: dict[str, Rule] = {"sed": sed, "gsed": sed, "ssed": sed}
