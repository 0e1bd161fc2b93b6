"""The parser against bash, shfmt, tree-sitter and bashlex, each in a child process with a time limit."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentfsm.shell.cursor import ParseError
from agentfsm.shell.parser import parse
from agentfsm.shell.syntax import Simple, Word

HERE = Path(__file__).parent
CASES = [
    json.loads(line)
    for name in ("none", "write", "block")
    for line in (HERE / "cases" / f"{name}.jsonl").read_text().splitlines()
]
PIECES = (
    "'",
    '"',
    "`",
    "$(",
    ")",
    "${",
    "}",
    "((",
    "))",
    "[[",
    "]]",
    ";",
    "&",
    "|",
    ">",
    "<(",
    "{",
    "!",
    "#",
    "\n",
    "\\",
    " ",
    "fi",
    "done",
    "esac",
)
missing = [name for name in ("bashlex", "tree_sitter", "tree_sitter_bash") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(missing) or shutil.which("bash") is None, reason=f"no oracle: {missing}")


def asked(oracle: str, texts: list[str]) -> list[object]:
    """Ask an oracle about every text."""
    done = subprocess.run(
        [sys.executable, str(HERE / "oracle.py"), oracle],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=80,
        check=True,
    )
    found: list[object] = json.loads(done.stdout)
    return found


def accepts(text: str) -> bool:
    try:
        parse(text)
    except ParseError:
        return False
    return True


def mutants(count: int) -> list[str]:
    """Return damaged commands, the same ones each time."""
    rng = random.Random(11)
    found = []
    for _ in range(count):
        text = rng.choice(CASES)
        at = rng.randrange(len(text) + 1)
        cut = rng.choice((0, 1, 3))
        found.append(text[:at] + rng.choice((*PIECES, "")) + text[at + cut :])
    return [text for text in found if "\0" not in text]


def test_what_is_accepted_bash_accepts() -> None:
    """Whenever the parser accepts, `bash -n` does; there are no exceptions."""
    texts = [text for text in [*CASES, *mutants(2500)] if accepts(text)]

    loose = [text for text, said in zip(texts, asked("bash", texts), strict=True) if not said]

    assert [] == loose


def names(text: str) -> list[str] | None:
    """Return the commands and targets of a plain list of commands; None where anything in it is to be expanded."""
    found: list[str] = []
    if "(" in text or "`" in text:
        return None
    for step in parse(text).steps:
        if not isinstance(step.pipeline, Simple):
            return None
        words = step.pipeline.words
        if words:
            first = words[0]
            if (
                not isinstance(first, Word)
                or first.plain is None
                or any(not isinstance(w, Word) or w.plain is None for w in words)
            ):
                return None
            found.append(first.plain)
        targets = [each.target for each in step.pipeline.redirects if each.op != "<<<"]
        plain = [target.plain for target in targets if isinstance(target, Word)]
        if None in plain:
            return None
        found += [f"> {target}" for target in plain if target is not None and not DESCRIPTOR.fullmatch(target)]
    return sorted(found)


@pytest.mark.parametrize("oracle", ["tree-sitter", "bashlex"])
def test_command_names_agree(oracle: str) -> None:
    """On plain lists of commands the oracles name the same commands, wherever they parse the text."""
    texts = [text for text in CASES if accepts(text) and names(text)]

    said = asked(oracle, texts)

    different = [
        (text, found)
        for text, found in zip(texts, said, strict=True)
        if isinstance(found, list)
        and sorted(name for name in found if not DESCRIPTOR.fullmatch(str(name).removeprefix("> "))) != names(text)
        and not DECLARES & set(names(text) or ())
        and not text.startswith("time ")
    ]
    assert [] == different


# tree-sitter has nodes of their own for these builtins and for a bare `[`, and takes `time` for a command.
DECLARES = {"declare", "typeset", "export", "readonly", "local", "unset", "["}
DESCRIPTOR = re.compile(r"[0-9]+-?|-")


def test_shfmt_parses_what_is_accepted() -> None:
    """shfmt parses whatever is accepted."""
    texts = [text for text in CASES if accepts(text)]

    refused = [text for text, said in zip(texts, asked("shfmt", texts), strict=True) if not said]

    assert [] == refused
