"""``awk``: an analyser of its programs (POSIX awk, gawk manual)."""

from __future__ import annotations

import re

from attrs import frozen

from agentfsm.shell.ansi import decode
from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import TAME, UNKNOWN, Arg

__all__ = ("RULES", "TABLE", "AwkError", "awk_effects")

TABLE = ""

_ROW = (
    "strict stop | | -F,--field-separator= -v,--assign= -f,--file=:X -b,--characters-as-bytes "
    "-c,--traditional -C,--copyright -d,--dump-variables=?:w -D,--debug=?!U "
    "-e,--source= -E,--exec=:X -g,--gen-pot -h,--help -i,--include= -I,--trace -k,--csv "
    "-l,--load=!U -L,--lint=? -M,--bignum -N,--use-lc-numeric -n,--non-decimal-data "
    "-o,--pretty-print=?:w -O,--optimize -p,--profile=?:w -P,--posix -r,--re-interval "
    "-s,--no-optimize -S,--sandbox -t,--lint-old -V,--version -W= --safe"
)
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r]|\\\n)+)|(?P<comment>#[^\n]*)|(?P<string>\"(?:[^\"\\\n]|\\[\s\S])*\")|"
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\x02)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<op>\*\*=|\|&|>>|\|\||&&|==|!=|<=|>=|\+\+|--|\+=|-=|\*=|%=|\^=|"
    r"\*\*|!~|[-+*%^!~<>|?:,;(){}\[\]$=@\n&])",
    re.ASCII,
)
_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\[^\n]|\[\^?+\]?+(?>\[:\w++:\]|[^\]\\\n]|\\[^\n])*+\])*+/")
_ENDS_OPERAND = frozenset({")", "]", "$", "++", "--"})
_ENDS_STATEMENT = frozenset({";", "}", "\n", ")", "", "?", ":", ","})
_BEFORE_STATEMENT = frozenset(
    {";", "{", "}", "\n", "(", "", "!", ")", "&&", "||", "else", "do", "while", "if", "=", ","}
)


class AwkError(Exception):
    """Raised inside the analyser when a program is not understood."""


@frozen
class Token:
    """One token: its kind (string, number, name, regex, op) and text."""

    kind: str
    text: str


def tokens(text: str) -> list[Token]:
    """Split a program into tokens; raises `AwkError`."""
    found: list[Token] = []
    position = 0
    while position < len(text):
        if text[position] == "/" and not operand_before(found):
            match = _REGEX.match(text, position)
            if match is None:
                raise AwkError("unterminated regular expression")
            found.append(Token("regex", match.group()))
            position = match.end()
            continue
        if text[position] == "/":
            found.append(Token("op", "/="[: 2 if text.startswith("/=", position) else 1]))
            position += len(found[-1].text)
            continue
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise AwkError(f"unknown character {text[position]!r}")
        if match.lastgroup not in ("space", "comment"):
            found.append(Token(match.lastgroup, match.group()))
        position = match.end()
    return found


def operand_before(found: list[Token]) -> bool:
    """Whether the tokens so far end in an operand, so that a slash divides."""
    if not found:
        return False
    last = found[-1]
    if last.kind == "name":
        return last.text not in ("print", "printf", "return", "in", "getline", "do", "else", "case")
    return last.kind in ("number", "string", "regex") or last.text in _ENDS_OPERAND


