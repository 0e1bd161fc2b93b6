"""Python's package and project tools: pip, poetry, uv, hatch, conda (standard, rules 8 and 9)."""

from __future__ import annotations

from agentfsm.shell.call import Call
from agentfsm.shell.programs.arguments import Parsed
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg

__all__ = (
    "CONDA",
    "HATCH",
    "PIPX",
    "POETRY",
    "PYENV",
    "UV",
    "conda_config",
    "is_local",
    "pip",
    "poetry_config",
    "run_rest",
)


def is_local(arg: Arg) -> bool:
    """Whether an argument names a folder or archive here instead of a package."""
    text = arg.text
    return (
        text.startswith((".", "/", "~", "file:"))
        or text.endswith((".whl", ".tar.gz", ".zip"))
        or ("/" in text and "://" not in text and "@" not in text)
    )


def pip_install(call: Call, found: Parsed) -> None:
    """``pip install`` gets packages; from a local folder it runs build code."""
    if found.has("--help"):
        return
    add(call, "N", "install")
    if not found.has("--dry-run"):
        add(call, "W", "install")
    if found.has("-e", "--editable") or any(is_local(arg) for arg in found.operands[1:]):
        call.unresolved("runs_build_code", "local folder")


def pip_list(call: Call, found: Parsed) -> None:
    """``pip list`` is local unless it asks for newer versions."""
    if found.has("-o", "--outdated", "-u", "--uptodate"):
        add(call, "N", "list")


_PIP = """
show freeze check debug inspect help completion config/list config/get config/debug cache/dir cache/info
    cache/list hash |
config/set config/unset config/edit | W
download wheel lock                      | NW
uninstall                                | D
cache/purge cache/remove                 | D
index search index/versions              | N
"""
_PIP_ROW = (
    "words | | -q -v -h -r,--requirement= -c,--constraint= -e,--editable= -i,--index-url= "
    "--extra-index-url= -f,--find-links= -t,--target=:w --prefix=:w --root=:w "
    "--python=:X -U,--upgrade --user --pre --no-deps --dry-run --format= --outdated -o "
    "--uptodate -u --not-required -l,--local -y,--yes --no-input --no-cache-dir "
    "--disable-pip-version-check "
    "--log=:w --report=:w --proxy= --cache-dir= --timeout= --retries= --cert= --trusted-host= "
    "-d,--dest=:w -w,--wheel-dir=:w --exclude= --path= --platform= --python-version= --abi= "
    "--implementation= --no-binary= --only-binary= --break-system-packages --config-settings= "
    "--global-option= --help --editable --exclude-editable --no-index --force-reinstall "
    "--ignore-installed --no-build-isolation --require-virtualenv --isolated --files --verbose "
    "--quiet --all -a --json"
)

pip = by_subcommand(_PIP, _PIP_ROW, {"install": pip_install, "list": pip_list})

POETRY = """
version check show env/info env/list list about debug help env/activate source/show |
install update add lock sync self/update self/add  | NW
remove env/remove cache/clear              | D
build new init export version/set          | W
publish                                    | N
shell                                      | U
"""
UV = """
version help tree pip/list pip/show pip/freeze pip/tree pip/check python/list python/find python/dir cache/dir
    tool/list tool/dir auth/dir self/version cache/size |
pip/install pip/sync pip/compile sync lock add python/install tool/install self/update tool/upgrade python/upgrade
    export | NW
venv init build python/pin generate-shell-completion format | W
remove pip/uninstall tool/uninstall python/uninstall cache/clean cache/prune | D
publish tool/run                            | N
run                                         |
"""
HATCH = """
version status env/show env/find config/show config/find dep/show help project/metadata |
env/create build new fmt                           | W
run test                                    |
env/prune env/remove clean                  | D
publish                                     | N
shell                                       | U
"""
CONDA = """
list info env/list doctor compare help package |
install create update env/create env/update upgrade  | NW
remove uninstall env/remove clean             | D
search                                        | N
activate deactivate                           |
init                                          | W
build                                         | W
"""
PIPX = """
list environment help           |
install upgrade upgrade-all inject reinstall reinstall-all | NW
uninstall uninstall-all uninject            | D
run                                         | N
ensurepath                                  | W
"""
PYENV = """
versions version which whence root prefix shims commands help version-name version-file version-origin init |
global local rehash shell                   | W
install                                     | NW
uninstall                                   | D
"""


def run_rest(call: Call, found: Parsed) -> None:
    """Judge what a project runner runs: the words behind its own."""
    payload = list(call.args)
    while payload and payload[0].text != found.operands[0].text:
        payload.pop(0)
    payload = payload[1:]
    while payload and payload[0].starts("-") and not payload[0].loose:
        option = payload.pop(0).text
        if option == "--":
            break
        if option in _RUN_VALUES and payload:
            payload.pop(0)
    if payload:
        call.run(payload)


_RUN_VALUES = frozenset(
    {
        "-n",
        "--name",
        "-p",
        "--prefix",
        "--with",
        "--python",
        "--extra",
        "--group",
        "-C",
        "--directory",
        "--cwd",
        "--package",
        "--env-file",
        "-e",
        "--only-group",
        "--no-group",
    }
)


def poetry_config(call: Call, found: Parsed) -> None:
    """``poetry config --list`` reads; a value or --unset writes."""
    if len(found.operands) > 2 or found.has("--unset"):  # config, key, value
        add(call, "W", "config")


def conda_config(call: Call, found: Parsed) -> None:
    """``conda config --show`` reads."""
    if any(arg.starts("--add", "--set", "--remove", "--append", "--prepend", "--write") for arg in call.args):
        add(call, "W", "config")
