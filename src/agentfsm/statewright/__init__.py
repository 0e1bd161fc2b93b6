"""Statewright machines: which tools an agent may use in which state, and how it may get from one to another."""

from __future__ import annotations

from agentfsm.statewright.bounds import Bounds
from agentfsm.statewright.call import Call, ToolCall
from agentfsm.statewright.classifier import BASH
from agentfsm.statewright.definition import Definition
from agentfsm.statewright.enforcement import Enforcement
from agentfsm.statewright.event_tool import Transition
from agentfsm.statewright.explain import Explanation, explain, read_arguments, report, request_text
from agentfsm.statewright.family import link, load_family
from agentfsm.statewright.fault import Fault
from agentfsm.statewright.files import DiskFiles, Files, NamedFiles
from agentfsm.statewright.following import unfollowable
from agentfsm.statewright.guarding import StatewrightGuard
from agentfsm.statewright.json_schema import json_schema
from agentfsm.statewright.loading import Loaded, load, load_text
from agentfsm.statewright.machine import Environment, Machine
from agentfsm.statewright.moving import Step
from agentfsm.statewright.proofs import Claim, Proof, prove, read_claim
from agentfsm.statewright.queueing import Delivery, Drained
from agentfsm.statewright.session import Answer, ApprovalRequest, Session
from agentfsm.statewright.shell_port import UNCLASSIFIED, Shell
from agentfsm.statewright.standalone import Stepper
from agentfsm.statewright.standing import Standing
from agentfsm.statewright.tools import TOOLS, Rung, Tool, canonical_name
from agentfsm.statewright.transition import Refused

__all__ = (
    "BASH",
    "TOOLS",
    "UNCLASSIFIED",
    "Answer",
    "ApprovalRequest",
    "Bounds",
    "Call",
    "Claim",
    "Definition",
    "Delivery",
    "DiskFiles",
    "Drained",
    "Enforcement",
    "Environment",
    "Explanation",
    "Fault",
    "Files",
    "Loaded",
    "Machine",
    "NamedFiles",
    "Proof",
    "Refused",
    "Rung",
    "Session",
    "Shell",
    "Standing",
    "StatewrightGuard",
    "Step",
    "Stepper",
    "Tool",
    "ToolCall",
    "Transition",
    "canonical_name",
    "explain",
    "json_schema",
    "link",
    "load",
    "load_family",
    "load_text",
    "prove",
    "read_arguments",
    "read_claim",
    "report",
    "request_text",
    "unfollowable",
)
