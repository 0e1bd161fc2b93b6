"""A run while it goes on: the one mutable thing, held by the loop alone and turned into a `Run` when it stops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import attrs
from attrs import define, field

from agentfsm.boundary import Raised, awaited
from agentfsm.codec import Codec
from agentfsm.commit import spent_more
from agentfsm.entries import chained, entry_text
from agentfsm.errors import BusyError, ConflictError
from agentfsm.events import CallEvent, Entry, Signal, StateTransitionEvent
from agentfsm.frozen import FrozenMap
from agentfsm.guard import Guard
from agentfsm.limits import Spent
from agentfsm.records import Record
from agentfsm.rows import Row
from agentfsm.run import Claim, EventLog, Run, outcome_of
from agentfsm.state import AgentState
from agentfsm.streaming import Chunk, Item, Sink
from agentfsm.table import Table
from agentfsm.tools import Tool
from agentfsm.tracing import Trace, Tracing
from agentfsm.world import Journal, World

if TYPE_CHECKING:
    import asyncio

__all__ = ("Live", "Machine", "Place")

Sealed: TypeAlias = tuple[tuple[Entry, ...], list[str], bytes]
Place: TypeAlias = tuple[int, str, str]  # of a call in its stage: index, tool, arguments
AnyGuard: TypeAlias = Guard[Any]  # each guard has a memory of its own class, which no list of them can say


@attrs.frozen(eq=False)
class Machine:
    """What an orchestrator gives to each of its runs."""

    table: Table
    world: World
    guards: tuple[tuple[AnyGuard, type[Record] | None], ...]
    tools: Mapping[str, type[Tool[object]]]
    journal: Journal | None
    pausing: set[str]
    codec: Codec
    entering: tuple[tuple[AnyGuard, type[Record] | None], ...] = ()
    telemetry: Tracing | None = None
    snapshots: int = 0


def _lock() -> asyncio.Lock:
    import asyncio

    return asyncio.Lock()


class Attempt(Protocol):
    """The context of the attempt that is under way, as far as the loop needs to know it."""

    chunks: tuple[Chunk, ...]
    closed: bool

    @property
    def parked(self) -> BaseException | None:
        """What ended the attempt, or has to end it."""

    def close(self) -> None:
        """Take no more calls, and break off those that the stage left behind."""


@define(eq=False)
class Live:
    """A run while it goes on."""

    machine: Machine
    id: str
    session: str
    state: AgentState[Any]
    log: list[Entry]
    settled: AgentState[Any] = field(init=False)
    learned: dict[type[Record], Record] = field(factory=dict[type[Record], Record], init=False)
    base: int = 0
    stored: int = 0
    chain: bytes = b""
    kept: tuple[int, int, int] = (0, 0, 0)  # see `Run`
    row: Row | None = None
    context: Attempt | None = None
    started: int = 0
    left: int = -1
    pause: float = 0.0
    keeping: Sealed | None = None
    broken: Exception | None = None
    visit: int = 0
    attempt: int = 1
    depth: int = 0
    extra: bool = False  # the attempt has more to say than its patch
    rescue: bool = False
    feedback: tuple[str, ...] = ()
    answered: Mapping[int, tuple[CallEvent, ...]] = field(factory=dict[int, tuple[CallEvent, ...]])
    signals: Mapping[str, Signal] = field(factory=dict[str, Signal])
    unsettled: set[Place] = field(factory=set[Place])  # calls for once of which no outcome is known
    children: dict[str, Run[Any]] = field(factory=dict[str, Run[Any]])
    pending: list[CallEvent] = field(factory=list[CallEvent])
    sink: Sink | None = None
    trace: Trace | None = None
    former: str = ""  # the root span that the run had before, as W3C trace context
    turn: asyncio.Lock = field(factory=_lock)
    claim: Claim = field(factory=Claim)

    @property
    def stage(self) -> str:
        """The stage that is under way."""
        return self.row.name if self.row is not None else ""

    @property
    def iteration(self) -> int:
        """The number of the current iteration."""
        return self.state.iteration

    def __attrs_post_init__(self) -> None:
        self.settled = self.state

    @property
    def seq(self) -> int:
        """The number of the next entry that is no note."""
        return self.base + len(self.log) + len(self.pending)

    def sealed(self, *entries: Entry) -> Sealed:
        """
        Return entries ready to be added: their lines where a journal keeps them, and the notes that go before them.

        A run that went on for a while without being kept, such as a fork, is kept from its first entry on. Raises
        `EncodeError` when a value would not read back equal.
        """
        first = self.base + len(self.log)
        if self.pending:
            notes = (attrs.evolve(note, seq=first + place) for place, note in enumerate(self.pending))
            entries = (*notes, *entries)
        if self.trace is not None:
            entries = self.trace.marked(entries)
        if self.machine.journal is None:
            return entries, [], self.chain
        lines, chain = [], self.chain
        for entry in entries if self.stored == first else (*self.log[self.stored - self.base :], *entries):
            line, chain = chained(chain, entry_text(entry))
            lines.append(line)
        return entries, lines, chain

    async def add(self, sealed: Sealed) -> None:
        """Add entries to the log: first where it is kept, and only then here. Raises what the journal raises."""
        journal = self.machine.journal
        if journal is not None:
            self.keeping = sealed
            made = await awaited(journal.append(self.id, self.stored, sealed[1], session=self.session))
            if isinstance(made, Raised):
                self.broken = made.error
                raise made.error
        self._added(sealed)

    async def make_sure(self) -> None:
        """Find out whether entries were kept whose journal was interrupted; raises `ConflictError`."""
        sealed, journal = self.keeping, self.machine.journal
        if sealed is None or journal is None:
            return
        head = await journal.head(self.id)
        if head == self.stored + len(sealed[1]):
            self._added(sealed)
            last = sealed[0][-1] if sealed[0] else None
            if isinstance(last, StateTransitionEvent) and last.after is not None:
                self.settle(last.after)
        elif head != self.stored:
            raise ConflictError(self.id, expected=self.stored, found=head)
        self.keeping = None

    def _added(self, sealed: Sealed) -> None:
        entries, lines, chain = sealed
        self.stored, self.chain, self.keeping = self.stored + len(lines), chain, None
        if self.machine.snapshots:
            entries_kept, size, grown = self.kept
            self.kept = entries_kept, size, grown + sum(map(len, lines))
        if self.pending:  # some may have been added while these were kept
            del self.pending[: sum(isinstance(entry, CallEvent) and entry.phase == "asked" for entry in entries)]
        self.log.extend(entries)
        if self.trace is not None:
            self.trace.added(entries)

    async def called(self, by: Attempt, call: CallEvent) -> None:
        """Add a call to the log, one at a time; raises `BusyError` once the attempt that made it is over."""
        async with self.turn:
            if by.closed:
                raise BusyError(f"the attempt that called {call.tool} is over; its answer is not recorded")
            await self.make_sure()
            await self.add(self.sealed(attrs.evolve(call, seq=self.seq)))

    async def close(self) -> None:
        """End the attempt that is under way, once the call that is being recorded is."""
        if self.context is not None:
            self.context.close()
        if self.turn.locked():
            async with self.turn:
                pass

    def learn(self, memories: Iterable[Record], *, tool_calls: int = 0, tokens: int = 0) -> None:
        """
        Take in what came of a call, for the rest of the attempt and the event that ends it.

        A run that halts in mid-stage forgets it, and learns it again from the calls that the log then answers.
        """
        more = list(memories)
        spent = self.state.records.get(Spent)
        if spent is not None:
            more.append(spent_more(spent, tool_calls=tool_calls, tokens=tokens))
        if more:
            self.extra = True
            self.learned |= {type(record): record for record in more}
            self.state = self.state.having(*more)

    def begins_once(self, call: Place, key: str) -> None:
        """Take note that a call for once begins: its outcome is open, and an answer from outside to it is used up."""
        self.unsettled.add(call)
        self.extra = True  # so that the commit forgets it
        self.signals = FrozenMap({known: signal for known, signal in self.signals.items() if known != key})

    def settle(self, state: AgentState[Any]) -> None:
        """Show the state after an event."""
        self.state = self.settled = state
        if self.learned:
            self.learned = {}

    def begin_anew(self) -> None:
        """Forget what belonged to the attempts at the stage that was committed."""
        self.attempt, self.feedback, self.rescue, self.extra = 1, (), False, False
        self.answered, self.signals = FrozenMap(), FrozenMap()
        self.unsettled.clear()

    async def show(self, item: Item[Any]) -> None:
        """Give an item to whoever watches."""
        if self.sink is not None:
            await self.sink(item)

    def as_run(self) -> Run[Any]:
        """Return the run as it stands now."""
        return Run(
            id=self.id,
            session=self.session,
            state=self.settled,
            log=EventLog(self.log, len(self.log), self.base, self.claim),
            outcome=outcome_of(self.machine.table, self.settled),
            children=dict(self.children),
            stored=self.stored,
            chain=self.chain,
            kept=self.kept,
            trace=(self.trace.traceparent if self.trace is not None else "") or self.former,
        )
