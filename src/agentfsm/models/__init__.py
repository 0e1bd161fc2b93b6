"""Models: the port through which a stage asks one, what it asks and is answered, and two that need no network."""

from agentfsm.models.answers import answer_text
from agentfsm.models.asking import answered
from agentfsm.models.cassette import RecordedModel, Recorder
from agentfsm.models.port import AskedCall, ChatModel, ChatRequest, Emit, Message, Reply, ToolSpec, Usage, spec_of
from agentfsm.models.scripted import ScriptedModel

__all__ = (
    "AskedCall",
    "ChatModel",
    "ChatRequest",
    "Emit",
    "Message",
    "RecordedModel",
    "Recorder",
    "Reply",
    "ScriptedModel",
    "ToolSpec",
    "Usage",
    "answer_text",
    "answered",
    "spec_of",
)
