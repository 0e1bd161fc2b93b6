"""Options of single git subcommands that run, get or lose something (git manual)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agentfsm.shell.call import Call
from agentfsm.shell.programs.gitconfig import judge_setting
from agentfsm.shell.values import Arg

__all__ = ("payloads",)


def settings(call: Call, args: Sequence[Arg]) -> None:
    """Judge the settings and the program of the other side that ``git clone`` is given."""
    for option, value in pairwise(args):
        if option.text in ("-c", "--config"):
            key, _, text = value.text.partition("=")
            judge_setting(call, key, text)
        elif option.text == "-u":
            call.unresolved("option_runs_code", "-u")


def payloads(call: Call, verb: str, args: Sequence[Arg]) -> None:
    """Judge the options of single subcommands that change what they do."""
    texts = [arg.text for arg in args]
    if verb in _TRANSPORTS and any(text.startswith("ext::") for text in texts):
        call.unresolved("option_runs_code", "ext::")
    if verb == "clone":
        settings(call, args)
    if verb == "rebase":
        for position, text in enumerate(texts):
            if text == "-x" and position + 1 < len(args):
                call.shell(args[position + 1])
            elif text.startswith("-x") and len(text) > 2:  # -xCMD
                call.shell(Arg(text[2:]))
            elif text in ("-s", "--strategy") and position + 1 < len(args) and not args[position + 1].known:
                call.unresolved("unknown_code", text)
    if verb in ("merge", "rebase", "am", "cherry-pick", "revert") and "--abort" in texts:
        call.destroys("loses_work", "--abort")
    if verb == "switch" and any(text in ("-f", "--force", "--discard-changes") for text in texts):
        call.destroys("loses_work", verb)
    if verb == "fast-export":
        for text in texts:
            if text.startswith("--export-marks="):
                call.writes(Arg(text.partition("=")[2]))
    if verb == "repack" and any(text.startswith("-") and not text.startswith("--") and "d" in text for text in texts):
        call.destroys("prunes_objects", verb)


_TRANSPORTS = frozenset({"clone", "fetch", "pull", "ls-remote", "fetch-pack", "send-pack"})
