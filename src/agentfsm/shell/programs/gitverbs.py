"""git's subcommands that either read or change, depending on their arguments (git manual; standard, rule 12)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.shell.call import Call
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.gitargs import Verb, has_letter, is_dry, operands_of, words_of
from agentfsm.shell.programs.gitmore import difftool, lfs, maintenance, notes, replace, rerere, sparse, trailers
from agentfsm.shell.programs.gitrefs import branch, config, remote, stash, tag
from agentfsm.shell.programs.roles import add
from agentfsm.shell.values import UNKNOWN, Arg

__all__ = ("VERBS", "Verb")

_PATH_LIKE = re.compile(r"(?:\.{1,2}(?:/.*)?|.*/|.*[^/.]\.[A-Za-z]{1,6}|:.*)\Z")


def checkout(call: Call, args: Sequence[Arg]) -> None:
    """``git checkout`` moves, and loses work where it takes paths or is forced."""
    add(call, "G", "checkout")
    texts = words_of(args)
    creates = any(text in ("-b", "-B", "--orphan") for text in texts)
    operands = operands_of(args)
    forced = any(
        text in ("-f", "--force", "-p", "--patch", "--ours", "--theirs", "-m", "--pathspec-from-file") for text in texts
    )
    paths = "--" in texts or any(_PATH_LIKE.match(arg.text) for arg in operands) or len(operands) > 1
    if forced or (paths and not creates):
        call.destroys("loses_work", "checkout")


def restore(call: Call, args: Sequence[Arg]) -> None:
    """``git restore`` overwrites working files, unless only the index is restored."""
    add(call, "G", "restore")
    texts = words_of(args)
    staged = any(text in ("-S", "--staged") for text in texts) or has_letter(args, "S")
    if not staged or any(text in ("-W", "--worktree") for text in texts) or has_letter(args, "W"):
        call.destroys("loses_work", "restore")


def reset(call: Call, args: Sequence[Arg]) -> None:
    """``git reset`` moves a ref; with --hard it loses work."""
    add(call, "G", "reset")
    if any(arg.starts("--h", "--merge", "--keep") or arg.text == UNKNOWN for arg in args):
        call.destroys("loses_work", "reset")


def clean(call: Call, args: Sequence[Arg]) -> None:
    """``git clean`` deletes; with -n it only lists."""
    if is_dry(args) and not has_letter(args, "f"):
        add(call, "g", "clean")
    else:
        add(call, "g" if is_dry(args) else "GD", "clean")


def push(call: Call, args: Sequence[Arg]) -> None:
    """``git push`` sends; forced or deleting, it loses what others have."""
    add(call, "GN", "push")
    texts = words_of(args)
    if any(text.startswith(("--force", "--mirror", "--prune", "--delete", "+", ":")) for text in texts) or has_letter(
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
    texts = words_of(args)
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


def symbolic_ref(call: Call, args: Sequence[Arg]) -> None:
    """``git symbolic-ref NAME`` reads, with a second name it writes."""
    changes = len(operands_of(args, frozenset({"-m"}))) > 1 or any(arg.text in ("-d", "--delete") for arg in args)
    add(call, "G" if changes else "g", "symbolic-ref")


def hash_object(call: Call, args: Sequence[Arg]) -> None:
    """``git hash-object`` prints; with -w it stores."""
    add(call, "G" if has_letter(args, "w") else "g", "hash-object")


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


def remove(call: Call, args: Sequence[Arg]) -> None:
    """``git rm`` deletes, unless it is a dry run."""
    add(call, "g" if any(arg.text in ("-n", "--dry-run") for arg in args) else "GD", "rm")


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
