"""Journals: where the lines of logs are kept."""

from agentfsm.journal.jsonl import JsonlJournal
from agentfsm.journal.memory import MemoryJournal
from agentfsm.journal.postgres import PostgresJournal
from agentfsm.journal.sqlite import SqliteJournal

__all__ = ("JsonlJournal", "MemoryJournal", "PostgresJournal", "SqliteJournal")
