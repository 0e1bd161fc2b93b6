"""Python and its tools: the interpreter, ``-m`` modules, packaging (standard, rules 8 to 10)."""

from __future__ import annotations

from collections.abc import Sequence

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.programs.arguments import Parsed, read_arguments
from agentfsm.shell.programs.json_module import archive_module, json_tool
from agentfsm.shell.programs.purity import is_pure
from agentfsm.shell.programs.python_packages import (
    CONDA,
    HATCH,
    PIPX,
    POETRY,
    PYENV,
    UV,
    conda_config,
    is_local,
    pip,
    poetry_config,
    run_rest,
)
from agentfsm.shell.programs.roles import add
from agentfsm.shell.programs.spec import compiled, logical_lines
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
    elif call.stdin is None or not is_constant(call.stdin) or not pure(call, call.stdin):
        call.unresolved("opaque_code", "standard input")


def script(call: Call, path: Arg) -> None:
    """Judge a script named by path."""
    if (
        path.text in ("/dev/stdin", "/dev/fd/0")
        and call.stdin is not None
        and is_constant(call.stdin)
        and pure(call, call.stdin)
    ):
        return
    if path.feed is not None and pure(call, path.feed):
        return
    call.unresolved("opaque_script", path.text)


def cluster(call: Call, text: str, args: list[Arg]) -> bool:
    """Judge one cluster of short options; whether options go on."""
    for position in range(1, len(text)):
        letter = text[position]
        if letter in "cmWXQ":
            rest = text[position + 1 :]
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
            break
    return True


def pure(call: Call, source: str) -> bool:
    """Whether *source* surely does nothing to the world; reading it is work."""
    call.spend(2 * len(source))
    return is_pure(source)


def code(call: Call, source: Arg) -> None:
    """Judge ``-c``."""
    if not source.known:
        call.unresolved("unknown_code", "python")
    elif not pure(call, source.text):
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
_COVERAGE = """
report debug help                  |
html xml json lcov annotate combine         | W
erase                                       | D
run                                         |
"""


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


def uv_local(call: Call, found: Parsed) -> None:
    """A package that uv installs from a local folder runs its build code."""
    texts = [arg.text for arg in call.args]
    editable = any(text == "--editable" or (text.startswith("-e") and call.args[0].text == "pip") for text in texts)
    if editable or any(is_local(arg) for arg in found.operands[1:]):
        call.unresolved("runs_build_code", "local folder")


def hatch_run(call: Call, found: Parsed) -> None:
    """``hatch run`` makes its environment first."""
    add(call, "NW", "environment")
    run_rest(call, found)


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
    "poetry": by_subcommand(POETRY, _VALUES, {"run": run_rest, "config": poetry_config}),
    "pdm": by_subcommand(POETRY, _VALUES, {"run": run_rest, "config": poetry_config}),
    "pipenv": by_subcommand(
        (
            "graph verify requirements scripts |\n"
            "install update sync lock upgrade | NW\n"
            "uninstall clean | D\n"
            "check audit | N\n"
            "shell | U"
        ),
        _VALUES + " --rm!D --three!NW --clear!D --where --venv --py",
        {"run": run_rest},
    ),
    "rye": by_subcommand(
        (
            "list show version toolchain/list | \n"
            "sync lock add install fetch self/update | NW\n"
            "remove uninstall | D\n"
            "build init pin | W\n"
            "test lint |\n"
            "fmt | M\n"
            "publish | N"
        ),
        _VALUES,
        {"run": run_rest},
    ),
    "uv": by_subcommand(
        UV, _VALUES, {"run": uv_run, **dict.fromkeys(("pip/install", "tool/install", "add"), uv_local)}
    ),
    "uvx": by_subcommand("", "words +N | |", bare="N"),
    "hatch": by_subcommand(HATCH, _VALUES, {"run": hatch_run}),
    **dict.fromkeys(
        ("conda", "mamba", "micromamba"), by_subcommand(CONDA, _VALUES, {"run": run_rest, "config": conda_config})
    ),
    "coverage": by_subcommand(_COVERAGE, _VALUES, {"run": coverage_run}),
    "pipx": by_subcommand(PIPX, _VALUES),
    "pyenv": by_subcommand(PYENV, _VALUES, {"exec": run_rest}),
    "build": by_subcommand("", "words +W | . | -o,--outdir=:w", bare="W"),
}
