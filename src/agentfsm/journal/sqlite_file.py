"""The file of the SQLite journal: its tables, and what makes a connection to it safe to use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agentfsm.errors import JournalError

if TYPE_CHECKING:
    import sqlite3

__all__ = ("opened",)

_APPLICATION, _SCHEMA = 0x41464A31, 1  # "AFJ1"
_TABLES = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, session TEXT NOT NULL, first INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS runs_by_session ON runs (session, id);
CREATE TABLE IF NOT EXISTS entries (
    run INTEGER NOT NULL REFERENCES runs (id), seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (name TEXT PRIMARY KEY, entries INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signals (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (name, key)
) STRICT;
CREATE TABLE IF NOT EXISTS leases (
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT;
PRAGMA application_id = {application};
PRAGMA user_version = {schema};
COMMIT;
"""


def opened(path: Path, synchronous: str) -> sqlite3.Connection:
    """
    Return a connection to the journal at *path*, which is made where there is none.

    Raises `JournalError` for a file that is a database of something else, or of another schema.
    """
    import sqlite3  # on first use: most runs are kept elsewhere or not at all

    if not path.parent.is_dir():
        raise JournalError(f"{path}: {path.parent} is no folder")
    # Waiting is done outside, where it holds up nothing else; threads take turns outside, too.
    file = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    ready = False
    try:
        _prepare(file, path, synchronous)
        ready = True
    finally:
        if not ready:
            file.close()
    return file


def _prepare(file: sqlite3.Connection, path: Path, synchronous: str) -> None:
    # The tables first: where another process is making them, all three are there from then on.
    (tables,) = file.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application,) = file.execute("PRAGMA application_id").fetchone()
    (schema,) = file.execute("PRAGMA user_version").fetchone()
    if tables and application != _APPLICATION:
        raise JournalError(f"{path} is a database of something else")
    if tables and schema != _SCHEMA:
        raise JournalError(f"{path} has schema {schema}; this version of agentfsm reads {_SCHEMA}")
    file.execute("PRAGMA journal_mode = WAL")
    file.execute(f"PRAGMA synchronous = {synchronous.upper()}")
    if not tables:
        file.executescript(_TABLES.format(application=_APPLICATION, schema=_SCHEMA))
