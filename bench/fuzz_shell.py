"""
Fuzz the shell classifier: ``python bench/fuzz_shell.py --mutants 1000000 --seed 1 [FILE.jsonl...]``.

Mutates commands (built in, and those of the corpora named) and holds every mutant to the laws: no exception, none
over 100 ms (of processor time, the best of three), a blocked command added anywhere is blocked, a harmless addition
changes nothing. One in 500 is a long text, up to the limit: a few pieces again and again, between a head and a tail
that make them a value, a program's arguments, a script or a loop's body. Prints the seed, the time and the worst
case; exits 1 at the first broken law. Nothing is ever run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from agentfsm.shell import OpClass, classify
from agentfsm.shell.programs import index

LIMIT = 0.1
BUILT_IN = (
    "ls -la | sort > out 2>&1",
    'for f in *.py; do grep -n "x" "$f" || echo none; done',
    "if [ -f a ]; then cat a; elif [[ -d b && ! -e c ]]; then ls b; else echo no; fi",
    'case "$1" in a|b) ls;; *) echo "${x:-$(date)}";; esac',
    "f() { local x=$1; echo \"$x\"; }; f 'a b'",
    "cat <<EOF | sed -n '1,5p'\nhello $USER\nEOF",
    "find . -name '*.c' -exec wc -l {} + | awk '{s+=$1} END {print s}'",
    "git log --oneline -n 5 && git diff --stat HEAD~1 -- src",
    "x=$((1 + (2 * 3))); arr=(a b 'c d'); echo \"${arr[@]}\" ${#arr[@]} ${x%%.*}",
    "while IFS= read -r line; do printf '%s\\n' \"$line\"; done < f",
    "echo $'a\\tb' \"$(git rev-parse HEAD)\" `uname -r` {1..3}",
)
PIECES = (
    "\0",
    "\r",
    "\ud800",
    "\ufeff",
    "\u202e",
    "\u200b",
    "\xa0",
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
    "<<E",
    "\n",
    "\\",
    "\\\n",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    ">",
    "<(",
    "{",
    "!",
    "#",
    "*",
    "~",
    "$",
    "$'",
    "a[",
    "]=",
    " ",
    "\t",
    "E\n",
    "esac",
    "done",
    "fi",
    "\xb2",
    "010",
    "1" * 5000,
)
UNITS = (
    *PIECES[:-1],
    "a", "a ", "1", "-a", "-a ", "-e x ", "a=", "a=b ", "/", ",", "..", "=", "+", "++", "[", "[:", "]", "(", "?", "@(",
    ":", "$a", '"$a"', "${a:-", "${a[", "{a,b}", "{1..9}", "$((", "a[a[", "a+=(", "x=$x$x;", "a(){ ", "};", "f ", "!a",
    "if a;then ", "else ", "for i in a;do ", "while a;do ", "case a in a) ", "select i in ", "coproc ", "time ",
    "function a { ", "<<<", "&>", ">&", "<&-", "2>&1 ", "eval ", "local a=", "export a=", "declare -a a=(",
    "set -- ", "shift;", '"$@" ', "$* ", "trap ", "alias a=b;", "read a;", "[ a ] ", "xargs ", "env ", "sudo ",
    "find . ", "-exec ", "git -c a=b ", "awk ", "{print}", "sed -e ", "s/[a]/b/;", "[[:a:]", "jq ", "python -c ",
    "printf ", "echo ", "cat ", "rm ", "sh -c ",
)  # fmt: skip
HEADS = (
    "", "echo ", 'echo "', "((", "[[ ", "x=", "x='", "a=(", "f(){ ", "x=aaa;", "set -- a b;", "cat <<E\n",
    "for i in 1 2 3 4 5 6 7 8;do for j in 1 2 3 4 5 6 7 8;do ",
)  # fmt: skip
TAILS = (
    "", "'", '"', ")", "))", " ]]", "}", "\nE\n", "/", ";done;done", "';eval \"$x\"", "';$x;$x", "';sh -c \"$x\"",
    "';awk \"$x\"", "';sed \"$x\"", "';echo $x$x$x",
)  # fmt: skip
SIZES = (3_000, 30_000, 100_000, 130_000)
PROGRAMS = sorted(index())
DANGER = "rm -rf victim"
PLACES: tuple[Callable[[str], str], ...] = (
    lambda text: f"{text}\n{DANGER}",
    lambda text: f"{DANGER}; {text}",
    lambda text: f"{DANGER} && {text}",
    lambda text: f"{DANGER} & {text}",
    lambda text: f"{DANGER} | {text}",
    lambda text: f"echo $({DANGER})\n{text}",
    lambda text: f"echo `{DANGER}`\n{text}",
    lambda text: f"echo ${{x:-$({DANGER})}}\n{text}",
    lambda text: f"case x in y) {DANGER};; esac\n{text}",
    lambda text: f"f() {{ {DANGER}; }}\n{text}",
    lambda text: f"trap '{DANGER}' EXIT\n{text}",
    lambda text: f"[[ -n $({DANGER}) ]]\n{text}",
    lambda text: f"(( $({DANGER}) + 1 ))\n{text}",
    lambda text: f"echo > $({DANGER})\n{text}",
    lambda text: f"cat <<A\n$({DANGER})\nA\n{text}",
)
HARMLESS: tuple[Callable[[str], str], ...] = (
    lambda text: f"true\n{text}",
    lambda text: f"# a comment\n{text}",
    lambda text: f"echo 'rm -rf x'; {text}",
    lambda text: f"{{ {text}\n}}",
    lambda text: f"if true; then {text}\nfi",
)


def mutant(rng: random.Random, text: str) -> str:
    """Return *text* with a few pieces inserted, deleted, doubled, swapped or cut off."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.randint(1, 8))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + text[to:]
        elif kind == 2:
            text = text[:at] + text[at:to] * rng.randint(2, 5) + text[to:]
        elif kind == 3:
            text = text[:at] + text[at:to][::-1] + text[to:]
        elif kind == 4:
            text = text[:at] or text
        else:
            text = text[:at] + chr(rng.randrange(0x300)) + text[to:]
    return text


