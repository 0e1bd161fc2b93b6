"""Mistakes about machines: schema, ends, invariants, guards, input and output."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from accepts.repair import Again, Bug, Diff, Edit, Fix, Note, Phase, Report, Tests, Verify

from agentfsm import (
    Business,
    Context,
    FSMOrchestrator,
    Invariant,
    Iteration,
    LastError,
    Maybe,
    Run,
    Stage,
    StatePatch,
    Tool,
    View,
    record,
)


class Colour(Enum):
    RED, GREEN, BLUE = 1, 2, 3


@record
class Foreign(Business):
    text: str = ""


class Paint(Stage[Bug, Diff, Literal[Colour.GREEN]], enters=Colour.RED):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff())


def old_text(old: View[Maybe[Diff]], new: View[Maybe[Diff]]) -> bool:
    return True


def surely(old: View[Diff], new: View[Diff]) -> bool:
    return True


def text_of(new: View[Maybe[Diff]]) -> bool:
    return True


def machines() -> None:
    P = Phase
    FSMOrchestrator[Bug | Diff | Tests]([Fix()], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: list-item
    FSMOrchestrator[Bug | Diff]([Verify()], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: list-item
    FSMOrchestrator[Bug | Diff]([Again()], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: list-item
    FSMOrchestrator[Bug | Diff]([Report()], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: list-item
    FSMOrchestrator[Bug | Diff]([Paint()], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: misc
    FSMOrchestrator[Bug | Diff]([Fix], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: list-item
    FSMOrchestrator[Iteration]([], start=P.FIX, final={P.DONE}, failed=P.FAILED)  # E: type-var
    FSMOrchestrator[Bug]([], start=P.FIX, final={P.DONE})  # E: call-arg
    FSMOrchestrator[Bug]([], start=P.FIX, final=P.DONE, failed=P.FAILED)  # E: arg-type
    FSMOrchestrator[Bug]([], start=P.FIX, final={P.DONE}, failed=P.FAILED, recovery=Fix())  # E: arg-type
    FSMOrchestrator[Bug]([], start=P.FIX, final={P.DONE}, failed=P.FAILED, records=[Foreign])  # E: list-item
    FSMOrchestrator[Bug]([], start=P.FIX, final={P.DONE}, failed=P.FAILED, tools=[Bug])  # E: list-item
    FSMOrchestrator[Bug]([], start=P.FIX, final={P.DONE}, failed=P.FAILED, limits=5)  # E: arg-type


async def runs(plain: FSMOrchestrator[Bug], run: Run[Bug]) -> None:
    await plain.run(Diff())  # E: arg-type
    plain.run_sync(Diff())  # E: arg-type
    plain.run_sync(Bug("x"), LastError("a", "b", "c", "d"))  # E: arg-type
    plain.stream(Foreign())  # E: arg-type
    plain.begin(Foreign())  # E: arg-type
    await plain.resume(run, "approve")  # E: arg-type
    run.get(Foreign)  # E: arg-type
    run.state.get(Foreign)  # E: arg-type
    run.get(Bug).report  # E: union-attr
    run.state.view[Bug]  # E: index
    run.outcome = None  # E: misc
    run.log.append(run.log[0])  # E: attr-defined


def invariants() -> None:
    p = Phase
    ok, bad, odd = Invariant("text", old_text), Invariant("text", surely), Invariant("text", text_of)  # E: arg-type
    FSMOrchestrator[Bug | Diff]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, invariants=[ok])
    FSMOrchestrator[Bug]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, invariants=[ok])  # E: list-item
    FSMOrchestrator[Bug | Diff]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, invariants=[bad])  # E: list-item
    print(odd, Note)


class NoDecision:
    def decide(self, call: Tool[object], at: Enum, /) -> bool:
        return True


class NoMemory:
    def begins(self) -> None: ...

    def offered(self, memory: None, lifecycle: Enum, tools: tuple[str, ...], /) -> tuple[str, ...]:
        return tools

    def decide(self, memory: None, lifecycle: Enum, call: str, /) -> None: ...

    def after(self, memory: None, call: str, answer: str, /) -> None: ...


def guards() -> None:
    p = Phase
    FSMOrchestrator[Bug]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, guards=[NoDecision()])  # E: list-item
    FSMOrchestrator[Bug]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, guards=[NoMemory()])  # E: list-item
    FSMOrchestrator[Bug]([], start=p.FIX, final={p.DONE}, failed=p.FAILED, guards=[Edit("x")])  # E: list-item
