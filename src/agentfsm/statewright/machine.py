"""Machines: the whole law behind one value, to be stepped by pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import field, frozen

from agentfsm.guard import Decision
from agentfsm.statewright.bounds import Bounds
from agentfsm.statewright.call import Call
from agentfsm.statewright.classifier import BASH
from agentfsm.statewright.definition import Definition
from agentfsm.statewright.enforcement import Enforcement, enforce
from agentfsm.statewright.fault import Fault
from agentfsm.statewright.files import DiskFiles, Files
from agentfsm.statewright.following import follow_to
from agentfsm.statewright.judging import judge_arguments, may_be_called
from agentfsm.statewright.law import Law, compiled_lists
from agentfsm.statewright.loading import load, load_text
from agentfsm.statewright.moving import Step, begin
from agentfsm.statewright.nesting import Address, at_work, deliver, waiting
from agentfsm.statewright.plain import Json, canonical
from agentfsm.statewright.queueing import Drained, drain, post
from agentfsm.statewright.ruling import Table, ToBeJudged
from agentfsm.statewright.session import Answer, ApprovalRequest, Posted, Session
from agentfsm.statewright.shell_port import Shell
from agentfsm.statewright.stepping import account, answer_step, cancel, decide, give_way, send_event
from agentfsm.statewright.transition import Refused
from agentfsm.statewright.validator import verdicts

__all__ = ("Environment", "Machine")


@frozen
class Environment:
    """What the shell tool's environment must hold, and the variables it must not."""

    overrides: Mapping[str, str]
    blocked: tuple[str, ...]


