"""Database clients: their code is opaque, but for one constant text of sqlite3 (standard, rule 10)."""

from __future__ import annotations

import re

from agentfsm.shell.call import Call, Rule
from agentfsm.shell.classes import OpClass
from agentfsm.shell.programs.spec import compiled, read_arguments
from agentfsm.shell.values import Arg, is_constant

__all__ = ("RULES", "TABLE")

TABLE = """
pg_dumpall createdb createuser pg_basebackup pg_receivewal pgbench initdb pg_ctl pg_ctlcluster pg_createcluster
    pg_upgrade vacuumdb reindexdb clusterdb mysqlimport mysqladmin mysqlcheck mysqld mysqld_safe mysql_upgrade
    mysql_secure_installation mongod mongoimport mongorestore mongodump mongoexport redis-server redis-benchmark
    influx influxd cqlsh nodetool neo4j cypher-shell arangosh couchbase-cli etcd etcdctl consul vault nomad
    rabbitmqctl rabbitmqadmin kafka-topics kafka-console-producer kafka-console-consumer kcat clickhouse
    clickhouse-client clickhouse-local trino presto hive beeline spark-sql spark-submit pyspark hdfs hadoop
    snowsql bq sqlplus isql sqlcmd bcp usql pgcli mycli litecli iredis pgloader liquibase flyway goose migrate
    dbmate sqlx sqitch  drizzle-kit knex typeorm sequelize duckdb  octosql steampipe surreal mongosh mongo | +U |
    . |
dropdb dropuser pg_dropcluster | +D | . |
pg_isready pg_lsclusters pg_config mysql_config pg_controldata pg_waldump | words | . |
sqlite3_analyzer sqldiff | words | r* |
"""

_REMOTE = ("-h", "--host", "-H", "-u=redis", "--hostname", "--uri", "--url")
_READS = re.compile(
    (
        r"\s*(?:SELECT\b|EXPLAIN\b|WITH\b|PRAGMA\s+(?:table_info|table_list|index_list|index_info|"
        r"foreign_key_list|database_list|compile_options|integrity_check|quick_check|user_version|"
        r"schema_version|page_count|page_size|encoding|journal_mode|foreign_keys|"
        r"table_xinfo)\b(?!\s*=))"
    ),
    re.IGNORECASE,
)
_WRITES = re.compile(r"\s*(?:UPDATE|INSERT)\b", re.IGNORECASE)
_DANGER = re.compile(
    (
        r"\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer|attach|zipfile|fsdir|lsmode|"
        r"eval|shell|sha3_query|detach|vacuum|drop|delete|create|alter|replace|reindex|"
        r"into\s+outfile|update|insert|sqlar_\w+)\b"
    ),
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"\s*\.(?:tables?|schema|indexes|indices|databases|dbinfo|fullschema|help|show|version|"
    r"stats)\b[^|;\n]*;?\s*\Z"
)
_WITH_VALUE = frozenset(
    {
        "-cmd",
        "-init",
        "-separator",
        "-newline",
        "-nullvalue",
        "-mmap",
        "-maxsize",
        "-lookaside",
        "-pagecache",
        "-heap",
        "-vfs",
        "-A",
    }
)


def sqlite(call: Call) -> None:
    """``sqlite3 FILE TEXT``: reading with -readonly, an UPDATE or INSERT, or opaque."""
    options: list[str] = []
    operands: list[Arg] = []
    args = list(call.args)
    while args:
        arg = args.pop(0)
        if arg.loose:
            call.unresolved("loose_argument")
            return
        if arg.starts("-") and arg.text != "-":
            name = "-" + arg.text.lstrip("-")
            options.append(name)
            if name in _WITH_VALUE:
                value = args.pop(0) if args else Arg("")
                if name in ("-cmd", "-init", "-A", "-vfs"):
                    call.unresolved("opaque_code", name)
                    return
                if not value.known:
                    call.unresolved("unknown_code", name)
        else:
            operands.append(arg)
    if [name for name in options if name in ("-version", "-help")]:
        return
    texts = operands[1:]
    if not texts and call.stdin is not None:
        texts = [Arg(call.stdin)]
    if (
        len(texts) != 1
        or not texts[0].known
        or not is_constant(texts[0].text)
        or not operands
        or operands[0].text.startswith("file:")
    ):
        call.unresolved("opaque_code", "sqlite3")
        return
    statement(call, operands[0], texts[0].text, readonly="-readonly" in options)


def statement(call: Call, file: Arg, text: str, *, readonly: bool) -> None:
    """Judge one constant text on one local file."""
    body = re.sub(r"'(?:[^']|'')*'", "''", text)
    statements = [part for part in body.split(";") if part.strip()]
    if body.strip().startswith("."):
        if readonly and _LISTS.match(body):
            call.reads(file)
            return
    elif "--" not in body and "/*" not in body and statements:
        if readonly and all(_READS.match(part) and not _DANGER.search(part) for part in statements):
            call.reads(file)
            return
        if all(
            (_WRITES.match(part) and not _DANGER.search(_WRITES.sub("", part, count=1)))
            or (_READS.match(part) and not _DANGER.search(part))
            for part in statements
        ) and any(_WRITES.match(part) for part in statements):
            call.note(OpClass.FILE_MODIFY, "changes_rows", file.text)
            return
    call.unresolved("opaque_code", text[:80])


def client(call: Call) -> None:
    """``psql``, ``mysql``, ``redis-cli``: opaque; a host makes them Network as well."""
    texts = [arg.text for arg in call.args]
    if texts and texts[0] in ("--version", "-V", "--help", "-?"):
        return
    hosted = any(
        text.startswith(
            (
                "--host",
                "--uri",
                "--url",
                "postgres://",
                "postgresql://",
                "mysql://",
                "mongodb://",
                "mongodb+srv://",
                "redis://",
                "rediss://",
            )
        )
        or "host=" in text
        for text in texts
    )
    if hosted or any(text.startswith("-h") for text in texts) or (texts and re.search(r"://", " ".join(texts))):
        call.network(detail="database host")
    if call.name in {"pg_dump", "mysqldump", "pg_restore"}:
        dump(call)
        return
    call.unresolved("opaque_code", call.name)


def dump(call: Call) -> None:
    """``pg_dump`` reads a database, to a file where told so; ``pg_restore`` changes one."""
    spec = compiled(
        "words | | -f,--file=:w --result-file=:w -r=:w -d,--dbname= -h,--host= -U,--username= -p= "
        "-t,--table= -n= -F,--format= -l --list"
    )
    found = read_arguments(call, spec, call.args)
    for value in found.values("-f", "--file", "--result-file", "-r"):
        call.writes(value)
    if call.name == "pg_restore" and not found.has("-l", "--list", "-f", "--file"):
        call.unresolved("opaque_code", "pg_restore")
    elif not found.has("-l", "--list"):
        call.unresolved("opaque_code", "reads a database")


RULES: dict[str, Rule] = {
    "sqlite3": sqlite,
    "sqlite": sqlite,
    **dict.fromkeys(
        (
            "psql",
            "mysql",
            "mariadb",
            "redis-cli",
            "valkey-cli",
            "pg_dump",
            "mysqldump",
            "mariadb-dump",
            "pg_restore",
            "mongosh",
            "mongo",
        ),
        client,
    ),
}
