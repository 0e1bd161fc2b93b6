"""Ready-made parts for coding agents: tools that read, search, change and run what is in a workspace."""

from __future__ import annotations

from agentfsm_stages.coding.editing import Change, Edit, Write
from agentfsm_stages.coding.executing import Bash, Output
from agentfsm_stages.coding.listing import LS, Glob, Item, Listing, Paths
from agentfsm_stages.coding.reading import Excerpt, Read
from agentfsm_stages.coding.searching import Grep, Match, Matches
from agentfsm_stages.coding.testing import RunTests, TestReport, Verdict

__all__ = (
    "LS",
    "Bash",
    "Change",
    "Edit",
    "Excerpt",
    "Glob",
    "Grep",
    "Item",
    "Listing",
    "Match",
    "Matches",
    "Output",
    "Paths",
    "Read",
    "RunTests",
    "TestReport",
    "Verdict",
    "Write",
)
