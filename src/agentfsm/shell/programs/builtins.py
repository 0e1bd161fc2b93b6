"""The shell's builtins, but for the declaring ones (bash manual, Shell Builtin Commands)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.paths import located
from agentfsm.shell.programs.spec import apply, compiled, read_arguments
from agentfsm.shell.values import UNKNOWN, Arg, is_constant

__all__ = ("RULES", "TABLE")

TABLE = """
: | pure | . |
break continue return exit logout shift times caller dirs umask | pure | . |
jobs type pwd | pure | . |
help | pure | . |
"""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


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


def later(call: Call, code: Arg) -> None:
    """Judge text that a builtin keeps for later."""
    if not code.known:
        call.unresolved("unknown_code", call.name)
        return
    state = call.machine.state
    call.machine.state = state.copy()
    call.machine.text(code.text, call.name)
    call.machine.state = state


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


def bind(call: Call) -> None:
    """``bind`` sets keys; -x runs text."""
    spec = compiled("strict | | -l -v -p -V -P -s -S -X -m= -q= -u= -r= -f=!U -x=!U")
    apply(call, spec, read_arguments(call, spec, call.args))


def history(call: Call) -> None:
    """``history`` lists; it can also forget or write its file."""
    spec = compiled("strict | | -c!D -d=!D -a!W -n -r -w!W -p -s")
    apply(call, spec, read_arguments(call, spec, call.args))


def fix_command(call: Call) -> None:
    """``fc -l`` lists; anything else runs old commands."""
    if not any(arg.starts("-") and "l" in arg.text for arg in call.args):
        call.unresolved("unknown_code", "fc")


def limit(call: Call) -> None:
    """``ulimit`` changes the limits of this shell."""


def push_folder(call: Call) -> None:
    """``pushd`` and ``popd`` move the shell."""
    operands = [arg for arg in call.args if arg.text != "-n"]
    state = call.machine.state
    state.folder = (
        located(operands[0].text, state.folder)
        if len(operands) == 1 and operands[0].known and operands[0].text[0] not in "+-"
        else None
    )


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


def get_options(call: Call) -> None:
    """``getopts`` fills a variable and OPTARG."""
    for arg in call.args[1:2]:
        assign(call, arg)
    call.machine.assign("OPTARG", UNKNOWN)


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
