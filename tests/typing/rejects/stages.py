"""Mistakes about stages: their headers, and their methods against them."""

from __future__ import annotations

from enum import Enum
from typing import Literal

from accepts.repair import Ask, Bug, Count, Diff, Edit, Phase, Project, Tests, Verify

from agentfsm import Context, Iteration, Maybe, Record, Retry, Stage, StatePatch, View

# Headers ---------------------------------------------------------------------------------------------------------


class NoRecord(Stage[int, Diff, Literal[Phase.DONE]], enters=None): ...  # E: type-var


class NoRecordInAUnion(Stage[Bug | str, Diff, Literal[Phase.DONE]], enters=None): ...  # E: type-var


class NoEnum(Stage[Bug, Diff, Literal["done"]], enters=None): ...  # E: type-var


class WritesLifecycle(Stage[Bug, Iteration, Literal[Phase.DONE]], enters=None): ...  # E: type-var


class WritesMetadata(Stage[Bug, Project, Literal[Phase.DONE]], enters=None): ...  # E: type-var


class WritesAnything(Stage[Bug, Maybe[Record], Literal[Phase.DONE]], enters=None): ...  # E: type-var


class EntersText(Stage[Bug, Diff, Literal[Phase.DONE]], enters="fix"): ...  # E: arg-type


class NoSuchExit(Stage[Bug, Diff, Literal[Phase.GONE]], enters=Phase.FIX): ...  # E: name-defined


class NoRun(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX): ...


NoRun()  # E: abstract


# Methods against the header --------------------------------------------------------------------------------------


class Sneaky(Stage[Bug | Maybe[Tests], Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug | Maybe[Tests]], ctx: Context) -> StatePatch[Diff]:
        view[Diff]  # E: index
        view[Tests].passed  # E: index
        view.get(Diff)  # E: arg-type
        view.get(Bug)  # E: arg-type
        view[Bug].title  # E: attr-defined
        view.get(Tests).passed  # E: union-attr
        view[int]  # E: index
        view.bug  # E: attr-defined
        Tests.of(view)  # E: arg-type
        answer = await ctx.call(Edit("x", 3))  # E: arg-type
        answer.ok  # E: attr-defined
        await ctx.call(Bug("x"))  # E: arg-type
        await ctx.call(Edit(file="x"))  # E: call-arg
        await ctx.gather(Edit("x"), Bug("x"))  # E: arg-type
        number: str = await ctx.call(Count(("a",)))  # E: arg-type
        if answer:
            return StatePatch(Tests(passed=True))  # E: arg-type
        if view[Bug].report:
            return StatePatch(Diff("x"), Bug("x"))  # E: arg-type
        return Diff(number)  # E: return-value

    def next(self, view: View[Diff]) -> Literal[Phase.DONE]:
        return Phase.FIX  # E: return-value


class Changes(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        view[Bug] = Bug("x")  # E: index
        view[Bug].report = "x"  # E: misc
        view.bug = Bug("x")  # E: attr-defined
        del view[Bug]  # E: attr-defined
        return StatePatch(Diff(3))  # E: arg-type


class ReadsMore(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug | Tests], ctx: Context) -> StatePatch[Diff]:  # E: override
        return StatePatch()

    def check(self, view: View[Diff]) -> str | None:  # E: override
        return None

    def ensure(self, view: View[Tests]) -> str | None:  # E: override
        return None

    def next(self, view: View[Bug | Maybe[Diff]]) -> Literal[Phase.DONE]:  # E: override
        return Phase.DONE


class TakesMaybeForSure(Stage[Maybe[Bug], Maybe[Diff], Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:  # E: override
        return StatePatch()

    def ensure(self, view: View[Diff]) -> str | None:  # E: override
        return None


class WritesMore(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff | Tests]:  # E: override
        return StatePatch()


class LeadsElsewhere(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch()

    def next(self, view: View[Bug]) -> Literal[Phase.DONE, Phase.FIX]:  # E: override
        return Phase.DONE


class LeadsAnywhere(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch()

    def next(self, view: View[Bug]) -> Phase:  # E: override
        return Phase.DONE


class NotAsync(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:  # E: override
        return StatePatch()


class WiderThanItsParent(Verify):
    async def run(self, view: View[Diff | Bug], ctx: Context) -> StatePatch[Tests]:  # E: override, override
        return StatePatch(Tests(passed=True))


class RetriesAnything(Stage[Bug, Diff, Literal[Phase.DONE]], enters=Phase.FIX):
    retry = Retry(on=(OSError,))  # E: arg-type
    timeout = "soon"  # E: assignment

    async def run(self, view: View[Bug], ctx: Context) -> StatePatch[Diff]:
        return StatePatch(Diff())


class Pattern(Ask[Literal[Phase.DONE], int], enters=None): ...  # E: type-var


class Colour(Enum):
    RED = 1


class OtherPattern(Ask[Literal[Colour.RED], Iteration], enters=None): ...  # E: type-var
