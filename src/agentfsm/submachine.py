"""Sub-machines: a whole machine as one stage of another, with its own log and nothing shared but what is mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Literal, TypeVar, cast

import attrs
from attrs import frozen

from agentfsm import runs
from agentfsm.context import StageContext
from agentfsm.errors import DepthError, UsageError
from agentfsm.functions import argument_of, result_of, stage_of
from agentfsm.limits import Limits
from agentfsm.live import Live, Machine
from agentfsm.loop import drive
from agentfsm.orchestrator import FSMOrchestrator
from agentfsm.places import names_in_sight
from agentfsm.records import Business, Maybe, Metadata, Record
from agentfsm.run import Outcome, Run
from agentfsm.stage import Stage
from agentfsm.state import StatePatch
from agentfsm.view import View
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
        live = await self._started(parent, view)
        try:
            await drive(live)
        finally:
            parent.children[live.id] = live.as_run()
        run = live.as_run()
        if run.outcome is Outcome.SUSPENDED and run.halted is not None:
            ctx.park(run.halted)
        return self.gives(run)

    async def _started(self, parent: Live, view: View[Any]) -> Live:
        """Return the child's run: a new one, or the one that an earlier entry of this very stage began."""
        name = f"{parent.id}/{parent.stage}@{parent.visit}.{parent.attempt}"
        machine = self._inside(parent.machine)
        found = parent.children.get(name) or await _kept(machine, name)
        if found is not None:
            live = runs.continued(machine, found)
            if found.outcome in (None, Outcome.SUSPENDED):
                asked = found.halted.key if found.halted is not None else ""
                answers = tuple(signal for signal in parent.signals.values() if signal.key == asked)
                await runs.wake(live, found, self.limits, answers)
            live.depth = parent.depth + 1
            return live
        if parent.depth + 1 > self.max_depth:
            raise DepthError(f"{parent.stage} would be level {parent.depth + 1} of at most {self.max_depth}")
        live = runs.begun(machine, self.limits, self.takes(view), parent.session, (name, parent.id))
        live.depth = parent.depth + 1
        live.sink = parent.sink
        return live

    def _inside(self, parent: Machine) -> Machine:
        """Return the child's machine in its parent's world, its log beside its parent's."""
        return attrs.evolve(self.machine, world=parent.world, journal=self.machine.journal or parent.journal)


async def _kept(machine: Machine, name: str) -> Run[Any] | None:
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
) -> Stage[R, W, N]:
    """
    Return a stage that runs *child*: *takes* maps what it is given, *gives* what comes back, *goes* chooses the exit.

    The child sees nothing else of its parent, and its parent nothing else of it. It may stand *max_depth* machines
    below the outermost one and execute *max_child_steps* stages; both are exact. Where it waits for an answer, its
    parent waits with it. Its run is named ``PARENT/STAGE@VISIT.ATTEMPT`` and is among its parent's `children`.
    """
    names = names_in_sight()
    limits = child.limits if max_child_steps is None else attrs.evolve(child.limits, stages=max_child_steps)  # type: ignore[misc]  # a record is an attrs class
    inner = _Child(child.machine, limits, cast("Any", takes), cast("Any", gives), max_depth)
    header = (argument_of(takes, View, names), result_of(gives, StatePatch, names), result_of(goes, Literal, names))
    made = stage_of(name or f"Run{child.table.machine.title()}", header, enters, {"run": inner.run, "next": goes})
    return cast("Stage[R, W, N]", made)
