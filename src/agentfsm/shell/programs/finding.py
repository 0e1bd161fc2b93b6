"""``find`` and its modern replacements: an analyser of find's expressions (findutils manual)."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import apply, compiled, read_arguments
from agentfsm.shell.values import UNKNOWN, Arg, names

__all__ = ("RULES", "TABLE")

TABLE = ""

_TESTS_WITH_VALUE = frozenset(
    names("""
    -amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex
    -iwholename
    -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -regex -regextype -samefile -size
    -type -uid
    -used -user -wholename -xtype -printf -D -flags -xattrname -Bmin -Btime
""")
)
_PLAIN = frozenset(
    names("""
    -a -and -o -or -not ! ( ) , -d -daystart -depth -empty -executable -false -follow -help --help
    -ignore_readdir_race -ls -mount
    -nogroup -noignore_readdir_race -noleaf -nouser -nowarn -print -print0 -prune -quit -readable -true
    -version --version
    -warn -writable -xdev -x -acl -xattr -H -L -P -O0 -O1 -O2 -O3 -s -E -X
""")
)
_WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}
_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def find(call: Call) -> None:
    """``find`` lists names; its actions may write, delete or run commands."""
    call.note(OpClass.FILE_SEARCH, "lists_files")
    args = call.args
    position = 0
    while position < len(args):
        position = term(call, args, position)


def term(call: Call, args: Sequence[Arg], position: int) -> int:
    """Judge one starting point, test or action; return where the next begins."""
    arg = args[position]
    name = arg.text
    if arg.loose:
        call.unresolved("loose_argument")
    elif name in _TESTS_WITH_VALUE or (name.startswith("-newer") and len(name) == len("-newerXY")):
        following = args[position + 1 : position + 2]
        if following and following[0].loose:
            call.unresolved("loose_argument")
        return position + 2
    elif name in _WRITES:
        for target in args[position + 1 : position + 2]:
            call.writes(target)
        return position + 1 + _WRITES[name]
    elif name == "-delete":
        call.destroys("deletes", "-delete")
    elif name in _RUNS:
        return execute(call, args, position + 1)
    elif name == "-files0-from":
        return position + 2
    elif name.startswith("-") and name not in _PLAIN and not name.startswith("-O"):
        call.unresolved("unknown_option", name)
    return position + 1


def execute(call: Call, args: Sequence[Arg], position: int) -> int:
    """Judge the command of ``-exec``, with what is found in place of ``{}``."""
    payload: list[Arg] = []
    while position < len(args):
        arg = args[position]
        position += 1
        if arg.text == ";" or (arg.text == "+" and payload and payload[-1].text == UNKNOWN):
            break
        payload.append(placed(arg))
    if not payload:
        call.unresolved("unknown_command_word")
        return position
    call.run(payload)
    return position


def placed(arg: Arg, mark: str = "{}") -> Arg:
    """Return an argument with the unknown name that takes the mark's place."""
    if not mark or mark not in arg.text:
        return Arg(arg.text, arg.loose, arg.glob, False, arg.feed, arg.many)
    return Arg(arg.text.replace(mark, UNKNOWN), arg.loose, arg.glob)


_FD = (
    "strict | | -HIiusFgaqLp0l1X_ --hidden --no-ignore --unrestricted --case-sensitive "
    "--ignore-case --glob --regex --fixed-strings --and= --absolute-path --list-details "
    "--follow "
    "--full-path -d,--max-depth= --min-depth= --exact-depth= -E,--exclude= --prune -t,--type= "
    "-e,--extension= -S,--size= --changed-within,--change-newer-than,--newer,--changed-after= "
    "--changed-before,--change-older-than,--older= -o,--owner= --format= -x,--exec= "
    "-X,--exec-batch= --batch-size= --ignore-file= -c,--color= -j,--threads= --max-results= "
    "--quiet --has-results --show-errors --base-directory= -C= --path-separator= "
    "--search-path= --strip-cwd-prefix=? --one-file-system --mount --xdev --gen-completions=? "
    "-h,--help -V,--version "
    "--no-ignore-vcs --no-require-git --no-ignore-parent --no-global-ignore-file --print0 "
    "--max-buffer-time= --hyperlink=? --no-hidden --ignore --no-follow --require-git"
)
_FD_MARKS = ("{}", "{/}", "{//}", "{.}", "{/.}")


def fd(call: Call) -> None:
    """``fd`` lists names; ``-x`` and ``-X`` run a command for them."""
    for position, arg in enumerate(call.args):
        if arg.text in ("-x", "-X", "--exec", "--exec-batch"):
            head, tail = call.args[:position], list(call.args[position + 1 :])
            break
        if arg.starts("--exec=", "--exec-batch=") or (arg.starts("-x", "-X") and not arg.starts("--")):
            text = arg.text.partition("=")[2] if arg.starts("--") else arg.text[2:]
            head, tail = call.args[:position], [Arg(text), *call.args[position + 1 :]]
            break
    else:
        head, tail = call.args, []
    spec = compiled(_FD)
    found = read_arguments(call, spec, head)
    apply(call, spec, found)
    call.note(OpClass.FILE_SEARCH, "lists_files")
    if tail:
        payload(call, tail)


def payload(call: Call, tail: list[Arg]) -> None:
    """Judge the command that ``fd`` runs; without a mark the name comes last."""
    stop = next((i for i, arg in enumerate(tail) if arg.text == ";"), len(tail))
    words = tail[:stop]
    if not words:
        call.unresolved("unknown_command_word")
        return
    filled: list[Arg] = []
    for arg in words:
        text = arg.text
        for mark in _FD_MARKS:
            text = text.replace(mark, UNKNOWN)
        filled.append(Arg(text, arg.loose, arg.glob))
    if all(arg.text == word.text for arg, word in zip(filled, words, strict=True)):
        filled.append(Arg(UNKNOWN))
    call.run(filled)


RULES: dict[str, Rule] = {"find": find, "gfind": find, "fd": fd, "fdfind": fd, "bfs": find}
