"""Logs and snapshots that somebody tampered with: typed errors, and nothing in them is imported or called."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from typing import Any

import pytest

from agentfsm import AllowList, LogError, MemoryJournal, ReplayMismatchError, Run
from agentfsm.entries import chained
from agentfsm.errors import CorruptLogError, CorruptSnapshotError
from tests.mailing import Mailing
from tests.sample import Bug, machine

MUTATIONS = 5_000
HOSTILE: tuple[Any, ...] = (
    "__import__('os').system('true')",
    "this",
    "antigravity:geohash",
    "!!python/object/apply:os.system",
    {"__class__": "subprocess.Popen", "args": ["true"]},
    {"py/object": "builtins.eval"},
    [[[[[]]]]],
    {},
    None,
    True,
    -1,
    2**80,
    1e308,
    "\ud800",
    "FIX",
    "",
)


# What the interpreter says it did; hooks cannot be taken back, so this one only writes down.
AUDITED: list[str] = []
NAMED = {"os.system", "subprocess.Popen", "pickle.find_class", "ctypes.dlopen", "os.exec", "os.fork"}


def audited(event: str, given: tuple[object, ...]) -> None:
    if event in NAMED or (event == "import" and given[0] in {"antigravity", "this"}):
        AUDITED.append(event)


sys.addaudithook(audited)


async def recorded() -> tuple[Any, Run[Any], tuple[str, ...], str]:
    """A machine, and the log and a snapshot of a run that made calls, waited for an answer and got it."""
    scenario = Mailing(MemoryJournal())
    made = scenario.machine(scenario.journal())
    run = await scenario.go_on(made, await scenario.begin(made))
    return made, run, made.lines(run), made.snapshot(run).to_json()


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in parsed JSON."""
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += spots(item, (*path, key))
    elif isinstance(value, list):
        for key, item in enumerate(value):
            found += spots(item, (*path, key))
    return found


def mutated(text: str, chance: random.Random) -> str:
    """JSON with one thing in it changed, dropped, renamed or doubled, or its text cut or a byte in it exchanged."""
    if chance.random() < 0.2:
        at = chance.randrange(len(text))
        return chance.choice(
            [text[:at], text[:at] + chr(chance.randrange(1, 0x250)) + text[at + 1 :], text[at:], text * 2]
        )
    said = json.loads(text)
    path = chance.choice(spots(said))
    inside = said
    for key in path[:-1]:
        inside = inside[key]
    match chance.randrange(3):
        case 0:
            inside[path[-1]] = chance.choice(HOSTILE)
        case 1:
            del inside[path[-1]]
        case _ if isinstance(inside, dict):
            inside[f"{path[-1]}_"] = inside.pop(path[-1])
        case _:
            inside.insert(path[-1], chance.choice(HOSTILE))
    return json.dumps(said, separators=(",", ":"))


def resealed(lines: list[str]) -> list[str]:
    """Lines whose chain fits again, as somebody would make it who knows how."""
    chain, found = b"", []
    for line in lines:
        body, mark, _ = line.rpartition(',"chain":"')
        text, chain = chained(chain, f"{body}}}" if mark else line)
        found.append(text)
    return found


def only_typed(work: Callable[[], object], allowed: tuple[type[Exception], ...]) -> str:
    """Say how *work* ended; any other error is raised."""
    try:
        work()
    except allowed as error:
        return type(error).__name__
    return "read"


async def test_a_hostile_log_raises_typed_errors_only() -> None:
    """R18: however a log was changed, with its chain made to fit again or not, reading it imports and calls nothing."""
    made, run, lines, _ = await recorded()
    chance, ended = random.Random(18), list[str]()
    before = len(AUDITED)
    for number in range(MUTATIONS):
        changed = list(lines)
        place = chance.randrange(len(changed))
        changed[place] = mutated(changed[place], chance)
        read = resealed(changed) if number % 2 else changed
        ended.append(only_typed(lambda read=read: made.read(read), (LogError, ReplayMismatchError)))  # type: ignore[misc]  # bound now

    assert [] == AUDITED[before:]
    assert {"CorruptLogError", "IdentityError", "ReplayMismatchError"} <= set(ended)
    assert made.read(lines).digest == run.digest


async def test_a_hostile_snapshot_raises_typed_errors_only() -> None:
    """R18: however a snapshot was changed, with its checksum made to fit again or not, restoring it calls nothing."""
    from agentfsm.snapshot import _check

    made, run, _, text = await recorded()
    chance, ended = random.Random(18), list[str]()
    before = len(AUDITED)
    for number in range(MUTATIONS):
        changed = mutated(text, chance)
        if number % 2:
            body = changed.rpartition(',"check":"')[0]
            changed = f'{body},"check":"{_check(body + "}")}"}}'
        ended.append(only_typed(lambda changed=changed: made.restore(changed), (LogError,)))  # type: ignore[misc]  # bound now

    assert [] == AUDITED[before:]
    assert {"CorruptSnapshotError", "IdentityError"} <= set(ended)
    assert made.restore(text).state == run.state


@pytest.mark.parametrize(
    ("change", "at"),
    [
        (lambda lines: [*lines[:3], lines[3].replace('"iteration":2', '"iteration":3'), *lines[4:]], 3),
        (lambda lines: [*lines[:3], *lines[4:]], 3),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], 3),
        (lambda lines: [*lines[:4], lines[2], *lines[4:]], 4),
        (lambda lines: [*lines[:-1], lines[-1][:-10]], 4),
        (lambda lines: lines[1:], 0),
    ],
    ids=["changed", "dropped", "reordered", "inserted", "torn", "beheaded"],
)
async def test_what_was_done_to_a_log_is_named(change: Callable[[list[str]], list[str]], at: int) -> None:
    """R22: the first entry that is not what it was is named by its number."""
    made = machine(guards=[AllowList("*")])
    lines = list(made.lines(await made.run(Bug("b"))))
    assert 5 == len(lines)

    with pytest.raises(CorruptLogError) as caught:
        made.read(change(lines))

    assert f"$[{at}]" == caught.value.path


async def test_a_log_without_its_end_is_another_log() -> None:
    """What is cut off at a line's end reads as a run that has not gone that far: only who knows the head can tell."""
    made = machine()
    run = await made.run(Bug("b"))

    assert made.at(run, 3).digest == made.read(made.lines(run)[:4]).digest


async def test_a_snapshot_that_is_cut_or_changed_is_named() -> None:
    """R18: the checksum is over all of it."""
    made, _, _, text = await recorded()
    for wrong in (text[:-1], text.replace("draft", "craft", 1), "", "{}", text[1:]):
        with pytest.raises(CorruptSnapshotError, match="checksum"):
            made.restore(wrong)
