"""Programs that run another command: what they run has its own class (standard, rule 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from agentfsm.shell.call import Call, Rule, judge_variable
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.finding import placed
from agentfsm.shell.programs.parallel_jobs import parallel, xargs
from agentfsm.shell.programs.raising import RAISED, raised, su
from agentfsm.shell.programs.sessions import perf, script, tmux
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = ("RULES", "TABLE")

TABLE = ""

_SIMPLE = {
    "nohup": "strict stop | | --help --version",
    "nice": "strict stop | | -n,--adjustment= --help --version",
    "ionice": (
        "strict stop | | -c,--class= -n,--classdata= -p,--pid= -P,--pgid= -t,--ignore -u,--uid= -h,--help -V,--version"
    ),
    "time": (
        "strict stop | | -f,--format= -o,--output=:w -a,--append -p,--portability -v,--verbose "
        "-q,--quiet -V,--version --help -l"
    ),
    "gtime": (
        "strict stop | | -f,--format= -o,--output=:w -a,--append -p,--portability -v,--verbose "
        "-q,--quiet -V,--version --help"
    ),
    "stdbuf": "strict stop | | -i,--input= -o,--output= -e,--error= --help --version",
    "setsid": "strict stop | | -c,--ctty -f,--fork -w,--wait -h,--help -V,--version",
    "unbuffer": "strict stop | | -p",
    "caffeinate": "strict stop | | -disum -t= -w=",
    "chronic": "strict stop | | -ve",
    "ifne": "strict stop | | -n",
    "setarch": (
        "strict stop | | -BFILRSTXZ3vhV --addr-no-randomize --verbose --uname-2.6 --32bit --list "
        "--show=? -p,--pid= --help --version"
    ),
    **dict.fromkeys(("linux32", "linux64", "catchsegv"), "strict stop | | "),
    "prlimit": (
        "strict stop | | -p,--pid=!D -o,--output= --noheadings --raw --verbose -h,--help "
        "-V,--version -c,--core=? -d,--data=? -e,--nice=? -f,--fsize=? -i,--sigpending=? "
        "-l,--memlock=? -m,--rss=? -n,--nofile=? -q,--msgqueue=? -r,--rtprio=? -s,--stack=? "
        "-t,--cpu=? -u,--nproc=? -v,--as=? -x,--locks=? -y,--rttime=?"
    ),
    "torsocks": "strict stop +N | | -i,--isolate",
    "proxychains": "strict stop +N | | -q -f=!U",
    "proxychains4": "strict stop +N | | -q -f=!U",
    "tsocks": "strict stop +N | | ",
    "fakeroot": "strict stop | | -l,--lib=!U --faked=!U -s=:w -i=:r -u,--unknown-is-real -b= -h -v",
    "faketime": "strict stop | | -m -f -p= --exclude-monotonic",
    "numactl": (
        "strict stop | | -aslH -i,--interleave= -p,--preferred= -C,--physcpubind= "
        "-N,--cpunodebind= -m,--membind= -H,--hardware -s,--show --localalloc"
    ),
    "cpulimit": "strict stop | | -l,--limit= -p,--pid=!D -e,--exe=!D -P,--path= -b -f -c= -i -z -v",
    "hyperfine": (
        "words | x* | -w,--warmup= -m,--min-runs= -M,--max-runs= -r,--runs= -s,--setup=:x "
        "-p,--prepare=:x --conclude=:x -c,--cleanup=:x -N --shell=!U -S=!U --export-json=:w "
        "--export-csv=:w --export-markdown=:w --export-asciidoc=:w --export-orgmode=:w --output= "
        "--input= -n,--command-name= -i,--ignore-failure --style= -L,--parameter-list=!U "
        "-P,--parameter-scan=!U -u,--time-unit= --show-output --reference=:x"
    ),
    "strace": (
        "strict stop | | -cCdfFhikqrtTvVwxyYzZnDN -I= -e= -o,--output=:w -O= -p,--attach=!D "
        "-s,--string-limit= -S,--summary-sort-by= -u=!D -E,--env=!U -P,--trace-path= -a,--columns= "
        "-b= -X= -U= --trace= --follow-forks --summary-only --summary --help --version "
        "--seccomp-bpf --stack-traces --syscall-times=? --timestamps=? --absolute-timestamps=? "
        "--relative-timestamps=? --failed-only --successful-only --decode-fds=? --quiet=? "
        "--silent=? --no-abbrev"
    ),
    "ltrace": (
        "strict stop | | -cCfhirStTV -a= -A= -D= -e= -F=!U -l= -n= -o,--output=:w -p=!D -s= -u=!D -x= --library="
    ),
    "valgrind": (
        "words stop | | --log-file=:w --xml-file=:w --callgrind-out-file=:w --massif-out-file=:w "
        "--tool= --leak-check= --suppressions=:r -q -v --error-exitcode= --track-origins= "
        "--db-command=!U --trace-children="
    ),
    "rlwrap": "words stop | | -f= -H=:w -a -c -i -z=!U -C= -r -s=",
    "dbus-run-session": "strict stop | | --config-file=!U --dbus-daemon=!U --",
    "xvfb-run": (
        "strict stop | | -a,--auto-servernum -e,--error-file=:w -f,--auth-file=:w -h,--help "
        "-n,--server-num= -l,--listen-tcp -p,--xauth-protocol= -s,--server-args= -w,--wait="
    ),
    "systemd-inhibit": "strict stop | | --what= --who= --why= --mode= --list --no-pager --no-legend --help --version",
    "systemd-cat": (
        "strict stop | | -t,--identifier= -p,--priority= --stderr-priority= --level-prefix= -h,--help --version"
    ),
    "firejail": "words stop +U | |",
    "bwrap": "words stop +U | |",
    "unshare": "words stop +D | |",
    "nsenter": "words stop +D | |",
    "chroot": "words stop +D | . |",
    "dumb-init": "strict stop | | -cvV -r=",
    "runcon": "strict stop | . | -c,--compute -t,--type= -u,--user= -r,--role= -l,--range=",
    "uclampset": "strict stop | | -m= -M= -a -p=!D -s -R -v -h",
    "memusage": "strict stop | | -n= -p=:w -d=:w -u -t -T",
    "sotruss": "strict stop | | -F= -T= -e -f -o=:w",
    "lckdo": "strict stop | w | -w -W= -e -E= -s -x -q",
    "tini": "strict stop | | -svwgV -p= -e=",
    "pee": "strict | x* | --ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors --no-ignore-write-errors",
    "entr": "strict stop | | -acdnpsrz",
}
_SKIPS = {"setarch": 1, "faketime": 1, "chroot": 1, "lckdo": 1}


def wrapped(call: Call) -> None:
    """A wrapper with plain options: the rest is the command."""
    spec = compiled(_SIMPLE[call.name])
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    rest = found.operands[_SKIPS.get(call.name, 0) :]
    for output in found.values("-o") if call.name == "strace" else ():
        if output.starts("|", "!"):
            call.shell(Arg(output.text[1:]))
    if call.name == "setarch" and found.operands and not rest:
        return
    if call.name == "entr":
        rest = [placed(arg, "/_") for arg in rest]
        if any(arg.text == "-s" for arg in call.args) and rest:
            call.shell(rest[0])
            return
    if call.name == "ionice" and found.has("-p", "-P", "-u") and found.has("-c", "-n"):
        call.destroys("administers", "a running process")
    call.run(rest)


def shell_words(call: Call) -> None:
    """``hyperfine`` runs each operand as shell text."""
    spec = compiled(_SIMPLE[call.name])
    apply(call, spec, read_arguments(call, spec, call.args))


def env(call: Call) -> None:
    """``env`` sets variables and runs a command; without one it prints the environment."""
    spec = compiled(
        "strict stop | | -i,--ignore-environment -0,--null -u,--unset= -C,--chdir= "
        "-S,--split-string= -v,--debug --block-signal=? --default-signal=? "
        "--ignore-signal=? --list-signal-handling --help --version -P=!U -a,--argv0="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    rest = found.operands
    for split in reversed(found.values("-S", "--split-string")):
        words = split_string(split)
        if words is None:
            call.unresolved("unknown_code", "env -S")
            return
        env(Call(call.name, (*words, *rest), call.machine, call.stdin))
        return
    if rest and rest[0].text == "-":
        rest = rest[1:]
    names = 0
    for arg in takewhile(lambda arg: "=" in arg.text and not arg.loose and arg.text[0] != "=", rest):
        name, _, value = arg.text.partition("=")
        judge_variable(call.machine, name, value, "env")
        names += 1
    rest = rest[names:]
    if rest:
        call.run(rest)


_SPLIT_WORD = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)"|([^\s'"]++)(?=\s|\Z))""")


