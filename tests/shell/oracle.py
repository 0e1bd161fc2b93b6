"""
The oracles, in a child process: ``python oracle.py NAME`` reads a JSON list of texts and prints a list of findings.

A finding of bash and shfmt is whether they accept the text. One of tree-sitter and bashlex is the names of the
commands and the targets of the redirections, or None where they refuse. A child can be given a time limit, and a
hang or crash of an oracle stays there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import bashlex
import bashlex.errors
import tree_sitter_bash
from tree_sitter import Language, Node, Parser


def bash(text: str) -> bool:
    """Whether ``bash -n`` accepts the text without a word."""
    done = subprocess.run(["bash", "-n"], input=text.encode(), capture_output=True, timeout=5, check=False)
    return done.returncode == 0 and not done.stderr


def shfmt(text: str) -> bool:
    """Whether shfmt parses the text."""
    program = Path(sys.executable).with_name("shfmt")
    done = subprocess.run([program, "-ln", "bash"], input=text.encode(), capture_output=True, timeout=5, check=False)
    return done.returncode == 0


def tree_sitter(text: str) -> list[str] | None:
    """Return the names of the commands, or None where the tree holds an error."""
    source = text.encode()
    tree = Parser(Language(tree_sitter_bash.language())).parse(source)
    if tree.root_node.has_error:
        return None
    found: list[str] = []

    def walk(node: Node) -> None:
        if node.type == "command_name":
            found.append(source[node.start_byte : node.end_byte].decode())
        target = node.child_by_field_name("destination") if node.type == "file_redirect" else None
        if target is not None:
            found.append("> " + source[target.start_byte : target.end_byte].decode())
        for child in node.children:
            walk(child)

    walk(tree.root_node)
    return sorted(found)


def lexed(text: str) -> list[str] | None:
    """Return the names of the commands as bashlex sees them, or None where it refuses."""
    try:
        trees = bashlex.parse(text)
    except (bashlex.errors.ParsingError, NotImplementedError, AttributeError, TypeError, IndexError, AssertionError):
        return None
    found: list[str] = []

    class Visitor(bashlex.ast.nodevisitor):
        def visitcommand(self, node: object, parts: list[object]) -> None:
            words = [part for part in parts if getattr(part, "kind", "") == "word"]
            if words:
                found.append(str(getattr(words[0], "word", "")))

        def visitredirect(self, node: object, source: object, kind: str, output: object, heredoc: object) -> None:
            if heredoc is None and kind != "<<<" and not isinstance(output, int | str):
                found.append("> " + str(getattr(output, "word", "")))

    for tree in trees:
        Visitor().visit(tree)
    return sorted(found)


ORACLES: dict[str, Callable[[str], object]] = {
    "bash": bash,
    "shfmt": shfmt,
    "tree-sitter": tree_sitter,
    "bashlex": lexed,
}

if __name__ == "__main__":
    print(json.dumps([ORACLES[sys.argv[1]](text) for text in json.load(sys.stdin)]))
