"""
Fuzz the shell classifier: ``python bench/fuzz_shell.py --mutants 1000000 --seed 1 [FILE.jsonl...]``.

Mutates commands (built in, and those of the corpora named) and holds every mutant to the laws: no exception, none
over 100 ms, a blocked command added anywhere is blocked, a harmless addition changes nothing. Prints the seed, the
time and the worst case; exits 1 at the first broken law. Nothing is ever run.
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
)
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
        text = mutant(rng, rng.choice(seeds))
        start = time.perf_counter()
        classes = classify(text).classes
        seconds = time.perf_counter() - start
        if seconds > LIMIT:
            start = time.perf_counter()
            classify(text)
            seconds = min(seconds, time.perf_counter() - start)
        if seconds > worst:
            worst, worst_text = seconds, text
        over += seconds > LIMIT
        law = broken(rng, text, classes) if number % 8 == 0 else ""
        if law or over:
            print(f"seed {options.seed} mutant {number}: {law or f'{seconds:.3f} s'}: {text!r}")
            return 1
    total = time.perf_counter() - begin
    print(f"worst {worst * 1e3:.1f} ms: {worst_text[:200]!r}")
    print(f"{options.mutants} mutants, seed {options.seed}, {total:.0f} s, no exception, none over 100 ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
