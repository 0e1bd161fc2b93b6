"""Programs that run another command: what they run has its own class (standard, rule 6)."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, Rule, judge_variable
from agentfsm.shell.programs.finding import placed
from agentfsm.shell.programs.spec import Parsed, apply, compiled, read_arguments
from agentfsm.shell.values import UNKNOWN, Arg

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
    "linux32": "strict stop | | ",
    "linux64": "strict stop | | ",
    "setarch": (
        "strict stop | | -BFILRSTXZ3vhV --addr-no-randomize --verbose --uname-2.6 --32bit --list "
        "--show=? -p,--pid= --help --version"
    ),
    "catchsegv": "strict stop | | ",
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
    while rest and "=" in rest[0].text and not rest[0].loose and rest[0].text[0] != "=":
        name, _, value = rest[0].text.partition("=")
        judge_variable(call.machine, name, value, "env")
        rest = rest[1:]
    if rest:
        call.run(rest)


def split_string(arg: Arg) -> list[Arg] | None:
    """Split the text of ``env -S``; None when it is not constant or holds more than plain words."""
    if not arg.known or any(char in arg.text for char in "\\$#"):
        return None
    words: list[Arg] = []
    text = arg.text
    while text := text.strip():
        mark = text[0]
        if mark in "'\"":
            body, closed, text = text[1:].partition(mark)
            if not closed:
                return None
            words.append(Arg(body))
            continue
        word = text.split(maxsplit=1)[0]
        if any(quote in word for quote in "'\""):
            return None
        words.append(Arg(word))
        text = text[len(word) :]
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


_XARGS = (
    "strict stop | | -0,--null -a,--arg-file=:r -d,--delimiter= -E= -e,--eof=? -I= "
    "-i,--replace=? -L= -l,--max-lines=? -n,--max-args= -o,--open-tty -P,--max-procs= "
    "-p,--interactive --process-slot-var= -r,--no-run-if-empty -s,--max-chars= --show-limits "
    "-t,--verbose -x,--exit --help --version -J= -R= -S="
)


def xargs(call: Call) -> None:
    """``xargs COMMAND`` with what it reads appended, or in place of a mark."""
    spec = compiled(_XARGS)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--help", "--version"):
        return
    payload = [Arg(arg.text, arg.loose, arg.glob, False, arg.feed, arg.many) for arg in found.operands]
    marks = [mark.text for mark in found.values("-I", "-i", "--replace", "-J")]
    if found.has("-i", "--replace") and not marks:
        marks = ["{}"]
    if not payload:
        return
    if marks:
        payload = [placed(arg, marks[-1]) for arg in payload]
    else:
        payload.append(Arg(UNKNOWN, many=True))
    call.run(payload, stdin=None if found.has("-a", "--arg-file") else "")


def parallel(call: Call) -> None:
    """GNU ``parallel`` builds shell text from a template and its inputs."""
    row = (
        "words stop | | -j,--jobs= -k,--keep-order -N,--max-replace-args= -n,--max-args= "
        "-a,--arg-file=:r -I= -C,--colsep= --bar --eta --progress --dry-run --halt= --joblog=:w "
        "--results=:w "
        "--tmpdir= -X -m --pipe --block= -q,--quote --no-notice --will-cite --ungroup -u "
        "--line-buffer --lb --tag -t,--verbose -v --timeout= --retries= --delay= -0,--null "
        "-d,--delimiter= -S,--sshlogin=!N "
        "--sshloginfile=!N --env= --basefile= --transferfile=!N --citation --shuf --xargs -P= -r "
        "--no-run-if-empty --nice= --memfree= --load= --version --help --record-env --compress "
        "--files --plus --rpl=!U --tmux!U --wd= --workdir="
    )
    spec = compiled(row)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--version", "--help", "--citation"):
        return
    words: list[Arg] = []
    for arg in found.operands:
        if arg.text in (":::", "::::", ":::+", "::::+"):
            break
        words.append(arg)
    if not words:
        call.unresolved("unknown_code", "parallel runs its input")
        return
    marks = ("{}", "{.}", "{/}", "{//}", "{/.}", "{#}", "{%}", "{1}", "{2}", "{3}")
    filled = words
    for mark in marks:
        filled = [placed(arg, mark) for arg in filled]
    if len(filled) == 1 and any(char in filled[0].text for char in " ;|&<>`$(\n"):
        template(call, filled[0].text)
        return
    if all(one.text == two.text for one, two in zip(filled, words, strict=True)):
        filled = [*filled, Arg(UNKNOWN)]
    call.run(filled)


def template(call: Call, text: str) -> None:
    """Judge a template of shell text; what parallel puts in is quoted, so it is one word."""
    code = text.replace("'" + UNKNOWN + "'", UNKNOWN).replace('"' + UNKNOWN + '"', UNKNOWN).replace(UNKNOWN, '"$1"')
    if UNKNOWN in code or '""$1""' in code:
        call.unresolved("unknown_code", "parallel")
        return
    if '"$1"' not in code:
        code += ' "$1"'
    call.machine.text(code, call.name, (Arg(UNKNOWN),), fresh=True)


_RAISED: dict[str, str] = {
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
    spec = compiled(_RAISED[call.name])
    found = read_arguments(call, spec, call.args)
    rest = found.operands
    if call.name in ("gosu", "su-exec", "setuidgid"):
        rest = rest[1:]
    while rest and "=" in rest[0].text and not rest[0].starts("-", "=", "/"):
        name, _, value = rest[0].text.partition("=")
        judge_variable(call.machine, name, value, call.name)
        rest = rest[1:]
    inner(call, found, rest)


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


def script(call: Call) -> None:
    """``script`` records a session to a file; ``-c`` is shell text, and without it a shell is opened."""
    spec = compiled(
        "strict | w | -aefqV -a,--append -c,--command=:x -E,--echo= -e,--return -f,--flush --force "
        "-B,--log-io=:w -I,--log-in=:w -O,--log-out=:w -T,--log-timing=:w -t,--timing=?:w "
        "-m,--logging-format= -o,--output-limit= -q,--quiet -h,--help -V,--version"
    )
    found = read_arguments(call, spec, call.args)
    if found.has("-V", "--version", "-h", "--help"):
        return
    apply(call, spec, found)
    if not found.operands and not found.has("-O", "-B", "--log-out", "--log-io"):
        call.writes(Arg("typescript"))
    if not found.has("-c", "--command"):
        if len(found.operands) > 1:
            call.run(found.operands[1:])
        else:
            call.unresolved("unknown_code", "an interactive shell")


def busybox(call: Call) -> None:
    """``busybox APPLET``: the applet is the program."""
    rest = [Arg(arg.text, arg.loose, arg.glob, False, arg.feed, arg.many) for arg in call.args]
    if not rest or rest[0].text in ("--list", "--list-full", "--help"):
        return
    if rest[0].text == "--install":
        call.destroys("installs_links")
        return
    call.run(rest)


def perf(call: Call) -> None:
    """``perf`` measures a command."""
    if not call.args or call.args[0].text in ("list", "version", "--version", "help"):
        return
    action = call.args[0].text
    if action in ("report", "script", "annotate", "diff", "evlist"):
        return
    if action not in ("stat", "record", "trace"):
        call.unresolved("unknown_subcommand", action)
        return
    spec = compiled(
        "words stop | | -e= -p= -a -g -r= -d -F= -o=:w -x= -C= -t= -v -I= --call-graph=? "
        "--per-thread --all-cpus --output=:w"
    )
    found = read_arguments(call, spec, call.args[1:])
    apply(call, spec, found)
    if action == "record" and not found.has("-o", "--output"):
        call.writes(Arg("perf.data"))
    call.run(found.operands)


def tmux(call: Call) -> None:
    """``tmux`` and ``screen`` keep commands running; only listing is known to be harmless."""
    words = [arg.text for arg in call.args if not arg.starts("-")]
    listing = (
        "ls",
        "list-sessions",
        "list-windows",
        "lsw",
        "list-panes",
        "lsp",
        "list-keys",
        "list-buffers",
        "list-clients",
        "has-session",
        "has",
        "display-message",
        "show-options",
        "capture-pane",
        "info",
    )
    if call.name == "screen" and [arg.text for arg in call.args] in (["-ls"], ["-list"], ["-v"], ["--version"]):
        return
    if call.name == "tmux" and ([arg.text for arg in call.args] == ["-V"] or (words and words[0] in listing)):
        return
    if words and words[0].startswith("kill-"):
        call.destroys("stops_processes", words[0])
        return
    call.unresolved("opaque", "a terminal multiplexer runs what it is sent")


RULES: dict[str, Rule] = {
    **dict.fromkeys(_SIMPLE, wrapped),
    **dict.fromkeys(_RAISED, raised),
    "hyperfine": shell_words,
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
