"""
Graphs as documents: graph.yaml loaded, checked against the classes with file and line, and written back from them.

`load` imports nothing; `resolve` does, when it is asked to.
"""

from __future__ import annotations

from agentfsm.workflow.checking import StageClass, Staged, check, graph_of, outline, resolve
from agentfsm.workflow.document import Document, Entry, Said
from agentfsm.workflow.loading import load, loads
from agentfsm.workflow.writing import Outline, schema, schema_text, to_yaml

__all__ = (
    "Document",
    "Entry",
    "Outline",
    "Said",
    "StageClass",
    "Staged",
    "check",
    "graph_of",
    "load",
    "loads",
    "outline",
    "resolve",
    "schema",
    "schema_text",
    "to_yaml",
)
