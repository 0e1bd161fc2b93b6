"""Python and its tools: the interpreter, ``-m`` modules, packaging (standard, rules 8 to 10)."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.purity import is_pure
from agentfsm.shell.programs.spec import Parsed, add, apply, compiled, logical_lines, read_arguments
from agentfsm.shell.programs.subcommands import by_subcommand
from agentfsm.shell.values import Arg, is_constant

__all__ = ("MODULES", "RULES", "TABLE")

TABLE = """
venv virtualenv | +W | . |
ensurepip | +W | . |
activate-global-python-argcomplete | +W | . |
pyinstaller cx_Freeze nuitka cython cythonize pyside6-rcc | +W | . |
pip-compile | +N +W | . |
pip-sync | +N +W +D | . |
twine | +N | . |
pipdeptree pip-licenses pipreqs pip-check johnnydep deptry | words | . | -o,--output=:w --output-file=:w
    -f,--format= --warn=
pip-audit safety | +N | . |
pyenv-virtualenv | +W | . |
"""

MODULES = """
pytest py.test unittest doctest nose2 nose trial            | pytest
json.tool                       | json.tool
mypy pyright basedpyright ruff black isort flake8 pylint pycodestyle pydocstyle pyflakes bandit vulture | =
autopep8 autoflake yapf pyupgrade docformatter mccabe radon xenon interrogate ty pytype pyre    | =
coverage tox nox pip venv virtualenv build pre_commit twine pipx uv poetry pdm hatch ensurepip | =
cProfile profile pdb trace runpy inspect idlelib turtledemo pickle code antigravity | U
http.server wsgiref smtpd asyncore xmlrpc.server uvicorn hypercorn gunicorn waitress SimpleHTTPServer pyftpdlib | N
webbrowser ftplib imaplib poplib smtplib telnetlib nntplib      | N
compileall py_compile zipapp gzip          | W
this platform sysconfig calendar uuid locale getopt symtable site encodings.rot_13 |
ast tokenize dis tabnanny pyclbr pickletools quopri base64 filecmp | R
"""

_MODULES: dict[str, str] = {}
for _line in logical_lines(MODULES):
    _names, _, _target = _line.partition("|")
    for _name in _names.split():
        _MODULES[_name] = _target.strip()

_FLAGS = frozenset("bBdEhIOPqRsStuvVx3i?")


def python(call: Call) -> None:
    """``python``: code must be provably pure, a module must be known, a script is opaque."""
    args = list(call.args)
    while args:
        text = args[0].text
        if args[0].loose:
            call.unresolved("loose_argument")
            return
        if text in ("--version", "--help", "-V", "-VV", "-h", "-?", "--help-env", "--help-xoptions", "--help-all"):
            return
        if text == "-" or text[:1] != "-":
            break
        args.pop(0)
        if text.startswith("--"):
            if text != "--check-hash-based-pycs":
                call.unresolved("unknown_option", text)
            if args:
                args.pop(0)
            continue
        if not cluster(call, text, args):
            return
    if args and args[0].text != "-":
        script(call, args[0])
    elif call.stdin is None or not is_constant(call.stdin) or not is_pure(call.stdin):
        call.unresolved("opaque_code", "standard input")


def script(call: Call, path: Arg) -> None:
    """Judge a script named by path."""
    if (
        path.text in ("/dev/stdin", "/dev/fd/0")
        and call.stdin is not None
        and is_constant(call.stdin)
        and is_pure(call.stdin)
    ):
        return
    if path.feed is not None and is_pure(path.feed):
        return
    call.unresolved("opaque_script", path.text)


def cluster(call: Call, text: str, args: list[Arg]) -> bool:
    """Judge one cluster of short options; whether options go on."""
    for position in range(1, len(text)):
        letter, rest = text[position], text[position + 1 :]
        if letter in "cmWXQ":
            value = Arg(rest) if rest else args.pop(0) if args else Arg("")
            if letter == "c":
                code(call, value)
                return False
            if letter == "m":
                module(call, value, args)
                return False
            if (letter == "X" and value.starts("presite", "frozen_modules=/")) or not is_constant(value.text):
                call.unresolved("option_runs_code", value.text)
            return True
        if letter == "i":
            call.unresolved("opaque_code", "interactive")
        elif letter not in _FLAGS:
            call.unresolved("unknown_option", text)
    return True


def code(call: Call, source: Arg) -> None:
    """Judge ``-c``."""
    if not source.known:
        call.unresolved("unknown_code", "python")
    elif not is_pure(source.text):
        call.unresolved("opaque_code", source.text[:80])


def module(call: Call, name: Arg, args: Sequence[Arg]) -> None:
    """Judge ``-m``: the class of the tool, opaque for any other module."""
    target = _MODULES.get(name.text) if name.known else None
    if target not in (None, "U") and [arg.text for arg in args] in (["--help"], ["-h"], ["--version"]):
        return
    if target is None:
        special = _SPECIAL_MODULES.get(name.text)
        if special is None:
            call.unresolved("opaque_module", name.text)
        else:
            special(Call(name.text, tuple(args), call.machine, call.stdin))
    elif target in ("=", "pytest"):
        program = (
            name.text.replace("pre_commit", "pre-commit")
            if target == "="
            else "pytest"
            if name.text in ("pytest", "py.test")
            else name.text
        )
        call.run([Arg({"unittest": "python-unittest", "doctest": "python-doctest"}.get(program, program)), *args])
    elif target == "json.tool":
        json_tool(Call(name.text, tuple(args), call.machine, call.stdin))
    else:
        add(call, target, name.text)
        if target == "R":
            for arg in args:
                if not arg.starts("-"):
                    call.reads(arg)


def json_tool(call: Call) -> None:
    """``json.tool [IN [OUT]]``"""
    spec = compiled(
        "strict | r w | --sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent "
        "--compact -h,--help --color --no-color"
    )
    apply(call, spec, read_arguments(call, spec, call.args))


def archive_module(call: Call) -> None:
    """``zipfile`` and ``tarfile`` list and test, or write."""
    first = call.args[0].text if call.args else ""
    if first in ("-l", "--list", "-t", "--test"):
        for arg in call.args[1:2]:
            call.reads(arg)
    else:
        add(call, "W", first)


def timing(call: Call) -> None:
    """``timeit`` runs its statements."""
    spec = compiled(
        "strict stop | | -n,--number= -r,--repeat= -s,--setup= -p,--process -u,--unit= -v,--verbose -h,--help --"
    )
    found = read_arguments(call, spec, call.args)
    for statement in [*found.operands, *found.values("-s", "--setup")]:
        code(call, statement)


def documentation(call: Call) -> None:
    """``pydoc`` shows, serves or writes pages; naming a module of the project would import it."""
    texts = [arg.text for arg in call.args]
    if any(text in ("-b", "-p", "-n") for text in texts):
        call.network()
    elif "-w" in texts:
        add(call, "W", "pydoc")
    elif any("/" in text for text in texts):
        call.unresolved("opaque_script", "pydoc")


_SPECIAL_MODULES: dict[str, Rule] = {
    "zipfile": archive_module,
    "tarfile": archive_module,
    "timeit": timing,
    "pydoc": documentation,
}


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
list show freeze check debug inspect help completion config/list config/get config/debug cache/dir cache/info
    cache/list hash |
config/set config/unset config/edit | W
install                                  |
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

_POETRY = """
version check show env/info env/list config list about debug help env/activate source/show |
install update add lock sync self/update self/add  | NW
remove env/remove cache/clear              | D
build new init export version/set          | W
publish                                    | N
run                                        |
shell                                      | U
"""
_UV = """
version help tree pip/list pip/show pip/freeze pip/tree pip/check python/list python/find python/dir cache/dir
    tool/list tool/dir auth/dir self/version cache/size |
