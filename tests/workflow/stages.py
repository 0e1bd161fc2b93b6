"""Stage classes of a small machine, as a document names them; importing this leaves a mark."""

from __future__ import annotations

from enum import Enum, auto
from typing import ClassVar

from agentfsm.records import Business, Maybe, ReadSet, Record, WriteSet, record


class Step(Enum):
    ASK = auto()
    WORK = auto()
    NO = auto()  # which YAML 1.1 takes for false
    DONE = auto()
    FAILED = auto()


@record
class UserInput(Business):
    text: str = ""


@record
class Diff(Business):
    text: str = ""


NOTHING: frozenset[type[Record]] = frozenset()


class Ask:
    enters: ClassVar[Enum | None] = Step.ASK
    reads: ClassVar[ReadSet] = ReadSet.parse(UserInput)
    writes: ClassVar[WriteSet] = WriteSet(NOTHING, NOTHING)
    exits: ClassVar[tuple[Enum, ...]] = (Step.WORK, Step.NO)


class Work:
    enters: ClassVar[Enum | None] = Step.WORK
    reads: ClassVar[ReadSet] = ReadSet.parse(UserInput | Maybe[Diff])
    writes: ClassVar[WriteSet] = WriteSet.parse(Diff)
    exits: ClassVar[tuple[Enum, ...]] = (Step.WORK, Step.DONE, Step.FAILED)


class Refuse:
    enters: ClassVar[Enum | None] = Step.NO
    reads: ClassVar[ReadSet] = ReadSet(NOTHING, NOTHING)
    writes: ClassVar[WriteSet] = WriteSet.parse(Maybe[Diff])
    exits: ClassVar[tuple[Enum, ...]] = (Step.DONE,)


class Recover:
    enters: ClassVar[Enum | None] = None
    reads: ClassVar[ReadSet] = ReadSet.parse(Maybe[Record])
    writes: ClassVar[WriteSet] = WriteSet(NOTHING, NOTHING)
    exits: ClassVar[tuple[Enum, ...]] = (Step.WORK, Step.FAILED)


NOT_A_STAGE = 1