def split_string(arg: Arg) -> list[Arg] | None:
    """Split the text of ``env -S``; None when it is not constant or holds more than plain words."""
    if not arg.known or any(char in arg.text for char in "\\$#"):
        return None
    words: list[Arg] = []
    position, text = 0, arg.text.rstrip()
    while position < len(text):
        match = _SPLIT_WORD.match(text, position)
        if match is None:
            return None
        words.append(Arg(next(group for group in match.groups() if group is not None)))
        position = match.end()
    return words


def timeout(call: Call) -> None:
    """``timeout DURATION COMMAND``"""
    spec = compiled(
        "strict stop | | -k,--kill-after= -s,--signal= --foreground --preserve-status -v,--verbose "
        "--help --version -p -f"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    call.run(found.operands[1:])


def taskset(call: Call) -> None:
    """``taskset MASK COMMAND``, ``chrt PRIORITY COMMAND``; with a process they change that process."""
    spec = compiled(
        "strict stop | | -a,--all-tasks -p,--pid -c,--cpu-list -b,--batch -f,--fifo -i,--idle "
        "-o,--other -r,--rr -d,--deadline -R -m,--max -v,--verbose -T= -P= -D= -h,--help "
        "-V,--version"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("-p", "--pid"):
        if len(found.operands) > 1:
            call.destroys("changes_process")
        return
    call.run(found.operands[1:])


def flock(call: Call) -> None:
    """``flock FILE COMMAND`` or ``flock FILE -c TEXT``; the lock file is created."""
    spec = compiled(
        "strict stop | | -s,--shared -x,-e,--exclusive -u,--unlock -n,--nb,--nonblock "
        "-w,--timeout,--wait= -o,--close -E,--conflict-exit-code= -F,--no-fork --verbose "
        "-c,--command= -h,--help -V,--version --fcntl"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    operands = found.operands
    if operands and not operands[0].text.isdigit():
        call.writes(operands[0], "creates_lock")
    for code in found.values("-c", "--command"):
        call.shell(code)
    if len(operands) > 2 and operands[1].text in ("-c", "--command"):  # lock, -c, text
        call.shell(operands[2])
    else:
        call.run(operands[1:])


def watch(call: Call) -> None:
    """``watch`` gives its arguments, joined, to a shell, or with -x runs them."""
    spec = compiled(
        "strict stop | | -b,--beep -c,--color -C,--no-color -d,--differences=? -e,--errexit "
        "-g,--chgexit -n,--interval= -p,--precise -q,--equexit= -r,--no-rerun -t,--no-title "
        "-w,--no-linewrap -x,--exec -h,--help -v,--version -s,--shotsdir=:w"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("-x", "--exec"):
        call.run(found.operands)
    elif found.operands:
        joined(call, found.operands)


def joined(call: Call, words: Sequence[Arg]) -> None:
    """Judge *words*, joined by spaces, as shell text; an operand of unknown value is taken for one word."""
    if all(arg.known for arg in words):
        call.shell(Arg(" ".join(arg.text for arg in words)))
    else:
        call.unresolved("unknown_code", call.name)


def busybox(call: Call) -> None:
    """``busybox APPLET``: the applet is the program."""
    rest = [Arg(arg.text, arg.loose, arg.glob, False, arg.feed, arg.many) for arg in call.args]
    if not rest or rest[0].text in ("--list", "--list-full", "--help"):
        return
    if rest[0].text == "--install":
        call.destroys("installs_links")
        return
    call.run(rest)


RULES: dict[str, Rule] = {
    **dict.fromkeys(_SIMPLE, wrapped),
    **dict.fromkeys(RAISED, raised),
    "hyperfine": shell_words,
    "pee": shell_words,
    "env": env,
    "genv": env,
    "timeout": timeout,
    "gtimeout": timeout,
    "taskset": taskset,
    "chrt": taskset,
    "flock": flock,
    "watch": watch,
    "viddy": watch,
    "xargs": xargs,
    "gxargs": xargs,
    "parallel": parallel,
    "su": su,
    "runuser": su,
    "script": script,
    "busybox": busybox,
    "toybox": busybox,
    "perf": perf,
    "tmux": tmux,
    "screen": tmux,
    "dtach": tmux,
    "abduco": tmux,
    "zellij": tmux,
    "byobu": tmux,
}
