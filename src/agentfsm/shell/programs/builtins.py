"""The shell's builtins, but for the declaring ones (bash manual, Shell Builtin Commands)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.shell_settings import (
    alias,
    change_folder,
    enable,
    hash_command,
    history,
    push_folder,
    set_options,
    shift,
    shopt,
    unalias,
)
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.variable_builtins import assign, get_options, later, mapfile, printf, read, unset
from agentfsm.shell.values import Arg, is_constant

__all__ = ("RULES", "TABLE")

TABLE = """
: | pure | . |
break continue return exit logout shift times caller dirs umask | pure | . |
jobs type pwd | pure | . |
help | pure | . |
"""


def evaluate(call: Call) -> None:
    """``eval`` joins its arguments and runs the text."""
    args = call.args[1:] if call.args and call.args[0].text == "--" else call.args
    if not all(arg.known for arg in args):
        call.unresolved("unknown_code", "eval")
        return
    if args:
        call.machine.text(" ".join(arg.text for arg in args), "eval")


def source(call: Call) -> None:
    """``source FILE`` runs a file: opaque, unless it is a process substitution of constant text."""
    args = call.args[1:] if call.args and call.args[0].text == "--" else call.args
    if args and args[0].feed is not None and is_constant(args[0].feed):
        call.machine.text(args[0].feed, "source")
    elif args and args[0].text in ("/dev/stdin", "/dev/fd/0") and call.stdin is not None and is_constant(call.stdin):
        call.machine.text(call.stdin, "source")
    elif args and args[0].text == "/dev/null":
        return
    else:
        call.unresolved("opaque_script", args[0].text if args else "")


def command(call: Call) -> None:
    """``command NAME`` runs a program past functions; ``-v`` only names it."""
    args = list(call.args)
    while args and args[0].starts("-") and not args[0].loose:
        text = args.pop(0).text
        if text == "--":
            break
        if set(text[1:]) & set("vV"):
            return
        if set(text[1:]) - set("p"):
            call.unresolved("unknown_option", text)
            return
    if args:
        call.run(args)


def builtin(call: Call) -> None:
    """``builtin NAME`` runs a builtin past functions."""
    args = call.args[1:] if call.args and call.args[0].text == "--" else call.args
    if args:
        call.run(args)


def execute(call: Call) -> None:
    """``exec COMMAND`` replaces the shell; without a command only its redirections matter."""
    spec = compiled("strict stop | | -c -l -a=")
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    call.run(found.operands)


def trap(call: Call) -> None:
    """``trap TEXT SIGNAL`` keeps text that runs later, so it is judged now."""
    args = list(call.args)
    while args and args[0].text in ("-l", "-p", "-P", "-lp"):
        return
    if args and args[0].text == "--":
        args.pop(0)
    if not args or args[0].text in ("-", "") or (len(args) == 1 and not args[0].loose):
        return
    later(call, args[0])


def complete(call: Call) -> None:
    """``complete`` and ``compgen`` run their -C and -F, and expand their -W."""
    spec = compiled("strict | | -abcdefgjksuvprDEI -o= -A= -G= -W= -F= -C= -X= -P= -S= -V=")
    found = read_arguments(call, spec, call.args)
    for code in found.values("-C"):
        later(call, code)
    for name in found.values("-F"):
        if name.known:
            call.machine.run([Arg(name.text, bare=True)], plain=False)
        else:
            call.unresolved("unknown_command_word", "-F")
    for words in found.values("-W"):
        if not words.known:
            continue
        if "$" in words.text or "`" in words.text:
            later(call, Arg(f': "{words.text}"' if '"' not in words.text else words.text))


def test(call: Call) -> None:
    """``test`` compares; -v and -R evaluate a subscript, numeric tests their operands (bash only with arrays)."""
    for position, arg in enumerate(call.args):
        if arg.text in ("-v", "-R") and position + 1 < len(call.args):
            name = call.args[position + 1].text
            if "[" in name:
                call.machine.arithmetic(name.partition("[")[2])


def let(call: Call) -> None:
    """``let`` evaluates arithmetic."""
    for arg in call.args:
        call.machine.arithmetic(arg.text)


def bind(call: Call) -> None:
    """``bind`` sets keys; -x runs text."""
    spec = compiled("strict | | -l -v -p -V -P -s -S -X -m= -q= -u= -r= -f=!U -x=!U")
    apply(call, spec, read_arguments(call, spec, call.args))


def fix_command(call: Call) -> None:
    """``fc -l`` lists; anything else runs old commands."""
    if not any(arg.starts("-") and "l" in arg.text for arg in call.args):
        call.unresolved("unknown_code", "fc")


def limit(call: Call) -> None:
    """``ulimit`` changes the limits of this shell."""


def callback(call: Call) -> None:
    """``bg``, ``fg`` and ``disown`` handle jobs of this shell."""


def stop(call: Call) -> None:
    """``kill`` and ``suspend`` stop processes; ``kill -0`` only asks and ``kill -l`` lists."""
    texts = [arg.text for arg in call.args]
    if texts and (texts[0] in ("-l", "-L", "--list", "--table", "-0") or texts[:2] in (["-s", "0"], ["-n", "0"])):
        return
    call.destroys("stops_processes", " ".join(texts)[:80])


def coproc_wait(call: Call) -> None:
    """``wait -p NAME`` fills a variable."""
    for position, arg in enumerate(call.args[:-1]):
        if arg.text == "-p":
            assign(call, call.args[position + 1])


RULES: dict[str, Rule] = {
    "eval": evaluate,
    "source": source,
    ".": source,
    "command": command,
    "builtin": builtin,
    "exec": execute,
    "trap": trap,
    "complete": complete,
    "compgen": complete,
    "compopt": limit,
    "mapfile": mapfile,
    "readarray": mapfile,
    "read": read,
    "printf": printf,
    "test": test,
    "[": test,
    "let": let,
    "cd": change_folder,
    "chdir": change_folder,
    "pushd": push_folder,
    "popd": push_folder,
    "alias": alias,
    "unalias": unalias,
    "unset": unset,
    "set": set_options,
    "shift": shift,
    "shopt": shopt,
    "hash": hash_command,
    "enable": enable,
    "bind": bind,
    "history": history,
    "fc": fix_command,
    "ulimit": limit,
    "bg": callback,
    "fg": callback,
    "disown": callback,
    "kill": stop,
    "suspend": stop,
    "wait": coproc_wait,
    "getopts": get_options,
}
