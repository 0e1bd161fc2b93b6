"""ReAct agents: think, act, observe; and the loop of a model that calls its tools."""

from agentfsm_stages.react.act import Act, made
from agentfsm_stages.react.agents import INVARIANTS, Classic, Loop, Settings, classic, looped, react, tool_loop
from agentfsm_stages.react.importing import ImportedRun, RecordedClock, import_trajectory
from agentfsm_stages.react.lifecycle import ReAct
from agentfsm_stages.react.observe import Observe, Report
from agentfsm_stages.react.receive import Receive
from agentfsm_stages.react.records import (
    Action,
    Conversation,
    Imported,
    Observation,
    Output,
    Session,
    Thought,
    UserInput,
)
from agentfsm_stages.react.recover import Recover
from agentfsm_stages.react.think import Think
from agentfsm_stages.react.tool_loop import Converse, Hear, Perform

__all__ = (
    "INVARIANTS",
    "Act",
    "Action",
    "Classic",
    "Conversation",
    "Converse",
    "Hear",
    "Imported",
    "ImportedRun",
    "Loop",
    "Observation",
    "Observe",
    "Output",
    "Perform",
    "ReAct",
    "Receive",
    "RecordedClock",
    "Recover",
    "Report",
    "Session",
    "Settings",
    "Think",
    "Thought",
    "UserInput",
    "classic",
    "import_trajectory",
    "looped",
    "made",
    "react",
    "tool_loop",
)
