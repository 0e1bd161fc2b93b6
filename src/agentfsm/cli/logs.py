"""RUN: the lines of a run's log, named on the command line as `FILE.jsonl` or `STORE#RUN`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from agentfsm.cli.one_file import OneFile
from agentfsm.codec import loads
from agentfsm.entries import chained
from agentfsm.errors import CorruptLogError, DecodeError, LogError, UsageError
from agentfsm.journal.jsonl import JsonlJournal
from agentfsm.world import Journal

__all__ = ("Line", "kept_in", "lines_of", "machine_of", "parsed", "under")

_CHAIN = len(',"chain":""}') + 32


@frozen
class Line:
    """One line of a log: its text, and what it says, as JSON."""

    text: str
    said: dict[str, Any]  # JSON of any shape; what is used of it is looked at where it is used


def lines_of(run: str) -> tuple[str, ...]:
    """
    Return the lines of the log that *run* names; raises `UsageError` where there is none.

    A last line without its end was torn by a crash and never acknowledged: it is left out, and standard error says so.
    """
    store, mark, name = run.rpartition("#")
    lines = asyncio.run(_collected(_journal(store).read(name))) if mark else _file(Path(run))
    if not lines:
        raise UsageError(f"{run} holds no run")
    return lines


@contextmanager
def under(run: str) -> Iterator[None]:
    """Let what is wrong with a log be told with the *run* that it was named by."""
    try:
        yield
    except LogError as error:
        raise type(error)(error.reason, path=f"{run}: {error.path}") from error


def parsed(lines: tuple[str, ...]) -> tuple[Line, ...]:
    """Return what *lines* say, held to their chain; raises `CorruptLogError` naming the first changed entry."""
    found: list[Line] = []
    chain = b""
    for number, text in enumerate(lines):
        whole, chain = chained(chain, f"{text[:-_CHAIN]}}}")
        if whole != text:
            raise CorruptLogError(f"entry {number} or one before it was changed, dropped or moved", path=f"$[{number}]")
        try:
            said = loads(text)
        except DecodeError as error:
            raise CorruptLogError(error.reason, path=f"$[{number}]") from error
        found.append(Line(text, said if isinstance(said, dict) else {}))
    return tuple(found)


def machine_of(lines: tuple[Line, ...]) -> str:
    """Return the name of the machine that a log is of; raises `CorruptLogError` where entry 0 does not say it."""
    header = lines[0].said.get("header")
    name = header.get("machine") if isinstance(header, dict) else None
    if not isinstance(name, str):
        raise CorruptLogError("entry 0 does not say of which machine the log is", path="$[0].header")
    return name


def kept_in(run: str, lines: tuple[Line, ...]) -> tuple[Journal, str]:
    """Return the journal that *run* is kept in, to go on with it there, and the run's own name."""
    store, mark, name = run.rpartition("#")
    if mark:
        return _journal(store), name
    return OneFile.continuing(Path(run), said := str(lines[0].said.get("run"))), said


def _journal(store: str) -> Journal:
    """Return the journal at *store*."""
    if Path(store).is_dir():
        return JsonlJournal(store)
    raise UsageError(f"{store} is no store: give a folder of .jsonl files, or name one of the files alone")


async def _collected(lines: AsyncIterator[str]) -> tuple[str, ...]:
    return tuple([line async for line in lines])


def _file(path: Path) -> tuple[str, ...]:
    if path.suffix != ".jsonl":
        raise UsageError(f"{path} is no RUN; give FILE.jsonl or STORE#RUN")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CorruptLogError(f"{path} is no UTF-8 at byte {error.start}") from error
    *lines, torn = text.split("\n")
    if torn:
        click.echo(f"agentfsm: {path}: the last line has no end; it was torn by a crash and is left out", err=True)
    return tuple(lines)