def long_text(rng: random.Random) -> str:
    """Return a text of one of `SIZES` that repeats a few pieces."""
    unit = "".join(rng.choice(UNITS) for _ in range(rng.randint(1, 4)))
    head, tail = rng.choice(HEADS), rng.choice(TAILS)
    if rng.random() < 0.4:
        head = rng.choice(PROGRAMS) + rng.choice((" ", " '", " -"))
    return head + unit * (rng.choice(SIZES) // len(unit)) + tail


def timed(text: str) -> tuple[frozenset[OpClass], float]:
    """Return the classes of *text* and the seconds of processor time that they took, at best if that is too long."""
    tries = 0
    best = float("inf")
    while True:
        start = time.process_time()
        classes = classify(text).classes
        best = min(best, time.process_time() - start)
        tries += 1
        if best <= LIMIT or tries == 3:
            return classes, best


def broken(rng: random.Random, text: str, classes: frozenset[OpClass]) -> str:
    """Return which law *text*, classified as *classes*, breaks; an empty string for none."""
    if text.endswith("\\"):  # it would continue into what is added
        return ""
    place = rng.randrange(len(PLACES))
    if OpClass.DESTRUCTIVE not in classify(PLACES[place](text)).classes:
        return f"a blocked command got through at place {place}"
    if OpClass.DESTRUCTIVE not in classes and classify(text).commands:
        way = rng.randrange(len(HARMLESS))
        grown = classify(HARMLESS[way](text)).classes
        if OpClass.DESTRUCTIVE in grown:
            return f"harmless addition {way} made it Destructive"
    return ""


def corpus(paths: Sequence[Path]) -> list[str]:
    """Return the seeds: built-in commands and those of the files, the very long ones left out."""
    found = list(BUILT_IN)
    for path in paths:
        found += [json.loads(line)["command"] for line in path.read_text("ascii").splitlines() if line.strip()]
    return [command for command in found if len(command) < 2000]


def main() -> int:
    """Run the mutants and report."""
    parser = argparse.ArgumentParser(description="Fuzz the shell classifier.")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    seeds = corpus(options.files)
    worst, worst_text, over = 0.0, "", 0
    begin = time.perf_counter()
    for number in range(options.mutants):
        long = number % 500 == 499
        text = long_text(rng) if long else mutant(rng, rng.choice(seeds))
        classes, seconds = timed(text)
        if seconds > worst:
            worst, worst_text = seconds, text
        over += seconds > LIMIT
        law = broken(rng, text, classes) if number % 8 == 0 and not long else ""
        if law or over:
            print(f"seed {options.seed} mutant {number}: {law or f'{seconds:.3f} s'}: {text[:2000]!r}")
            return 1
    total = time.perf_counter() - begin
    print(f"worst {worst * 1e3:.1f} ms: {worst_text[:200]!r}")
    print(f"{options.mutants} mutants, seed {options.seed}, {total:.0f} s, no exception, none over 100 ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
