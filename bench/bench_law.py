"""
Measure the statewright law: decisions a second, against a naive enforcer, and the time to load and to prove.

    python bench/bench_law.py [--quick]

Every decision is made on a call object that was never decided before, over names that hit and names that miss. The
last line is the summary; the exit status is 0 only when every goal is met.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from attrs import frozen

from agentfsm.statewright import Machine, NamedFiles, ToolCall, load, prove, read_claim

GOALS = {"million a second": 4.0, "times naive at 3": 3.0, "times naive at 1,000": 60.0, "flat": 1.2, "load ms": 20.0}


@frozen
class NaiveVerdict:
    """What the naive enforcer answers."""

    allowed: bool
    reason: str
    suggestion: str | None


# The definition is foreign JSON here, as it is for any program that enforces it straight from the file.
def naive(definition: Mapping[str, Any], state: str, tool: str) -> NaiveVerdict:
    """Enforce by scanning lists in a dict definition, the way it is usually written first."""
    here = definition["states"].get(state)
    if here is None:
        return NaiveVerdict(False, f"unknown state {state}", None)
    if here.get("type") == "final":
        return NaiveVerdict(False, f"{state} is final", None)
    for banned in here.get("disallowed_tools") or []:
        if banned.lower() == tool.lower():
            return NaiveVerdict(False, f"{tool} is banned in {state}", None)
    allowed = here.get("allowed_tools")
    if allowed is None:
        return NaiveVerdict(True, "", None)
    for name in allowed:
        if name.lower() == tool.lower():
            return NaiveVerdict(True, "", None)
    for event in sorted(here.get("on") or {}):
        target = definition["states"].get(here["on"][event])
        for name in (target or {}).get("allowed_tools") or []:
            if name.lower() == tool.lower():
                return NaiveVerdict(False, f"{tool} is not allowed in {state}", event)
    return NaiveVerdict(False, f"{tool} is not allowed in {state}", None)


def definition(states: int, tools: int) -> dict[str, Any]:
    """A chain of states, each of which can fail, with *tools* tools in the first and as many others in the next."""
    held: dict[str, Any] = {}
    for index in range(states):
        listed = [f"Tool{index % 2}_{number}" for number in range(tools)]
        target = f"s{index + 1}" if index + 1 < states else "done"
        held[f"s{index}"] = {"allowed_tools": listed, "on": {"NEXT": target, "FAIL": "failed"}}
    held |= {"done": {"type": "final"}, "failed": {"type": "final"}}
    return {"id": "bench", "initial": "s0", "states": held}


def names(tools: int, count: int = 1000) -> list[str]:
    """As many names as wanted: a half of them listed in the first state, a half not, in turn."""
    listed = [f"Tool0_{number}" for number in range(tools)]
    return [listed[i // 2 % tools] if i % 2 == 0 else f"Other_{i}" for i in range(count)]


Act = Callable[[list[ToolCall]], None]


def timed(act: Act, asked: list[str], rounds: int) -> float:
    """Calls a second, on call objects made for this measurement alone."""
    calls = [ToolCall("".join(list(name))) for _ in range(rounds) for name in asked]
    gc.disable()
    start = time.perf_counter()
    act(calls)
    took = time.perf_counter() - start
    gc.enable()
    return len(calls) / took


def ours(states: int, tools: int) -> Act:
    machine = Machine.parse(json.dumps(definition(states, tools)))
    session = machine.start("bench")

    def act(calls: list[ToolCall]) -> None:
        decide = machine.decide
        for call in calls:
            decide(session, call)

    act([ToolCall(name) for name in names(tools)])
    return act


def theirs(tools: int) -> Act:
    held = definition(3, tools)

    def act(calls: list[ToolCall]) -> None:
        for call in calls:
            naive(held, "s0", call.name)

    return act


@frozen
class Measured:
    """Rates by machine (states, tools) in each turn, and those of the naive enforcer by tools."""

    mine: Mapping[tuple[int, int], list[float]]
    slow: Mapping[int, list[float]]

    @property
    def flat(self) -> float:
        """How much the slowest machine lags behind the fastest, by the medians."""
        medians = [median(each) for each in self.mine.values()]
        return max(medians) / min(medians)


def rates(turns: int) -> Measured:
    """Let the machines take turns, so that a busy moment hits them all."""
    mine = {(states, tools): ours(states, tools) for states, tools in ((3, 3), (3, 30), (3, 1000), (500, 3))}
    slow = {tools: theirs(tools) for tools in (3, 1000)}
    measured = Measured({key: [] for key in mine}, {key: [] for key in slow})
    for _ in range(turns):
        for key, act in mine.items():
            measured.mine[key].append(timed(act, names(key[1]), 30))
        for tools, act in slow.items():
            measured.slow[tools].append(timed(act, names(tools), 10 if tools == 3 else 1))
    return measured


def loading(states: int) -> float:
    """Milliseconds to read, check and compile a machine from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.json"
        path.write_text(json.dumps(definition(states, 12)))
        best = 1e9
        for _ in range(7):
            start = time.perf_counter()
            machine = Machine.of(load(path).sound(), files=NamedFiles())
            machine.verdicts()
            best = min(best, time.perf_counter() - start)
    return best * 1000


def proving(states: int) -> float:
    machine = Machine.parse(json.dumps(definition(states, 12)))
    start = time.perf_counter()
    for kind, claim in (
        ("never", "s3:Write"),
        ("approved", "EXTERNAL..s400"),
        ("reach", "s0..done"),
        ("must_pass", "s0..done:s250"),
    ):
        prove(machine, read_claim(kind, claim))  # type: ignore[arg-type]  # mypy widens the literals of the tuple
    return time.perf_counter() - start


def main(quick: bool) -> int:
    measured = rates(5 if quick else 25)
    best = {key: max(each) for key, each in measured.mine.items()}
    slow = {key: max(each) for key, each in measured.slow.items()}
    for (states, tools), each in best.items():
        print(f"decide, {states:>3} states, {tools:>4} tools: {each / 1e6:6.2f} million a second")
    for tools, each in slow.items():
        print(f"naive, {tools:>4} tools: {each / 1e6:8.4f} million a second")
    figures = {
        "million a second": min(best.values()) / 1e6,
        "times naive at 3": best[3, 3] / slow[3],
        "times naive at 1,000": best[3, 1000] / slow[1000],
        "flat": measured.flat,
        "load ms": loading(50),
    }
    took = proving(500)
    print(f"load and validate 50 states: {figures['load ms']:.1f} ms; prove 4 claims on 500 states: {took:.3f} s")
    lower = {"flat", "load ms"}
    missed = [k for k, v in figures.items() if (v > GOALS[k] if k in lower else v < GOALS[k])]
    missed += ["prove"] if took > 1 else []
    told = ", ".join(f"{key} {value:.2f}" for key, value in figures.items())
    print(f"{'missed: ' + ', '.join(missed) if missed else 'all goals met'}; {told}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main("--quick" in sys.argv[1:]))
