"""Wrappers that give rights: sudo, su and their like (standard, rule 6)."""

from __future__ import annotations

from itertools import takewhile

from agentfsm.shell.call import Call, judge_variable
from agentfsm.shell.programs.arguments import Parsed, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = (
    "RAISED",
    "raised",
    "su",
)


RAISED: dict[str, str] = {
    "sudo": (
        "words stop | | -AbBeEHKklNnPSsVvi -C,--close-from= -D,--chdir= -g,--group= -h,--host= "
        "-p,--prompt= -R,--chroot= -r,--role= -T,--command-timeout= -t,--type= -U,--other-user= "
        "-u,--user= --edit --preserve-env=? --login --shell --list --validate --non-interactive "
        "--stdin --background --reset-timestamp --remove-timestamp"
    ),
    "doas": "words stop | | -Lns -a= -C= -u=",
    "pkexec": "words stop | | --user= --disable-internal-agent --keep-cwd",
    "run0": (
        "words stop | | -u,--user= -g,--group= --unit= --property= --description= --slice= --nice= "
        "-D,--chdir= --setenv= --background= --machine="
    ),
    "gosu": "words stop | . |",
    "su-exec": "words stop | . |",
    "setpriv": (
        "words stop | | --reuid= --regid= --clear-groups --init-groups --keep-groups --groups= "
        "--no-new-privs --ruid= --euid= --rgid= --egid= --bounding-set= --inh-caps= "
        "--ambient-caps= -d,--dump"
    ),
    "capsh": "words +U | |",
    "setuidgid": "words stop | . |",
    "chpst": "words stop | | -u= -U= -e= -n= -l= -L= -v -P -0 -1 -2",
}


def raised(call: Call) -> None:
    """``sudo`` and its like: Destructive, and what they run besides (standard, rule 6)."""
    call.destroys("raises_rights")
    spec = compiled(RAISED[call.name])
    found = read_arguments(call, spec, call.args)
    rest = found.operands
    if call.name in ("gosu", "su-exec", "setuidgid"):
        rest = rest[1:]
    names = 0
    for arg in takewhile(lambda arg: "=" in arg.text and not arg.starts("-", "=", "/"), rest):
        name, _, value = arg.text.partition("=")
        judge_variable(call.machine, name, value, call.name)
        names += 1
    inner(call, found, rest[names:])


def inner(call: Call, found: Parsed, rest: list[Arg]) -> None:
    """Judge what a program with raised rights runs; ``sudo -e`` edits, ``sudo -l`` lists."""
    if found.has("-e", "--edit"):
        for operand in rest:
            call.modifies(operand)
        return
    if rest and not found.has("-l", "--list", "-v", "-k", "-K"):
        call.within(rest)


def su(call: Call) -> None:
    """``su`` and ``runuser`` raise rights; ``-c`` is shell text."""
    call.destroys("raises_rights")
    spec = compiled(
        "words | | -c,--command,--session-command= -s,--shell= -u,--user= -g,--group= "
        "-G,--supp-group= -l,--login -m,-p,--preserve-environment -P,--pty "
        "-w,--whitelist-environment= -f,--fast"
    )
    found = read_arguments(call, spec, call.args)
    for code in found.values("-c", "--command", "--session-command"):
        if code.known:
            call.shell(code)
    if call.name == "runuser" and found.has("-u", "--user") and found.operands:
        call.within(found.operands)
