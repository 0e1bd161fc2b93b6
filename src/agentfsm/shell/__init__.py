"""
What a shell command could do, and whether a lifecycle state lets it.

`classify` answers with the union over everything that bash could run in a text; what is not understood is
unresolved, which stands for the worst. It never runs anything.
"""

from __future__ import annotations

from agentfsm.shell.allowed import check_against_allowed
from agentfsm.shell.classes import Classification, Command, Effect, OpClass, Reason, Span, Touched
from agentfsm.shell.classify import classify

__all__ = (
    "Classification",
    "Command",
    "Effect",
    "OpClass",
    "Reason",
    "Span",
    "Touched",
    "check_against_allowed",
    "classify",
)
