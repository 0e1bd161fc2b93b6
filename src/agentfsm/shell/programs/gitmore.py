"""git's verbs about other things than refs and files: notes, replacements, tools, large files."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call
from agentfsm.shell.programs.gitargs import operands_of, words_of
from agentfsm.shell.programs.roles import add
from agentfsm.shell.values import UNKNOWN, Arg

__all__ = (
    "difftool",
    "lfs",
    "maintenance",
    "notes",
    "replace",
    "rerere",
    "sparse",
    "trailers",
)


def notes(call: Call, args: Sequence[Arg]) -> None:
    """``git notes`` lists and shows, or changes."""
    words = [arg.text for arg in args if not arg.starts("-")]
    add(call, "g" if not words or words[0] in ("list", "show", "get-ref") else "G", "notes")


def replace(call: Call, args: Sequence[Arg]) -> None:
    """``git replace`` lists, or changes."""
    add(call, "G" if operands_of(args) and "-l" not in words_of(args) else "g", "replace")


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


def difftool(call: Call, args: Sequence[Arg]) -> None:
    """``git difftool`` starts a program; the one named by -x is judged."""
    texts = words_of(args)
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
