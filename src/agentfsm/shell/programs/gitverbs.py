"""git's subcommands that either read or change, depending on their arguments (git manual; standard, rule 12)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import add
from agentfsm.shell.values import UNKNOWN, Arg, names

__all__ = ("VERBS", "Verb")

Verb: TypeAlias = Callable[[Call, Sequence[Arg]], None]

_PATH_LIKE = re.compile(r"(?:\.{1,2}(?:/.*)?|.*/|.*[^/.]\.[A-Za-z]{1,6}|:.*)\Z")


def _texts(args: Sequence[Arg]) -> list[str]:
    return [arg.text for arg in args]


def _operands(args: Sequence[Arg], with_value: frozenset[str] = frozenset()) -> list[Arg]:
    found: list[Arg] = []
    skip = ended = False
    for arg in args:
        if skip:
            skip = False
        elif ended or not arg.starts("-") or arg.text == "-":
            found.append(arg)
        elif arg.text == "--":
            ended = True
        else:
            skip = arg.text in with_value
    return found


def _short(args: Sequence[Arg], letters: str) -> bool:
    """Whether a cluster of short options holds one of *letters*."""
    return any(arg.starts("-") and not arg.starts("--") and set(arg.text[1:]) & set(letters) for arg in args)


_BRANCH_WRITES = frozenset(
    names("""
    -d -D --delete -m -M --move -c -C --copy -u --unset-upstream --edit-description --track --no-track -t
    --create-reflog -f --force
