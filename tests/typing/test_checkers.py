"""mypy and pyright accept `accepts`, and refuse the lines of `rejects` marked ``# E: code`` and no other."""

from __future__ import annotations

import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.checkout import ROOT

HERE = Path(__file__).parent
ACCEPTS = sorted((HERE / "accepts").glob("*.py"))
REJECTS = sorted((HERE / "rejects").glob("*.py"))
MARK = re.compile(r"# E: ([\w-]+(?:, [\w-]+)*)")
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["basedpyright"]


def marked(source: str) -> list[tuple[int, str]]:
    """The lines of *source* that are marked as mistakes, each with the code that mypy gives it."""
    return [
        (number, code)
        for number, line in enumerate(source.splitlines(), start=1)
        for codes in MARK.findall(line)
        for code in sorted(codes.split(", "))
    ]


@pytest.fixture(scope="module")
def refused_by_mypy() -> dict[str, list[tuple[int, str]]]:
    """The errors that mypy finds with the settings of the project, by `folder/file`; one run for all files."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "mypy.ini")
    flags = ["--strict", "--no-error-summary", "--hide-error-context", f"--cache-dir={os.devnull}"]
    flags += ["--config-file=", "--python-version=3.11", "--namespace-packages", "--explicit-package-bases"]
    for code in settings["mypy"]["enable_error_code"].split(","):
        flags += ["--enable-error-code", code.strip()]
    paths = os.pathsep.join(str(ROOT / path) for path in SETTINGS["extraPaths"])
    # The files of mistakes build on the accepted ones, so both are named from the folder above them.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *flags, "accepts", "rejects"],
        cwd=HERE,
        env={**os.environ, "MYPYPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr, done.stderr
    found: dict[str, list[tuple[int, str]]] = {f"{path.parent.name}/{path.name}": [] for path in (*ACCEPTS, *REJECTS)}
    for file, line, code in re.findall(r"^(\w+/\w+\.py):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE):
        found[file].append((int(line), code))
    return {file: sorted(errors) for file, errors in found.items()}


@pytest.fixture(scope="module")
def refused_by_pyright(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[int]]:
    """The lines that pyright refuses, by `folder/file`; one run for all files, for starting it takes long."""
    folder = tmp_path_factory.mktemp("pyright")
    for each in ("accepts", "rejects"):
        shutil.copytree(HERE / each, folder / each)
    paths = [str(ROOT / path) for path in SETTINGS["extraPaths"]]
    settings = {**SETTINGS, "include": ["accepts", "rejects"], "exclude": [], "extraPaths": paths}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [str(Path(sys.executable).with_name("basedpyright")), "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(ACCEPTS) + len(REJECTS), done.stdout
    lines: dict[str, set[int]] = {f"{path.parent.name}/{path.name}": set() for path in (*ACCEPTS, *REJECTS)}
    for each in report["generalDiagnostics"]:
        if each["severity"] == "error":
            file = Path(each["file"]).resolve().relative_to(folder.resolve()).as_posix()
            lines[file].add(each["range"]["start"]["line"] + 1)
    return lines


@pytest.mark.parametrize("case", REJECTS, ids=lambda path: path.stem)
def test_mypy_rejects(case: Path, refused_by_mypy: dict[str, list[tuple[int, str]]]) -> None:
    """R64: mypy refuses each marked mistake with its code, and nothing else."""
    assert marked(case.read_text(encoding="utf-8")) == refused_by_mypy[f"rejects/{case.name}"]


@pytest.mark.parametrize("case", ACCEPTS, ids=lambda path: path.stem)
def test_mypy_accepts(case: Path, refused_by_mypy: dict[str, list[tuple[int, str]]]) -> None:
    """R64: mypy has nothing to say about what users are meant to write."""
    assert [] == refused_by_mypy[f"accepts/{case.name}"]


@pytest.mark.parametrize("case", REJECTS, ids=lambda path: path.stem)
def test_pyright_rejects(case: Path, refused_by_pyright: dict[str, set[int]]) -> None:
    """R64: pyright refuses exactly the lines that mypy refuses, whatever it calls them."""
    assert {number for number, _ in marked(case.read_text(encoding="utf-8"))} == refused_by_pyright[
        f"rejects/{case.name}"
    ]


@pytest.mark.parametrize("case", ACCEPTS, ids=lambda path: path.stem)
def test_pyright_accepts(case: Path, refused_by_pyright: dict[str, set[int]]) -> None:
    """R64: pyright has nothing to say about what users are meant to write."""
    assert set() == refused_by_pyright[f"accepts/{case.name}"]


@pytest.mark.parametrize("case", ACCEPTS, ids=lambda path: path.stem)
def test_what_is_accepted_also_runs(case: Path, tmp_path: Path) -> None:
    """What both checkers accept is also fine when it runs."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-P", str(case)], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert 0 == done.returncode, done.stderr


def test_every_mistake_is_marked_in_a_file_of_mistakes() -> None:
    """A file of mistakes without a mark would show nothing, and a mark elsewhere would be mistaken for one."""
    assert [] == [case.name for case in REJECTS if not marked(case.read_text(encoding="utf-8"))]
    assert [] == [case.name for case in ACCEPTS if marked(case.read_text(encoding="utf-8"))]


def test_marked() -> None:
    """A mark may name several codes, for a line that is wrong in several ways."""
    assert [(2, "arg-type"), (3, "index"), (3, "misc")] == marked("f()\ng(1)  # E: arg-type\nh[1]  # E: misc, index\n")
