"""git's settings whose value is run or loads code (git-config manual)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call
from agentfsm.shell.values import Arg, is_constant

__all__ = ("judge_setting", "runs")

_RUNS = re.compile(
    r"""
    core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|attributesfile)
    |pager\..*|sequence\.editor|diff\.external|diff\..*\.(?:command|textconv)|(?:diff|merge)tool\..*\.(?:cmd|path)|diff\.(?:gui)?tool|merge\.(?:gui)?tool
    |merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|alias\..*|credential\..*helper|credential\.helper|gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand
    |sendemail\..*cmd|sendemail\..*(?:smtpserver|sendmailcmd)|interactive\.difffilter|web\.browser|browser\..*|man\..*|help\.browser|uploadpack\.packobjectshook
    |remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|url\..*|protocol\..*|include\.path|includeif\..*|init\.templatedir|trailer\..*\.(?:command|cmd)
    |submodule\..*\.update|tar\..*\.command|guitool\..*|instaweb\..*|imap\.tunnel|lfs\..*|core\.worktree|receive\.procreceiverefs|http\.proxy|hook\..*
    |core\.sshvariant|extensions\..*|gc\..*command|bisect\..*|mailinfo\..*|fsck\..*|http\..*\.proxy|core\.gitdir|format\..*command|merge\.verifysignaturescmd|rebase\..*command
    """,
    re.VERBOSE,
)
_TEXTS = re.compile(
    r"core\.(?:pager|editor|askpass|sshcommand)|pager\..*|sequence\.editor|diff\.external|"
    r"interactive\.difffilter|web\.browser|gpg\.program|credential\.helper"
)
_SWITCHES = frozenset({"", "true", "false", "0", "1", "yes", "no", "on", "off", "always", "never", "/dev/null"})


def runs(key: str) -> bool:
    """Whether the value of a setting is run or loads code."""
    return _RUNS.fullmatch(key.lower()) is not None


def judge_setting(call: Call, key: str, value: str | None) -> None:
    """Judge a setting given on the command line; *value* is None where it is not known."""
    if not is_constant(key):
        call.unresolved("unknown_setting", key)
        return
    if not runs(key):
        return
    if value is None or not is_constant(value):
        call.unresolved("setting_runs_code", key)
    elif value in _SWITCHES:
        return
    elif key.lower().startswith("alias."):
        call.shell(Arg(value[1:] if value.startswith("!") else "git " + value))
    elif _TEXTS.fullmatch(key.lower()):
        call.shell(Arg(value.lstrip("!")))
    else:
        call.unresolved("setting_runs_code", key)
