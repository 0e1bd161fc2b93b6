"""The questions of one attempt: numbered, noted, answered from the log on re-entry, and held to what it says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from agentfsm.calls import Prepared, question, recorded_answer, same_call
from agentfsm.deciding import Memories, refused, remembered, spent
from agentfsm.errors import AgentFSMError, BusyError, ReplayMismatchError, StageError, ToolError
from agentfsm.guard import Answer, Decision
from agentfsm.limits import Limits, Spent
from agentfsm.live import Live
from agentfsm.parked import Parked
from agentfsm.records import Record
from agentfsm.rows import Row
from agentfsm.state import AgentState, Halted
from agentfsm.streaming import Chunk

if TYPE_CHECKING:
    import asyncio

__all__ = ("Asking",)

T = TypeVar("T")


class Asking:
    """
    What one attempt has asked so far.

    *parked* is what has to end it, whatever its stage makes of that; *busy* are the tasks that calls are under way in.
    """

    # On the class until they differ: a context is made once a step, and most steps ask for nothing.
    _index = 0
    chunks: tuple[Chunk, ...] = ()
    closed = False
    parked: Parked | AgentFSMError | None = None
    busy: frozenset[asyncio.Task[Any]] = frozenset()

    def __init__(self, live: Live, row: Row) -> None:
        self.live = live
        self.row = row

    def noted(self, what: str, do: Callable[[], T], answer: type[T]) -> T:
        """Return what *do* returns, or what the log says that it did."""
        one = question(self.live, self.next_index(), what, None, answer)
        has, found = self.answered(one)
        if has:
            return cast("T", found)
        value = do()
        self.live.extra = True
        self.live.pending.append(one.event(self.live, "asked", result=json.dumps(value)))
        return value

    def answered(self, one: Prepared) -> tuple[bool, object]:
        """Return whether the log has an answer, and the answer; what came of it is learned again."""
        recorded = self.live.answered.get(one.index)
        if recorded is None:
            return False, None
        last = recorded[-1]
        if last.phase == "refused" and last.decision is not None and same_call(one, recorded[0]):
            self.learn_refusal(one, last.decision)
        elif last.phase in ("result", "error") and same_call(one, recorded[0]):
            text = last.result if last.phase == "result" else (last.error or ("", ""))[1]
            self.learn(one, Answer(last.phase == "result", text), last.tokens)
        try:
            return recorded_answer(self.live.machine.codec, one, recorded)
        except ReplayMismatchError as error:  # for good, even where the stage swallows it
            self.parked = error
            raise

    def learn(self, one: Prepared, answer: Answer, tokens: int) -> None:
        """Take in what came of a call: what guards remember of it, and what it cost."""
        live = self.live
        if one.call is not None:
            memories = self._held(remembered(live.machine, live.state, one.call, answer))
            live.learn(memories, tool_calls=1, tokens=tokens)
        elif tokens:
            live.learn((), tokens=tokens)
        if tokens:
            live.learn(self._held(spent(live.machine, live.state, tokens)))

    def learn_refusal(self, one: Prepared, decision: Decision) -> None:
        """Take in that a call was refused: what guards remember of that."""
        live = self.live
        if one.call is not None:
            live.learn(self._held(refused(live.machine, live.state, one.call, decision)))

    def _held(self, memories: Memories) -> tuple[Record, ...]:
        """Return what guards remember; a guard that cannot say it ends the attempt, for it must not be asked again."""
        if isinstance(memories, ToolError):
            self.parked = memories
            raise memories
        return memories

    def hold(self) -> None:
        """Raise what ended the attempt, though the stage swallowed it; refuse calls left out or still under way."""
        if self.parked is not None:
            raise self.parked
        if self.busy:
            count = len(self.busy)
            raise StageError(f"{self.row.name} returned while {count} of its calls were under way; await them")
        for index in sorted(self.live.answered):
            if index >= self._index:
                first = self.live.answered[index][0]
                raise ReplayMismatchError(first.seq, f"calls[{index}]", f"{first.tool}({first.arguments})", "no call")

    def close(self) -> None:
        """Take no more calls, and break off those that the stage left behind."""
        self.closed = True
        for task in self.busy:
            task.cancel()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Note that the current task is in the middle of a call."""
        from asyncio import current_task

        task = current_task()
        mine = frozenset({task} if task is not None and task not in self.busy else ())
        self.busy |= mine
        try:
            yield
        finally:
            self.busy -= mine

    def still_open(self) -> None:
        """Raise what ended the attempt, or has to, if something did."""
        if self.parked is not None:
            raise self.parked
        if self.closed:
            raise BusyError(f"this attempt of {self.row.name} is over; its context takes no more calls")

    def next_index(self) -> int:
        """Return the number of the next question."""
        self.still_open()
        self._index += 1
        return self._index - 1

    def park(self, halted: Halted) -> NoReturn:
        """End the attempt: the run halts before its stage."""
        self.parked = Parked(halted)
        raise self.parked

    def afford(self, what: str, state: AgentState[Any]) -> None:
        """Halt the run where a limit is reached."""
        most, spent = (getattr(state.records.get(kind), what, None) for kind in (Limits, Spent))
        if most is not None and (spent or 0) >= most:
            self.park(Halted(what))
