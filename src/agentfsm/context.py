"""The context of one attempt: every question to the world, decided, recorded, and answered from the log on re-entry."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, NoReturn, TypeVar, cast

from attrs import evolve

from agentfsm.boundary import Raised, Returned, awaited
from agentfsm.calls import (
    Made,
    Prepared,
    asking,
    made_by,
    named_tool,
    performed,
    prepare,
    probed,
    question,
    recorded_answer,
    refuse_conflicts,
    same_call,
)
from agentfsm.deciding import decide, learn, learn_refusal, offered, supposed, way_of
from agentfsm.errors import (
    BusyError,
    ReplayMismatchError,
    ToolError,
    ToolRefusedError,
    ToolTimeoutError,
    UnknownOutcomeError,
    UsageError,
)
from agentfsm.guard import Answer, Decision
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live
from agentfsm.parked import Parked
from agentfsm.rows import Row
from agentfsm.state import AgentState, Halted
from agentfsm.streaming import Chunk, Decided, ToolFinished, ToolStarted
from agentfsm.tools import Tool

__all__ = ("StageContext",)

T = TypeVar("T")


class StageContext:
    """What one attempt of a stage may use besides its view; see `agentfsm.world.Context`."""

    # On the class until they differ: a context is made once a step, and most steps ask for nothing.
    _index = 0
    chunks: tuple[Chunk, ...] = ()
    closed = False
    parked: Parked | ReplayMismatchError | None = None

    def __init__(self, live: Live, row: Row) -> None:
        self.live = live
        self._row = row

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
        self._still_open()
        return await self.call(named_tool(self.live.machine, name, arguments))

    async def ask(self, what: str, request: object, answer: type[T], do: Callable[[], Awaitable[T]], /) -> T:
        """Ask something of the world that is no tool, such as a model, and record the answer."""
        one = question(self.live, self._next_index(), what, request, answer)
        has, found = self._answered(one)
        if has:
            return cast("T", found)
        self._afford("tokens", self.live.state)
        return cast("T", await self._recorded(one, None, await made_by(self.live, one, do())))

    async def emit(self, text: str, /) -> None:
        """Show a piece of text before it is committed."""
        self._still_open()
        if self._row.stage.streams is None:
            raise UsageError(f"{self._row.name} emits, but its `streams` names no record and field to commit it in")
        live = self.live
        chunk = Chunk(f"{live.id}:{live.seq}:{live.attempt}:{len(self.chunks)}", self._row.name, text)
        self.chunks = (*self.chunks, chunk)
        await live.show(chunk)

    def now(self) -> int:
        """The time in nanoseconds since 1970, recorded."""
        return self._noted("clock", self.live.machine.world.clock.now, int)

    def new_id(self) -> str:
        """A name that nothing else has, recorded."""
        return self._noted("id", self.live.machine.world.new_id, str)

    def random(self) -> float:
        """A number in [0, 1), recorded."""
        return self._noted("random", self.live.machine.world.random, float)

    def _noted(self, what: str, do: Callable[[], T], answer: type[T]) -> T:
        one = question(self.live, self._next_index(), what, None, answer)
        has, found = self._answered(one)
        if has:
            return cast("T", found)
        value = do()
        self.live.extra = True
        self.live.pending.append(one.event(self.live, "asked", result=json.dumps(value)))
        return value

    def _answered(self, one: Prepared) -> tuple[bool, object]:
        """Return whether the log has an answer, and the answer; what came of it is learned again."""
        recorded = self.live.answered.get(one.index)
        if recorded is None:
            return False, None
        last = recorded[-1]
        if last.phase == "refused" and last.decision is not None and same_call(one, recorded[0]):
            learn_refusal(self.live, one.call, last.decision)
        elif last.phase in ("result", "error") and same_call(one, recorded[0]):
            text = last.result if last.phase == "result" else (last.error or ("", ""))[1]
            learn(self.live, one.call, Answer(last.phase == "result", text), last.tokens)
        try:
            return recorded_answer(self.live.machine.codec, one, recorded)
        except ReplayMismatchError as error:  # for good, even where the stage swallows it
            self.parked = error
            raise

    def hold(self) -> None:
        """Raise what ended the attempt, though the stage swallowed it, and refuse one that left out recorded calls."""
        if self.parked is not None:
            raise self.parked
        for index in sorted(self.live.answered):
            if index >= self._index:
                first = self.live.answered[index][0]
                raise ReplayMismatchError(first.seq, f"calls[{index}]", f"{first.tool}({first.arguments})", "no call")

    def _still_open(self) -> None:
        if self.parked is not None:
            raise self.parked
        if self.closed:
            raise BusyError(f"this attempt of {self._row.name} is over; its context takes no more calls")

    def _next_index(self) -> int:
        self._still_open()
        self._index += 1
        return self._index - 1

    async def _calls(self, tools: tuple[Tool[Any], ...]) -> tuple[object, ...]:
        """Decide on all in order, each as if those before it were made; then make them at once, and record in order."""
        prepared = [prepare(self.live, self._next_index(), tool) for tool in tools]
        refuse_conflicts(prepared)
        answers: dict[int, object] = {}
        going: list[tuple[Prepared, Decision]] = []
        supposing = self.live.state
        for one in prepared:
            has, found = self._answered(one)
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
            pairs = zip(going, running, strict=True)  # each awaited as it is made: a cancelled one leaves none behind
            return [await awaited(self._after(one, said, task)) for (one, said), task in pairs]
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
        decision = decide(live.machine, state, one.call)
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
            elif signal.action == "reject":
                await self._refuse(one, Decision("deny", "rejected", signal.reason or "a person rejected it"))
            else:
                decision = evolve(decision, action="allow", code="approved")
        self._afford("tool_calls", state)
        return decision

    async def _refuse(self, one: Prepared, decision: Decision) -> None:
        await self.live.called(one.event(self.live, "refused", decision=decision))
        learn_refusal(self.live, one.call, decision)
        raise ToolRefusedError(one.name, decision.code, decision.reason, way=way_of(decision))

    def park(self, halted: Halted) -> NoReturn:
        """End the attempt: the run halts before its stage."""
        self.parked = Parked(halted)
        raise self.parked

    def _afford(self, what: str, state: AgentState[Any]) -> None:
        """Halt the run where a limit is reached in *state*."""
        records = state.records
        most, spent = getattr(records.get(Limits), what, None), getattr(records.get(Spent), what, 0)
        if most is not None and spent >= most:
            self.park(Halted(what))

    async def _begin(self, one: Prepared, decision: Decision) -> None:
        live = self.live
        if one.effect != "pure":
            await live.called(one.event(live, "intent", decision=decision, started=live.machine.world.clock.now()))
        if one.effect == "once":
            live.begins_once(one.place, one.key)
        await live.show(ToolStarted(one.index, one.name, one.arguments))

    async def _recorded(self, one: Prepared, decision: Decision | None, made: Made) -> object:
        """Record how a question was answered, and return the answer or raise its error."""
        live, error = self.live, made.error
        facts: dict[str, Any] = {"decision": decision, "started": made.began, "ended": made.ended}
        if error is None:
            tokens = getattr(made.value, "tokens", 0)
            await live.called(one.event(live, "result", result=made.text, tokens=tokens, **facts))
        else:
            await live.called(one.event(live, "error", error=(type(error).__name__, error.reason), **facts))
        if error is None or not isinstance(error, ToolTimeoutError | UnknownOutcomeError):
            live.unsettled.discard(one.place)
        learn(live, one.call, Answer(error is None, made.text), getattr(made.value, "tokens", 0))
        if one.call is not None:
            await live.show(ToolFinished(one.index, one.name, error is None, made.text))
        if error is not None:
            raise error
        return made.value
