"""Wrappers that record or hold what they run: script, perf, tmux and their like."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = (
    "perf",
    "script",
    "tmux",
)


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
