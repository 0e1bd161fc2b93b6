"""ssh and its family: hosts, commands and the settings that run something (ssh_config(5))."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.files import is_remote
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import Arg

__all__ = (
    "scp",
    "ssh",
)


_DANGEROUS_SSH = (
    "proxycommand",
    "localcommand",
    "permitlocalcommand",
    "knownhostscommand",
    "match",
    "include",
    "pkcs11provider",
    "securitykeyprovider",
    "xauthlocation",
    "remotecommand",
)


def ssh(call: Call) -> None:
    """``ssh`` runs something on another machine; several settings run something on this one."""
    texts = [arg.text for arg in call.args]
    if texts == ["-V"] or texts[:1] == ["-Q"]:
        return
    if "-G" not in texts:
        call.network()
    options(call)


def options(call: Call) -> None:
    """Judge the settings that ssh, scp and sftp share."""
    spec = compiled(
        "words stop | | -o= -F=:o -S= -J= -i= -p= -P= -l= -L= -R= -D= -W= -w= -b= -B= -c= -e= "
        "-E=:w -I=:X -m= -O= -Q= -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y "
        "-y -r -3 -X="
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for setting in found.values("-o"):
        key, equals, value = setting.text.partition("=")
        if not equals:
            key, _, value = setting.text.partition(" ")
        if not setting.known and "\0" in key:
            call.unresolved("unknown_setting", key)
        elif key.strip().lower() in _DANGEROUS_SSH and value.strip().lower() not in ("none", "no", ""):
            if key.strip().lower() in ("proxycommand", "localcommand", "knownhostscommand") and setting.known:
                call.shell(Arg(value.strip().replace("%h", "host").replace("%p", "22").replace("%r", "user")))
                call.unresolved("option_runs_code", key) if key.strip().lower() != "proxycommand" else None
            elif key.strip().lower() not in ("permitlocalcommand", "remotecommand"):
                call.unresolved("option_runs_code", key)


def scp(call: Call) -> None:
    """``scp`` and ``sftp`` copy from or to another machine; -S is the program they use."""
    call.network()
    args = list(call.args)
    for position, arg in enumerate(args):
        if arg.text == "-S" and position + 1 < len(args):
            call.shell(args[position + 1])
        elif arg.starts("-S") and len(arg.text) > 2:  # -SPROGRAM
            call.shell(Arg(arg.text[2:]))
    options(call)
    targets = [arg for arg in args if not arg.starts("-")]
    if call.name == "scp" and targets and not is_remote(targets[-1].text) and not targets[-1].starts("scp://"):
        call.writes(targets[-1])
    if call.name == "sftp" and any(arg.starts("-b") for arg in args):
        call.unresolved("opaque_script", "-b")
