"""What holds for every test, and what several share: hypothesis measures no time; a server is started once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres_server import postgres_server

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """What connects to a Postgres server of these tests' own."""
    with postgres_server() as conninfo:
        yield conninfo
