"""Mistakes about records and their values."""

from __future__ import annotations

from collections.abc import Mapping

from accepts.repair import Bug, Diff, Note, Talk

from agentfsm import Business, Record, Trail, View, record


def records(bug: Bug, note: Note, talk: Talk) -> None:
    Bug()  # E: call-arg
    Bug(3)  # E: arg-type
    Bug("x", "y")  # E: call-arg
    Bug(title="x")  # E: call-arg
    Diff("x", ("a",))  # E: call-arg
    bug.report = "y"  # E: misc
    bug.title  # E: attr-defined
    note.lines["a"] = (1,)  # E: index
    Talk(talk.said.add(3))  # E: arg-type
    talk.said[0] = "x"  # E: index
    talk.said.append("x")  # E: attr-defined
    Talk(("x",))  # E: arg-type
    Talk(Trail[int]())  # E: arg-type


@record
class Lengths(Business):
    total: int = "0"  # E: assignment


@record(scope="itration")  # E: call-overload
class Misspelt(Business):
    text: str


@record(scope=3)  # E: call-overload
class Numbered(Business):
    text: str


def silent(table: Mapping[str, int], rec: Record) -> None:
    rec.of(View)  # E: arg-type
    table["a"] = 1  # E: index