@frozen(eq=False)
class Machine:
    """
    A machine, compiled once and never changed.

    It holds no run: every method takes a session and returns a new one, so any number of runs can share a machine.
    """

    law: Law
    _table: Table = field(init=False)

    @_table.default
    def _make_table(self) -> Table:
        return Table(self.law)

    @classmethod
    def of(
        cls,
        definition: Definition,
        *,
        machines: Mapping[str, Machine] | None = None,
        shell: Shell = BASH,
        files: Files | None = None,
        bounds: Bounds | None = None,
    ) -> Machine:
        """Make a definition ready; *machines* are those that it may invoke, by the names it uses."""
        children = MappingProxyType({name: machine.law for name, machine in (machines or {}).items()})
        lists = compiled_lists(definition)
        return cls(Law(definition, lists, children, shell, files or DiskFiles(), bounds or Bounds()))

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        machines: Mapping[str, Machine] | None = None,
        shell: Shell = BASH,
        files: Files | None = None,
        bounds: Bounds | None = None,
    ) -> Machine:
        """
        Read a machine from JSON or YAML, bare or in a template's envelope.

        Raises `DefinitionError` with every fault of shape and structure, each with file, line and JSON path. Invoked
        machines are checked when *machines* is given.
        """
        definition = load(path, None if machines is None else machines.keys()).sound()
        return cls.of(definition, machines=machines, shell=shell, files=files, bounds=bounds)

    @classmethod
    def parse(cls, text: str, file: str = "machine.json") -> Machine:
        """Read a machine from text; raises `DefinitionError` as `load` does."""
        return cls.of(load_text(text, file).sound())

    @property
    def definition(self) -> Definition:
        return self.law.definition

    def verdicts(self) -> tuple[Fault, ...]:
        """Return every fault of safety and every warning, with codes, severities and witness paths."""
        known = self.law.children.keys() or None
        return verdicts(self.law.definition, known)

    # Sessions.

    def start(self, run: str = "") -> Session:
        """Return a session in the initial state. *run* names it; approvals are bound to that name."""
        return begin(self.law, run)

    def send(self, session: Session, event: str, data: Json = None, *, now: int = 0, branch: Address = ()) -> Step:
        """
        Send an event; *now* is in seconds of the caller's clock, *branch* names the branch of a fork it is for.

        Whatever is wrong with the event is in `Step.refused`, and the session is as it was. Raises `UsageError` when
        *data* is no JSON.
        """
        return send_event(self.law, session, event, data, now, branch=branch)

    def post(
        self, session: Session, event: str, data: Json = None, *, expected: int | None = None, branch: Address = ()
    ) -> Step:
        """Put an event in the queue under the id `session.posted`; refused as `queue_full` when the queue is full."""
        return post(self.law, session, Posted(0, event, canonical(data), expected, branch))

    def drain(self, session: Session, *, now: int = 0) -> Drained:
        """Deliver the queue, one event at a time."""
        return drain(self.law, session, now)

    def cancel(self, session: Session) -> Step:
        """End a session where it stands; queued events are reported dropped by id."""
        return cancel(self.law, session)

    def follow(self, session: Session, state: str, *, now: int = 0) -> Step:
        """Bring a session to *state* over an edge of the machine: for programs whose own states drive it."""
        return deliver(self.law, session, (), lambda law, session: follow_to(law, session, state, now))

    # Tools.

    def decide(self, session: Session, call: Call) -> Decision:
        """
        Decide on a tool call before its effect.

        At a fork use `decide_in`. The answer of the tables is one shared object a state and name.
        """
        if session.watch or session.machine != self.law.definition.digest:
            return decide(self.law, session, call)
        ruling = self._table[session.state][call.name]
        if ruling.__class__ is Decision:
            return ruling
        assert isinstance(ruling, ToBeJudged)
        return judge_arguments(self.law, session, call, ruling)

    def decide_in(self, session: Session, call: Call, branch: Address) -> Decision:
        """Decide on a call made in one branch of a fork."""
        return decide(self.law, session, call, branch=branch)

    def after(self, session: Session, call: Call, *, read: int = 0, branch: Address = ()) -> Step:
        """
        Count a call that was allowed and made, *read* bytes having come back, and take the interrupt that it sets off.
        """
        return account(self.law, session, call, read, branch=branch)

    def admit(self, session: Session, call: Call, *, now: int = 0, branch: Address = ()) -> tuple[Decision, Step]:
        """
        Decide on a call and do what follows from the decision at once.

        An allowed call is counted; where the iterations are used up, the way on is taken.
        """
        decision = decide(self.law, session, call, branch=branch) if branch else self.decide(session, call)
        if decision.action == "allow":
            return decision, self.after(session, call, branch=branch)
        if decision.code == "iterations_exhausted":
            return decision, give_way(self.law, session, now, branch=branch)
        return decision, Step(session)

    def give_way(self, session: Session, *, now: int = 0, branch: Address = ()) -> Step:
        """Leave a state whose iterations are used up: over `safe_next`, else to `failed`."""
        return give_way(self.law, session, now, branch=branch)

    def offered(self, session: Session, tools: Iterable[str], *, branch: Address = ()) -> tuple[str, ...]:
        """Return those of *tools* that a call could pass by its name now: the list to offer a model."""
        found = at_work(self.law, session, branch)
        if isinstance(found, Refused):
            return ()
        return tuple(tool for tool in tools if may_be_called(*found, tool))

    def enforce(self, state: str, tools: Iterable[str]) -> Enforcement | Refused:
        """Say which of *tools* pass in *state* by the standard's rules 3 to 7, names as they come, one hop ahead."""
        return enforce(self.law.definition, state, tools, lambda here: self.law.lists[here.name].plain)

    def environment(self, session: Session, *, branch: Address = ()) -> Environment:
        """Return what the state at work says of the shell tool's environment."""
        found = at_work(self.law, session, branch)
        if isinstance(found, Refused):
            return Environment(MappingProxyType({}), ())
        state = found[0].state(found[1].state)
        return Environment(state.env_overrides, state.blocked_env)

    # Approvals.

    def waiting(self, session: Session) -> tuple[ApprovalRequest, ...]:
        """Return the requests that wait for a person, in this session and below it."""
        return tuple(request for _, request in waiting(session))

    def approve(self, session: Session, request: str, *, by: str, now: int) -> Step:
        """Let a waiting move happen. What does not fit the request is refused; an answer serves once."""
        return answer_step(self.law, session, Answer(request, "approved", by, now))

    def reject(self, session: Session, request: str, *, by: str, now: int, reason: str = "") -> Step:
        """Refuse a waiting move: the state stays, and the reason is kept in `session.answers`."""
        return answer_step(self.law, session, Answer(request, "rejected", by, now, reason))
