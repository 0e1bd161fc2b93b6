"""``make`` and other task runners: the class follows from the target's name (standard, rules 8 and 9)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.environment_args import judged_assignment
from agentfsm.shell.programs.javascript import script_classes
from agentfsm.shell.programs.spec import add, apply, compiled, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import names

__all__ = ("RULES", "TABLE", "target_classes")

TABLE = """
cmake-gui ccmake | +U | . |
"""

_TARGETS = {
    **dict.fromkeys(
        names(
            "test tests check lint typecheck type-check unittest unit-test unit-tests test-unit "
            "test-all pytest mypy ruff flake8 vet clippy check-format format-check fmt-check "
            "checkstyle coverage integration-test integration-tests test-integration e2e check-types "
            "types pylint spec verify validate help list ci-lint ci-test static-analysis shellcheck "
            "syntax-check"
        ),
        "",
    ),
    **dict.fromkeys(
        names(
            "all build compile bin dist docs doc html man pdf debug release binary lib libs generate "
            "gen proto assets bundle default package app wheel sdist epub dirhtml latexpdf objects "
            "info dvi ps"
        ),
        "W",
    ),
    **dict.fromkeys(names("install install-strip uninstall-old deps install-deps"), "W"),
    **dict.fromkeys(
        names(
            "clean distclean mostlyclean maintainer-clean mrproper clobber realclean uninstall clean-all cleanall purge"
        ),
        "D",
    ),
    **dict.fromkeys(names("format fmt fix lint-fix tidy pretty"), "M"),
}
_FILE_TARGET = re.compile(
    r"(?:[\w.-]+/)*[\w-]+\.(?:o|so|a|bin|elf|hex|pdf|html|tar|gz|zip|exe|dll|dylib|lib|class|"
    r"jar|pyc|d|s|i|js|css|wasm|png|svg|txt|json|1|8|obj|out|img|iso)\Z"
)


def target_classes(name: str) -> str:
    """Return the classes of a target by its name; any other name is opaque."""
    if name in _TARGETS:
        return _TARGETS[name]
    if _FILE_TARGET.match(name):
        return "W"
    return script_classes(name)


_MAKE = (
    "words | | -bBeikLnpqrRsStvw -C,--directory= -d -f,--file,--makefile=:X "
    "-I,--include-dir=:X -j,--jobs=? -l,--load-average=? -o,--old-file,--assume-old= "
    "-W,--what-if,--new-file,--assume-new= "
    "-O,--output-sync=? -E,--eval=:X --trace --debug=? --dry-run --just-print --recon "
    "--question --always-make --environment-overrides --ignore-errors --keep-going "
    "--print-data-base --no-builtin-rules "
    "--no-builtin-variables --silent --quiet --no-silent --stop --no-keep-going --touch!W "
    "--version --help --print-directory --no-print-directory --warn-undefined-variables "
    "--check-symlink-times --shuffle=?"
)


def make(call: Call) -> None:
    """``make TARGET``: builds write; another makefile, or a variable that make runs, is code."""
    spec = compiled(_MAKE)
    found = read_arguments(call, spec, call.args)
    apply(call, spec, found)
    if found.has("--version", "--help", "-v"):
        return
    targets = []
    for operand in found.operands:
        if "=" in operand.text:
            judged_assignment(call, operand)
        else:
            targets.append(operand)
    quiet = found.has("-n", "--dry-run", "--just-print", "--recon", "-q", "--question")
    if quiet:
        return
    if not targets:
        add(call, "W", "default target")
    for target in targets:
        if not target.known:
            call.unresolved("unknown_subcommand", target.text)
        else:
            add(call, target_classes(target.text), target.text)


def tasks(row: str, listing: tuple[str, ...] = ()) -> Rule:
    """Return the rule of a task runner that takes names of tasks; without any it builds."""

    def rule(call: Call) -> None:
        spec = compiled(row)
        found = read_arguments(call, spec, call.args)
        apply(call, spec, found)
        if found.has("--version", "--help", "-h", "-V", *listing):
            return
        names = [operand for operand in found.operands if "=" not in operand.text]
        if not names:
            call.unresolved("opaque_program", "default task")
        for name in names:
            if not name.known:
                call.unresolved("unknown_subcommand")
            else:
                add(call, target_classes(name.text), name.text)

    return rule


def ninja(call: Call) -> None:
    """``ninja`` builds."""
    spec = compiled("words | | -C= -f=:X -j= -k= -l= -n -v -d= -t=:U -w= --version -h --quiet --help")
    found = read_arguments(call, spec, call.args)
    tool = [value.text for value in found.values("-t")]
    if found.has("--version", "-h", "-n", "--help") or (
        tool
        and tool[0]
        in ("list", "targets", "query", "graph", "deps", "commands", "compdb", "rules", "inputs", "missingdeps")
    ):
        return
    apply(call, spec, found)
    if tool:
        add(call, "D" if tool[0] in ("clean", "cleandead") else "W", tool[0])
        return
    if not found.operands:
        add(call, "W", "build")
    for target in found.operands:
        add(call, target_classes(target.text) if target.known else "U", target.text)


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
        "words | | -S= -B=:w -D=  -U= -G= -T= -A= -C=:o -P=:X -L -LA -LAH -N -W= --preset= "
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
    add(call, "W", "configures or builds")


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


_BAZEL = """
query cquery aqueryinfo info help version dump analyze-profile mod print_action canonicalize-flags |
build | W
test coverage |
clean shutdown | D
run mobile-install | U
fetch sync vendor | N
"""
RULES: dict[str, Rule] = {
    **dict.fromkeys(("make", "gmake", "bmake", "pmake", "remake"), make),
    "just": tasks(
        (
            "words | | -f,--justfile=:X -d,--working-directory=:o -l --list --summary --show= -s= "
            "--dump --evaluate --fmt!M --init!W -n,--dry-run --set= -c,--command=:x --variables "
            "--groups --shell=:X --choose!U --chooser=:X -e!U --edit!U -q -v -u --unstable --check "
            "--changelog --man"
        ),
        (
            "-l",
            "--list",
            "--summary",
            "--show",
            "-s",
            "--dump",
            "--evaluate",
            "-n",
            "--dry-run",
            "--variables",
            "--groups",
            "--fmt",
            "--init",
            "-c",
            "--man",
            "--changelog",
        ),
    ),
    "task": tasks(
        (
            "words | | -t,--taskfile=:X -d,--dir=:o -l --list -a --list-all --dry -n -s -v -f "
            "--summary --status -w -p -i,--init!W -g=:X --json -C= -o= --sort= -x -y"
        ),
        ("-l", "--list", "-a", "--list-all", "--dry", "-n", "--summary", "--status", "-i", "--init"),
    ),
    **dict.fromkeys(
        (
            "rake",
            "invoke",
            "inv",
            "fab",
            "doit",
            "paver",
            "scons",
            "waf",
            "grunt",
            "gulp",
            "jake",
            "cake",
            "mage",
            "ant",
            "phing",
            "buck",
            "buck2",
            "pants",
            "earthly",
            "poe",
            "thor",
            "redo",
        ),
        tasks(
            (
                "words | | -f=:X --rakefile=:X -T --tasks -l --list -n --dry-run -q -s -v -P -r=:X -I=:X "
                "-e=:X -E=:X -p=:X -c= -D= -j= -C=:o --gulpfile=:X --gruntfile=:X --require=:X -lib=:X "
                "-buildfile=:X -projecthelp -version --tasks-simple"
            ),
            ("-T", "--tasks", "-l", "--list", "-n", "--dry-run", "-projecthelp", "-version", "-P"),
        ),
    ),
    **dict.fromkeys(("ninja", "samu", "ninja-build"), ninja),
    "cmake": cmake,
    "cmake3": cmake,
    "cpack": by_subcommand("", "words +W | |", bare="W"),
    "meson": by_subcommand(
        (
            "setup compile dist init env2mfile rewrite format | W\n"
            "test introspect help configure |\n"
            "install | W\n"
            "subprojects wrap | NW\n"
            "devenv | U"
        ),
        (
            "words | | -C= --buildtype= -D= --prefix= --native-file=:o --cross-file=:o --wipe!D "
            "--reconfigure -j= --suite= --wrap=:x --wrapper=:x --gdb --repeat= -t= --clean!D"
        ),
    ),
    **dict.fromkeys(
        ("bazel", "bazelisk", "blaze"),
        by_subcommand(
            _BAZEL,
            (
                "words | | -c= --config= --test_filter= --test_output= --jobs= --run_under=:x --bazelrc=:o "
                "--override_repository=!U --verbose_failures --keep_going -k --define= --platforms= "
                "--host_jvm_args=!U --output=  --script_path=:w --build_event_json_file=:w --profile=:w "
                "--remote_executor=!N --remote_cache=!N --bes_backend=!N --copt= --plugin=!U "
                "--extra_toolchains=!U --action_env= --test_arg= --output_user_root=:w --output_base=:w"
            ),
        ),
    ),
    **dict.fromkeys(
        (
            "autoconf",
            "automake",
            "autoreconf",
            "aclocal",
            "autoheader",
            "libtoolize",
            "autogen",
            "qmake",
            "qmake6",
            "configure",
            "gyp",
            "gn",
            "premake5",
            "xmake",
            "imake",
            "glib-compile-schemas",
            "glib-compile-resources",
            "update-mime-database",
            "gtk-update-icon-cache",
            "fc-cache",
            "mandb",
            "texhash",
            "mktexlsr",
            "desktop-file-install",
        ),
        by_subcommand("", "pure +W | |", bare="W"),
    ),
}
