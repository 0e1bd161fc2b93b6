"""Imports go down, never up; what comes from elsewhere stays where it was let in."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from attrs import frozen

from tests.checkout import named, python_files

WORDS = (
    "errors", "records", "trail", "state", "stage", "events", "guard", "tools",
    "header", "bounds", "limits", "places", "store", "workspace", "world", "budget", "repeats", "redaction",
    "annotations", "canonical", "forms", "frozen", "shapes", "source", "texts", "unions", "values", "view",
    "schema",
)  # fmt: skip
KERNEL = (
    "graph", "edges", "flow", "lifetimes", "rows", "table", "commit", "invariants", "codec", "replay", "diff",
    "entries", "logs", "jsontext", "parsed", "reading", "snapshot", "yamltext",
)  # fmt: skip
RUNNING = (
    "orchestrator", "building", "runs", "run", "waking", "live", "loop", "failing", "halting", "retrying", "sealing",
    "parked", "boundary", "asking", "attempts", "context", "calls", "probing", "keeping", "deciding", "streaming",
    "watching", "functions", "submachine", "telemetry", "tracing", "bridge",
)  # fmt: skip
PLUG_INS = ("journal", "statewright", "shell", "workflow", "models", "migrate", "testing")
ADAPTERS = ("cli", "hooks", "mcp", "viewer", "scale")
FLOORS = (WORDS, KERNEL, RUNNING, PLUG_INS, ADAPTERS)
# The package itself gathers the public names of all floors but the adapters.
PACKAGE, PACKAGE_FLOOR = "__init__", 3.5
FLOOR: dict[str, float] = {place: number for number, places in enumerate(FLOORS) for place in places} | {
    PACKAGE: PACKAGE_FLOOR
}

# Which place imports which package that is not ours; a package that stands here nowhere is imported nowhere.
FENCED = {
    "cattrs": {"codec"},
    "click": {"cli"},
    "mcp": {"mcp"},
    "openai": {"models"},
    "opentelemetry": {"telemetry"},
    "psycopg": {"journal"},
    "rich": {"cli"},
    "sqlite3": {"journal"},
    "starlette": {"viewer"},
    "transitions": {"bridge"},
}
# These may stand in any one module above the words, and in no second.
ONE_MODULE = ("tenacity", "yaml")
ATTRS = {"attr", "attrs"}
BETWEEN_PLUG_INS = {("statewright", "agentfsm.shell"): {"classify", "check_against_allowed"}}


@frozen
class Import:
    """One import statement: its line, the module it is from and, for `from`, the names."""

    line: int
    module: str
    names: tuple[str, ...] = ()

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]


def imports(source: str, *, package: str) -> list[Import]:
    """All imports of *source*, wherever they stand; *package* resolves relative ones."""
    found: list[Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            found.append(Import(node.lineno, module, tuple(alias.name for alias in node.names)))
    return sorted(found, key=lambda each: each.line)


def places(imported: Import) -> set[str]:
    """The modules and packages of agentfsm that *imported* reaches."""
    _, _, rest = imported.module.partition(".")
    if rest:
        return {rest.partition(".")[0]}
    return {name if name in FLOOR else PACKAGE for name in imported.names} or {PACKAGE}


def package_of(name: str) -> str:
    return ".".join(name.removeprefix("src/").removeprefix("stages/").removesuffix(".py").split("/")[:-1])


def upward(imported: Import, place: str) -> str | None:
    """Say what is wrong with *place* importing this from agentfsm, if something is."""
    if place == imported.module.partition(".")[2].partition(".")[0]:
        return None
    for target in sorted(places(imported)):
        if target not in FLOOR:
            return f"agentfsm.{target} is on no floor"
        if target in ADAPTERS and target != place:
            return f"nothing imports the adapter {target}"
        if FLOOR[target] > FLOOR[place]:
            return f"{place} is below {target}"
        if target == PACKAGE and FLOOR[place] < PACKAGE_FLOOR:
            return f"{place} is what the package is made of"
        if target in PLUG_INS and place in PLUG_INS and target != place:
            open_names = BETWEEN_PLUG_INS.get((place, imported.module), set())
            if not imported.names or not open_names.issuperset(imported.names):
                return f"the plug-in {place} imports the plug-in {target}"
    return None


def foreign(imported: Import, place: str) -> str | None:
    """Say what is wrong with *place* importing this from elsewhere, if something is."""
    if imported.top == "agentfsm_stages":
        return None if place in ADAPTERS else "ready-made stages stand above the framework"
    if imported.top in ATTRS or imported.top == "__future__":
        return None
    if imported.top in FENCED:
        return None if place in FENCED[imported.top] else f"{imported.top} is fenced"
    if imported.top in ONE_MODULE:
        return "words import attrs and the standard library only" if place in WORDS else None
    return None if imported.top in sys.stdlib_module_names else f"{imported.top} is not let in anywhere"


def strays(name: str, source: str) -> list[str]:
    """Every import of the file *name* below src that crosses a floor or a fence."""
    place = name.removeprefix("src/agentfsm/").partition("/")[0].removesuffix(".py")
    if place not in FLOOR:
        return [f"{name}: {place} is on no floor; give it one in tests/test_floors.py"]
    found: list[str] = []
    for imported in imports(source, package=package_of(name)):
        wrong = upward if imported.top == "agentfsm" else foreign
        if text := wrong(imported, place):
            found.append(f"{name}:{imported.line}: {text}")
    return found


def is_public(imported: Import) -> bool:
    """Whether *imported* takes public names of agentfsm: from its top, or from the top of a plug-in."""
    modules = {*imported.names} & FLOOR.keys() - {*PLUG_INS}
    hidden = any(name.startswith("_") for name in imported.names)
    return imported.module in {"agentfsm", *(f"agentfsm.{each}" for each in PLUG_INS)} and not modules and not hidden


def is_reaching(node: ast.AST) -> bool:
    """Whether *node* reads a private attribute of something other than the object whose code this is."""
    if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.endswith("__"):
        return False
    return not isinstance(node.value, ast.Name) or node.value.id not in {"self", "cls"}


def private(name: str, source: str) -> list[str]:
    """Every use of something in the ready-made stages *name* that is not public."""
    let_in = ATTRS | {"agentfsm", "agentfsm_stages"} | sys.stdlib_module_names
    lines = [each.line for each in imports(source, package=package_of(name)) if each.top not in let_in]
    lines += (
        each.line
        for each in imports(source, package=package_of(name))
        if each.top == "agentfsm" and not is_public(each)
    )
    lines += (node.lineno for node in ast.walk(ast.parse(source)) if is_reaching(node) and isinstance(node, ast.expr))
    return [f"{name}:{line}: not public" for line in sorted(lines)]


@pytest.mark.parametrize("path", python_files("src"), ids=named)
def test_imports_go_down(path: Path) -> None:
    """No module of the framework imports from a floor above, nor a package that is fenced elsewhere."""
    assert [] == strays(named(path), path.read_text())


@pytest.mark.parametrize("path", python_files("stages"), ids=named)
def test_ready_made_stages_use_public_names(path: Path) -> None:
    """The stages that are shipped need nothing that a user's own stages could not use."""
    assert [] == private(named(path), path.read_text())


