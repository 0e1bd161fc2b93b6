"""The context of one attempt: every question to the world, decided, recorded, and answered from the log on re-entry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, TypeVar, cast

from attrs import evolve

from agentfsm.asking import Asking
from agentfsm.boundary import Raised, Returned, awaited
from agentfsm.calls import (
    Made,
    Prepared,
    asking,
    made_by,
    named_tool,
    performed,
    prepare,
    question,
    refuse_conflicts,
    tokens_of,
)
from agentfsm.deciding import offered, supposed, watched_decide, way_of
from agentfsm.errors import (
    ToolError,
    ToolRefusedError,
    ToolTimeoutError,
    UnknownOutcomeError,
    UsageError,
)
from agentfsm.guard import Answer, Decision
from agentfsm.probing import probed
from agentfsm.state import AgentState
from agentfsm.streaming import Chunk, Decided, ToolFinished, ToolStarted
from agentfsm.tools import Tool

__all__ = ("StageContext",)

T = TypeVar("T")


class StageContext(Asking):
    """What one attempt of a stage may use besides its view; see `agentfsm.world.Context`."""

    @property
    def run_id(self) -> str:
        """The run that this stage is part of."""
        return self.live.id

    @property
    def lifecycle(self) -> Enum:
        """The lifecycle state that the run is in."""
        return self.live.state.lifecycle

    @property
    def attempt(self) -> int:
        """1 at first, one more for each retry."""
        return self.live.attempt

    @property
    def feedback(self) -> tuple[str, ...]:
        """Why each earlier attempt at this stage was refused, oldest first."""
        return self.live.feedback

    @property
    def tools(self) -> tuple[type[Tool[object]], ...]:
        """The tools that the guards allow now."""
        return offered(self.live.machine, self.live.state)

    async def call(self, tool: Tool[T], /) -> T:
        """Ask the guards, make the call and return its answer."""
        (found,) = await self._calls((tool,))
        return cast("T", found)

    async def gather(self, *tools: Tool[T]) -> tuple[T, ...]:
        """Make independent calls at the same time; answers, indices and log follow the declared order."""
        return cast("tuple[T, ...]", await self._calls(tools))

    async def call_named(self, name: str, arguments: object, /) -> object:
        """Make a call that a model names in its own JSON."""
        self.still_open()
        return await self.call(named_tool(self.live.machine, name, arguments))

    async def ask(self, what: str, request: object, answer: type[T], do: Callable[[], Awaitable[T]], /) -> T:
        """Ask something of the world that is no tool, such as a model, and record the answer."""
        one = question(self.live, self.next_index(), what, request, answer)
        has, found = self.answered(one)
        if has:
            return cast("T", found)
        self.afford("tokens", self.live.state)
        with self.under_way():
            return cast("T", await self._recorded(one, None, await made_by(self.live, one, do)))

    async def emit(self, text: str, /) -> None:
        """Show a piece of text before it is committed."""
        self.still_open()
        if self.row.stage.streams is None:
            raise UsageError(f"{self.row.name} emits, but its `streams` names no record and field to commit it in")
        live = self.live
        chunk = Chunk(f"{live.id}:{live.seq}:{live.attempt}:{len(self.chunks)}", self.row.name, text)
        self.chunks = (*self.chunks, chunk)
        await live.show(chunk)

    def now(self) -> int:
        """The time in nanoseconds since 1970, recorded."""
        return self.noted("clock", self.live.machine.world.clock.now, int)

    def new_id(self) -> str:
        """A name that nothing else has, recorded."""
        return self.noted("id", self.live.machine.world.new_id, str)

    def random(self) -> float:
        """A number in [0, 1), recorded."""
        return self.noted("random", self.live.machine.world.random, float)

    async def _calls(self, tools: tuple[Tool[Any], ...]) -> tuple[object, ...]:
        """
        Decide on all in order, on each as if those before it had been made; only when each may go ahead, make them at
        the same time; record them in order.
        """
        prepared = [prepare(self.live, self.next_index(), tool) for tool in tools]
        refuse_conflicts(prepared)
        with self.under_way():
            return await self._made_all(prepared)

    async def _made_all(self, prepared: list[Prepared]) -> tuple[object, ...]:
        answers: dict[int, object] = {}
        going: list[tuple[Prepared, Decision]] = []
        supposing = self.live.state
        for one in prepared:
            has, found = self.answered(one)
            if not has and one.place in self.live.unsettled:
                has, found = await self._settled(one)
            if has:
                answers[one.index], supposing = found, self.live.state
                continue
            if going and (before := going[-1][0].call) is not None:
                supposing = supposed(self.live.machine, supposing, before)
            going.append((one, await self._decided(one, supposing)))
        for one, decision in going:
            await self._begin(one, decision)
        if len(going) == 1:  # no task for the common case
            ended = [await awaited(self._after(*going[0], performed(self.live, going[0][0])))]
        else:
            ended = await self._made(going)
        for (one, _), answer in zip(going, ended, strict=True):
            if isinstance(answer, Raised):
                raise answer.error
            answers[one.index] = answer.value
        return tuple(answers[one.index] for one in prepared)

    async def _made(self, going: list[tuple[Prepared, Decision]]) -> list[Returned[object] | Raised]:
        """Make all calls at the same time; each answer is recorded once those declared before it are."""
        import asyncio

        running = [asyncio.create_task(performed(self.live, one)) for one, _ in going]
        try:
            told = zip(going, running, strict=True)
            return [await awaited(self._after(one, said, task)) for (one, said), task in told]
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _after(self, one: Prepared, decision: Decision, running: Awaitable[Made]) -> object:
        return await self._recorded(one, decision, await running)

    async def _settled(self, one: Prepared) -> tuple[bool, object]:
        """Return whether a call that began, and is to be made once, was made after all, and its answer."""
        made = await probed(self.live, one)
        if made is None:
            self.live.unsettled.discard(one.place)
        if made is None or made.error is not None:  # in the latter case a person has to say
            return False, None
        return True, await self._recorded(one, None, made)

    async def _decided(self, one: Prepared, state: AgentState[Any]) -> Decision:
        """Return the decision to go ahead; raises where a guard denies in *state*, parks where a person has to say."""
        live = self.live
        if one.call is None:
            raise ToolError(f"{one.name} is no tool", path=one.name)
        decision = watched_decide(live, state, one.index, one.call)
        await live.show(Decided(one.index, one.name, decision))
        if decision.action == "deny":
            await self._refuse(one, decision)
        unknown = one.place in live.unsettled
        if decision.action == "ask" or unknown:
            signal = live.signals.get(one.key)
            if signal is None:
                reason = "unknown_outcome" if unknown else "approval"
                text = "it began, and how it ended is not known" if unknown else decision.reason
                self.park(asking(live, one, reason, text, None if unknown else decision.seconds))
            if signal.action != "approve":
                await self._refuse(one, Decision("deny", "rejected", signal.reason or "a person rejected it"))
            decision = evolve(decision, action="allow", code="approved")
        self.afford("tool_calls", state)
        return decision

    async def _refuse(self, one: Prepared, decision: Decision) -> None:
        now = self.live.machine.world.clock.now()
        await self.live.called(self, one.event(self.live, "refused", decision=decision, started=now, ended=now))
        self.learn_refusal(one, decision)
        raise ToolRefusedError(one.name, decision.code, decision.reason, way=way_of(decision))

    async def _begin(self, one: Prepared, decision: Decision) -> None:
        live = self.live
        if one.effect != "pure":
            await live.called(
                self, one.event(live, "intent", decision=decision, started=live.machine.world.clock.now())
            )
        if one.effect == "once":
            live.begins_once(one.place, one.key)
        await live.show(ToolStarted(one.index, one.name, one.arguments))

    async def _recorded(self, one: Prepared, decision: Decision | None, made: Made) -> object:
        """Record how a question was answered, and return the answer or raise its error."""
        live, error = self.live, made.error
        facts: dict[str, Any] = {"decision": decision, "started": made.began, "ended": made.ended}
        if error is None:
            tokens = tokens_of(made.value)
            await live.called(self, one.event(live, "result", result=made.text, tokens=tokens, **facts))
        else:
            await live.called(self, one.event(live, "error", error=(type(error).__name__, error.reason), **facts))
        if not isinstance(error, ToolTimeoutError | UnknownOutcomeError):
            live.unsettled.discard(one.place)
        self.learn(one, Answer(error is None, made.text), tokens_of(made.value))
        if one.call is not None:
            await live.show(ToolFinished(one.index, one.name, error is None, made.text))
        if error is not None:
            raise error
        return made.value
