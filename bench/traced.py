"""
Measure what tracing costs: beside other frameworks with theirs, with the API alone, and with a collector that is down.

`python bench/traced.py [--rounds N] [--iterations N]`. Sides take turns inside every round; figures are medians. With
`BENCH_EXPORTER=writes` spans are written as OTLP before they are dropped, which the exporter's thread does.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Literal

sys.path.insert(0, str(Path(__file__).parent))

import agentfsm_side as side
from peers.case import TRANSITIONS, cpu_async

from agentfsm import Business, Context, FSMOrchestrator, Stage, StatePatch, View
from agentfsm.telemetry import Telemetry, setup

DEAD = "http://127.0.0.1:9"
STAGE_SECONDS = 0.005  # what a stage of the last measurement waits for


class Wait(Stage[side.Goal, side.Thought, Literal[side.Phase.ACTING]], enters=side.Phase.THINKING):
    """Wait for a moment, as for a model."""

    async def run(self, view: View[side.Goal], ctx: Context) -> StatePatch[side.Thought]:
        await asyncio.sleep(STAGE_SECONDS)
        return StatePatch(side.Thought("look"))


def transition(iterations: int, telemetry: Telemetry | None) -> float:
    """Return the CPU seconds of a transition of the bare loop."""
    machine = side.machine_of(None).with_telemetry(telemetry)
    return cpu_async(lambda: machine.run(side.Goal(iterations))) / (iterations * TRANSITIONS)


def alone(rounds: int, iterations: int) -> None:
    """Compare no telemetry with the API alone, for which no SDK may be set up."""
    off, api = [], []
    for _ in range(rounds):
        off.append(transition(iterations, None))
        api.append(transition(iterations, Telemetry()))
    print(f"off {median(off) * 1e6:.2f} µs, with the API alone {median(api) * 1e6:.2f} µs: {_ratio(api, off):.3f} x")


def beside(rounds: int, iterations: int) -> None:
    """Compare with other frameworks and their instrumentations."""
    from peers.traced import SIDES, WRITES, Cost

    found: dict[str, list[Cost]] = {name: [] for name in SIDES}
    for _ in range(rounds):
        for name, measure in SIDES.items():
            found[name].append(measure(iterations))
    kind = "writes OTLP" if WRITES else "drops what it gets"
    print(f"| a transition, traced; the exporter {kind} | the agent's thread | all threads |\n|---|---:|---:|")
    for name, costs in found.items():
        cells = [
            f"{median(cost[place] for cost in costs) * 1e6:.1f} µs ({_times(found, name, place):.1f} x)"
            for place in (0, 1)
        ]
        print(f"| {name} | {' | '.join(cells)} |")


def dead(rounds: int, iterations: int) -> None:
    """Compare the slowest stages without telemetry and with a collector that does not answer."""
    times: dict[str, list[float]] = {"off": [], "dead": []}
    exporting = setup(endpoint=DEAD, service_name="bench")
    logging.disable()  # the exporter says, again and again, that nobody listens
    for _ in range(rounds):
        for name, telemetry in (("off", None), ("dead", exporting.telemetry)):
            times[name].append(quantiles(asyncio.run(_stages(iterations, telemetry)), n=100)[98])
    worst = {name: median(each) for name, each in times.items()}
    exporting.close()
    print(
        f"p99 of a stage that waits {STAGE_SECONDS * 1e3:.0f} ms: off {worst['off'] * 1e3:.3f} ms, "
        f"with a dead collector {worst['dead'] * 1e3:.3f} ms: {_ratio(times['dead'], times['off']):.3f} x"
    )


async def _stages(iterations: int, telemetry: Telemetry | None) -> list[float]:
    """Return how long each waiting stage took, in seconds."""
    machine = FSMOrchestrator[Business](
        [Wait(), side.Act(), side.Observe()],
        start=side.Phase.THINKING,
        iterates=side.Phase.THINKING,
        final={side.Phase.FINISHED},
        failed=side.Phase.FAILED,
        invariants=side.INVARIANTS,
        telemetry=telemetry,
    )
    run = await machine.run(side.Goal(iterations))
    return [(event.ended - event.started) / 1e9 for event in run.events if event.stage == "Wait"]


def _ratio(one: list[float], other: list[float]) -> float:
    return median(first / second for first, second in zip(one, other, strict=True))


def _times(found: dict[str, list[tuple[float, float]]], name: str, place: int) -> float:
    return median(cost[place] / own[place] for cost, own in zip(found[name], found["agentfsm"], strict=True))


MEASURES: dict[str, Callable[[int, int], None]] = {"alone": alone, "beside": beside, "dead": dead}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("what", nargs="*", choices=[*MEASURES, []], help="these alone")
    given = parser.parse_args()
    for name in given.what or MEASURES:
        MEASURES[name](given.rounds, given.iterations)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
