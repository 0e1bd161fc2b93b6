"""Builtins that give variables values: read, printf -v, mapfile, getopts, unset (bash manual)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.state import joined
from agentfsm.shell.values import UNKNOWN, Arg, is_constant

__all__ = (
    "assign",
    "get_options",
    "later",
    "mapfile",
    "printf",
    "read",
    "unset",
)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def later(call: Call, code: Arg) -> None:
    """Judge text that a builtin keeps for later."""
    if not code.known:
        call.unresolved("unknown_code", call.name)
        return
    state = call.machine.state
    call.machine.state = state.copy()
    call.machine.text(code.text, call.name)
    call.machine.state = joined(state, call.machine.state)


def mapfile(call: Call) -> None:
    """``mapfile`` reads lines into an array; -C runs text for each of them."""
    spec = compiled("strict | | -t -d= -n= -O= -s= -u= -C= -c=")
    found = read_arguments(call, spec, call.args)
    for code in found.values("-C"):
        later(call, code)
    for name in found.operands or [Arg("MAPFILE")]:
        assign(call, name)


def read(call: Call) -> None:
    """``read`` fills variables; a subscript in a name is evaluated."""
    spec = compiled("strict | | -e -r -s -E -a= -d= -i= -n= -N= -p= -t= -u=")
    found = read_arguments(call, spec, call.args)
    for name in [*found.operands, *found.values("-a")] or [Arg("REPLY")]:
        assign(call, name)


def assign(call: Call, name: Arg) -> None:
    """Give a variable an unknown value; its name may hold a subscript."""
    base, bracket, index = name.text.partition("[")
    if bracket:
        call.machine.arithmetic(index.rstrip("]"))
    if not is_constant(base) or name.loose:
        call.unresolved("unknown_variable", call.name)
        return
    if _NAME.fullmatch(base):
        call.machine.assign(base, UNKNOWN)


def printf(call: Call) -> None:
    """``printf`` prints; with -v it fills a variable."""
    args = list(call.args)
    if args and args[0].text == "-v" and len(args) > 1:
        name = args[1]
        text = formatted(args[2:])
        if text is not None and _NAME.fullmatch(name.text):
            call.machine.assign(name.text, text)
        else:
            assign(call, name)
        return
    if args and args[0].starts("-v") and len(args[0].text) > 2:  # -vNAME
        assign(call, Arg(args[0].text[2:]))
        return
    if args and args[0].loose:
        call.unresolved("loose_argument", "-v")
    if args and args[0].text == "--":
        args.pop(0)
    call.output = formatted(args)


def formatted(args: list[Arg]) -> str | None:
    """Return what a simple format prints, or None when it is not known."""
    if not args or not all(arg.known for arg in args):
        return None
    form, values = args[0].text, [arg.text for arg in args[1:]]
    form = form.replace("\\n", "\n")
    if "\\" in form:
        return None
    if "%" not in form:
        return form
    if re.sub(r"%%|%s", "", form).count("%"):
        return None
    count = form.replace("%%", "").count("%s")
    if not count:
        return form.replace("%%", "%")
    printed = ""
    values = values or [""]
    while values:
        batch, values = values[:count], values[count:]
        batch += [""] * (count - len(batch))
        pieces = re.split(r"(%%|%s)", form)
        printed += "".join("%" if piece == "%%" else batch.pop(0) if piece == "%s" else piece for piece in pieces)
    return printed


def unset(call: Call) -> None:
    """``unset`` forgets variables or functions; a subscript in a name is evaluated."""
    state = call.machine.state
    functions = any(arg.text == "-f" for arg in call.args)
    for arg in call.args:
        name = arg.text
        if arg.starts("-"):
            continue
        if "[" in name:
            call.machine.arithmetic(name.partition("[")[2])
        elif functions:
            state.functions.pop(name, None)
        else:
            state.variables[state.target(name)] = None
            if name in state.functions:
                state.functions[name] = (*state.functions[name], None)


def get_options(call: Call) -> None:
    """``getopts`` fills a variable and OPTARG."""
    for arg in call.args[1:2]:
        assign(call, arg)
    call.machine.assign("OPTARG", UNKNOWN)
