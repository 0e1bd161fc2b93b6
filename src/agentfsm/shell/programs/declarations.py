"""The declaring builtins: ``declare``, ``local``, ``export`` and ``readonly`` (bash manual)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.values import UNKNOWN, Arg, is_constant

__all__ = ("RULES", "TABLE")

TABLE = ""

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[(.*?)\])?(\+?=)?", re.DOTALL)


def declare(call: Call) -> None:
    """Judge every declared name; attributes change what an assignment means."""
    letters = ""
    for arg in call.args:
        if arg.starts("-", "+") and not arg.loose:
            letters += arg.text[1:] if arg.starts("-") else ""
        elif arg.loose:
            call.unresolved("unknown_variable", call.name)
        else:
            name(call, arg, letters)


def name(call: Call, arg: Arg, letters: str) -> None:
    """Judge one name, with the value it may be given."""
    match = _ASSIGNMENT.match(arg.text)
    if match is None or not is_constant(match.group(1)):
        if not is_constant(arg.text):
            call.unresolved("unknown_variable", call.name)
        return
    variable, _, index, operator = match.groups()
    value = arg.text[match.end() :] if operator else None
    if "f" in letters or "F" in letters:
        if call.name == "export" or "x" in letters:
            call.machine.state.flags |= {f"export:{arg.text}"}
        return
    hide(call, variable, letters)
    if index is not None:
        call.machine.arithmetic(index)
    if value is None:
        if "n" not in letters and ("A" in letters or "a" in letters or call.name == "local"):
            call.machine.state.variables.setdefault(variable, None)
        return
    if "n" in letters:
        refer(call, variable, value)
        return
    if "i" in letters:
        call.machine.arithmetic(value)
    if value.startswith("(") and ("a" in letters or "A" in letters):
        call.machine.arithmetic(value)
        value = UNKNOWN
    call.machine.assign(
        variable, UNKNOWN if index is not None or set(letters) & set("ulc") else value, append=operator == "+="
    )


def hide(call: Call, variable: str, letters: str) -> None:
    """Remember the outer value of a local variable."""
    state = call.machine.state
    if state.saved is None or "g" in letters or call.name in ("export", "readonly"):
        return
    if variable not in state.saved:
        state.saved[variable] = (state.variables.get(variable), variable in state.variables)


def refer(call: Call, variable: str, target: str) -> None:
    """Make a variable stand for another; a subscript in the target is evaluated when it is used."""
    base = target.partition("[")[0]
    if "[" in target:
        call.machine.arithmetic(target.partition("[")[2])
    if is_constant(base) and base:
        call.machine.state.references[variable] = base
    else:
        call.unresolved("unknown_variable", "a name reference")


RULES: dict[str, Rule] = dict.fromkeys(("declare", "typeset", "local", "export", "readonly"), declare)
