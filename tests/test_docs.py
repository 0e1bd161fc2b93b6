"""Every block of the documentation does what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.checkout import ROOT, named
from tests.pages import Block, Command, blocks, commands, prints

PAGES = sorted(
    [
        *ROOT.glob("README.md"),
        *ROOT.glob("CONTRIBUTING.md"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("*/*/README.md"),
    ]
)
SECONDS_A_PAGE = 240

# Blocks that are no program and no session: each must at least be what its fence says.
WRITTEN: dict[str, Callable[[str], Any]] = {"json": json.loads, "yaml": yaml.safe_load, "toml": tomllib.loads}
SHOWN = {"mermaid", "diff"}
RUN = {"python", "console"}
# Blocks that cannot run: the page, and the first line of the block. Its page says why, in a comment above it.
CANNOT_RUN: frozenset[tuple[str, str]] = frozenset()


def run_page(page: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run *page* in *folder* in a process of its own, with a copy of the examples beside it."""
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-W", "error", str(ROOT / "tests" / "run_page.py"), str(page)],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=SECONDS_A_PAGE,
        check=False,
    )


def of(page: Path) -> list[Block]:
    return list(blocks(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", [page for page in PAGES if any(each.language in RUN for each in of(page))], ids=named)
def test_a_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    """R67: the python and console blocks of a page run in order and print what the page shows."""
    done = run_page(page, tmp_path)

    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_block_is_what_its_fence_says(page: Path) -> None:
    """A block runs, or is written in a language that can be read, or is text on the list of what cannot run."""
    for block in of(page):
        assert block.language in {*RUN, *WRITTEN, *SHOWN, "text"}, f"{named(page)}:{block.line}"
        WRITTEN.get(block.language, str)(block.text)


def test_what_cannot_run_is_listed() -> None:
    """R67: the list of blocks that cannot run is exactly what the pages have, and each says why."""
    found = [(named(page), block) for page in PAGES for block in of(page)]
    texts = [(name, block) for name, block in found if block.language == "text" and not block.file]

    assert CANNOT_RUN == {(name, block.text.partition("\n")[0]) for name, block in texts}
    assert len(CANNOT_RUN) == len(texts)
    assert [] == [f"{name}:{block.line}" for name, block in texts if len(block.comment.split()) < 3]


PAGE = """\
# Title
```python
x = 1
```

<!-- file: app.py -->
~~~~python
s = '''
~~~
'''
~~~~
<!-- needs a network,
     which tests have not -->

```text
curl
```
<!-- not above a block -->
words
- in a list
  ```console
  $ echo a
  a
  ```
"""


def test_blocks() -> None:
    """Fences of either kind and any length are found, with their line, their indent and the comment above."""
    assert [
        Block(3, "python", "x = 1\n"),
        Block(8, "python", "s = '''\n~~~\n'''\n", "file: app.py"),
        Block(16, "text", "curl\n", "needs a network, which tests have not"),
        Block(22, "console", "$ echo a\na\n"),
    ] == list(blocks(PAGE))


def test_a_block_can_name_its_file() -> None:
    """Only a comment that is a file's name, and nothing else, names a file."""
    assert ["app.py", None] == [Block(1, "python", "", each).file for each in ("file: app.py", "file: a b")]


def test_an_open_fence_is_an_error() -> None:
    """A block that runs to the end of the page by mistake is not taken for a block."""
    with pytest.raises(ValueError, match="line 2"):
        list(blocks("a\n```python\nx = 1\n"))


def test_commands() -> None:
    """A console block is a sequence of commands, each with what it prints."""
    block = Block(5, "console", "$ a \\\n> b\nout\n\n> out\n$ c\n")

    assert [Command(5, "a \\\nb", ("out", "", "> out")), Command(10, "c", ())] == list(commands(block))


def test_output_without_a_command_is_an_error() -> None:
    """Text before the first command would never be compared with anything."""
    with pytest.raises(ValueError, match="line 5"):
        list(commands(Block(5, "console", "out\n$ a\n")))


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ((), "", True),
        ((), "a\n", False),
        (("a",), "a", True),
        (("a",), "a  \n", True),
        (("a",), "", False),
        (("a",), "a\nb\n", False),
        (("a.c",), "abc\n", False),
        (("a...c",), "abbc\n", True),
        (("a...c",), "ab\nbc\n", False),
        (("...", "z"), "z\n", True),
        (("a", "...", "z"), "a\nb\nc\nz\n", True),
        (("a", "...", "z"), "a\nb\nc\n", False),
        (("...",), "", True),
    ],
)
def test_prints(expected: tuple[str, ...], found: str, *, same: bool) -> None:
    """Three dots stand for anything, and nothing else does."""
    assert same == prints(expected, found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # one program, with await at its top, a file and a session
        ("```python\nimport asyncio\nx = 1\n```\n```python\nawait asyncio.sleep(0)\nassert 1 == x\n```\n", ""),
        ("<!-- file: a/b.txt -->\n```text\nhello\n```\n```console\n$ cat a/b.txt\nhello\n```\n", ""),
        ("```console\n$ false\n[exit 1]\n```\n", ""),
        ("```console\n$ python -c 'import sys; print(sys.argv)' a\n[... 'a']\n```\n", ""),
        # what does not do what it says
        ("words\n```python\nx = 1\n1 / 0\n```\n", "line 4, in <module>\n    1 / 0"),
        ("```python\nawait no\n```\n", "NameError"),
        ("```console\n$ echo a\nb\n```\n", "promised:\nb\nprinted:\na\n"),
        ("```console\n$ false\n```\n", "[exit 1]"),
        ("```python\nimport warnings\nwarnings.warn('old')\n```\n", "UserWarning: old"),
    ],
)
def test_running_a_page(text: str, message: str, tmp_path: Path) -> None:
    """R67: a page passes when it does what it says, and otherwise says where it does not."""
    page = tmp_path / "page.md"
    page.write_text(text)
    folder = tmp_path / "folder"
    folder.mkdir()

    done = run_page(page, folder)

    assert bool(message) == bool(done.returncode), done.stderr
    assert message in done.stderr


DRAWN = re.compile(r"<!-- drawn from (?P<module>\w+):(?P<name>\w+) -->\n+```mermaid\n(?P<drawing>.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if DRAWN.search(page.read_text(encoding="utf-8"))], ids=named)
def test_a_diagram_is_what_the_command_draws(page: Path, tmp_path: Path) -> None:
    """R67: a diagram that says what it is drawn from is exactly what `agentfsm graph` draws of that."""
    text = page.read_text(encoding="utf-8")
    for block in blocks(text):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")

    for found in DRAWN.finditer(text):
        command = ["-c", "from agentfsm.cli import main; main()", "graph", f"{found['module']}:{found['name']}"]
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=False)

        assert (0, found["drawing"]) == (done.returncode, done.stdout), done.stderr
