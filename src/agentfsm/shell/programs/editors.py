"""Editors: whatever they are told is a script, and scripts of editors are opaque (standard, rule 10)."""

from __future__ import annotations

from agentfsm.shell.call import Call, Rule

__all__ = ("RULES", "TABLE")

TABLE = """
ed red ex sam acme nano pico vi vim vimdiff nvim view rview rvim gvim emacs emacsclient micro helix hx kak joe jed
    mg ne zile mcedit kate gedit code code-insiders cursor subl sublime atom zed idea pycharm webstorm notepad
    xdg-open open gio vimtutor ranger nnn mc lf vifm yazi dired fzf sk peco percol gum dialog whiptail zenity
    kdialog | +U | . |
select-editor sensible-editor sensible-pager sensible-browser run-mailcap see edit compose print editor pager
    x-www-browser | +U | . |
"""

_VERSIONS = frozenset({"--version", "-h", "--help", "-V", "-v"})


def editor(call: Call) -> None:
    """An editor: opaque, but for its version."""
    if len(call.args) == 1 and call.args[0].text in _VERSIONS:
        return
    call.unresolved("opaque_code", call.name)


def fzf(call: Call) -> None:
    """``fzf`` filters; without options that run something it is a filter of standard input."""
    allowed = (
        "-f",
        "--filter",
        "-e",
        "-x",
        "-i",
        "+i",
        "-q",
        "--query",
        "-1",
        "-0",
        "--exact",
        "--tac",
        "-n",
        "--nth",
        "-d",
        "--delimiter",
        "--no-sort",
        "+s",
        "--height",
        "--reverse",
        "-m",
        "--multi",
        "--ansi",
        "--prompt",
        "--header",
        "--layout",
        "--border",
        "--print-query",
        "--select-1",
        "--exit-0",
        "--read0",
        "--print0",
        "--version",
    )
    for arg in call.args:
        if (arg.starts("-", "+") and not arg.text.partition("=")[0].startswith(allowed)) or arg.starts(
            "--bind", "--preview", "--execute", "--become", "--listen"
        ):
            call.unresolved("option_runs_code", arg.text)


RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (
            "vi",
            "vim",
            "nvim",
            "view",
            "ed",
            "ex",
            "emacs",
            "nano",
            "code",
            "gvim",
            "vimdiff",
            "rvim",
            "micro",
            "hx",
            "helix",
            "kak",
        ),
        editor,
    ),
    "fzf": fzf,
    "sk": fzf,
}
