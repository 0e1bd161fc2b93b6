"""Shells: constant text is followed, anything else is opaque (standard, rules 3, 9 and 10)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.cursor import ParseError
from agentfsm.shell.parser import parse
from agentfsm.shell.values import Arg, is_constant

__all__ = ("RULES", "TABLE")

TABLE = """
shellcheck checkbashisms bashate | words | r* | -f= -s= -e= -x,--external-sources -S= -o= --rcfile=!U -P=
"""

_WITH_VALUE = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_CODE_FILES = ("--rcfile", "--init-file")
_HARMLESS_LONG = frozenset(
    {
        "--login",
        "--noprofile",
        "--norc",
        "--posix",
        "--verbose",
        "--restricted",
        "--noediting",
        "--debugger",
        "--no-rcs",
        "--emulate",
        "--dump-strings",
        "--dump-po-strings",
    }
)
_INTERACTIVE = frozenset("il")


def shell(call: Call) -> None:
    """``bash`` and other shells that read the same language."""
    args = list(call.args)
    letters = ""
    while args:
        arg = args[0]
        text = arg.text
        if arg.loose or (text[:1] in ("-", "+") and not arg.known):
            call.unresolved("loose_argument")
            return
        if text in ("--version", "--help"):
            return
        if text in ("--", "-"):
            args.pop(0)
            break
        if text[:1] not in ("-", "+") or len(text) == 1:
            break
        args.pop(0)
        letters += option(call, args, text)
    run(call, letters, args)


def option(call: Call, args: list[Arg], text: str) -> str:
    """Judge one option; return its letters."""
    if text.startswith("--"):
        if text.partition("=")[0] in _CODE_FILES:
            call.unresolved("opaque_script", text)
            if "=" not in text and args:
                args.pop(0)
        elif text not in _HARMLESS_LONG:
            call.unresolved("unknown_option", text)
        return ""
    letters = text[1:] if text[0] == "-" else ""
    for letter in text[1:]:
        if letter in "oO" and args and not args[0].starts("-", "+"):
            value = args.pop(0)
            letters += "n" if value.text == "noexec" and text[0] == "-" else ""
    if set(text[1:]) - set("abcefhiklmnoprstuvxBCDEHOPT"):
        call.unresolved("unknown_option", text)
    return letters


def run(call: Call, letters: str, args: list[Arg]) -> None:
    """Judge what the shell reads: a string, a file or its standard input."""
    if "n" in letters:
        for arg in args:
            call.reads(arg)
        return
    if "c" in letters:
        if not args:
            call.unresolved("unknown_code")
            return
        command_string(call, args[0], tuple(args[1:]))
    elif args and "s" not in letters:
        file(call, args)
    else:
        standard_input(call, tuple(args) if "s" in letters else ())


def command_string(call: Call, code: Arg, rest: tuple[Arg, ...]) -> None:
    """Judge ``-c``: the string, with what follows as ``$0`` and the positional parameters."""
    if not code.known:
        call.unresolved("unknown_code", call.name)
        return
    record = call.machine.record
    before = record.longer
    whole = (call.name, *(arg.word for arg in call.args))
    record.longer = (*before, (whole, len(whole) - len(rest)))
    call.machine.text(code.text, call.name, rest[1:], fresh=True)
    record.longer = before


def file(call: Call, args: list[Arg]) -> None:
    """Judge a script: opaque, unless it is a process substitution or a descriptor of constant text."""
    if args[0].feed is not None and is_constant(args[0].feed):
        call.machine.text(args[0].feed, call.name, tuple(args[1:]), fresh=True)
    elif args[0].text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0") and call.stdin is not None:
        standard_input(call, tuple(args[1:]))
    else:
        call.unresolved("opaque_script", args[0].text)


def standard_input(call: Call, parameters: tuple[Arg, ...]) -> None:
    """Judge the text that is fed to the shell."""
    if call.stdin is None or not is_constant(call.stdin):
        call.unresolved("unknown_code", "standard input")
        return
    call.machine.text(call.stdin, call.name, parameters, fresh=True)


def foreign(call: Call) -> None:
    """Shells with another language: opaque, but for plain ``-c`` text, their version and a syntax check."""
    texts = [arg.text for arg in call.args]
    if texts and texts[0] in ("--version", "--help", "-v"):
        return
    if texts and texts[0] in ("-n", "--no-execute"):
        for arg in call.args[1:]:
            call.reads(arg)
        return
    position = next(
        (i for i, text in enumerate(texts[:-1]) if text in ("-c", "-lc", "-ic", "-Command", "-command")), -1
    )
    if position >= 0 and same_language(call.args[position + 1]):
        call.shell(call.args[position + 1])
        return
    if not call.args and call.stdin is not None and same_language(Arg(call.stdin)):
        call.shell(Arg(call.stdin))
        return
    call.unresolved("opaque_script", call.name)


def same_language(code: Arg) -> bool:
    """Whether the text is so plain that every shell reads it alike: words, lists and pipes."""
    if not code.known or any(char in code.text for char in "$`(){}[]*?<>\\^~#@!%"):
        return False
    try:
        parse(code.text)
    except ParseError:
        return False
    return True


def checker(call: Call) -> None:
    """``shfmt`` prints; with -w it rewrites."""
    rewrites = any(arg.text in ("-w", "--write") for arg in call.args)
    for arg in call.args:
        if not arg.starts("-"):
            call.modifies(arg) if rewrites else call.reads(arg)
    if rewrites:
        call.note(OpClass.FILE_MODIFY, "changes_file")


RULES: dict[str, Rule] = {
    **dict.fromkeys(
        ("bash", "sh", "dash", "ash", "ksh", "mksh", "rbash", "zsh", "ksh93", "pdksh", "yash", "posh", "lksh"), shell
    ),
    **dict.fromkeys(
        ("fish", "csh", "tcsh", "elvish", "nu", "xonsh", "pwsh", "powershell", "rc", "oil", "osh", "es", "cmd.exe"),
        foreign,
    ),
    "shfmt": checker,
}
