"""Meters: how long, how often, how it ended; names of the convention where it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentfsm.telemetry.mapping import ERROR, Own

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

    from agentfsm.events import CallEvent, StateTransitionEvent
    from agentfsm.guard import Decision
    from agentfsm.telemetry.totals import Totals

__all__ = ("Meters",)

_NS = 1_000_000_000


class Meters:
    """The instruments of one meter; an attribute is always a name from the code, never a value from a run."""

    def __init__(self, meter: Meter) -> None:
        self._stage = meter.create_histogram("agentfsm.stage.duration", "s", "Duration of one attempt at a stage")
        self._failures = meter.create_counter("agentfsm.stage.failures", "{attempt}", "Attempts that failed, by kind")
        self._transitions = meter.create_counter("agentfsm.transitions", "{transition}", "Transitions, by edge")
        self._iterations = meter.create_histogram("agentfsm.run.iterations", "{iteration}", "Iterations of a run")
        self._runs = meter.create_counter("agentfsm.runs", "{run}", "Runs that ended or stand still, by outcome")
        self._refusals = meter.create_counter("agentfsm.guard.refusals", "{call}", "Calls that were refused, by code")
        self._run = meter.create_histogram("gen_ai.invoke_agent.duration", "s", "Duration of a run")
        self._tool = meter.create_histogram("gen_ai.execute_tool.duration", "s", "Duration of a tool call")
        self._model = meter.create_histogram("gen_ai.client.operation.duration", "s", "Duration of a model call")
        self._tokens = meter.create_histogram("gen_ai.client.token.usage", "{token}", "Tokens of a model call")

    def stage(self, machine: str, event: StateTransitionEvent) -> None:
        """Count an attempt: how long it took, and where it led or how it failed."""
        told: dict[str, str] = {Own.MACHINE: machine, Own.STAGE: event.stage}
        error = event.error
        if error is not None:
            told[ERROR] = error.kind
            self._failures.add(1, told)
        elif event.kind == "step":
            edge = {Own.MACHINE: machine, Own.FROM: event.source.name, Own.TO: event.target.name}
            self._transitions.add(1, edge)
        self._stage.record((event.ended - event.started) / _NS, told)

    def refused(self, machine: str, tool: str, decision: Decision) -> None:
        """Count a call that was refused."""
        self._refusals.add(1, {Own.MACHINE: machine, Own.GUARD_TOOL: tool, Own.CODE: decision.code})

    def tool(self, call: CallEvent) -> None:
        """Count a tool call."""
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.tool}
        if call.error is not None:
            told[ERROR] = call.error[0]
        self._tool.record((call.ended - call.started) / _NS, told)

    def model(self, call: CallEvent, model: str, tokens: tuple[int, int]) -> None:
        """Count a model call, and its tokens in and out."""
        told = {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}
        for kind, count in zip(("input", "output"), tokens, strict=True):
            if count:
                self._tokens.record(count, {**told, "gen_ai.token.type": kind})
        if call.error is not None:
            told[ERROR] = call.error[0]
        self._model.record((call.ended - call.started) / _NS, told)

    def run(self, machine: str, operation: str, totals: Totals, *, outcome: str, error: str) -> None:
        """Count a run, or the part of it that ends here."""
        self._runs.add(1, {Own.MACHINE: machine, Own.OUTCOME: outcome})
        self._iterations.record(totals.iterations, {Own.MACHINE: machine})
        told = {"gen_ai.operation.name": operation, "gen_ai.agent.name": machine}
        if error:
            told[ERROR] = error
        self._run.record((totals.ended - totals.began) / _NS, told)
