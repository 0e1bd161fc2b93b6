"""The tables of the Postgres journal, the statements that need care, and connections that know the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentfsm.errors import JournalError, UsageError

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ("APPEND", "BEGIN", "KEEP", "LEASE", "NOW", "RUNS", "connected")

_SCHEMA = 1
# One at a time makes the tables: CREATE ... IF NOT EXISTS alone is no match for two that begin together.
_TURN = 0x41464A31

NOW = "(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint"
_TABLES = """
CREATE SCHEMA IF NOT EXISTS {schema};
CREATE TABLE IF NOT EXISTS {schema}.runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, session text NOT NULL,
    head bigint NOT NULL, first bigint NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS runs_by_session ON {schema}.runs (session, id);
CREATE TABLE IF NOT EXISTS {schema}.entries (
    run bigint NOT NULL REFERENCES {schema}.runs (id), seq bigint NOT NULL, line text NOT NULL, PRIMARY KEY (run, seq)
);
CREATE TABLE IF NOT EXISTS {schema}.snapshots (name text PRIMARY KEY, entries bigint NOT NULL, text text NOT NULL);
CREATE TABLE IF NOT EXISTS {schema}.signals (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, key text NOT NULL, text text NOT NULL,
    UNIQUE (name, key)
);
CREATE TABLE IF NOT EXISTS {schema}.leases (
    name text PRIMARY KEY, owner text NOT NULL, fence bigint NOT NULL, until bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS {schema}.format (version integer NOT NULL);
INSERT INTO {schema}.format SELECT {version} WHERE NOT EXISTS (SELECT FROM {schema}.format);
"""

# The lock on the lease is what makes a takeover and a stalled writer's step happen one after the other.
_MAY = f"""
held AS (SELECT fence, until FROM leases WHERE name = %(run)s FOR SHARE),
may AS (
    SELECT 1 WHERE CASE WHEN %(fence)s::bigint IS NULL
        THEN NOT EXISTS (SELECT FROM held WHERE until > {NOW})
        ELSE EXISTS (SELECT FROM held WHERE fence = %(fence)s::bigint) END
)"""
_LINES = """
INSERT INTO entries (run, seq, line)
SELECT moved.id, %(expected)s + u.place - 1, u.line
FROM moved, unnest(%(lines)s::text[]) WITH ORDINALITY AS u (line, place)"""
BEGIN = f"""
WITH {_MAY}, moved AS (
    INSERT INTO runs (name, session, head) SELECT %(run)s, %(session)s, %(count)s FROM may
    ON CONFLICT (name) DO NOTHING RETURNING id
) {_LINES}""".encode()
APPEND = f"""
WITH {_MAY}, moved AS (
    UPDATE runs SET head = head + %(count)s WHERE name = %(run)s AND head = %(expected)s AND EXISTS (SELECT FROM may)
    RETURNING id
) {_LINES}""".encode()
KEEP = b"""
INSERT INTO snapshots AS old VALUES (%s, %s, %s) ON CONFLICT (name)
DO UPDATE SET entries = excluded.entries, text = excluded.text WHERE excluded.entries >= old.entries"""
LEASE = b"UPDATE leases SET owner = %s, fence = %s, until = %s WHERE name = %s"
RUNS = (
    "SELECT name, session, head, first,"
    " (SELECT coalesce(sum(octet_length(line)), 0)::bigint FROM entries WHERE run = id) FROM runs ORDER BY id"
)


async def connected(conninfo: str, schema: str) -> AsyncConnection[Any]:
    """
    Return a connection whose tables are those of *schema*, made where they are not there.

    Raises `UsageError` without psycopg, and `JournalError` for tables of another version.
    """
    try:
        from psycopg import AsyncConnection
    except ImportError:
        raise UsageError("PostgresJournal needs psycopg: install agentfsm[postgres]") from None
    link: AsyncConnection[Any] = await AsyncConnection.connect(conninfo, autocommit=True)
    async with link.transaction():
        await link.execute(b"SELECT pg_advisory_xact_lock(%s)", (_TURN,))
        await link.execute(_TABLES.format(schema=schema, version=_SCHEMA).encode())
    await link.execute(f"SET search_path TO {schema}".encode())
    row = await (await link.execute(b"SELECT version FROM format")).fetchone()
    if row is None or row[0] != _SCHEMA:
        await link.close()
        raise JournalError(f"schema {schema} has version {row and row[0]}; this version of agentfsm reads {_SCHEMA}")
    return link
