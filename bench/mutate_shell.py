"""
Mutation test of the shell tables: ``python bench/mutate_shell.py`` removes one row at a time and wants a test to fail.

A row is a program of a family's table, a subcommand of a tool, a git verb, a ``-m`` module, a script's name, an
option with an effect, a variable that runs code, or a form of redirection (what it opens, and that it is read at
all). The tests in question are the recorded tables under ``tests/shell/tables``; ``--record`` writes them anew from
what the tables say now, to be read in the diff.
"""

from __future__ import annotations

import argparse
import sys
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType

from attrs import frozen

from agentfsm.shell import call, classify, environment, redirects, simple
from agentfsm.shell import programs as known
from agentfsm.shell.programs import gittool, gitverbs, npm, python, subcommands
from agentfsm.shell.programs.spec import compiled
from agentfsm.shell.values import names

VERBS_WITH_RULES = {
    **dict.fromkeys(("terraform", "terragrunt", "tofu"), ("apply -destroy",)),
    **dict.fromkeys(("conda", "mamba", "micromamba"), ("config --set name value",)),
    **dict.fromkeys(("poetry", "pdm"), ("config name value",)),
    "go": ("env -w NAME=value", "list -m -u all"),
    "rustup": ("run nightly rm f",),
    "composer": ("run-script test",),
    "pip": ("list --outdated",),
    "uv": ("pip install .", "tool install .", "add ./here"),
}
"""Uses of subcommands that only their own rules tell from others."""

PATTERNED = names("""
    ACK_PAGER AWS_PAGER BAT_PAGER BUNDLER_EDITOR BZR_EDITOR CRONTAB_EDITOR CVS_RSH DELTA_PAGER GEM_EDITOR
    GH_EDITOR GH_PAGER GIT_ASKPASS GIT_EDITOR GIT_PAGER GIT_SEQUENCE_EDITOR GLAB_PAGER GUILE_LOAD_PATH
    KUBE_EDITOR LESSCLOSE LESSOPEN LUA_CPATH LUA_CPATH_5_4 LUA_INIT LUA_INIT_5_3 LUA_INIT_5_4 LUA_PATH
    LUA_PATH_5_4 MORE MYSQL_PAGER NPM_CONFIG_EDITOR PERL5DB PERL5LIB PERL5OPT PERL5SHELL PSQL_EDITOR PSQL_PAGER
    PYTHONHOME PYTHONINSPECT PYTHONSTARTUP RSYNC_RSH RUBYOPT SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SVN_EDITOR
    SYSTEMD_EDITOR SYSTEMD_PAGER VIPE_EDITOR _JAVA_OPTIONS npm_config_onload_script npm_config_prefix
    npm_config_registry npm_config_script_shell npm_config_shell
""")
"""Variables that run code because their names have the form of such."""

TABLES = Path(__file__).parents[1] / "tests" / "shell" / "tables"


def verdict(command: str) -> str:
    """Return what a table says about a command: its classes, and the code and the detail of every reason."""
    answer = classify(command)
    classes = ",".join(sorted(op.value for op in answer.classes))
    reasons = sorted({f"{reason.code}[{reason.detail}]" for reason in answer.reasons})
    return f"{classes} ({' '.join(reasons)})".encode("unicode_escape").decode()


def cases() -> dict[str, list[str]]:
    """Return the commands that try every row, by family."""
    found: dict[str, list[str]] = {}
    for family in known.FAMILIES:
        loaded = known.family(family)
        commands = [command for name, row in loaded.rows.items() for command in tried(name, row)]
        for name, rule in loaded.rules.items():
            commands += [f"{name} operand", name]
            if isinstance(rule, subcommands.Subcommands):
                keys = subcommands.verbs(rule.table).exact.keys() | rule.special.keys()
                for words in (key.replace("/", " ") for key in sorted(keys)):
                    commands += [f"{name} {words}", f"{name} {words} operand", f"{name} {words} --help"]
                commands += tried(name, rule.row)
        found[family] = list(dict.fromkeys(commands))
    found["gittool"] += [f"git {verb} operand" for verb in sorted({*gittool._TABLE, *gitverbs.VERBS})]
    found["python"] += [f"python -m {name} operand" for name in python._MODULES]
    found["javascript"] += [f"npm run {name}" for name in npm.KNOWN_SCRIPTS]
    for name, lines in VERBS_WITH_RULES.items():
        found[known.index()[name]] += [f"{name} {line}" for line in lines]
    found["builtins"] += ["shift\nset -- a rm\nshift\n$1 f"]
    found["wrappers"] += ["time \\time -o f rm g"]
    variables = sorted({*environment.ALWAYS, *environment.UNLESS, *environment.FOLLOWED, *PATTERNED})
    found["environment"] = [f"{name}={value} true" for name in variables for value in ("value", "$x", "cat", "0")]
    forms = ("<", ">", ">>", ">|", "<>", "&>", "&>>", ">&", "<&", "<<<")
    found["redirects"] = [f"true {form} target" for form in forms] + [f"true {form}target" for form in forms]
    found["redirects"] += ["true <<E\nrm f\nE", "true <<-E\n\trm f\n\tE", "true 3>target", "true {fd}>target"]
    found["redirects"] += ["true >/dev/null", "true 2>&1", "true >&-", "sh <<<'rm f'", "sh <<E\nrm f\nE"]
    return found