class _Program:
    """A walk over the tokens of one program."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens(text)
        self.effects: list[tuple[str, str | None]] = []

    def at(self, position: int) -> Token:
        """Return a token, or an empty one outside."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else Token("op", "")

    def run(self) -> list[tuple[str, str | None]]:
        """Look at every token."""
        printing = False
        depth = base = 0
        for position, token in enumerate(self.tokens):
            if token.kind == "op":
                if token.text in ("(", "["):
                    depth += 1
                elif token.text in (")", "]"):
                    depth -= 1
                elif token.text in (";", "{", "}", "\n") and (depth <= base or token.text != "\n"):
                    printing = False
            if token.kind == "name":
                if token.text in ("print", "printf"):
                    printing, base = True, depth
                self.named(position, token)
            elif token.kind == "op":
                self.operator(position, token, outputs=printing and depth <= base)
        return self.effects

    def named(self, position: int, token: Token) -> None:
        """Look at a name: a call of ``system`` or ``getline`` from a file."""
        if token.text == "system" and self.at(position - 1).text != "function":
            self.effects.append(("e", self.argument(position + 1)))
        elif token.text == "getline":
            ahead = position + 1
            while self.at(ahead).kind in ("name", "number") or self.at(ahead).text in ("$", "[", "]"):
                ahead += 1
            if self.at(ahead).text == "<":
                self.effects.append(("r", self.literal(ahead + 1)))

    def operator(self, position: int, token: Token, *, outputs: bool) -> None:
        """Look at an operator that may redirect."""
        if token.text in (">", ">>") and outputs:
            self.effects.append(("w", self.literal(position + 1)))
        elif token.text in ("|", "|&"):
            if self.at(position + 1).text == "getline":
                self.effects.append(("e", self.before(position)))
            else:
                self.effects.append(("e", self.literal(position + 1)))
        elif token.text == "@":
            self.effects.append(("e", None))

    def argument(self, position: int) -> str | None:
        """Return the one constant string between parentheses, or None."""
        if (
            self.at(position).text == "("
            and self.at(position + 2).text == ")"
            and self.at(position + 1).kind == "string"
        ):
            return unescaped(self.at(position + 1).text)
        return None

    def literal(self, position: int) -> str | None:
        """Return the constant string that a redirection goes to, or None."""
        token = self.at(position)
        if token.kind == "string" and (
            self.at(position + 1).text in _ENDS_STATEMENT or self.at(position + 1).text == "|"
        ):
            return unescaped(token.text)
        if token.text == "(" and self.at(position + 1).kind == "string" and self.at(position + 2).text == ")":
            return unescaped(self.at(position + 1).text)
        return None

    def before(self, position: int) -> str | None:
        """Return the constant string that is all there is before a pipe into ``getline``, or None."""
        token, earlier = self.at(position - 1), self.at(position - 2)
        if token.kind == "string" and earlier.text in _BEFORE_STATEMENT:
            return unescaped(token.text)
        return None


def unescaped(literal: str) -> str:
    """Return the value of a string literal."""
    return decode(literal[1:-1].replace("\\/", "/").replace("\\\n", ""))


def awk_effects(text: str) -> list[tuple[str, str | None]]:
    """
    Return what a program does beyond printing: (w, path), (r, path), (e, command), None where not constant.

    Raises `AwkError` for what is not understood.
    """
    if UNKNOWN in text or TAME in text:
        raise AwkError("unknown text")
    return _Program(text).run()


def awk(call: Call) -> None:
    """``awk`` prints, unless its program writes, reads or runs something."""
    spec = compiled(_ROW)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("-V", "--version", "-h", "--help"):
        return
    in_place = False
    for library in found.values("-i", "--include"):
        if library.text in ("inplace", "inplace.awk"):
            in_place = True
        else:
            call.unresolved("opaque_script", library.text)
    for mode in found.values("-W"):
        if not mode.starts("version", "interactive", "posix", "usage"):
            call.unresolved("unknown_option", mode.text)
    programs, operands = found.values("-e", "--source"), found.operands
    if not programs and not found.has("-f", "--file", "-E", "--exec"):
        programs, operands = operands[:1], operands[1:]
    sandboxed = found.has("-S", "--sandbox", "--safe")
    for program in programs:
        judge(call, program, sandboxed=sandboxed)
    for operand in operands:
        if not re.match(r"[A-Za-z_]\w*=", operand.text, re.ASCII):
            call.modifies(operand) if in_place else call.reads(operand)


def judge(call: Call, program: Arg, *, sandboxed: bool) -> None:
    """Note what a program does."""
    if program.loose or program.many:
        call.unresolved("unknown_code", "awk")
        return
    try:
        call.spend(2 * len(program.text))
        effects = awk_effects(program.text)
    except AwkError as error:
        call.unresolved("unknown_code", str(error))
        return
    for kind, value in effects:
        if sandboxed:
            continue
        if value is not None and value.startswith(("/inet/", "/inet4/", "/inet6/")):
            call.network(detail=value)
        elif kind == "r":
            call.reads(Arg(value if value is not None else UNKNOWN))
        elif kind == "w":
            call.writes(Arg(value if value is not None else UNKNOWN))
        elif value is None:
            call.unresolved("unknown_code", "a command that is not constant")
        else:
            call.shell(Arg(value))


RULES: dict[str, Rule] = dict.fromkeys(("awk", "gawk", "mawk", "nawk", "original-awk", "bwk", "goawk"), awk)
