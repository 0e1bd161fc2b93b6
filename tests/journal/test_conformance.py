"""Every journal passes the suite that users are given for their own."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path

import pytest

from agentfsm import JsonlJournal, MemoryJournal, PostgresJournal, SqliteJournal
from agentfsm.testing import JournalConformance, Place

SCHEMAS = count(1)


class TestMemory(JournalConformance):
    shared = False

    @pytest.fixture
    def place(self) -> Place:
        store = MemoryJournal()
        return lambda: store


class TestJsonl(JournalConformance):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        return partial(JsonlJournal, tmp_path / "runs")


class TestSqlite(JournalConformance):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        return partial(SqliteJournal, tmp_path / "runs.db")


class TestSqliteFull(JournalConformance):
    @pytest.fixture
    def place(self, tmp_path: Path) -> Place:
        return partial(SqliteJournal, tmp_path / "runs.db", synchronous="full")


class TestPostgres(JournalConformance):
    @pytest.fixture
    def place(self, postgres: str) -> Place:
        return partial(PostgresJournal, postgres, schema=f"conforms_{next(SCHEMAS)}")
