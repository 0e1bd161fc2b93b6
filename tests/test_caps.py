"""Caps on size, and what no file may hold; each rule is tried on a planted violation first."""

from __future__ import annotations

import ast
import configparser
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.checkout import ROOT, TYPED, named, python_files, text_files

FILE_LINES, BODY_LINES, PARAMETERS = 300, 40, 6
# Files that are one long table, each with the reason why it is not two.
TABLES = {
    "src/agentfsm/errors.py": "the tree of errors: a class each, with little in it but its sentence",
    "src/agentfsm/shell/programs/linters.py": "tables of checkers and formatters, with the five short rules they name",
}
# Where whatever was raised becomes a value or an event: the loop's own boundary, and the one for calls and guards.
BOUNDARIES: frozenset[tuple[str, str]] = frozenset(
    {
        ("src/agentfsm/loop.py", "drive"),
        ("src/agentfsm/boundary.py", "attempted"),
        ("src/agentfsm/boundary.py", "awaited"),
    }
)
VAGUE = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
# `stage` and `SubMachine` make stages, as the constructor of a stage class would.
CONSTRUCTORS = {"__init__", "__new__", "__init_subclass__", "stage", "SubMachine"}
# What names one machine or one index. Put together here, so that this file does not hold what it looks for.
FOREIGN = re.compile(
    "|".join(["/work" + "/(h|main|shared)", r"/root/\." + "pyenv", r"pypi\." + "org", r"pythonhosted\." + "org"])
)
CODED = re.compile(
    r"# (?:type: ignore\[[\w, -]+\]|pyright: ignore\[[\w, ]+\]|noqa: [A-Z]+\d+(?:, [A-Z]+\d+)*)",
)

Def: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Rule: TypeAlias = Callable[[str], Iterable[object]]


def functions(source: str) -> Iterator[Def]:
    yield from (node for node in ast.walk(ast.parse(source)) if isinstance(node, Def))


def long_file(source: str) -> list[str]:
    lines = source.count("\n")
    return [f"{lines} lines"] if lines > FILE_LINES else []


def long_bodies(source: str) -> Iterator[str]:
    """A body is counted from its first statement after the docstring to its last line."""
    for node in functions(source):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
        if lines > BODY_LINES:
            yield f"line {node.lineno}: {node.name} has {lines} lines"


def many_parameters(source: str) -> Iterator[str]:
    """`self` and `cls` do not count, nor do the keyword-only parameters of a constructor."""
    for node in functions(source):
        given = [*node.args.posonlyargs, *node.args.args, *filter(None, [node.args.vararg, node.args.kwarg])]
        if node.name not in CONSTRUCTORS:
            given += node.args.kwonlyargs
        count = sum(each.arg not in {"self", "cls"} for each in given)
        if count > PARAMETERS:
            yield f"line {node.lineno}: {node.name} has {count} parameters"


def is_broad(kind: ast.expr | None) -> bool:
    match kind:
        case None:
            return True
        case ast.Tuple(elts=kinds):
            return any(map(is_broad, kinds))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in {"Exception", "BaseException"}
        case _:
            return False


def caught_by(node: ast.AST) -> Iterator[ast.expr | None]:
    """What *node* catches, if it catches: as `except` does, or as `suppress`."""
    if isinstance(node, ast.ExceptHandler):
        yield node.type
    elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "suppress":
        yield from node.args


def broad_catches(source: str) -> Iterator[tuple[str, int]]:
    """Each place that catches everything: the innermost function it is in, and its line."""
    tree = ast.parse(source)
    inside = {id(node): owner.name for owner in ast.walk(tree) if isinstance(owner, Def) for node in ast.walk(owner)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler | ast.Call) and any(map(is_broad, caught_by(node))):
            yield inside.get(id(node), "module"), node.lineno