pip/install pip/sync pip/compile sync lock add python/install tool/install self/update tool/upgrade python/upgrade
    export | NW
venv init build python/pin generate-shell-completion format | W
remove pip/uninstall tool/uninstall python/uninstall cache/clean cache/prune | D
publish tool/run                            | N
run                                         |
"""
_HATCH = """
version status env/show env/find config/show config/find dep/show help project/metadata |
env/create build new fmt                           | W
run test                                    |
env/prune env/remove clean                  | D
publish                                     | N
shell                                       | U
"""
_CONDA = """
list info env/list config doctor compare help package |
install create update env/create env/update upgrade  | NW
remove uninstall env/remove clean             | D
search                                        | N
run                                           |
activate deactivate                           |
init                                          | W
build                                         | W
"""
_COVERAGE = """
report debug help                  |
html xml json lcov annotate combine         | W
erase                                       | D
run                                         |
"""
_PIPX = """
list environment help           |
install upgrade upgrade-all inject reinstall reinstall-all | NW
uninstall uninstall-all uninject            | D
run                                         | N
ensurepath                                  | W
"""
_PYENV = """
versions version which whence root prefix shims commands help version-name version-file version-origin init |
global local rehash shell                   | W
install                                     | NW
uninstall                                   | D
exec                                        |
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


