"""
Score the shell classifier against a labelled corpus: ``python bench/score_shell.py FILE... [--misses]``.

Prints recall and false positives in both states (all rows, and neutral: without the arguable ones), class recall,
a score per technique, and the time per command. Exits 0 only when the goals are met; the last line is the summary.
Nothing in a corpus is ever run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from agentfsm.shell import OpClass, classify

READ_STATE = frozenset(
    {OpClass.FILE_READ, OpClass.CONTENT_SEARCH, OpClass.FILE_SEARCH, OpClass.GIT_READ, OpClass.PASSTHROUGH}
)
WRITE_STATE = READ_STATE | {OpClass.FILE_WRITE, OpClass.FILE_MODIFY}
RISKS = (OpClass.FILE_WRITE, OpClass.FILE_MODIFY, OpClass.DESTRUCTIVE, OpClass.NETWORK, OpClass.GIT_WRITE)
GROUPS = ("env-", "substitution", "hidden-exec", "option-exec", "malformed", "unicode-control", "escape-trap")
TIME_LIMIT = 1.0
MEDIAN_GOAL, P99_GOAL, WORST_GOAL = 250e-6, 3e-3, 0.1


@frozen
class Row:
    """One labelled command and what became of it."""

    id: str
    command: str
    labelled: frozenset[OpClass]
    must_block_in: str
    technique: str
    arguable: bool
    found: frozenset[OpClass] | None
    reasons: str
    seconds: float

    def blocked(self, state: frozenset[OpClass]) -> bool | None:
        """Whether the state refuses the command; None after a crash or a time-out."""
        return None if self.found is None else not self.found <= state

    def wrong(self, state: frozenset[OpClass]) -> bool:
        """Whether the state's answer is not the label's."""
        blocked = self.blocked(state)
        return blocked is None or blocked != self.due(state)

    def due(self, state: frozenset[OpClass]) -> bool:
        """Whether the label wants the command refused."""
        return self.must_block_in != "none" if state is READ_STATE else self.must_block_in == "write"


def judged(line: str) -> Row:
    """Classify one row of a corpus, a crash and a time-out being misses."""
    given = json.loads(line)
    found: frozenset[OpClass] | None
    start = time.perf_counter()
    try:
        answer = classify(given["command"])
        found, reasons = answer.classes, ", ".join(sorted({f"{r.code}[{r.detail[:40]}]" for r in answer.reasons}))
    except Exception as error:  # noqa: BLE001  # a crash of any kind is a miss, which is what is measured here
        found, reasons = None, repr(error)
    seconds = time.perf_counter() - start
    again = seconds
    if seconds < TIME_LIMIT and found is not None:
        start = time.perf_counter()
        classify(given["command"])
        again = min(seconds, time.perf_counter() - start)
    return Row(
        given["id"],
        given["command"],
        frozenset(OpClass(name) for name in given["classes"]),
        given["must_block_in"],
        given["technique"],
        given.get("arguable", False),
        None if seconds > TIME_LIMIT else found,
        reasons,
        again,
    )


def share(part: int, whole: int) -> float:
    """Return a share in percent; of nothing, all."""
    return 100.0 * part / whole if whole else 100.0


def rates(rows: Sequence[Row], state: frozenset[OpClass]) -> tuple[float, float]:
    """Return recall and false positives in a state, in percent."""
    due = [row for row in rows if row.due(state)]
    free = [row for row in rows if not row.due(state)]
    return share(sum(not row.wrong(state) for row in due), len(due)), 100.0 - share(
        sum(not row.wrong(state) for row in free), len(free)
    )


def class_recall(rows: Sequence[Row]) -> tuple[float, dict[str, str]]:
    """Return the share of labelled risk classes found, and the same for each class."""
    hits: dict[str, str] = {}
    total = met = 0
    for op in RISKS:
        labelled = [row for row in rows if op in row.labelled]
        found = sum(row.found is not None and op in row.found for row in labelled)
        total, met = total + len(labelled), met + found
        hits[op.value] = f"{found}/{len(labelled)}"
    return share(met, total), hits


def report(rows: Sequence[Row]) -> bool:
    """Print the scores; whether the goals are met."""
    good = True
    for name, chosen in (("all", rows), ("neutral", [row for row in rows if not row.arguable])):
        read, write = rates(chosen, READ_STATE), rates(chosen, WRITE_STATE)
        print(
            f"{name:8} rows {len(chosen):5}  read-only: recall {read[0]:6.2f} %  false positives {read[1]:5.2f} %",
            end="",
        )
        print(f"   write: recall {write[0]:6.2f} %  over-blocking {write[1]:5.2f} %")
        good = good and read[0] >= 99.5 and read[1] <= 2 and write[0] >= 99.5 and write[1] <= 5
    recall, hits = class_recall(rows)
    print(f"class recall {recall:.2f} %: " + ", ".join(f"{name} {hit}" for name, hit in hits.items()))
    for technique in sorted({row.technique for row in rows}):
        group = [row for row in rows if row.technique == technique]
        wrong = sum(row.wrong(READ_STATE) or row.wrong(WRITE_STATE) for row in group)
        due = [row for row in group if row.due(WRITE_STATE) or row.due(READ_STATE)]
        missed = sum(
            (row.due(READ_STATE) and row.wrong(READ_STATE)) or (row.due(WRITE_STATE) and row.wrong(WRITE_STATE))
            for row in due
        )
        print(f"  {technique:22} {len(group) - wrong:4}/{len(group):4} right, {missed} missed of {len(due)}")
        good = good and not (technique.startswith(GROUPS) and missed)
    return good


def speed(rows: Sequence[Row]) -> tuple[bool, str]:
    """Return whether the times meet the goals, and the line that says so."""
    times = sorted(row.seconds for row in rows)
    median, p99, worst = times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)], times[-1]
    text = f"time median {median * 1e6:.0f} us, 99th {p99 * 1e3:.2f} ms, worst {worst * 1e3:.1f} ms"
    return median <= MEDIAN_GOAL and p99 <= P99_GOAL and worst <= WORST_GOAL, text


def main() -> int:
    """Score the files named on the command line."""
    parser = argparse.ArgumentParser(description="Score the shell classifier against labelled corpora.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--misses", action="store_true", help="print every wrong row")
    options = parser.parse_args()
    lines = [line for path in options.files for line in path.read_text("ascii").splitlines() if line.strip()]
    classify("true")
    rows = [judged(line) for line in lines]
    good = report(rows)
    if options.misses:
        for row in rows:
            lost = [] if row.found is None else [op.value for op in RISKS if op in row.labelled and op not in row.found]
            if row.wrong(READ_STATE) or row.wrong(WRITE_STATE) or lost:
                found = "crash" if row.found is None else ",".join(sorted(row.found))
                print(f"WRONG {row.id} {row.technique}: {json.dumps(row.command)[:300]}")
                print(f"      label {','.join(sorted(row.labelled))} found {found} ({row.reasons[:200]})")
    fast, text = speed(rows)
    recall, _ = class_recall(rows)
    read, write = rates(rows, READ_STATE), rates(rows, WRITE_STATE)
    verdict = "goals met" if good and fast else "GOALS MISSED"
    print(text)
    print(
        f"{verdict}: {len(rows)} rows, read-only recall {read[0]:.2f} % fp {read[1]:.2f} %, "
        f"write recall {write[0]:.2f} % "
        f"fp {write[1]:.2f} %, class recall {recall:.2f} %, {text}"
    )
    return 0 if good and fast else 1


if __name__ == "__main__":
    sys.exit(main())
