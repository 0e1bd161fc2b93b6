"""
Mutation test of the shell tables: ``python bench/mutate_shell.py`` removes one row at a time and wants a test to fail.

A row is a program of a family's table, a subcommand of a tool, a git verb, a ``-m`` module, a script's name, an
option with an effect, or a form of redirection. The tests in question are the recorded tables under
``tests/shell/tables``; ``--record`` writes them anew from what the tables say now, to be read in the diff.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from agentfsm.shell import classify, redirects
from agentfsm.shell import programs as known
from agentfsm.shell.programs import gittool, gitverbs, javascript, python, subcommands
from agentfsm.shell.programs.lexicon import judged_by_name
from agentfsm.shell.programs.spec import compiled, rows

TABLES = Path(__file__).parents[1] / "tests" / "shell" / "tables"
Value = TypeVar("Value")


def verdict(command: str) -> str:
    """Return what a table says about a command: its classes and the codes of its reasons."""
    answer = classify(command)
    classes = ",".join(sorted(op.value for op in answer.classes))
    return f"{classes} ({' '.join(sorted({reason.code for reason in answer.reasons}))})"


def cases() -> dict[str, list[str]]:
    """Return the commands that try every row, by family."""
    found: dict[str, list[str]] = {}
    for family in known.FAMILIES:
        module = sys.modules[f"agentfsm.shell.programs.{family}"]
        commands = [command for name, row in rows(getattr(module, "TABLE", "")).items() for command in tried(name, row)]
        for name, rule in getattr(module, "RULES", {}).items():
            commands += [f"{name} operand", name]
            if isinstance(rule, subcommands.Subcommands):
                keys = subcommands.verbs(rule.table).exact.keys() | rule.special.keys()
                commands += [f"{name} {key.replace('/', ' ')}" for key in sorted(keys)]
                commands += [f"{name} {option} value" for option in effective(rule.row)]
        found[family] = list(dict.fromkeys(commands))
    found["gittool"] += [f"git {verb} operand" for verb in sorted({*gittool._TABLE, *gitverbs.VERBS})]
    found["python"] += [f"python -m {name} operand" for name in python._MODULES]
    found["javascript"] += [f"npm run {name}" for name in javascript._SCRIPTS]
    found["redirects"] = [
        f"true {form} target" for form in ("<", ">", ">>", ">|", "<>", "&>", "&>>", ">&", "<&", "<<<")
    ]
    found["redirects"] += ["true <<E\nx\nE", "true <<-E\nx\nE", "true 3>target", "true {fd}>target", "true >/dev/null"]
    return found


def tried(name: str, row: str) -> list[str]:
    """Return the commands that try one row: with an operand, and with each option that has an effect."""
    return [f"{name} operand", *(f"{name} {option} value operand" for option in effective(row))]


def effective(row: str) -> list[str]:
    """Return the options of a row that write, run, delete or talk."""
    return [name for name, option in compiled(row).options.items() if option.risky]


def record() -> None:
    """Write the recorded tables."""
    TABLES.mkdir(parents=True, exist_ok=True)
    for family, commands in cases().items():
        lines = [f"{verdict(command)} | {command!r}" for command in commands]
        (TABLES / f"{family}.txt").write_text("\n".join(lines) + "\n")


def recorded() -> dict[str, list[tuple[str, str]]]:
    """Return the recorded tables: for the first word of the commands, pairs of command and verdict."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(TABLES.glob("*.txt")):
        for line in path.read_text().splitlines():
            said, _, shown = line.partition(" | ")
            command = shown[1:-1].replace("\\n", "\n")
            found.setdefault(command.split()[0], []).append((command, said))
    return found


def repeated(row: str, name: str) -> bool:
    """Whether an option only says what the words in its name, or its program's own classes, say as well."""
    spec = compiled(row)
    option = spec.options[name]
    role = {"w": "W", "m": "M", "d": "D", "n": "N", "X": "U", "x": "U", "o": ""}.get(option.role, "")
    said = set(option.adds + role)
    words = set(judged_by_name(name)) if "words" in spec.flags else set()
    return said <= set(spec.adds) or said == words or option.role == "o"


@contextmanager
def without(table: MutableMapping[str, Value], key: str) -> Iterator[None]:
    """Take one row out of a table for a while."""
    value = table.pop(key)
    try:
        yield
    finally:
        table[key] = value


def mutants() -> Iterator[tuple[str, MutableMapping[str, object], str, str]]:
    """Return every row: its name, the table it is in, its key, and the first word of the commands that try it."""
    for name in list(known._ROWS):
        if name not in known._RULES:
            yield f"row {name}", known._ROWS, name, name  # type: ignore[misc]  # a table of texts, only taken from
            options = compiled(known._ROWS[name]).options
            for option in effective(known._ROWS[name]):
                if repeated(known._ROWS[name], option):
                    continue
                yield f"option {name} {option}", options, option, name  # type: ignore[misc]  # a table of options
    for name, rule in list(known._RULES.items()):
        yield f"rule {name}", known._RULES, name, name  # type: ignore[misc]  # a table of rules, only taken from
        if isinstance(rule, subcommands.Subcommands):
            exact = subcommands.verbs(rule.table).exact
            for key in list(exact):
                if (
                    key in rule.special
                    or key == "help"
                    or key[0] == "-"
                    or (exact.get(key.split("/")[0], "-") == exact[key] and "/" in key)
                ):
                    continue
                yield f"subcommand {name} {key}", exact, key, name  # type: ignore[misc]  # a compiled table
    for verb in list(gittool._TABLE):
        if verb not in gitverbs.VERBS:
            yield f"git {verb}", gittool._TABLE, verb, "git"  # type: ignore[misc]  # a table of classes
    for verb in list(gitverbs.VERBS):
        yield f"git verb {verb}", gitverbs.VERBS, verb, "git"  # type: ignore[misc]  # a table of rules
    for name in list(python._MODULES):
        yield f"module {name}", python._MODULES, name, "python"  # type: ignore[misc]  # a table of classes
    for name in list(javascript._SCRIPTS):
        yield f"script {name}", javascript._SCRIPTS, name, "npm"  # type: ignore[misc]  # a table of classes
    for form in list(redirects.OPENS):
        yield f"redirect {form}", redirects.OPENS, form, "true"  # type: ignore[misc]  # a table of modes


def main() -> int:
    """Try every mutant, or record the tables."""
    parser = argparse.ArgumentParser(description="Mutation test of the shell tables.")
    parser.add_argument("--record", action="store_true", help="write the recorded tables anew")
    if parser.parse_args().record:
        record()
        return 0
    tables = recorded()
    total, survivors = 0, []
    for name, table, key, word in mutants():
        total += 1
        with without(table, key):
            if all(verdict(command) == said for command, said in tables.get(word, [])):
                survivors.append(name)
    for name in survivors:
        print(f"survived: {name}")
    print(f"{total} rows removed one at a time, {total - len(survivors)} noticed, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
