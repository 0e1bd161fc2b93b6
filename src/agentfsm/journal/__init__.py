"""Journals: where the lines of logs are kept."""

from agentfsm.journal.jsonl import JsonlJournal
from agentfsm.journal.memory import MemoryJournal

__all__ = ("JsonlJournal", "MemoryJournal")
