"""What a ReAct agent knows: the input, and what it thinks, does and observes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import frozen

from agentfsm import Business, Metadata, Trail, record
from agentfsm.models import AskedCall, Message

__all__ = ("Action", "Conversation", "Imported", "Observation", "Output", "Session", "Status", "Thought", "UserInput")

Status: TypeAlias = Literal["ok", "refused", "failed", "malformed"]


@record
class UserInput(Business):
    """What the user wants."""

    text: str


@record(scope="iteration")
class Thought(Business):
    """
    What is to be done next, and why.

    *intent* is one line; without one the agent may not act. *earlier* is what was observed before this iteration.
    """

    intent: str
    reasoning: str = ""
    tool_calls: tuple[AskedCall, ...] = ()
    earlier: str = ""


@frozen
class Output:
    """
    What came of one call: its answer as text, or why there is none.

    A call is *malformed* when it cannot be made as it was written, *refused* by a guard, or *failed* in the doing.
    """

    call_id: str
    tool: str
    status: Status
    text: str


@record(scope="iteration")
class Action(Business):
    """The calls of one iteration and what came of them, in the same order."""

    calls: tuple[AskedCall, ...]
    outputs: tuple[Output, ...]


@record
class Observation(Business):
    """What is known after an iteration; with *need_loop* the agent goes on, else *final_answer* is its answer."""

    summary: str
    final_answer: str = ""
    need_loop: bool = False


@record(scope="session")
class Conversation(Business):
    """All messages of a session, oldest first, without the system prompt."""

    messages: Trail[Message] = Trail[Message]()


@record(scope="session")
class Session(Metadata):
    """Which session a run belongs to."""

    id: str


@record
class Imported(Metadata):
    """
    Says that a run did not take place here: its log was made from a recording.

    *source* is the file, *format* the harness's, *status* the recording's own word for how it ended, *ending* what
    that was. *actions* is how many actions the file records.
    """

    source: str
    format: str
    status: str
    ending: str
    actions: int