def tried(name: str, row: str) -> list[str]:
    """Return the commands that try one row: with an operand, with each option that has an effect, abbreviated too."""
    commands = [f"{name} operand"]
    for option in effective(row):
        value = "/value" if compiled(row).options[option].role == "o" else "value"
        commands.append(f"{name} {option} {value} operand")
        if compiled(row).options[option].value == "=?":
            commands.append(f"{name} {option}={value} operand")
        if option.startswith("--") and len(option) > 4:
            commands.append(f"{name} {option[:-1]} {value} operand")
    return commands


def effective(row: str) -> list[str]:
    """Return the options of a row that write, run, delete or talk."""
    return [name for name, option in compiled(row).options.items() if option.risky]


def record() -> None:
    """Write the recorded tables."""
    TABLES.mkdir(parents=True, exist_ok=True)
    for family, commands in cases().items():
        lines = [f"{verdict(command)} | {command!r}" for command in commands]
        (TABLES / f"{family}.txt").write_text("\n".join(lines) + "\n")


def first_word(command: str) -> str:
    """Return what a command is looked up by: its first word, or the variable it begins with and an equals sign."""
    name, equals, _ = (first := command.split(maxsplit=1)[0]).partition("=")
    return name + equals if equals and name.isidentifier() else first


def recorded() -> dict[str, list[tuple[str, str]]]:
    """Return the recorded tables: for the first word of the commands, pairs of command and verdict."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(TABLES.glob("*.txt")):
        for line in path.read_text().splitlines():
            said, _, shown = line.rpartition(" | ")
            command = literal_eval(shown)
            found.setdefault(first_word(command), []).append((command, said))
    return found


@frozen
class Mutant:
    """One row taken away: its name, what takes it away for a while, and the first word of the commands that try it."""

    name: str
    gone: AbstractContextManager[None]
    word: str


@contextmanager
def without(table: Mapping[str, object], key: str) -> Iterator[None]:
    """Take one row out of a table for a while."""
    if not isinstance(table, dict):
        raise TypeError(f"a table of the shell is no dict: {type(table).__name__}")
    before = dict(table)
    del table[key]
    try:
        yield
    finally:
        table.clear()
        table.update(before)


@contextmanager
def replaced(module: ModuleType, name: str, value: object) -> Iterator[None]:
    """Give a module's constant another value for a while."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def mutants() -> Iterator[Mutant]:
    """Return every row there is."""
    for name, owner in known.index().items():
        family = known.family(owner)
        rule = family.rules.get(name)
        if rule is None:
            yield Mutant(f"row {name}", without(family.rows, name), name)
            yield from options(name, family.rows[name])
            continue
        yield Mutant(f"rule {name}", without(family.rules, name), name)
        if isinstance(rule, subcommands.Subcommands):
            exact = dict(subcommands.verbs(rule.table).exact)
            for key in exact:
                table = subcommands.verbs(rule.table).exact
                yield Mutant(f"subcommand {name} {key}", without(table, key), name)
            for key in list(rule.special):
                yield Mutant(f"subcommand's rule {name} {key}", without(rule.special, key), name)
            yield from options(name, rule.row)
    yield from words()


def options(name: str, row: str) -> Iterator[Mutant]:
    """Return the options of a row that have an effect."""
    table = compiled(row).options
    for option in effective(row):
        yield Mutant(f"option {name} {option}", without(table, option), name)


def words() -> Iterator[Mutant]:
    """Return the rows that are no program of their own: git's verbs, modules, scripts, variables, redirections."""
    for verb in list(gittool._TABLE):
        yield Mutant(f"git {verb}", without(gittool._TABLE, verb), "git")
    for verb in list(gitverbs.VERBS):
        yield Mutant(f"git verb {verb}", without(gitverbs.VERBS, verb), "git")
    for name in list(python._MODULES):
        yield Mutant(f"module {name}", without(python._MODULES, name), "python")
    for name in list(npm.KNOWN_SCRIPTS):
        yield Mutant(f"script {name}", without(npm.KNOWN_SCRIPTS, name), "npm")
    for name in sorted(environment.ALWAYS):
        yield Mutant(f"variable {name}", replaced(environment, "ALWAYS", environment.ALWAYS - {name}), f"{name}=")
    for name in environment.FOLLOWED:
        followed = environment.FOLLOWED - {name}
        yield Mutant(f"followed {name}", replaced(call, "FOLLOWED", followed), f"{name}=")
    for name in list(environment.UNLESS):
        yield Mutant(f"values of {name}", without(environment.UNLESS, name), f"{name}=")
    for form in list(redirects.OPENS):
        yield Mutant(f"redirect {form}", without(redirects.OPENS, form), "true")
    for form in simple.REDIRECTIONS:
        pattern = simple.redirection(tuple(other for other in simple.REDIRECTIONS if other != form))
        yield Mutant(f"form {form}", replaced(simple, "_REDIRECT", pattern), "true")


def main() -> int:
    """Try every mutant, or record the tables."""
    parser = argparse.ArgumentParser(description="Mutation test of the shell tables.")
    parser.add_argument("--record", action="store_true", help="write the recorded tables anew")
    if parser.parse_args().record:
        record()
        return 0
    tables = recorded()
    total, survivors = 0, []
    for mutant in mutants():
        total += 1
        with mutant.gone:
            if all(verdict(command) == said for command, said in tables.get(mutant.word, [])):
                survivors.append(mutant.name)
    for name in survivors:
        print(f"survived: {name}")
    print(f"{total} rows removed one at a time, {total - len(survivors)} noticed, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
