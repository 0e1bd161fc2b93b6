"""Sub-machines: a whole machine as one stage of another, with its own log and nothing shared but what is mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Literal, TypeVar, cast

import attrs
from attrs import frozen

from agentfsm import runs
from agentfsm.context import StageContext
from agentfsm.errors import DefinitionError, DepthError, ReplayMismatchError, UsageError
from agentfsm.functions import argument_of, result_of, stage_of
from agentfsm.limits import Limits
from agentfsm.live import Live, Machine
from agentfsm.loop import traced
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.places import names_in_sight, place
from agentfsm.records import Business, Maybe, Metadata, Record
from agentfsm.run import Outcome, Run
from agentfsm.stage import Retry, Stage
from agentfsm.state import StatePatch
from agentfsm.view import View
from agentfsm.waking import wake
from agentfsm.world import Context

__all__ = ("SubMachine",)

R = TypeVar("R", bound=Record | Maybe[Record])
W = TypeVar("W", bound=Business)
N = TypeVar("N", bound=Enum)
C = TypeVar("C", bound=Business)


@frozen(eq=False)
class _Child:
    """A machine to run inside another, and how far it may go."""

    machine: Machine
    limits: Limits
    takes: Callable[[View[Any]], Iterable[Record]]
    gives: Callable[[Run[Any]], StatePatch[Any]]
    max_depth: int

    async def run(self, view: View[Any], ctx: Context) -> StatePatch[Any]:
        """Run the child from what is mapped to it, or go on with it, and map back what it leaves."""
        if not isinstance(ctx, StageContext):
            raise UsageError("a sub-machine runs in a stage's own context")
        parent = ctx.live
        live = await self._started(ctx, view)
        live.sink = parent.sink
        try:
            await traced(live)
        finally:
            parent.children[live.id] = live.as_run()
        run = live.as_run()
        if run.outcome is Outcome.SUSPENDED and run.halted is not None:
            ctx.park(run.halted)
        return self.gives(run)

    async def _started(self, ctx: StageContext, view: View[Any]) -> Live:
        """Return the child's run: a new one, or the one that an earlier entry of this very stage began."""
        parent = ctx.live
        if parent.depth + 1 > self.max_depth:
            raise DepthError(f"{parent.stage} would be level {parent.depth + 1} of at most {self.max_depth}")
        name = f"{parent.id}/{parent.stage}@{parent.visit}.{parent.attempt}"
        machine, began = self._inside(parent.machine), bool(parent.answered)
        noted = ctx.noted("child", lambda: name, str)
        found = await _found(parent, machine, name)
        if found is None and noted != name and (origin := await _found(parent, machine, noted)) is not None:
            found = runs.named(machine, origin, name)  # the parent is a fork: its child goes its own way from here too
        if found is None:
            if began:  # what it did must not be done again
                raise ReplayMismatchError(parent.seq, "children", noted, "no such run; resume where its journal is")
            # A child is of no session: records of session scope are its parent's, who maps what it is to see.
            live = runs.begun(machine, self.limits, self.takes(view), "", (name, parent.id))
            live.depth = parent.depth + 1
            return live
        live = runs.continued(machine, found)
        live.depth = parent.depth + 1
        if found.outcome in (None, Outcome.SUSPENDED):
            key = found.halted.key if found.halted is not None else ""
            answers = tuple(signal for signal in parent.signals.values() if signal.key == key)
            await wake(live, found, None, answers, self.limits)
        return live

    def _inside(self, parent: Machine) -> Machine:
        """Return the child's machine in its parent's world, its log beside its parent's."""
        own = self.machine.journal
        journal, telemetry = parent.journal if own is None else own, self.machine.telemetry or parent.telemetry
        return attrs.evolve(self.machine, world=parent.world, journal=journal, telemetry=telemetry)


async def _found(parent: Live, machine: Machine, name: str) -> Run[Any] | None:
    """Return a child's run from its parent or from the journal, if it is there."""
    if name in parent.children:
        return parent.children[name]
    if machine.journal is None or not await machine.journal.head(name):
        return None
    return await runs.loaded(machine, name)


def SubMachine(
    child: FSMOrchestrator[C],
    *,
    enters: Enum,
    takes: Callable[[View[R]], Iterable[C | Metadata]],
    gives: Callable[[Run[C]], StatePatch[W]],
    goes: Callable[[View[R | W]], N],
    name: str = "",
    max_depth: int = 8,
    max_child_steps: int | None = None,
    retry: Retry | None = None,
    timeout: float | None = None,
) -> Stage[R, W, N]:
    """
    Return a stage that runs *child*: *takes* maps what it is given, *gives* what comes back, *goes* chooses the exit.

    The child sees nothing else of its parent, and its parent nothing else of it. It may stand *max_depth* machines
    below the outermost one and execute *max_child_steps* stages, or fewer where its own limits say so; both are exact.
    Where it waits for an answer, its parent waits with it. Its run is named ``PARENT/STAGE@VISIT.ATTEMPT``, where VISIT
    is the number of the event that led to the stage, and is among its parent's `children`. *gives* is handed the run
    however it ended, failed and exhausted included: raise there what the parent is to fail with.

    Raises `DefinitionError` where an annotation does not say what is read, written or led to, and for a bound below 0.
    """
    names = names_in_sight()
    limits = _bounded(child.limits, max_depth, max_child_steps)
    inner = _Child(child.machine, limits, cast("Any", takes), cast("Any", gives), max_depth)
    header = (argument_of(takes, View, names), result_of(gives, StatePatch, names), result_of(goes, Literal, names))
    made = stage_of(name or f"Run{child.table.machine.title()}", header, enters, {"run": inner.run, "next": goes})
    type(made).nested = child.table.machine
    made.retry, made.timeout = retry or Retry(), timeout
    return cast("Stage[R, W, N]", made)


def _bounded(limits: Limits, depth: int, steps: int | None) -> Limits:
    """Return the limits of a child that may execute *steps* stages."""
    if depth < 0 or (steps is not None and steps < 0):
        raise DefinitionError("max_depth and max_child_steps count from 0").at(place())
    if steps is None or (limits.stages is not None and limits.stages <= steps):
        return limits
    return attrs.evolve(limits, stages=steps)  # type: ignore[misc]  # a record is an attrs class