def sleeps(source: str) -> Iterator[str]:
    """Each use of `time.sleep`, by whatever way it was imported."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "time" and "sleep" in {each.name for each in node.names}:
            yield f"line {node.lineno}: imports sleep"
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "time.sleep":
            yield f"line {node.lineno}: sleeps"


def comments(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def bare_suppressions(source: str) -> Iterator[str]:
    """A suppression names its code and, after it, its reason."""
    for line, text in comments(source):
        for start in re.finditer(r"#\s*(?:type:\s*ignore|pyright:\s*ignore|noqa)", text):
            coded = CODED.match(text, start.start())
            if coded is None:
                yield f"line {line}: a suppression without a code"
            elif not re.match(r"\s+(?:# )?\w.{7,}", text[coded.end() :]):
                yield f"line {line}: a suppression without a reason"


def foreign_addresses(source: str) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), start=1):
        if found := FOREIGN.search(line):
            yield f"line {number}: {found[0]} means something on one machine only"


EVERYWHERE: tuple[Rule, ...] = (long_bodies, many_parameters, bare_suppressions)


@pytest.mark.parametrize("path", python_files(), ids=named)
def test_every_file_keeps_the_caps(path: Path) -> None:
    """Bodies, signatures and suppressions are within their caps everywhere; files are, unless they are tables."""
    source = path.read_text()
    found = [text for rule in EVERYWHERE for text in rule(source)]
    found += [] if named(path) in TABLES else long_file(source)

    assert [] == found


@pytest.mark.parametrize("name", TABLES)
def test_the_list_of_tables_is_not_stale(name: str) -> None:
    """Only what is there and is too long stands on the list of tables."""
    assert any(name == named(path) and long_file(path.read_text()) for path in python_files())


@pytest.mark.parametrize("path", python_files("src", "stages"), ids=named)
def test_nothing_catches_everything(path: Path) -> None:
    """Only the boundary of the loop, which turns what a stage raised into an event, catches everything."""
    found = list(broad_catches(path.read_text()))

    assert [] == [line for owner, line in found if (named(path), owner) not in BOUNDARIES]
    assert len(found) <= 2


@pytest.mark.parametrize("path", python_files("tests"), ids=named)
def test_no_test_sleeps(path: Path) -> None:
    """A test waits for what it waits for, never for a time."""
    assert [] == list(sleeps(path.read_text()))


def test_no_file_has_a_vague_name() -> None:
    """A file is named after its one concept."""
    assert [] == [named(path) for path in python_files() if not VAGUE.isdisjoint({path.stem, *path.parent.parts})]


def test_every_folder_is_type_checked() -> None:
    """A new folder of Python files goes into mypy.ini and into tests/checkout.py in the change that brings it."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "mypy.ini")
    checked = {each.strip() for each in settings["mypy"]["files"].split(",")}
    found = {named(path).partition("/")[0] for path in text_files() if path.suffix == ".py"}

    assert checked == found
    assert found <= {*TYPED}


def test_nothing_names_a_machine_or_an_index() -> None:
    """The repository means the same everywhere."""
    found = {named(path): [*foreign_addresses(path.read_text(encoding="utf-8"))] for path in text_files()}

    assert {} == {name: texts for name, texts in found.items() if texts}


def test_nothing_is_left_for_later() -> None:
    """What is here is done."""
    later = re.compile(r"\b(?:TO" + "DO|FIX" + "ME|X" + r"XX)\b")

    assert [] == [
        f"{named(path)}:{line}"
        for path in python_files()
        for line, text in comments(path.read_text())
        if later.search(text)
    ]


def body(lines: int) -> str:
    return "def f():\n    'Say.'\n" + "    g()\n" * lines


@pytest.mark.parametrize(
    ("rule", "fine", "wrong"),
    [
        (long_file, "x\n" * 300, "x\n" * 301),
        (long_bodies, body(40), body(41)),
        (long_bodies, "class A:\n    async def f(self): ...", f"class A:\n  async {body(41)}".replace("\n", "\n  ")),
        (many_parameters, "def f(a, b, c, d, e, f): ...", "def f(a, b, c, d, e, f, g): ..."),
        (many_parameters, "def f(self, a, b, c, d, e, *f): ...", "def f(self, a, b, c, d, e, f, *g): ..."),
        (many_parameters, "def __init__(self, *, a, b, c, d, e, f, g): ...", "def f(*, a, b, c, d, e, f, g): ..."),
        (many_parameters, "def __init__(a, b, c, d, e, f): ...", "def __init__(a, b, c, d, e, f, g): ..."),
        (broad_catches, "try: f()\nexcept OSError: g()", "try: f()\nexcept Exception: g()"),
        (broad_catches, "try: f()\nexcept* OSError: g()", "try: f()\nexcept: g()"),
        (broad_catches, "try: f()\nfinally: g()", "try: f()\nexcept (OSError, builtins.BaseException): g()"),
        (broad_catches, "with suppress(OSError): f()", "with contextlib.suppress(Exception): f()"),
        (sleeps, "await asyncio.sleep(0)", "import time\ntime.sleep(1)"),
        (sleeps, "from time import monotonic", "from time import sleep"),
        (bare_suppressions, "f()  # type: ignore[x-y]  # no types here", "f()  # type: " + "ignore"),
        (bare_suppressions, "f()  # noqa: BLE001  the one boundary", "f()  # type: " + "ignore[x]"),
        (bare_suppressions, "f()  # noqa: BLE001  # the one boundary", "f()  # no" + "qa: BLE001"),
        (bare_suppressions, "f('# type: " + "ignore')", "f()  # no" + "qa"),
        (bare_suppressions, "f()  # ignore what is left", "f()  # type: " + "ignore[x]  # no"),
        (foreign_addresses, "see src/agentfsm/cli", "see /work" + "/main/src"),
        (foreign_addresses, "--index-url given by whoever installs", "--index-url https://pypi." + "org/simple"),
    ],
)
def test_each_rule_finds_what_is_planted(rule: Rule, fine: str, wrong: str) -> None:
    """A rule passes what is fine and finds what is not."""
    assert [] == list(rule(fine))
    assert 1 == len(list(rule(wrong)))


def test_catches_are_named_by_their_function() -> None:
    """The allowed boundary is one function, not one file."""
    source = "async def attempt():\n    try: f()\n    except Exception: g()\n"

    assert ["attempt"] == [owner for owner, _ in broad_catches(source)]
