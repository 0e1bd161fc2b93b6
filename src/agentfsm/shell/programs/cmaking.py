"""cmake: configures, builds, and is a tool box (cmake(1))."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import apply, read_arguments
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.programs.targets import target_classes
from agentfsm.shell.values import is_constant

__all__ = ("cmake",)


_TOOL = re.compile(
    r"_(?:COMPILER|LAUNCHER|LINKER|MAKE_PROGRAM|EMULATOR|TOOLCHAIN_FILE)$|_INCLUDE(?:_BEFORE)?$|_INCLUDE_WHAT|_CLANG_TIDY$"
)


def cmake(call: Call) -> None:
    """``cmake`` configures and builds; ``-E`` is a tool box, ``-P`` runs a script."""
    texts = [arg.text for arg in call.args]
    if (
        not texts
        or texts[0] in ("--version", "--help", "-version")
        or texts[0].startswith(("--help", "--list-presets"))
    ):
        return
    if texts[0] == "-E":
        toolbox(call, texts[1:])
        return
    spec = compiled(
        "words | | -S= -B=:w -D=  -U= -G= -T= -A= -C=:X -P=:X -L -LA -LAH -N -W= --preset= "
        "--build= -t,--target= -j,--parallel=? --config= -v,--verbose --clean-first --install= "
        "--prefix= --component= --fresh --graphviz=:w --toolchain=:o "
        "--log-level= --trace --trace-expand --warn-uninitialized --find-package --open= "
        "--workflow --install-prefix= --debug-output --profiling-output=:w --strip -Wno-dev -Wdev"
    )
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    for target in found.values("-t", "--target"):
        classes = target_classes(target.text)
        if classes != "W":
            add(call, classes, target.text)
    for setting in found.values("-D"):
        name, _, value = setting.text.partition("=")
        if _TOOL.search(name.partition(":")[0].upper()) and ("/" in value or not is_constant(value)):
            call.unresolved("setting_runs_code", name)
    add(call, "R" if "-N" in texts else "W", "configures or builds")


def toolbox(call: Call, words: list[str]) -> None:
    """Judge ``cmake -E``."""
    action = words[0] if words else ""
    reads = (
        "echo",
        "capabilities",
        "environment",
        "compare_files",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "sha512sum",
        "sleep",
        "true",
        "false",
        "cat",
        "echo_append",
        "help",
    )
    if action in ("env", "time", "chdir", "cmake_llvm_rc"):
        rest = [arg for arg in call.args[2:] if not (action == "env" and "=" in arg.text)]
        call.run(rest[1:] if action == "chdir" else rest)
    elif action.startswith(("remove", "rm")):
        add(call, "D", action)
    elif action not in reads:
        add(call, "W", action)
