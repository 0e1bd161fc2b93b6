"""The table of requirements is true, and sabotage tells a test that notices from one that does not."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import sabotage
from tests.checkout import ROOT
from tests.sabotage import Requirement, Sabotage, broken, read

TABLE = read((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))


def docstring(node_id: str, root: Path = ROOT) -> str | None:
    """The docstring of the test that *node_id* names, or None where there is no such test."""
    name, *path = node_id.partition("[")[0].split("::")
    if not path or not (root / name).is_file():
        return None
    node: ast.AST = ast.parse((root / name).read_text(encoding="utf-8"))
    for part in path:
        inner = (each for each in ast.iter_child_nodes(node) if part == getattr(each, "name", None))
        found = next(inner, None)
        if found is None:
            return None
        node = found
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return ast.get_docstring(node) or "" if isinstance(node, kinds) else None


def collected(node_ids: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *node_ids],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_test_that_is_named_can_be_collected() -> None:
    """Each node id of the table is one that pytest knows, parameters included."""
    named = tuple(sorted({each for requirement in TABLE for each in requirement.tests}))
    done = collected(named or ("tests/test_requirements.py",))

    assert 0 == done.returncode, done.stdout + done.stderr


def test_every_test_names_its_requirement() -> None:
    """The docstring of a test that shows R14 says R14."""
    pairs = [(each.number, test) for each in TABLE for test in each.tests]

    assert [] == [(number, test) for number, test in pairs if number not in words(docstring(test))]


def test_every_sabotage_fits() -> None:
    """The old text of each sabotage occurs exactly once, and what comes of it is still Python."""
    for requirement in TABLE:
        path = ROOT / requirement.sabotage.file
        changed = broken(path.read_text(encoding="utf-8"), requirement.sabotage)
        if path.suffix == ".py":
            ast.parse(changed)


def test_no_sabotage_is_of_a_test() -> None:
    """A broken test would fail without showing anything."""
    assert [] == [each.number for each in TABLE if each.sabotage.file.startswith("tests/")]


def words(text: str | None) -> set[str]:
    return {*"".join(letter if letter.isalnum() else " " for letter in text or "").split()}


R1 = """
[R1]
title = "add adds"
tests = ["tests/test_sums.py::test_add"]
sabotage = {file = "src/sums.py", old = "a + b", new = "a - b"}
"""


def test_read() -> None:
    """A table becomes requirements in its order."""
    expected = Requirement(
        "R1", "add adds", ("tests/test_sums.py::test_add",), Sabotage("src/sums.py", "a + b", "a - b")
    )

    assert (expected,) == read(R1)
    assert () == read("")


@pytest.mark.parametrize(
    "text",
    [
        "R1 = 1",
        "[R1]",
        R1.replace("title", "name"),
        R1.replace("[R1]", "[xR1]"),
        R1.replace('["tests/test_sums.py::test_add"]', "[]"),
        R1.replace('["tests/test_sums.py::test_add"]', "[1]"),
        R1.replace("a - b", "a + b"),
        R1.replace("a + b", ""),
        R1.replace("old = ", "older = "),
        R1.replace("title", "note = 'x'\ntitle"),
        R1.replace("{file", "{line = 1, file"),
    ],
)
def test_a_table_of_another_shape_is_refused(text: str) -> None:
    """What is missing, misspelt or empty is refused with the requirement's number."""
    with pytest.raises(ValueError, match="R1"):
        read(text)


@pytest.mark.parametrize("source", ["", "a + b, a + b"])
def test_an_old_text_occurs_exactly_once(source: str) -> None:
    """A sabotage that fits nowhere, or in two places, is refused."""
    with pytest.raises(ValueError, match="occurs"):
        broken(source, Sabotage("sums.py", "a + b", "a - b"))


@pytest.mark.parametrize(
    ("node_id", "expected"),
    [
        ("tests/a.py::test_f", "R1: yes."),
        ("tests/a.py::test_f[1-x::y]", "R1: yes."),
        ("tests/a.py::TestA::test_g", ""),
        ("tests/a.py::TestA", None),
        ("tests/a.py::test_h", None),
        ("tests/a.py", None),
        ("tests/b.py::test_f", None),
    ],
)
def test_docstring(node_id: str, expected: str | None, tmp_path: Path) -> None:
    """A test is found by its node id, in a class or not, with or without parameters."""
    project(tmp_path, {"tests/a.py": 'def test_f():\n    "R1: yes."\nclass TestA:\n    async def test_g(self): ...\n'})

    assert expected == docstring(node_id, tmp_path)


def test_a_docstring_names_whole_numbers() -> None:
    """R1 is not named by R11."""
    assert {"R11", "so"} == words("R11: so.")


def project(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# A project of its own has settings of its own, or pytest would look for some in the folders above.
SETTINGS = '[tool.pytest.ini_options]\nasyncio_default_fixture_loop_scope = "function"\n'
TEST = "from sums import add\ndef test_add():\n    assert {}\n"


@pytest.mark.parametrize(
    ("asserted", "table", "code", "said"),
    [
        ("3 == add(1, 2)", R1, 0, "R1   noticed   add adds\n1 sabotages, 0 not noticed\n"),
        ("add(1, 2)", R1, 1, "R1   unnoticed add adds\n1 sabotages, 1 not noticed\n"),
        # a test that does not run notices nothing
        ("3 == add(1, 2)", R1.replace("::test_add", "::test_sub"), 1, "not run"),
        ("3 == add(1, 2)", R1.replace("a - b", "a +* b"), 1, "not run"),
        ("3 == add(1, 2)", "", 0, "0 sabotages, 0 not noticed\n"),
    ],
)
def test_sabotage(
    asserted: str, table: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sabotage counts as noticed only when a test ran and failed; the tree itself is never changed."""
    source = "def add(a, b):\n    return a + b\n"
    files = {"src/sums.py": source, "tests/test_sums.py": TEST.format(asserted), "tests/requirements.toml": table}
    project(tmp_path, files | {"pyproject.toml": SETTINGS})

    assert code == sabotage.main(["--root", str(tmp_path)])
    assert said in capsys.readouterr().out
    assert source == (tmp_path / "src/sums.py").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--only", "R2"], 0, "R2   noticed"),
        (["--only", "R1,R2"], 1, "2 sabotages, 1 not noticed"),
        (["--only", "R3"], 2, "no such requirement: R3"),
        (["--root", "nowhere"], 2, "nowhere"),
    ],
)
def test_only_some(
    arguments: list[str], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--only` tries what it names, and refuses a number that is not there."""
    unnoticed = R1.replace("a - b", "b + a")
    files = {
        "pyproject.toml": SETTINGS,
        "src/sums.py": "def add(a, b):\n    return a + b\n",
        "tests/test_sums.py": TEST.format("3 == add(1, 2)"),
        "tests/requirements.toml": unnoticed + R1.replace("R1", "R2"),
    }
    project(tmp_path, files)

    assert code == sabotage.main(["--root", str(tmp_path), *arguments])
    assert said in "".join(capsys.readouterr())
