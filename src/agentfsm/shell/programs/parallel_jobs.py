"""xargs and GNU parallel: commands made from standard input (xargs(1), parallel(1))."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.finding import placed
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import UNKNOWN, Arg

__all__ = (
    "parallel",
    "xargs",
)


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
