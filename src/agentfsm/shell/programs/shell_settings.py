"""Builtins that set up the shell: folders, aliases, options, history (bash manual, Shell Builtin Commands)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.paths import located
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.variable_builtins import later
from agentfsm.shell.values import Arg, is_constant, number

__all__ = (
    "alias",
    "change_folder",
    "enable",
    "hash_command",
    "history",
    "push_folder",
    "set_options",
    "shift",
    "shopt",
    "unalias",
)


def change_folder(call: Call) -> None:
    """``cd`` moves the shell; from then on relative paths mean something else."""
    operands = [arg for arg in call.args if arg.text not in ("-L", "-P", "-e", "-@", "--", "-n")]
    state = call.machine.state
    if len(operands) == 1 and operands[0].known and operands[0].text != "-" and not operands[0].starts("+"):
        target = located(operands[0].text, state.folder)
        state.folder = target
    elif not operands and call.name == "cd":
        state.folder = "~"
    else:
        state.folder = None


def alias(call: Call) -> None:
    """``alias NAME=TEXT`` keeps text that may run later."""
    state = call.machine.state
    for arg in call.args:
        name, equals, value = arg.text.partition("=")
        if not equals:
            continue
        if not is_constant(name) or arg.loose:
            call.unresolved("unknown_alias", name)
            continue
        state.aliases[name] = value
        aliases, state.aliases = state.aliases, {}
        later(call, Arg(value))
        call.machine.state.aliases = aliases


def unalias(call: Call) -> None:
    """``unalias`` forgets; what it may not reach stays known."""


def set_options(call: Call) -> None:
    """``set`` changes options and the positional parameters."""
    args = list(call.args)
    state = call.machine.state
    while args:
        text = args[0].text
        if text in ("--", "-"):
            args.pop(0)
            state.parameters = tuple(args) if not any(arg.loose or arg.many for arg in args) else None
            return
        if args[0].loose or text[:1] not in ("-", "+"):
            state.parameters = tuple(args) if not any(arg.loose or arg.many for arg in args) else None
            return
        args.pop(0)
        if text[-1] == "o" and args:
            args.pop(0)


def shift(call: Call) -> None:
    """``shift`` drops positional parameters."""
    state = call.machine.state
    text = call.args[0].word if call.args else "1"
    if state.parameters is None or any(arg.loose or arg.many for arg in state.parameters):
        return
    count = None if text is None else number(text)
    if count is None:
        state.parameters = None
    elif count <= len(state.parameters):
        state.parameters = state.parameters[count:]


def shopt(call: Call) -> None:
    """``shopt`` changes options; lastpipe keeps what a pipeline's last command assigns."""
    state = call.machine.state
    for arg in call.args:
        if arg.text in ("lastpipe", "expand_aliases", "extglob"):
            state.flags |= {arg.text}


def hash_command(call: Call) -> None:
    """``hash -p PATH NAME`` makes a name run another program."""
    spec = compiled("strict | | -d -l -r -t -p=!U")
    apply(call, spec, read_arguments(call, spec, call.args))


def enable(call: Call) -> None:
    """``enable -f FILE`` loads code; ``enable -n`` uncovers the program behind a builtin."""
    spec = compiled("strict | | -a -d -n -p -s -f=!U")
    apply(call, spec, read_arguments(call, spec, call.args))


def history(call: Call) -> None:
    """``history`` lists; it can also forget or write its file."""
    spec = compiled("strict | | -c!D -d=!D -a!W -n -r -w!W -p -s")
    apply(call, spec, read_arguments(call, spec, call.args))


def push_folder(call: Call) -> None:
    """``pushd`` and ``popd`` move the shell."""
    operands = [arg for arg in call.args if arg.text != "-n"]
    state = call.machine.state
    state.folder = (
        located(operands[0].text, state.folder)
        if len(operands) == 1 and operands[0].known and not operands[0].starts("+", "-")
        else None
    )
