"""git's verbs about names: branches, tags, stashes, remotes, settings (git manual; standard, rule 12)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentfsm.shell.call import Call
from agentfsm.shell.programs.gitargs import has_letter, operands_of, words_of
from agentfsm.shell.programs.roles import add
from agentfsm.shell.values import Arg, names

__all__ = (
    "branch",
    "config",
    "remote",
    "stash",
    "tag",
)


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
    texts = words_of(args)
    writes = any(
        text in _BRANCH_WRITES or text.startswith(("--set-upstream", "-u", "--delete", "--move")) for text in texts
    ) or has_letter(args, "dDmMcCfu")
    lists = any(text.partition("=")[0] in _BRANCH_LISTS for text in texts)
    named = operands_of(
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
    texts = words_of(args)
    lists = any(text.partition("=")[0] in _TAG_LISTS or re.fullmatch(r"-l?n\d*", text) for text in texts)
    writes = any(text in _TAG_WRITES for text in texts)
    add(call, "G" if writes or (operands_of(args) and not lists) else "g", "tag")


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
        add(call, "g" if "-n" in words_of(args) or len(words) == 1 else "gN", action)
    elif action in ("update", "prune") or (
        action == "add" and any(text in ("-f", "--fetch") for text in words_of(args))
    ):
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
    texts = words_of(args)
    operands = operands_of(
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