""")
)
_BRANCH_LISTS = frozenset(
    names(
        "--list -l --contains --no-contains --merged --no-merged --points-at --show-current -a "
        "--all -r --remotes -v -vv --format --sort"
    )
)


def branch(call: Call, args: Sequence[Arg]) -> None:
    """``git branch`` lists, unless it is given a name or told to change one."""
    texts = _texts(args)
    writes = any(
        text in _BRANCH_WRITES or text.startswith(("--set-upstream", "-u", "--delete", "--move")) for text in texts
    ) or _short(args, "dDmMcCfu")
    lists = any(text.partition("=")[0] in _BRANCH_LISTS for text in texts)
    named = _operands(
        args,
        frozenset(
            {
                "--format",
                "--sort",
                "--contains",
                "--no-contains",
                "--merged",
                "--no-merged",
                "--points-at",
                "--color",
                "--column",
                "--abbrev",
            }
        ),
    )
    add(call, "G" if writes or (named and not lists) else "g", "branch")


_TAG_LISTS = frozenset(
    names("-l --list --contains --no-contains --merged --no-merged --points-at --format --sort --column -v --verify")
)
_TAG_WRITES = frozenset(names("-d --delete -a -s -f -m -F -u --annotate --sign --force --message --file --edit -e"))


def tag(call: Call, args: Sequence[Arg]) -> None:
    """``git tag`` lists, unless it is given a name to make or delete."""
    texts = _texts(args)
    lists = any(text.partition("=")[0] in _TAG_LISTS or re.fullmatch(r"-l?n\d*", text) for text in texts)
    writes = any(text in _TAG_WRITES for text in texts)
    add(call, "G" if writes or (_operands(args) and not lists) else "g", "tag")


def stash(call: Call, args: Sequence[Arg]) -> None:
    """``git stash`` changes, but for list and show; drop and clear lose."""
    action = args[0].text if args else ""
    if args and not args[0].known:
        call.unresolved("unknown_subcommand", action)
    elif action in ("list", "show"):
        add(call, "g", action)
    elif action in ("drop", "clear"):
        add(call, "GD", action)
    else:
        add(call, "G", "stash")


def remote(call: Call, args: Sequence[Arg]) -> None:
    """``git remote`` lists; show and update ask the remote."""
    words = [arg for arg in args if not arg.starts("-")]
    action = words[0].text if words else ""
    if words and not words[0].known:
        call.unresolved("unknown_subcommand", action)
    elif action in ("", "get-url"):
        add(call, "g", "remote")
    elif action == "show":
        add(call, "g" if "-n" in _texts(args) or len(words) == 1 else "gN", action)
    elif action in ("update", "prune") or (action == "add" and any(text in ("-f", "--fetch") for text in _texts(args))):
        add(call, "GN", action)
    else:
        add(call, "G", action)


_CONFIG_READS = frozenset(
    names("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list get list")
)
_CONFIG_WRITES = frozenset(
    names(
        "--add --replace-all --unset --unset-all --remove-section --rename-section -e --edit set "
        "unset rename-section remove-section edit"
    )
)


def config(call: Call, args: Sequence[Arg]) -> None:
    """``git config NAME`` reads, ``git config NAME VALUE`` writes."""
    texts = _texts(args)
    operands = _operands(
        args, frozenset({"-f", "--file", "--blob", "--type", "--default", "-t", "--comment", "--value"})
    )
    first = operands[0].text if operands else ""
    if any(text in _CONFIG_WRITES for text in texts if text.startswith("-")) or first in _CONFIG_WRITES:
        add(call, "G", "config")
    elif (
        any(text.partition("=")[0] in _CONFIG_READS for text in texts if text.startswith("-")) or first in _CONFIG_READS
    ):
        add(call, "g", "config")
    else:
        add(call, "G" if len(operands) != 1 else "g", "config")


def checkout(call: Call, args: Sequence[Arg]) -> None:
    """``git checkout`` moves, and loses work where it takes paths or is forced."""
    add(call, "G", "checkout")
    texts = _texts(args)
    creates = any(text in ("-b", "-B", "--orphan") for text in texts)
    operands = _operands(args)
    forced = any(
        text in ("-f", "--force", "-p", "--patch", "--ours", "--theirs", "-m", "--pathspec-from-file") for text in texts
    )
    paths = "--" in texts or any(_PATH_LIKE.match(arg.text) for arg in operands) or len(operands) > 1
    if forced or (paths and not creates):
        call.destroys("loses_work", "checkout")


def restore(call: Call, args: Sequence[Arg]) -> None:
    """``git restore`` overwrites working files, unless only the index is restored."""
    add(call, "G", "restore")
    texts = _texts(args)
    staged = any(text in ("-S", "--staged") for text in texts) or _short(args, "S")
    if not staged or any(text in ("-W", "--worktree") for text in texts) or _short(args, "W"):
        call.destroys("loses_work", "restore")


def reset(call: Call, args: Sequence[Arg]) -> None:
    """``git reset`` moves a ref; with --hard it loses work."""
    add(call, "G", "reset")
    if any(arg.starts("--h", "--merge", "--keep") or arg.text == UNKNOWN for arg in args):
        call.destroys("loses_work", "reset")


def clean(call: Call, args: Sequence[Arg]) -> None:
    """``git clean`` deletes; with -n it only lists."""
    if _dry(args) and not _short(args, "f"):
        add(call, "g", "clean")
    else:
        add(call, "g" if _dry(args) else "GD", "clean")


def _dry(args: Sequence[Arg]) -> bool:
    return any(arg.text == "--dry-run" for arg in args) or _short(args, "n")


def push(call: Call, args: Sequence[Arg]) -> None:
    """``git push`` sends; forced or deleting, it loses what others have."""
    add(call, "GN", "push")
    texts = _texts(args)
    if any(text.startswith(("--force", "--mirror", "--prune", "--delete", "+", ":")) for text in texts) or _short(
        args, "fd"
    ):
        call.destroys("loses_commits", "push")


def _unless_dry(classes: str) -> Verb:
    def verb(call: Call, args: Sequence[Arg]) -> None:
        add(call, "g" if any(arg.text in ("-n", "--dry-run") for arg in args) else classes, "")

    return verb


def commit(call: Call, args: Sequence[Arg]) -> None:
    """``git commit``; only its dry run changes nothing."""
    add(
        call,
        "g" if any(arg.text in ("--dry-run", "--short", "--porcelain", "--long") for arg in args) else "G",
        "commit",
    )


def apply(call: Call, args: Sequence[Arg]) -> None:
    """``git apply`` changes files; with --check or --stat it only looks."""
    texts = _texts(args)
    looks = any(text in ("--check", "--stat", "--numstat", "--summary") for text in texts) and "--apply" not in texts
    add(call, "g" if looks else "G", "apply")


def reflog(call: Call, args: Sequence[Arg]) -> None:
    """``git reflog`` shows; expire and delete prune."""
    action = args[0].text if args else ""
    if args and not args[0].known:
        call.unresolved("unknown_subcommand", action)
    add(call, "GD" if action in ("expire", "delete", "drop") else "G" if action == "write" else "g", action)


def worktree(call: Call, args: Sequence[Arg]) -> None:
    """``git worktree`` lists, adds, moves; remove and prune lose."""
    action = args[0].text if args else ""
    if not args or not args[0].known:
        call.unresolved("unknown_subcommand", action)
    add(call, {"list": "g", "add": "GW", "remove": "GD", "prune": "GD"}.get(action, "G"), action)


def submodule(call: Call, args: Sequence[Arg]) -> None:
    """``git submodule`` reports, or fetches and changes; foreach runs shell text."""
    words = [arg for arg in args if not arg.starts("-") or arg.loose]
    action = words[0].text if words else "status"
    if action in ("status", "summary"):
        add(call, "g", action)
    elif action in ("add", "update"):
        add(call, "GN", action)
    elif action == "foreach":
        add(call, "g", action)
        payload = words[1:]
        if len(payload) == 1:
            call.shell(payload[0])
        elif payload:
            rest = list(args[args.index(payload[0]) :])
            call.shell(Arg(" ".join(arg.text for arg in rest)) if all(arg.known for arg in rest) else Arg(UNKNOWN))
    elif action == "deinit":
        add(call, "GD", action)
    elif words and not words[0].known:
        call.unresolved("unknown_subcommand")
    else:
        add(call, "G", action)


def bisect(call: Call, args: Sequence[Arg]) -> None:
    """``git bisect`` moves; run runs a command."""
    action = args[0].text if args else "help"
    if action in ("log", "view", "visualize", "help", "terms"):
        add(call, "g", action)
        return
    add(call, "G", action)
    if action == "run":
        call.run(list(args[1:]))


def notes(call: Call, args: Sequence[Arg]) -> None:
    """``git notes`` lists and shows, or changes."""
    words = [arg.text for arg in args if not arg.starts("-")]
    add(call, "g" if not words or words[0] in ("list", "show", "get-ref") else "G", "notes")


def symbolic_ref(call: Call, args: Sequence[Arg]) -> None:
    """``git symbolic-ref NAME`` reads, with a second name it writes."""
    changes = len(_operands(args, frozenset({"-m"}))) > 1 or any(arg.text in ("-d", "--delete") for arg in args)
    add(call, "G" if changes else "g", "symbolic-ref")


def hash_object(call: Call, args: Sequence[Arg]) -> None:
    """``git hash-object`` prints; with -w it stores."""
    add(call, "G" if _short(args, "w") else "g", "hash-object")


def format_patch(call: Call, args: Sequence[Arg]) -> None:
    """``git format-patch`` writes files, unless told to print."""
    add(call, "g", "format-patch")
    if not any(arg.text == "--stdout" for arg in args):
        call.note(OpClass.FILE_WRITE, "writes_file", "patches")


def archive(call: Call, args: Sequence[Arg]) -> None:
    """``git archive`` prints, or writes with -o, or asks a remote."""
    add(call, "g", "archive")
    for position, arg in enumerate(args):
        if arg.starts("-o"):
            given = (
                Arg(arg.text[2:]) if len(arg.text) > 2 else args[position + 1] if position + 1 < len(args) else Arg("")
            )  # -oFILE
            call.writes(given)
        elif arg.starts("--remote"):
            call.network(detail=arg.text)


def bundle(call: Call, args: Sequence[Arg]) -> None:
    """``git bundle`` writes a file, or looks into one."""
    action = args[0].text if args else ""
    add(call, {"create": "W", "verify": "g", "list-heads": "g"}.get(action, "G"), action)


def grep(call: Call, args: Sequence[Arg]) -> None:
    """``git grep`` searches; -O opens what it finds in a pager."""
    add(call, "g", "grep")
    for arg in args:
        if arg.text == "--":
            return
        if arg.starts("-O") or (
            arg.starts("-")
            and not arg.starts("--")
            and re.fullmatch(r"-[a-zA-Z]*O.*", arg.text)
            and not re.match(r"-[ABCefm]", arg.text)
        ):
            pager = arg.text.partition("O")[2]
            if pager:
                call.shell(Arg(pager))
            else:
                call.unresolved("option_runs_code", arg.text)


def fsck(call: Call, args: Sequence[Arg]) -> None:
    """``git fsck`` checks; with --lost-found it writes what it finds."""
    add(call, "gW" if any(arg.starts("--lost") for arg in args) else "g", "fsck")


def replace(call: Call, args: Sequence[Arg]) -> None:
    """``git replace`` lists, or changes."""
    add(call, "G" if _operands(args) and "-l" not in _texts(args) else "g", "replace")


def trailers(call: Call, args: Sequence[Arg]) -> None:
    """``git interpret-trailers`` prints, or edits in place."""
    add(call, "M" if any(arg.starts("--in-p") for arg in args) else "g", "interpret-trailers")


def sparse(call: Call, args: Sequence[Arg]) -> None:
    """``git sparse-checkout list`` reads."""
    add(call, "g" if args and args[0].text in ("list", "check-rules") else "G", "sparse-checkout")


def maintenance(call: Call, args: Sequence[Arg]) -> None:
    """``git maintenance`` repacks, or sets up a timer."""
    add(call, "GD" if args and args[0].text in ("run", "start", "register", "stop") else "G", "maintenance")


def lfs(call: Call, args: Sequence[Arg]) -> None:
    """``git lfs`` reports, changes the repository, or moves objects."""
    action = args[0].text if args else ""
    classes = dict.fromkeys(("ls-files", "status", "env", "version", "locks-verify", ""), "g")
    classes |= dict.fromkeys(("fetch", "pull", "push", "clone", "lock", "unlock", "locks"), "GN")
    classes |= {
        "prune": "GD",
        "track": "GW",
        "untrack": "GW",
        "install": "G",
        "uninstall": "G",
        "checkout": "GD",
        "migrate": "GD",
        "fsck": "g",
        "logs": "g",
    }
    add(call, classes.get(action, "GU"), action)


def rerere(call: Call, args: Sequence[Arg]) -> None:
    """``git rerere`` records; status, diff and remaining only show."""
    add(call, "g" if args and args[0].text in ("status", "diff", "remaining") else "G", "rerere")


def remove(call: Call, args: Sequence[Arg]) -> None:
    """``git rm`` deletes, unless it is a dry run."""
    add(call, "g" if any(arg.text in ("-n", "--dry-run") for arg in args) else "GD", "rm")


def difftool(call: Call, args: Sequence[Arg]) -> None:
    """``git difftool`` starts a program; the one named by -x is judged."""
    texts = _texts(args)
    if "--tool-help" in texts:
        add(call, "g", "difftool")
        return
    named = [i for i, text in enumerate(texts) if text == "-x"]
    if not named and not any(text.startswith(("--extcmd=", "-x")) for text in texts):
        call.unresolved("option_runs_code", "difftool")
    add(call, "g", "difftool")
    for position in named:
        call.shell(args[position + 1] if position + 1 < len(args) else Arg(UNKNOWN))
    for text in texts:
        if text.startswith("-x") and len(text) > 2:  # -xCMD
            call.shell(Arg(text[2:]))


VERBS: dict[str, Verb] = {
    "branch": branch,
    "tag": tag,
    "stash": stash,
    "remote": remote,
    "config": config,
    "checkout": checkout,
    "restore": restore,
    "reset": reset,
    "clean": clean,
    "push": push,
    "add": _unless_dry("G"),
    "stage": _unless_dry("G"),
    "mv": _unless_dry("G"),
    "commit": commit,
    "apply": apply,
    "reflog": reflog,
    "worktree": worktree,
    "submodule": submodule,
    "bisect": bisect,
    "notes": notes,
    "symbolic-ref": symbolic_ref,
    "hash-object": hash_object,
    "format-patch": format_patch,
    "archive": archive,
    "bundle": bundle,
    "grep": grep,
    "fsck": fsck,
    "replace": replace,
    "interpret-trailers": trailers,
    "sparse-checkout": sparse,
    "maintenance": maintenance,
    "lfs": lfs,
    "rerere": rerere,
    "rm": remove,
    "difftool": difftool,
}
"""The subcommands that have a rule of their own."""