@pytest.mark.parametrize("package", ONE_MODULE)
def test_one_module_imports_it(package: str) -> None:
    """A package that any module may import is imported by one alone, so it can be exchanged there."""
    users = {
        named(path)
        for path in python_files("src")
        if any(package == each.top for each in imports(path.read_text(), package=package_of(named(path))))
    }

    assert len(users) <= 1, users


@pytest.mark.parametrize(
    ("name", "line", "wrong"),
    [
        # words
        ("records.py", "import attrs, re", False),
        ("records.py", "from agentfsm.errors import RunError", False),
        ("records.py", "from .errors import RunError", False),
        ("records.py", "from agentfsm import errors", False),
        ("records.py", "import yaml", True),
        ("records.py", "import cattrs", True),
        ("records.py", "from agentfsm.codec import encode", True),
        ("records.py", "from agentfsm import codec", True),
        ("records.py", "from . import codec", True),
        ("records.py", "from .codec import encode", True),
        ("records.py", "from agentfsm import Stage", True),
        ("records.py", "def f():\n    from agentfsm.context import Context", True),
        # kernel
        ("codec.py", "import cattrs.preconf", False),
        ("graph.py", "from agentfsm.records import Record", False),
        ("graph.py", "import cattrs", True),
        ("graph.py", "import agentfsm.orchestrator", True),
        ("graph.py", "import agentfsm", True),
        # running
        ("telemetry.py", "from opentelemetry import trace", False),
        ("context.py", "from opentelemetry import trace", True),
        ("orchestrator.py", "from agentfsm.journal import MemoryJournal", True),
        ("orchestrator.py", "import agentfsm_stages.react", True),
        ("bridge.py", "from transitions import Machine", False),
        # plug-ins
        ("journal/sqlite.py", "import sqlite3", False),
        ("journal/sqlite.py", "from agentfsm import Journal", True),
        ("journal/sqlite.py", "from .memory import MemoryJournal", False),
        ("journal/sqlite.py", "from agentfsm.journal.memory import MemoryJournal", False),
        ("journal/sqlite.py", "from ..codec import encode", False),
        ("journal/sqlite.py", "from ..shell import classify", True),
        ("statewright/guard.py", "from agentfsm.shell import classify", False),
        ("statewright/guard.py", "from agentfsm.shell import parse", True),
        ("statewright/guard.py", "from agentfsm.shell.parser import classify", True),
        ("statewright/guard.py", "from agentfsm import shell", True),
        ("statewright/guard.py", "import agentfsm.shell", True),
        ("shell/parser.py", "import bashlex", True),
        ("shell/parser.py", "import sqlite3", True),
        ("workflow/queue.py", "from agentfsm.cli import main", True),
        # adapters
        ("cli/__init__.py", "import click, rich.table", False),
        ("cli/__init__.py", "from agentfsm.journal import SqliteJournal", False),
        ("cli/__init__.py", "from agentfsm_stages.react import Think", False),
        ("viewer/__init__.py", "from agentfsm.cli import main", True),
        ("viewer/__init__.py", "import click", True),
        # the package, and what has no place
        ("__init__.py", "from agentfsm.orchestrator import FSMOrchestrator", False),
        ("__init__.py", "from agentfsm.journal import MemoryJournal", False),
        ("__init__.py", "from agentfsm.cli import main", True),
        ("helpers.py", "import re", True),
        ("graph.py", "from agentfsm.helpers import x", True),
    ],
)
def test_strays(name: str, line: str, *, wrong: bool) -> None:
    """The table of floors and fences finds what it is for, and nothing else."""
    assert wrong == bool(strays(f"src/agentfsm/{name}", line))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("from agentfsm import Stage, record", False),
        ("from agentfsm.testing import ScriptedModel", False),
        ("from agentfsm import testing", False),
        ("from attrs import field", False),
        ("from .records import Thought", False),
        ("class A:\n    def f(self): return self._kept", False),
        ("from agentfsm.orchestrator import FSMOrchestrator", True),
        ("from agentfsm import orchestrator", True),
        ("from agentfsm import _secret", True),
        ("from agentfsm.journal.sqlite import SqliteJournal", True),
        ("import agentfsm.cli", True),
        ("import yaml", True),
        ("run._state", True),
    ],
)
def test_private(line: str, *, wrong: bool) -> None:
    """A ready-made stage that reaches behind the public names is found."""
    assert wrong == bool(private("stages/agentfsm_stages/react/stages.py", line))