def uv_run(call: Call, found: Parsed) -> None:
    """``uv run`` brings the environment up to date first, unless told not to."""
    texts = {arg.text for arg in call.args}
    if not texts & {"--no-sync", "--frozen-offline"}:
        add(call, "NW", "sync")
    if any(arg.starts("--with") for arg in call.args):
        add(call, "NW", "--with")
    if texts & {"-m", "--module"}:
        position = next(i for i, arg in enumerate(call.args) if arg.text in ("-m", "--module"))
        python(Call("python", call.args[position:], call.machine, call.stdin))
        return
    run_rest(call, found)


def coverage_run(call: Call, found: Parsed) -> None:
    """``coverage run -m pytest`` is a test run; a script is opaque."""
    position = next((i for i, arg in enumerate(call.args) if arg.text in ("-m", "--module")), -1)
    if position < 0 or position + 1 >= len(call.args):
        call.unresolved("opaque_script", "coverage run")
        return
    module(call, call.args[position + 1], call.args[position + 2 :])


def hatch_run(call: Call, found: Parsed) -> None:
    """``hatch run`` makes its environment first."""
    add(call, "NW", "environment")
    run_rest(call, found)


def poetry_config(call: Call, found: Parsed) -> None:
    """``poetry config --list`` reads; a value or --unset writes."""
    if len(found.operands) > 2 or found.has("--unset"):  # config, key, value
        add(call, "W", "config")


def conda_config(call: Call, found: Parsed) -> None:
    """``conda config --show`` reads."""
    if any(arg.starts("--add", "--set", "--remove", "--append", "--prepend", "--write") for arg in call.args):
        add(call, "W", "config")


_VALUES = (
    "words | | -C,--directory= -P,--project= -n,--name= -p= --with= --without= --only= "
    "-E,--extras= -G,--group= -f,--format= -o,--output= --why -T,--top-level -t,--tree "
    "-l,--latest -a --no-interaction --no-ansi -q -v --python= --extra= --unset -i -m -d "
    "-s,--source= --local --list --rcfile=:o --data-file= --include= --omit= --fail-under= "
    "--skip-covered --show-missing --sort= --precision= --depth= --no-sync --frozen --env= "
    "--config= --config-file=:o --package= --no-cache --index-url= --cwd= --dev --no-dev --all "
    "--json"
)
RULES: dict[str, Rule] = {
    **dict.fromkeys(("python", "pypy", "pypy3", "py"), python),
    **dict.fromkeys(("pip",), pip),
    "pydoc": documentation,
    "poetry": by_subcommand(_POETRY, _VALUES, {"run": run_rest, "config": poetry_config}),
    "pdm": by_subcommand(_POETRY, _VALUES, {"run": run_rest, "config": poetry_config}),
    "pipenv": by_subcommand(
        (
            "graph verify requirements scripts |\n"
            "install update sync lock upgrade | NW\n"
            "uninstall clean | D\n"
            "check audit | N\n"
            "run |\n"
            "shell | U"
        ),
        _VALUES,
        {"run": run_rest},
    ),
    "rye": by_subcommand(
        (
            "list show version toolchain/list | \n"
            "sync lock add install fetch self/update | NW\n"
            "remove uninstall | D\n"
            "build init pin | W\n"
            "run |\n"
            "test lint |\n"
            "fmt | M\n"
            "publish | N"
        ),
        _VALUES,
        {"run": run_rest},
    ),
    "uv": by_subcommand(_UV, _VALUES, {"run": uv_run}),
    "uvx": by_subcommand("", "words +N | |", bare="N"),
    "hatch": by_subcommand(_HATCH, _VALUES, {"run": hatch_run, "test": hatch_run}),
    **dict.fromkeys(
        ("conda", "mamba", "micromamba"), by_subcommand(_CONDA, _VALUES, {"run": run_rest, "config": conda_config})
    ),
    "coverage": by_subcommand(_COVERAGE, _VALUES, {"run": coverage_run}),
    "pipx": by_subcommand(_PIPX, _VALUES),
    "pyenv": by_subcommand(_PYENV, _VALUES, {"exec": run_rest}),
    "build": by_subcommand("", "words +W | . | -o,--outdir=:w", bare="W"),
}
