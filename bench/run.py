"""
Measure agentfsm and the frameworks beside it, in one process, and print medians and ratios.

Sides take turns inside every round, so that a machine that grows slower or faster in between changes all alike. Times
are CPU times. A side whose distribution is not installed is left out, and the output says so.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TypeAlias, cast

sys.path.insert(0, str(Path(__file__).parent))

from peers.case import Side  # found beside this file, wherever it is run from

# What has to be importable for a side, and the module that runs it. The first one is what ratios are taken against.
SIDES: Mapping[str, tuple[str, str]] = {
    "agentfsm": ("agentfsm.orchestrator", "agentfsm_side"),
    "langgraph": ("langgraph.graph", "peers.langgraph_side"),
    "apache-burr": ("burr.core", "peers.burr_side"),
    "pydantic-graph": ("pydantic_graph", "peers.pydantic_graph_side"),
    "transitions": ("transitions", "peers.transitions_side"),
}
ROUNDS = 7
ITERATIONS = (1, 10, 100, 1000)
MESSAGES = (10, 100, 1000, 10_000)

Measure: TypeAlias = Callable[[Side], float | None]


@dataclass(frozen=True)
class Row:
    """One thing measured on every side: medians in seconds by side, without those that offer no such thing."""

    what: str
    medians: Mapping[str, float]


def sides() -> tuple[Side, ...]:
    """Import every side that is installed here."""
    found: list[Side] = []
    for name, (needed, module) in SIDES.items():
        if _is_installed(needed):
            found.append(cast("Side", importlib.import_module(module)))
        else:
            print(f"{name}: not installed here, left out", file=sys.stderr)
    return tuple(found)


def measured(what: str, measure: Measure, among: Sequence[Side], rounds: int) -> Row:
    """Measure every side once a round, in turn; a round before the first warms up and counts for nothing."""
    times: dict[str, list[float]] = {side.NAME: [] for side in among}
    for number in range(rounds + 1):
        for side in among:
            seconds = measure(side)
            if number and seconds is not None:
                times[side.NAME].append(seconds)
    return Row(what, {name: median(each) for name, each in times.items() if each})


def startup(side: Side) -> float:
    """Return the CPU seconds of a process that imports a side, makes its two-stage machine, and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", side.STARTUP], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def peak(side: Side) -> float:
    """Return the peak memory, in MiB, of a process that runs a thousand iterations and keeps what the side keeps."""
    folder, module = str(Path(__file__).parent), SIDES[side.NAME][1]
    program = (
        f"import sys; sys.path.insert(0, {folder!r})\n"
        f"import {module} as side\n"
        "side.kept(1000) is not None or side.bare(1000)\n"
        # Not ru_maxrss: Linux starts that at what the parent held when it forked.
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def rows(among: Sequence[Side], rounds: int) -> tuple[Row, ...]:
    """Measure everything."""
    found: list[Row] = []
    for count in ITERATIONS:
        found.append(measured(f"a transition, {count} iterations, bare", _at("bare", count), among, rounds))
        found.append(measured(f"a transition, {count} iterations, kept in memory", _at("kept", count), among, rounds))
    found += [measured(_over(count), _at("growth", count), among, rounds) for count in MESSAGES]
    found.append(measured("the state back after 1002 transitions", _at("load", 334), among, rounds))
    found.append(measured("the log of 1002 transitions folded and verified", _at("fold", 334), among, rounds))
    found.append(measured("import and make two stages, from process start", startup, among, rounds))
    return tuple(found)


def growths(found: Sequence[Row]) -> Mapping[str, float]:
    """Return, by side, what a transition costs over the most messages, divided by what it costs over the fewest."""
    few, many = (row for row in found if row.what in (_over(MESSAGES[0]), _over(MESSAGES[-1])))
    return {name: seconds / few.medians[name] for name, seconds in many.medians.items()}


def table(found: Sequence[Row], among: Sequence[Side]) -> str:
    """Return the medians, each with how many times agentfsm's it is."""
    names = [side.NAME for side in among]
    lines = ["| what | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for row in found:
        base = row.medians.get("agentfsm")
        cells = [_cell(row.medians.get(name), base) for name in names]
        lines.append(f"| {row.what} | " + " | ".join(cells) + " |")
    growth = growths(found)
    cells = [f"{growth[name]:.2f}" if name in growth else "-" for name in names]
    lines.append(f"| cost over {MESSAGES[-1]} messages / over {MESSAGES[0]} | " + " | ".join(cells) + " |")
    if Path("/proc/self/status").exists():
        peaks = [f"{peak(side):.1f} MiB" for side in among]
        lines.append("| peak memory of 1000 iterations | " + " | ".join(peaks) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of each measurement, at least 1")
    parser.add_argument("--json", type=Path, help="write medians, in seconds, to this file too")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    among = sides()
    versions = {side.NAME: side.version() for side in among}
    print(f"Python {platform.python_version()}, {given.rounds} rounds, medians of CPU time")
    print("\n".join(f"{name} {version}" for name, version in versions.items()), end="\n\n")
    found = rows(among, given.rounds)
    print(table(found, among))
    if given.json is not None:
        medians = {row.what: dict(row.medians) for row in found}
        report = {"python": platform.python_version(), "versions": versions, "rounds": given.rounds, "seconds": medians}
        given.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def _at(function: str, count: int) -> Measure:
    def measure(side: Side) -> float | None:
        chosen: Callable[[int], float | None] = getattr(side, function)
        return chosen(count)

    return measure


def _over(messages: int) -> str:
    return f"a transition over {messages} messages"


def _cell(seconds: float | None, base: float | None) -> str:
    if seconds is None:
        return "-"
    shown = f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"
    return shown if base is None or seconds == base else f"{shown} ({seconds / base:.1f}x)"


def _is_installed(module: str) -> bool:
    package, _, _ = module.partition(".")
    return find_spec(package) is not None and find_spec(module) is not None


if __name__ == "__main__":
    main()
