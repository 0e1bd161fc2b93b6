"""Expansion: from words of the syntax tree to abstract arguments (bash manual, Shell Expansions)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.shell.arithmetic import changed, expressions, identifiers, substitutes
from agentfsm.shell.braces import TooManyWords, has_braces, spread
from agentfsm.shell.fields import Fields
from agentfsm.shell.operators import sliced, trimmed
from agentfsm.shell.state import NUMERIC_VARIABLES, TAME_VARIABLES, State, Value
from agentfsm.shell.syntax import Block, CmdSub, DQuote, Lit, Param, Part, ProcSub, Quote, Word
from agentfsm.shell.values import NUMBER, TAME, UNKNOWN, Arg, is_constant, number

__all__ = ("Expander",)

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_INDIRECTION = 10


class Expander:
    """
    Expands words in a state. The evaluator extends it and supplies what runs commands.

    *state* is the shell's at this point; expansions change it where bash does (``${x:=y}``, ``$((x=1))``).
    """

    state: State

    def substitute(self, body: Block) -> str:
        """Run *body* in a subshell and return the text it prints, as far as that is known."""
        raise NotImplementedError

    def feed(self, body: Block, sign: str = "<") -> str | None:
        """Run *body* for a process substitution and return the text it prints, or None."""
        raise NotImplementedError

    def unresolved(self, code: str, detail: str = "") -> None:
        """Note that something at this point cannot be followed."""
        raise NotImplementedError

    def document(self, text: str) -> str:
        """Expand constant *text* as if in double quotes and return the result."""
        raise NotImplementedError

    def assign(self, name: str, value: Value, *, append: bool = False) -> None:
        """Give a variable a value, and note it where that hands code to something."""
        raise NotImplementedError

    def spend(self, units: int) -> None:
        """Count work against what one text may take."""
        raise NotImplementedError

    def arguments(self, words: Sequence[Word]) -> list[Arg]:
        """Expand words as a command's arguments: braces, splitting and wildcards included."""
        found: list[Arg] = []
        self.spend(len(words))
        for word in words:
            if word.plain is not None:
                found.append(Arg(word.plain, bare=True))
            elif has_braces(word.parts):
                self.spend((word.end - word.start) // 4)
                try:
                    spreads = spread(word.parts)
                except TooManyWords:
                    found.append(Arg(UNKNOWN, loose=True))
                    continue
                self.spend(8 * sum(map(len, spreads)))
                for parts in spreads:
                    found.extend(self.split(parts))
            else:
                found.extend(self.split(word.parts))
        return found

    def split(self, parts: Sequence[Part]) -> list[Arg]:
        """Expand the parts of one word, split at IFS where bash does."""
        fields = Fields(self.separators())
        for part in parts:
            if isinstance(part, Lit):
                fields.literal(part.text)
            elif isinstance(part, Quote):
                fields.quoted(part.text)
            elif isinstance(part, DQuote):
                self.quoted(part.parts, fields)
            elif isinstance(part, ProcSub):
                fields.stream(self.feed(part.body, part.sign))
            elif isinstance(part, Param) and part.name in ("@", "*") and not part.op and not part.indirect:
                self.positional(fields)
            else:
                text = self.text_of(part, in_quotes=False)
                self.spend(len(text) // 4)
                fields.expanded(text)
        found = fields.done()
        self.spend(3 + len(found))
        return found

    def positional(self, fields: Fields) -> None:
        """Expand an unquoted ``$@``."""
        if self.state.parameters is None:
            fields.expanded(UNKNOWN)
            return
        self.spend(len(self.state.parameters))
        for position, arg in enumerate(self.state.parameters):
            if position:
                fields.cut()
            fields.expanded(UNKNOWN if arg.glob else arg.text)

    def quoted(self, parts: Sequence[Part], fields: Fields) -> None:
        """Expand what stands in double quotes; ``"$@"`` and ``"${a[@]}"`` become several words."""
        fields.quoted("")
        for part in parts:
            if isinstance(part, Quote):
                fields.quoted(part.text)
            elif isinstance(part, Param) and not part.op and (values := self.listed(part)) is not None:
                self.spend(len(values))
                fields.several(values)
            else:
                fields.quoted(self.text_of(part, in_quotes=True))

    def listed(self, part: Param) -> tuple[Arg, ...] | None:
        """Return the words of a list in double quotes; None when *part* is no list."""
        if part.name == "@":
            return self.state.parameters if self.state.parameters is not None else (Arg(UNKNOWN, many=True),)
        if part.index is None or part.index.plain not in (None, "@") or "@" not in self.index_text(part):
            return None
        if part.indirect:
            return (Arg(UNKNOWN, many=True),)
        value = self.state.value(part.name)
        if isinstance(value, tuple):
            return tuple(Arg(item) for item in value)
        return () if value is None else (Arg(value, many=not is_constant(value)),)

    def single(self, word: Word) -> str:
        """Expand a word that is not split: a value, a redirection's target, a pattern."""
        if word.plain is not None:
            return word.plain
        return "".join(self.text_of(part, in_quotes=True) for part in word.parts)

    def text_of(self, part: Part, *, in_quotes: bool) -> str:
        if isinstance(part, Lit | Quote):
            return part.text
        if isinstance(part, DQuote):
            return "".join(self.text_of(inner, in_quotes=True) for inner in part.parts)
        if isinstance(part, Param):
            text = self.parameter(part, in_quotes=in_quotes)
            self.spend(1 + len(text) // 64)
            return text
        if isinstance(part, CmdSub):
            return self.substitute(part.body)
        if isinstance(part, ProcSub):
            self.feed(part.body, part.sign)
            return "/dev/fd/63"
        self.calculate(part.parts)
        return NUMBER

    def index_text(self, part: Param) -> str:
        """Return a subscript's text, expansions in it done."""
        if part.index is None:
            return ""
        text = self.single(part.index)
        if text not in ("@", "*"):
            self.arithmetic(text)
        return text

    def parameter(self, part: Param, *, in_quotes: bool) -> str:
        """Expand a parameter with its operator."""
        index = self.index_text(part)
        if part.op == "" and not part.index and not part.indirect:
            return self.value(part.name)
        if part.op in ("[#]", "!*"):
            return NUMBER if part.op == "[#]" else UNKNOWN
        value = self.indirect(part, index) if part.indirect else self.element(part, index)
        if part.op == "":
            return value
        if part.op == "@P":
            return self.document(value) if is_constant(value) else self.prompt()
        return self.operated(part, value)

    def prompt(self) -> str:
        """Expand a value of unknown text as a prompt, which runs what is in it."""
        self.unresolved("unknown_prompt")
        return UNKNOWN

    def value(self, name: str) -> str:
        """Return the value of a variable or special parameter as one text."""
        if name in NUMERIC_VARIABLES and name not in self.state.variables:
            return NUMBER
        if name in ("@", "*") or name.isdigit():
            return self.argument(name)
        value = self.state.value(name)
        if value is UNKNOWN and name in TAME_VARIABLES and name not in self.state.variables:
            return "/" + TAME if name in ("HOME", "PWD", "OLDPWD") else TAME
        if isinstance(value, tuple):
            return value[0] if value else ""
        return value or ""

    def argument(self, name: str) -> str:
        """Return a positional parameter, or all of them joined."""
        parameters = self.state.parameters
        if parameters is None:
            return UNKNOWN
        if not name.isdigit():
            return " ".join(UNKNOWN if arg.glob or arg.loose or arg.many else arg.text for arg in parameters)
        place = number(name)
        if not place or any(arg.loose or arg.many for arg in parameters[:place]):
            return UNKNOWN
        if place > len(parameters):
            return ""
        arg = parameters[place - 1]
        return UNKNOWN if arg.glob else arg.text

    def element(self, part: Param, index: str) -> str:
        """Return an element of an array, or the plain value."""
        if part.index is None:
            return self.value(part.name)
        value = self.state.value(part.name)
        if isinstance(value, tuple):
            if index in ("@", "*"):
                return " ".join(value)
            place = number(index)
            return UNKNOWN if place is None else value[place] if place < len(value) else ""
        return value if value is not None and index in ("0", "@", "*") else UNKNOWN if value is not None else ""

    def indirect(self, part: Param, index: str) -> str:
        """Expand ``${!name}``: the value names what is expanded, and a subscript in it is evaluated."""
        name = self.element(part, index)
        if _IDENTIFIER.fullmatch(name) or name.isdigit():
            return self.value(name)
        self.arithmetic(name)
        return UNKNOWN

    def operated(self, part: Param, value: str) -> str:
        """Apply an operator that has an argument."""
        operator = part.op
        arg = self.single(part.arg) if part.arg is not None else ""
        if part.name in ("@", "*") or (part.index is not None and self.single(part.index) in ("@", "*")):
            return UNKNOWN  # the operator works on each word of a list
        kind = operator[-1] if operator[0] == ":" and len(operator) > 1 else operator
        if kind in ("-", "=", "?", "+"):
            return self.defaulted(part, kind, value, arg)
        if operator == ":":
            self.arithmetic(arg)
            return sliced(value, arg)
        if not is_constant(value):
            if operator in ("#", "##", "%", "%%", "@U", "@L", "@u", "^", "^^", ",", ",,") and UNKNOWN not in value:
                return TAME
            return UNKNOWN
        if operator[0] in "^,":
            return (
                (value.upper() if operator[0] == "^" else value.lower()) if len(operator) > 1 and not arg else UNKNOWN
            )
        return trimmed(operator, value, arg)

    def defaulted(self, part: Param, kind: str, value: str, arg: str) -> str:
        """Expand the operators that test whether a parameter is set."""
        is_known = is_constant(value)
        if kind == "+":
            if is_known:
                return arg if value else "" if part.op == ":+" else UNKNOWN
            return arg if not arg else UNKNOWN
        if is_known and value:
            return value
        if is_known and part.op[0] == ":":
            if kind == "=" and part.index is None:
                self.assign(part.name, arg)
            return arg if kind != "?" else ""
        if kind == "=" and part.index is None and _IDENTIFIER.fullmatch(part.name):
            self.assign(part.name, UNKNOWN if arg != value else value)
        if kind in ("-", "=") and value != UNKNOWN and not is_known and UNKNOWN not in value:
            return value
        return UNKNOWN

    def calculate(self, parts: Sequence[Part]) -> None:
        self.arithmetic("".join(self.text_of(part, in_quotes=True) for part in parts))

    def arithmetic(self, text: str, depth: int = 0) -> None:
        """
        Evaluate arithmetic given as text, for its effects.

        The value of a variable is an expression in turn, and a subscript in it is expanded, commands and all.
        """
        if text.isdigit() or depth > _MAX_INDIRECTION:
            return
        self.spend(4 + len(text) // 4)
        if substitutes(text):
            text = self.document(text)
        for name in changed(text):
            self.assign(name, NUMBER)
        for name in identifiers(text):
            for item in expressions(self.state.variables.get(self.state.target(name))):
                if item not in (name, text):
                    self.arithmetic(item, depth + 1)

    def separators(self) -> str | None:
        """Return the characters of IFS, or None when they are unknown."""
        value = self.state.variables.get("IFS")
        if value is None:
            return " \t\n"
        return value if isinstance(value, str) and is_constant(value) else None
